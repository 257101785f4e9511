package cdp

import (
	"testing"

	"github.com/chromedp/cdproto/page"
)

// The function of an event gets the decoded event and the session that it came from.
func TestEventTable(t *testing.T) {
	var got []string
	table := EventTable[*[]string]{}
	On(table, page.FrameStoppedLoading, func(list *[]string, s *Session, ev page.EventFrameStoppedLoading) {
		*list = append(*list, s.ID+" "+string(ev.FrameID))
	})
	c, _ := connect(t, Options{})
	s := &Session{ID: "TAB", conn: c}
	table[page.FrameStoppedLoading.Method](&got, Event{Session: s, Method: page.FrameStoppedLoading.Method, Params: []byte(`{"frameId":"MAIN"}`)})
	table[page.FrameStoppedLoading.Method](&got, Event{Session: s, Method: page.FrameStoppedLoading.Method, Params: []byte(`{"frameId":1}`)})
	if len(table) != 1 || len(got) != 1 || got[0] != "TAB MAIN" {
		t.Errorf("%d functions, called with %q", len(table), got)
	}
}
