package fleet

import (
	"net/http"
	"sync"
)

// did counts the acts that pages have done, by their ids.
var did struct {
	sync.Mutex
	times map[string]int
}

// countAct is the route to which pages report an act.
func countAct(_ http.ResponseWriter, r *http.Request) {
	did.Lock()
	defer did.Unlock()
	if did.times == nil {
		did.times = map[string]int{}
	}
	did.times[r.URL.Query().Get("id")]++
}

func timesDone(id string) int {
	did.Lock()
	defer did.Unlock()
	return did.times[id]
}
