package chaos

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// spareRenderers is how many processes Chromium keeps for the next page.
const spareRenderers = 1

// Pages that are rendered, fail or are given up leave nothing behind. No memory stays in use, no
// page in the browser, and no state for the next page.
func TestRenders(t *testing.T) {
	long.Test(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Render</title><main><p>Text.</p></main><script>
			if (document.cookie || localStorage.n) document.querySelector("p").textContent = "Of another";
			document.cookie = "n=1"; localStorage.n = 1; window.open("/"); new SharedWorker("/worker");
		</script>`)
	}))
	t.Cleanup(site.Close)
	s := service.Own(t, "")
	kinds := []args{
		{"url": site.URL, "mode": "extract", "wait_seconds": 0},
		{"url": site.URL, "mode": "screenshot", "wait_seconds": 0},
		{"url": site.URL, "mode": "extract", "wait_seconds": 0, "javascript": "throw 1"},
		{"url": "http://nothing.invalid/", "mode": "extract"},
	}
	one := func(n int) {
		a, err := s.Try(t.Context(), "POST /render", kinds[n%len(kinds)])
		switch {
		case err != nil:
			t.Error(err)
		case n%len(kinds) > 1:
			if a.Status < 400 {
				t.Errorf("%v: %s", kinds[n%len(kinds)], a.Raw)
			}
		case a.Status != 200 || n%len(kinds) == 0 && a.Text("markdown") != "Text.":
			t.Errorf("%v: %d %s", kinds[n%len(kinds)], a.Status, a.Raw)
		}
		os.Remove(a.Text("image_path"))
	}
	warmUp := *renders / 5
	several(warmUp, one)
	before := resident(t)
	several(*renders-warmUp, one)
	after := resident(t)
	t.Logf("%d renders: %.1f MB after %d, %.1f MB at the end", *renders, float64(before)/(1<<20), warmUp, float64(after)/(1<<20))
	if after-before > growth {
		t.Errorf("grown by %.1f MB", float64(after-before)/(1<<20))
	}
	service.Eventually(t, "the processes of pages have ended", func() bool { return len(service.Using(s.Dir, "--type=renderer")) <= spareRenderers })
}

// several calls fn with the numbers below n, four at a time.
func several(n int, fn func(int)) {
	var calls sync.WaitGroup
	next := make(chan int)
	for range 4 {
		calls.Go(func() {
			for i := range next {
				fn(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	calls.Wait()
}
