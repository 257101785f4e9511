package journal

import (
	"slices"
	"testing"
	"time"
)

func TestOldestCallsMakeRoom(t *testing.T) {
	var calls TabCalls
	for i := range maxTabCalls + 2 {
		calls.Add(TabCall{Took: time.Duration(i)})
	}
	list, dropped := calls.List()
	if len(list) != maxTabCalls || dropped != 2 || list[0].Took != 2 || list[maxTabCalls-1].Took != maxTabCalls+1 {
		t.Errorf("%d calls from %v, %d dropped", len(list), list[0], dropped)
	}
}

// A session with very many calls makes room by its own: it does not remove those of others.
func TestCallsOfOthersStay(t *testing.T) {
	var calls TabCalls
	calls.Add(TabCall{Session: "other", Operation: "click"})
	for range 2 * maxTabCalls {
		calls.Add(TabCall{Session: "busy"})
	}
	calls.Add(TabCall{Session: "other", Operation: "type"})
	list, dropped := calls.List()
	others := slices.DeleteFunc(slices.Clone(list), func(c TabCall) bool { return c.Session == "busy" })
	if len(list) != maxTabCalls || dropped != maxTabCalls+2 || len(others) != 2 || list[maxTabCalls-1].Operation != "type" {
		t.Errorf("%d calls, %d dropped, of others: %v", len(list), dropped, others)
	}
}
