package browser

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/base/media"
)

// downloading returns a browser that has ended already, and that keeps files within the given
// bounds.
func downloading(t *testing.T, bounds media.Bounds) *Browser {
	t.Helper()
	files, err := media.Open(media.Places{Media: t.TempDir(), Downloads: t.TempDir()}, bounds)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	return &Browser{conn: endedConn(), changed: make(chan struct{}), downloads: downloads{files: files}}
}

// begin lists a new download.
func (b *Browser) begin() *Download {
	d := &Download{done: make(chan struct{})}
	b.addDownload(d)
	return d
}

func stoppedBy(t *testing.T, d *Download, want string) {
	t.Helper()
	limit, ok := errors.AsType[*LimitError](d.Err())
	if !ok || !strings.Contains(limit.Why, want) {
		t.Errorf("got %v, want %q", d.Err(), want)
	}
}

// If many downloads never end, new ones are stopped, so the list stays short.
func TestTooManyDownloads(t *testing.T) {
	b := downloading(t, media.Bounds{MaxAge: time.Hour, MaxBytes: 1})
	first := b.begin()
	for range maxDownloads + 50 {
		b.begin()
	}
	last := b.begin()
	stoppedBy(t, last, "200 other downloads are under way")
	if n := len(b.downloads.list); n > maxDownloads+1 || first.hasEnded() {
		t.Errorf("%d are listed; the first has ended: %v", n, first.hasEnded())
	}
	first.fail(ErrBroken)
	if next := b.begin(); next.hasEnded() {
		t.Errorf("when there is room again: %v", next.Err())
	}
}

// When the downloads under way are too large together, the newest is stopped, even if an older one
// is larger. An announced size stops only its own download.
func TestLargeDownloads(t *testing.T) {
	const limit = "downloads may have 10 MB together"
	b := downloading(t, media.Bounds{MaxAge: time.Hour, MaxBytes: 10 << 20})
	first, announced, whole, second, third := b.begin(), b.begin(), b.begin(), b.begin(), b.begin()
	whole.progress(9<<20, 9<<20)
	whole.fail(nil)
	first.progress(7<<20, 9<<20)
	second.progress(2<<20, 9<<20)
	third.progress(1<<20, 0)
	announced.progress(1, 10<<20+1)
	b.limitDownloadsLocked()
	stoppedBy(t, announced, limit)
	for _, d := range []*Download{first, second, third} {
		if d.hasEnded() {
			t.Errorf("within the limit: %v", d.Err())
		}
	}
	second.progress(2<<20+1, 9<<20)
	b.limitDownloadsLocked()
	stoppedBy(t, third, limit)
	first.progress(8<<20, 9<<20)
	b.limitDownloadsLocked()
	stoppedBy(t, second, limit)
	if first.hasEnded() {
		t.Errorf("the first: %v", first.Err())
	}
}

// The error has the limit as the user has set it, with fractions of a MB.
func TestDownloadLimitInWords(t *testing.T) {
	for mb, want := range map[float64]string{0.1: "0.1 MB", 0.5: "0.5 MB", 1000: "1000 MB", 1e6: "1000000 MB"} {
		b := downloading(t, media.Bounds{MaxAge: time.Hour, MaxBytes: int64(mb * (1 << 20))})
		d := b.begin()
		d.progress(1, 1<<50)
		b.limitDownloadsLocked()
		stoppedBy(t, d, "downloads may have "+want+" together")
	}
}

// A download that receives nothing is stopped, and so is one that takes too long.
func TestEndlessDownloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := downloading(t, media.Bounds{MaxAge: time.Hour, MaxBytes: 1 << 20})
		stalled, slow := b.begin(), b.begin()
		began := time.Now()
		var received int64
		for !slow.hasEnded() {
			received++
			slow.progress(received, 0)
			if stalled.hasEnded() != (time.Since(began) >= stalledTime) {
				t.Fatalf("after %v: %v", time.Since(began), stalled.Err())
			}
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		stoppedBy(t, stalled, "nothing has come of it for 10m")
		stoppedBy(t, slow, "it has taken 1h")
	})
}
