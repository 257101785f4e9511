package profile

import (
	"context"
	"os"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/engine/browser"
)

// Browsers that are kept ready start before any call. One that is lost starts again, and one that is
// stopped does not.
func TestKeepWarm(t *testing.T) {
	yes := true
	m := managerOf(t, config.Browser{Headless: &yes})
	files, err := media.Open(media.Places{Media: t.TempDir(), Downloads: t.TempDir()}, media.Bounds{MaxAge: time.Hour, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	m.files = files
	t.Cleanup(func() {
		m.Close(context.Background())
		files.Close()
	})
	await := func(what string, holds func() bool) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("not in time: %s", what)
			}
		}
	}
	own, renderer := m.mustName(t, ""), m.Renderer().profile
	m.KeepWarm(1)
	await("both browsers have a tab ready", func() bool { return m.Warm() == 2 })
	kill := func(b *browser.Browser) {
		p, err := os.FindProcess(b.Describe().PID)
		if err == nil {
			err = p.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
		<-b.Lost()
	}
	killed := own.Running()
	kill(killed)
	kill(renderer.Running())
	await("both have one again", func() bool { return m.Warm() == 2 })
	if err := m.Renderer().Stop(t.Context()); err != nil || renderer.Running() == nil {
		t.Errorf("the browser that renders was stopped as idle: %v", err)
	}
	stopped := own.Running()
	if _, err := own.Stop(t.Context(), Stopping{}); err != nil {
		t.Fatal(err)
	}
	for b, want := range map[*browser.Browser]bool{killed: true, stopped: false} {
		if again := own.keepLast(b, browser.Memory{}); again != want {
			t.Errorf("stopped %v: it is started again: %v", b.WasClosed(), again)
		}
	}
	m.KeepWarm(0)
	await("no tab is ready", func() bool { return renderer.Running().Spares() == 0 })
}

// Browsers that are lost soon after each start are started again later each time.
func TestPauseAfterCrashes(t *testing.T) {
	p := &Profile{}
	for i, s := range []struct{ lived, want time.Duration }{
		{time.Second, time.Second}, {0, 2 * time.Second}, {9 * time.Second, 4 * time.Second}, {time.Minute, 0}, {time.Second, time.Second},
	} {
		if got := p.pause(s.lived); got != s.want {
			t.Errorf("browser %d lived %s: the pause is %s, want %s", i+1, s.lived, got, s.want)
		}
	}
}
