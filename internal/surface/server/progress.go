package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"chela/internal/op"
)

// withProgress returns the context of a call. If the caller asks for progress by a header, progress is
// sent in informational responses (102). After stop was called, none is sent, because the headers then
// belong to the answer. The caller has replyTime to read such a response. If sending progress fails,
// the call goes on. The function stop may be called twice.
func withProgress(w http.ResponseWriter, r *http.Request) (ctx context.Context, stop func()) {
	if r.Header.Get(op.ProgressHeader) == "" || !r.ProtoAtLeast(1, 1) {
		return r.Context(), func() {}
	}
	var mu sync.Mutex
	stopped := false
	report := func(done, total int, doing string) {
		raw, _ := json.Marshal(op.ProgressReport{Done: done, Total: total, Doing: doing}) // cannot fail
		mu.Lock()
		defer mu.Unlock()
		if stopped {
			return
		}
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replyTime))
		w.Header().Set(op.ProgressHeader, string(outgoing(raw)))
		w.WriteHeader(http.StatusProcessing)
		w.Header().Del(op.ProgressHeader)
	}
	return op.WithProgress(r.Context(), report), func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
	}
}
