package chaos

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/service"
)

// A call that cannot be done is answered at its deadline, whatever hinders it.
func TestDeadlines(t *testing.T) {
	long.Test(t)
	s, pages := service.Own(t, ""), newSite(t)
	random := random(0)
	for _, page := range []struct {
		name, html string
		code       string
	}{
		{"covered", `<button>Go</button><div style="position: fixed; inset: 0"></div>`, "ACT_OPERATION_FAILED"},
		{"moving", `<style>@keyframes m { to { margin-left: 300px } }</style><button style="animation: m 300ms infinite alternate linear">Go</button>`, "ACT_OPERATION_FAILED"},
		{"disabled", `<button disabled>Go</button>`, "ACT_OPERATION_FAILED"},
		{"busy", `<button>Go</button>`, "page_busy"},
	} {
		t.Run(page.name, func(t *testing.T) {
			tab := s.Open(t, pages.URL+"/html?is="+url.QueryEscape(page.html))
			ref := tab.Ref("Go")
			if page.code == "page_busy" {
				tab.Eval("void setTimeout(() => { for (;;); })")
			}
			for range max(1, *ops/1000) {
				wait := time.Duration(500+random.IntN(1000)) * time.Millisecond
				if !service.Strict() {
					wait *= 2 // beside other tests a page may not be painted for a second, and so not known to move
				}
				a, err := tab.Try(t.Context(), "click", args{"ref": ref, "timeoutMs": wait.Milliseconds(), "snapshot": "delta"})
				if err != nil {
					t.Fatal(err)
				}
				a.Within(t, wait)
				if a.Status == http.StatusOK || a.Text("code") != page.code {
					t.Errorf("got %d %s, want %s", a.Status, a.Raw, page.code)
				}
			}
		})
	}
}
