package video

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/engine/render"
	"chela/internal/record/live"
	"chela/test/long"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started provides package render with a browser that runs already.
type started struct{ b *browser.Browser }

func (s started) Browser(context.Context) (*browser.Browser, error) { return s.b, nil }
func (s started) Stop(context.Context) error                        { return nil }

// start starts a browser for the time of a test.
func start(t *testing.T) *browser.Browser {
	t.Helper()
	found, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	host, err := browser.Launch(ctx, chrome.Options{Executable: found, UserDataDir: t.TempDir(), Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := browser.Start(ctx, host, browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

// kill kills a browser.
func kill(b *browser.Browser) {
	if p, err := os.FindProcess(b.Describe().PID); err == nil {
		p.Kill()
	}
}

// A video that reaches a limit, or loses its browser, ends as a file that can be saved, and says why
// it ended.
func TestVideoEndsByItself(t *testing.T) {
	long.Test(t)
	lively := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(`<style>@keyframes turn { to { transform: rotate(1turn) } } div { width: 300px; height: 300px; background: conic-gradient(red, blue); animation: turn 1s infinite }</style><div></div>`))
	}))
	t.Cleanup(lively.Close)
	encoding := start(t)
	renderer := render.New(started{encoding})
	t.Cleanup(renderer.Close)
	how := Options{Width: 320, Height: 200, FPS: 30, Longest: time.Minute, Largest: MaxBytes}
	short, small := how, how
	short.Longest, small.Largest = time.Second, 20_000
	for _, test := range []struct {
		name string
		how  Options
		then func(*browser.Browser)
		want string
	}{
		{"too long", short, nil, "it was longer than 1s"},
		{"too large", small, nil, "it was larger than"},
		{"its browser is killed", how, kill, "the browser has ended"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := encoding
			if test.then != nil {
				b = start(t)
			}
			tab, err := b.Session("").Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			p := tab.Page()
			if err := p.Turn(t.Context(), func(ctx context.Context) error { return p.Navigate(ctx, lively.URL) }); err != nil {
				t.Fatal(err)
			}
			r, err := Start(t.Context(), t.TempDir(), renderer, &live.Stream{Tab: tab, Calls: new(journal.TabCalls)}, test.how)
			if err != nil {
				t.Fatal(err)
			}
			if test.then != nil {
				test.then(b)
			}
			<-r.done
			kept := filepath.Join(t.TempDir(), "kept.webm")
			saved, err := r.Stop(t.Context(), func(path string) error { return os.Rename(path, kept) })
			if err != nil || !strings.HasPrefix(saved.Cut, test.want) || saved.Bytes < 500 {
				t.Errorf("saved %+v, %v; want %q", saved, err, test.want)
			}
			if info, err := os.Stat(kept); err != nil || info.Size() != saved.Bytes {
				t.Errorf("the file: %v, %v", info, err)
			}
		})
	}
}

// An encoder that does not answer holds a call no longer than its deadline. A later call gets the
// video.
func TestVideoStopAtDeadline(t *testing.T) {
	dir := t.TempDir()
	r := &Recording{dir: dir, path: filepath.Join(dir, "video.webm"), stop: func() {}, done: make(chan struct{})}
	late := errors.New("late")
	ended, end := context.WithCancelCause(t.Context())
	end(late)
	put := func(string) error { return nil }
	if _, err := r.Stop(ended, put); err != late {
		t.Errorf("at the deadline: %v", err)
	}
	if err := os.WriteFile(r.path, []byte("video"), 0o600); err != nil {
		t.Fatal(err)
	}
	close(r.done)
	if saved, err := r.Stop(t.Context(), put); err != nil || saved.Bytes != 5 {
		t.Errorf("stopped again: %+v, %v", saved, err)
	}
}

// A press is marked for ringTime or captionTime. A ring is at the same place of the page, whatever
// size the picture has.
func TestMarks(t *testing.T) {
	i := newInput()
	i.press(page.Press{Keys: "Enter"})
	if m, ends := i.shown(time.Now()); m.Keys != "" || !ends.IsZero() {
		t.Errorf("before the first picture: %+v until %v", m, ends)
	}
	i.resize(1000, 500)
	before := time.Now()
	i.press(page.Press{At: &page.Point{X: 250, Y: 250}})
	i.press(page.Press{Keys: "Control+A"})
	m, ends := i.shown(before)
	if len(m.Rings) != 1 || m.Rings[0].X != 0.25 || m.Rings[0].Y != 0.5 || m.Keys != "Control+A" || ends != m.Rings[0].until {
		t.Errorf("at once: %+v until %v", m, ends)
	}
	if m, ends = i.shown(ends); len(m.Rings) != 0 || m.Keys != "Control+A" {
		t.Errorf("after the ring: %+v", m)
	}
	if m, ends = i.shown(ends); m.Keys != "" || !ends.IsZero() {
		t.Errorf("after all: %+v until %v", m, ends)
	}
	for range 2 * maxRings {
		i.press(page.Press{At: &page.Point{}})
	}
	if m, _ := i.shown(time.Now()); len(m.Rings) != maxRings {
		t.Errorf("%d rings", len(m.Rings))
	}
}
