package broker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/coder/websocket"

	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/wall/secret"
)

// A fakeBrowser is the transport of a browser without tabs. It answers each command with an empty
// result. It attaches to its own target when it is asked, and counts these sessions.
type fakeBrowser struct {
	frames chan []byte

	mu       sync.Mutex // guards the rest
	closed   bool
	silent   bool // it does not answer when it is asked to attach to its own target
	attached int  // how many sessions were attached to the browser's target
	open     int  // how many of these were not detached
}

func (f *fakeBrowser) Read() ([]byte, error) {
	if frame, ok := <-f.frames; ok {
		return frame, nil
	}
	return nil, io.EOF
}

func (f *fakeBrowser) Write(message []byte) error {
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return io.ErrClosedPipe
	}
	result := "{}"
	switch r.Method {
	case "Target.attachToBrowserTarget":
		if f.silent {
			return nil
		}
		f.attached++
		f.open++
		result = fmt.Sprintf(`{"sessionId":"S%d"}`, f.attached)
		f.frames <- fmt.Appendf(nil, `{"method":"Target.attachedToTarget","params":{"sessionId":"S%d","targetInfo":{"targetId":"B","type":"browser","title":"","url":"","attached":true},"waitingForDebugger":false}}`, f.attached)
	case "Target.detachFromTarget":
		f.open--
	}
	session := ""
	if r.Session != "" {
		session = `,"sessionId":"` + r.Session + `"`
	}
	f.frames <- fmt.Appendf(nil, `{"id":%d,"result":%s%s}`, r.ID, result, session)
	return nil
}

func (f *fakeBrowser) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.closed = true
		close(f.frames)
	}
	return nil
}

// newFake starts a fake browser, without Chromium.
func newFake(t *testing.T) (*browser.Browser, *fakeBrowser) {
	t.Helper()
	f := &fakeBrowser{frames: make(chan []byte, 100)}
	host := browser.Connect(func(context.Context) (cdp.Transport, error) { return f, nil }, browser.Description{})
	b, err := browser.Start(t.Context(), host, browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b, f
}

// newEndpoint opens the endpoint of a session.
func newEndpoint(t *testing.T, of func(context.Context) (*browser.Browser, error)) Address {
	t.Helper()
	b := New(func(int) func() { return func() {} })
	t.Cleanup(func() { b.Close() })
	at, err := b.Open(Grant{Profile: "p", Session: "s", Browser: of})
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A profile that was deleted and made again has another endpoint.
func TestEndpointEndsWithItsProfile(t *testing.T) {
	b := New(func(int) func() { return func() {} })
	defer b.Close()
	open := func(profile string) string {
		at, err := b.Open(Grant{Profile: profile, Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		return at.HTTP
	}
	deleted, other := open("p"), open("q")
	if again := open("p"); again != deleted {
		t.Error("the address changes while the profile is there")
	}
	b.EndProfile("p")
	if open("p") == deleted || open("q") != other {
		t.Error("the endpoint of the profile is still there, or that of another has gone")
	}
}

// A program that asks for a tab that its session does not have is refused. Nothing of it is left in
// the browser.
func TestRefusedProgramLeavesNothing(t *testing.T) {
	b, fake := newFake(t)
	at := newEndpoint(t, func(context.Context) (*browser.Browser, error) { return b, nil })
	for range 3 {
		c, _, err := websocket.Dial(t.Context(), strings.Replace(at.HTTP, "http:", "ws:", 1)+"/devtools/page/none", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusInternalError || !strings.Contains(err.Error(), "No target") {
			t.Errorf("the program got %v", err)
		}
		c.CloseNow()
	}
	if _, err := b.Version(t.Context()); err != nil { // commands run in order
		t.Fatal(err)
	}
	fake.mu.Lock()
	defer fake.mu.Unlock()
	if fake.attached != 3 || fake.open != 0 {
		t.Errorf("%d sessions were attached, and %d of them are left", fake.attached, fake.open)
	}
}

// connected returns a broker with an endpoint for a browser, and the connection of a program to it.
func connected(t *testing.T, of *browser.Browser) (*Broker, *websocket.Conn) {
	t.Helper()
	b := New(func(int) func() { return func() {} })
	at, err := b.Open(Grant{Profile: "p", Session: "s", Browser: func(context.Context) (*browser.Browser, error) { return of, nil }})
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := websocket.Dial(t.Context(), at.WebSocket, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.CloseNow() })
	return b, c
}

// Close does not wait for a program that reads nothing, such as one that a debugger has stopped. The
// library would wait for 5 s.
func TestCloseDoesNotWaitForPrograms(t *testing.T) {
	of, _ := newFake(t)
	b, c := connected(t, of)
	closed := make(chan error, 1)
	go func() { closed <- b.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(4 * finishTime):
		t.Error("it waits for the program")
		c.CloseNow()
		<-closed
	}
}

// A browser that does not answer does not hold up the end of its endpoints, nor requests for longer
// than their callers wait.
func TestSilentBrowserHoldsUpNothing(t *testing.T) {
	of, fake := newFake(t)
	fake.mu.Lock()
	fake.silent = true
	fake.mu.Unlock()
	b, c := connected(t, of)
	go c.Read(context.Background()) // answers the close
	closed := make(chan error, 1)
	go func() { closed <- b.Close() }()
	select {
	case <-closed:
	case <-time.After(8 * finishTime):
		t.Error("the end waits for the browser")
		of.Close(context.Background())
		<-closed
	}
}

// A program that connects while the browser cannot be used learns why, without the values of
// secrets.
func TestRefusalHidesSecrets(t *testing.T) {
	secret.Know("hidden", "a-value-that-nobody-may-see")
	at := newEndpoint(t, func(context.Context) (*browser.Browser, error) {
		return nil, errors.New("no browser at a-value-that-nobody-may-see")
	})
	for _, url := range []string{at.HTTP + "/json/version", strings.Replace(at.WebSocket, "ws:", "http:", 1)} {
		answer, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusServiceUnavailable || !bytes.Contains(text, []byte("no browser at")) || bytes.Contains(text, []byte("nobody-may-see")) {
			t.Errorf("%d %s", answer.StatusCode, text)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// A page that sends requests to the port without end does not fill the log.
func TestRefusalsAreLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	b := New(func(int) func() { return func() {} })
	for _, origin := range []string{"http://evil.example", ""} {
		for range 50 {
			r := httptest.NewRequest("GET", "http://127.0.0.1/s/wrong/json", nil)
			if origin != "" {
				r.Header.Set("Origin", origin)
			}
			b.handler().ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	if n := strings.Count(log.String(), "was refused"); n != 2 {
		t.Errorf("%d entries: %s", n, log.String())
	}
}
