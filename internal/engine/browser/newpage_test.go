package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/wall/guard"
)

// Chromium opens a dropped file in a new tab if the page has not taken it. The tab never shows the
// file, however long it takes to find out who opened the tab. In this test chela seems to be making
// a tab all the time, and the new tab could be that one.
func TestDroppedFileNeverRuns(t *testing.T) {
	ctx, b := start(t)
	ran := make(chan bool, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ran" {
			ran <- true
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(`<button ondragover="event.preventDefault()" ondrop="event.stopImmediatePropagation()">Area</button>`))
	}))
	defer site.Close()
	file := filepath.Join(t.TempDir(), "a.html")
	if err := os.WriteFile(file, []byte(`<script>fetch("`+site.URL+`/ran", {mode: "no-cors"})</script>`), 0o600); err != nil {
		t.Fatal(err)
	}
	tab, err := b.Session("").Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	spareTab(ctx, t, b) // from now on, nothing else is being made
	made := &creation{&b.BrowserContext}
	b.mu.Lock()
	b.unlisted.creations = append(b.unlisted.creations, made)
	b.mu.Unlock()

	var effects *page.Effects
	p := tab.Page()
	err = p.Turn(ctx, func(ctx context.Context) error {
		if err := p.Navigate(ctx, site.URL); err != nil {
			return err
		}
		area, err := p.Match(ctx, "button")
		if err != nil {
			return err
		}
		effects = p.Collect(ctx)
		_, err = area.Drop(ctx, []string{file})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var opened *newPage
	shown := func() bool {
		if len(b.newPages) > 0 {
			opened = b.newPages[0]
		}
		return opened != nil && strings.HasPrefix(opened.TargetInfo.URL, "file:")
	}
	if err := b.await(ctx, shown); err != nil {
		t.Fatal(err)
	}
	if err := opened.tab.Page().Parsed(ctx); err != nil {
		t.Fatal(err)
	}
	shows, err := cdp.Call(ctx, opened.session, runtime.Evaluate, runtime.EvaluateParams{Expression: "location.protocol"})
	if got := string(shows.Result.Value); err != nil || got != `"chrome-error:"` {
		t.Errorf("the tab shows %s, %v; want Chromium's error page", got, err)
	}
	b.mu.Lock()
	b.unlisted.end(made)
	b.notifyLocked()
	b.mu.Unlock()
	if err := b.await(ctx, func() bool { return b.byTargetLocked(opened.id()) == nil }); err != nil {
		t.Fatal(err)
	}
	if refused := effects.TakeRefusal(); refused == nil || refused.Rule != guard.LocalFile {
		t.Errorf("refused: %v", refused)
	}
	select {
	case <-ran:
		t.Error("the script of the file has run")
	default:
	}
}
