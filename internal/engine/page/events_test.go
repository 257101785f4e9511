package page

import (
	"fmt"
	"testing"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/engine/setting"
)

// Events that are only observed are handled in order, even while a call holds the page's mutex.
// They do not delay events that change the page's state.
func TestObservations(t *testing.T) {
	texts := make(chan string)
	j := journal.New(nil)
	j.Listen(journal.Listener{Message: func(m journal.Message) { texts <- m.Text }})
	p, r := record(t, setting.Settings{})
	p.Record(j)
	p.mu.Lock()
	for i := range 3 {
		r.says <- fmt.Sprintf(`{"method":"Log.entryAdded","sessionId":"TAB","params":{"entry":{"source":"other","level":"info","text":"%d","timestamp":0}}}`, i)
	}
	for i := range 2 {
		if got, want := <-texts, fmt.Sprint(i); got != want {
			t.Errorf("observed %q, want %q", got, want)
		}
	}
	p.mu.Unlock()
	r.document("TAB") // this event comes while the third is being handled
	if _, err := p.worldOf(t.Context(), p.main()); err != nil {
		t.Error(err)
	}
	if got := <-texts; got != "2" {
		t.Errorf("observed %q, want 2", got)
	}
}

func TestClass(t *testing.T) {
	for method, want := range map[string]cdp.Class{
		"Page.frameNavigated": cdp.Structure | cdp.Observation,
		"Page.frameAttached":  cdp.Structure,
		"Page.frameResized":   cdp.Ignored,
		"Log.entryAdded":      cdp.Observation,

		"Network.requestWillBeSent":  cdp.Structure | cdp.Observation,
		"Network.webSocketFrameSent": cdp.Observation | cdp.Shortened,
	} {
		if got := Class(method); got != want {
			t.Errorf("%s is of class %v, want %v", method, got, want)
		}
	}
}
