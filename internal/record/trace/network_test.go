package trace

import (
	"strings"
	"testing"

	"chela/internal/engine/journal"
)

// A request that is older than maxHeld others is written before it ends. A later change, such as a
// frame of a WebSocket, does not write it again.
func TestLongRequestIsWrittenOnce(t *testing.T) {
	r, err := Start(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	tab := &tabRecord{recorder: r, deaf: func() {}}
	tab.pageID.Store("page@1")
	tab.network = newNetwork(r, tab)
	j := journal.New(nil)
	j.Listen(journal.Listener{Request: tab.network.changed})
	socket := j.AddRequest(journal.Request{URL: "ws://a.test/", Type: journal.WebSocket, At: r.start})
	for range maxHeld {
		j.AddRequest(journal.Request{URL: "http://a.test/", At: r.start})
	}
	j.ChangeRequest(socket, func(r *journal.Request) { r.Frames.Received++ })
	tab.network.flush()
	if _, err := r.Stop(t.Context(), func(path string) error {
		if n := strings.Count(read(t, path)["trace.network"], "ws://a.test/"); n != 1 {
			t.Errorf("it is written %d times", n)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
