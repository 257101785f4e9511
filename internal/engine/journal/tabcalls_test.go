package journal

import (
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
