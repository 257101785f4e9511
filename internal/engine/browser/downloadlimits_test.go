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

// When the downloads under way are too large together, the largest is stopped.
func TestLargeDownloads(t *testing.T) {
	b := downloading(t, media.Bounds{MaxAge: time.Hour, MaxBytes: 10 << 20})
	small, large, whole := b.begin(), b.begin(), b.begin()
	whole.progress(9<<20, 9<<20)
	whole.fail(nil)
	small.progress(2<<20, 0)
	large.progress(1, 8<<20)
	b.limitDownloadsLocked()
	if small.hasEnded() || large.hasEnded() {
		t.Errorf("within the limit: %v, %v", small.Err(), large.Err())
	}
	small.progress(2<<20+1, 0)
	b.limitDownloadsLocked()
	stoppedBy(t, large, "downloads may have 10 MB together")
	if small.hasEnded() {
		t.Errorf("the small one: %v", small.Err())
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
