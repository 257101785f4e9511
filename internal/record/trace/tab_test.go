package trace

import (
	"fmt"
	"strings"
	"testing"

	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
)

// A call that was under way when the trace ended may come to a tab afterwards. No film begins then,
// since nothing would end it.
func TestTabAfterTheEnd(t *testing.T) {
	r, err := Start(t.TempDir(), Options{Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	r.Discard()
	tab := r.tabRecord(new(browser.Tab))
	if tab.see(new(page.Page)); tab.film != nil {
		t.Error("the tab is filmed")
	}
}

// The secrets of addresses are in a trace only if it is begun with them.
func TestSecretsOfTab(t *testing.T) {
	for _, secrets := range []bool{false, true} {
		r, err := Start(t.TempDir(), Options{Secrets: secrets})
		if err != nil {
			t.Fatal(err)
		}
		tab := &tabRecord{recorder: r, deaf: func() {}}
		tab.pageID.Store("page@1")
		tab.network = newNetwork(r, tab)
		place := journal.Location{URL: "http://a.test/a.js?token=in-place"}
		tab.message(journal.Message{Text: "see http://a.test/?token=in-text", Location: place})
		tab.error(journal.Error{Message: "at http://a.test/?token=in-error", Stack: "at f (http://a.test/?token=in-stack)", Location: place})
		body := journal.Request{Response: journal.Response{MIMEType: "application/json"}}
		tab.network.addBody(body, []byte(`{"access_token": "token=in-body"}`))
		if _, err := r.Stop(t.Context(), func(path string) error {
			all := fmt.Sprint(read(t, path))
			for _, each := range []string{"in-place", "in-text", "in-error", "in-stack", "in-body"} {
				if got := strings.Contains(all, "token="+each); got != secrets {
					t.Errorf("asked for secrets: %v; token=%s is in the trace: %v", secrets, each, got)
				}
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
}
