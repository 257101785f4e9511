package relay

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chela/internal/engine/cdp"
	"chela/test/pages"
)

// A page that looks for the relay gets nothing from it, and neither does another extension. The
// paired browser stays connected, and what reached the relay is in the log.
func TestStrangersAreRefused(t *testing.T) {
	var log syncBuffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)

	const try = `new Promise((resolve) => {
		const socket = new WebSocket("ws://127.0.0.1:%d/extension");
		socket.onopen = () => resolve("open");
		socket.onerror = () => resolve("refused");
	})`
	refused := func(who string, session *cdp.Session) {
		t.Helper()
		if got := p.ask(session, fmt.Sprintf(try, p.port)); got != "refused" {
			t.Errorf("%s: the socket is %v", who, got)
		}
		got := p.ask(session, fmt.Sprintf(`fetch("http://127.0.0.1:%d/extension").then((r) => r.text(), () => "refused")`, p.port))
		if got != "refused" {
			t.Errorf("%s: read %v", who, got)
		}
	}
	page := p.open(strings.Replace(site.URL, "127.0.0.1", "evil.test", 1) + pages.HTML("<title>Evil</title>"))
	p.until("the page is there", func() bool { return p.ask(page, "document.title") == "Evil" })
	refused("a page", page)

	folder := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version": 3, "name": "chela", "version": "1.0"}`, "page.html": "<title>Other</title>",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	id, _ := p.call(nil, "Extensions.loadUnpacked", m{"path": folder})["id"].(string)
	other := p.open("chrome-extension://" + id + "/page.html")
	p.until("the page of the other extension is there", func() bool { return p.ask(other, "document.title") == "Other" })
	refused("another extension", other)

	if text := log.String(); !strings.Contains(text, "chrome-extension://"+id) && !strings.Contains(text, "http://evil.test") {
		t.Errorf("the log has neither: %s", text)
	}
	if list := ok(t, s, "GET /extension", ""); list.Count("browsers") != 1 || !strings.Contains(list.Raw, `"connected":true`) {
		t.Errorf("listed are %s", list.Raw)
	}
}

// A syncBuffer may be written and read at the same time.
type syncBuffer struct {
	mu  sync.Mutex // guards log
	log bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.String()
}
