package observe

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
)

// A request of a shared worker is copied once into the event log of each tab, even if Chromium
// reports its headers after its end.
func TestCopiedRequests(t *testing.T) {
	worker, tab := journal.New(nil), journal.New(nil)
	copies := &copier{journals: func() []*journal.Journal { return []*journal.Journal{tab} }, of: map[string][]copied{}}
	worker.Listen(journal.Listener{Request: copies.request})
	for range 2 * maxCopied {
		r := worker.AddRequest(journal.Request{URL: "http://a.test/"})
		worker.ChangeRequest(r, func(r *journal.Request) { r.Ended = 1 })
		worker.ChangeRequest(r, func(r *journal.Request) { r.Raw = true })
	}
	list, dropped := tab.Requests()
	if len(list)+dropped != 2*maxCopied || !list[0].Raw || list[0].Ended != 1 {
		t.Errorf("%d requests and %d dropped, the first is %+v", len(list), dropped, list[0])
	}
	if len(copies.of) > maxCopied || len(copies.order) > maxCopied {
		t.Errorf("%d copies are kept", len(copies.of))
	}
}

// The links of a redirect have the ids of the event log that the copies are in.
func TestCopiedRedirects(t *testing.T) {
	worker, tab := journal.New(nil), journal.New(nil)
	tab.AddRequest(journal.Request{URL: "http://a.test/of-the-tab"})
	copies := &copier{journals: func() []*journal.Journal { return []*journal.Journal{tab} }, of: map[string][]copied{}}
	worker.Listen(journal.Listener{Request: copies.request})
	first := worker.AddRequest(journal.Request{URL: "http://a.test/moved"})
	second := worker.AddRequest(journal.Request{URL: "http://a.test/", RedirectedFrom: first.ID})
	worker.ChangeRequest(first, func(r *journal.Request) { r.RedirectedTo = second.ID })
	list, _ := tab.Requests()
	if moved, last := list[1], list[2]; moved.RedirectedTo != last.ID || last.RedirectedFrom != moved.ID {
		t.Errorf("%s leads to %q, %s comes from %q", moved.ID, moved.RedirectedTo, last.ID, last.RedirectedFrom)
	}
}

// Sessions come and go while a page lives. A session that has logged something is not kept for
// ever.
func TestLoggedObjects(t *testing.T) {
	o := New(nil)
	for i := range 5 * maxLogged {
		s := cdp.Closed()
		s.ID = fmt.Sprint(i)
		o.releaseObjects(s, &runtime.RemoteObject{ObjectID: "1"})
	}
	if n := len(o.logged.sessions); n > maxLogged {
		t.Errorf("%d sessions are kept", n)
	}
}
