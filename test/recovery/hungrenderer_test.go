//go:build unix

package recovery

import (
	"sync"
	"syscall"
	"testing"

	"chela/test/service"
)

// A browser that hangs is ended, and later pages are rendered by another one.
func TestHungRenderer(t *testing.T) {
	t.Parallel() // the test waits for a process that hangs
	s := service.Own(t, "")
	request := args{"url": site.URL + "/text.html", "mode": "extract", "wait_seconds": 0}
	s.OK(t, "POST /render", request)
	for _, pid := range service.Using(s.Dir, "chela-render") {
		syscall.Kill(pid, syscall.SIGSTOP)
		t.Cleanup(func() { syscall.Kill(pid, syscall.SIGCONT) }) // a crash handler outlives the browser, and ends when it runs again
	}
	var calls sync.WaitGroup
	request["timeoutMs"] = 1000
	for range 8 {
		calls.Go(func() {
			if a, err := s.Try(t.Context(), "POST /render", request); err != nil || a.Status != 504 {
				t.Errorf("%v, %s", err, a.Raw)
			}
		})
	}
	calls.Wait()
	request["timeoutMs"] = 60000
	s.OK(t, "POST /render", request)
}
