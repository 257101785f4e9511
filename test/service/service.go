// Package service runs a server of chela for tests, and calls it as a client does.
package service

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/api"
	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/op"
	"chela/internal/surface/server"
	"chela/test/chromium"
)

// Token is the token of all servers of the tests.
const Token = "a-token-for-tests"

// A Service is a server of chela, and a client of it.
type Service struct {
	URL, Dir string

	session string      // session that requests are made in; "" for none
	surface op.Surface  // the surface that requests say they come from
	header  http.Header // further headers of all requests
	socket  string      // its Unix socket; "" if it has none
	stop    context.CancelFunc
	ended   chan struct{}
}

// Start starts a server on a state directory, with a configuration file. If settings is empty, the
// configuration suits most tests. Start panics if it fails.
func Start(dir, settings string) *Service { return start(dir, settings, true) }

// start starts a server. If closed is true, no browser of chela may open the server's port, as with
// every real server.
func start(dir, settings string, closed bool) *Service {
	file := filepath.Join(dir, "chela.json")
	settings = cmp.Or(settings, withFlags())
	must(os.Setenv(config.AllowPrivateNetwork, "1")) // the sites of tests are on the private network
	must(os.WriteFile(file, []byte(settings), 0o600))
	c := mustGet(config.Open(config.Flags{StateDir: dir, File: file}))
	listeners := mustGet(server.ListenTCP(0))
	ctx, stop := context.WithCancel(context.Background())
	s := &Service{URL: fmt.Sprintf("http://127.0.0.1:%d", server.Port(listeners[0])), Dir: dir, stop: stop, ended: make(chan struct{})}
	deaf := make(chan struct{})
	runner := mustGet(call.New(c, func() { stop(); <-deaf }))
	o := server.Options{
		Table: api.Table, Runner: runner, Version: "test", Token: func() string { return Token }, Receive: runner.Receive, Follow: runner.FollowDownloads,
		Watch: runner.Watch, TakeTicket: runner.TakeTicket, Confirm: runner.Confirm, OwnPort: runner.OwnPort, Deaf: func() { close(deaf) },
		Changes: runner.FollowChanges, Settings: settingsOf{c},
		Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}
	if !closed {
		o.OwnPort = nil
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "chela_browser_memory_bytes{profile=\"chela\"} 1e+08\n")
		})
		s.socket = filepath.Join(dir, "socket")
		listeners = append(listeners, mustGet(server.ListenUnix(s.socket)))
	}
	go func() {
		defer close(s.ended)
		server.New(o).Serve(ctx, listeners...)
		runner.Close(context.Background())
	}()
	return s
}

// withFlags returns a configuration that suits most tests, with flags for the browser.
func withFlags(flags ...string) string {
	list := mustGet(json.Marshal(append([]string{}, flags...)))
	return fmt.Sprintf(`{browser: {noSandbox: true, headless: %v, extraArgs: %s}}`, chromium.Headless(), list)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func mustGet[T any](v T, err error) T {
	must(err)
	return v
}

// Own starts a server for one test.
func Own(t testing.TB, settings string) *Service {
	t.Helper()
	s := Start(t.TempDir(), settings)
	t.Cleanup(s.Close)
	return s
}

// In returns the same server, whose requests are made in this session.
func (s *Service) In(session string) *Service {
	other := *s
	other.session = session
	return &other
}

// By returns the same server, whose requests come from this surface.
func (s *Service) By(surface op.Surface) *Service {
	other := *s
	other.surface = surface
	return &other
}

// WithHeader returns the same server, whose requests have one more header.
func (s *Service) WithHeader(name, value string) *Service {
	other := *s
	other.header = http.Header{}
	maps.Copy(other.header, s.header)
	other.header.Set(name, value)
	return &other
}

// Close ends the server and waits until all of it has ended.
func (s *Service) Close() {
	s.stop()
	<-s.ended
	http.DefaultClient.CloseIdleConnections()
}

// Ended is closed when the server has ended.
func (s *Service) Ended() <-chan struct{} { return s.ended }

// Args are the fields of a request.
type Args map[string]any

// Try sends a request, such as "POST /act", with these fields.
func (s *Service) Try(ctx context.Context, request string, args Args) (a Answer, err error) {
	if args == nil {
		return s.TryText(ctx, request, "")
	}
	body, err := json.Marshal(args)
	if err != nil {
		return a, err
	}
	return s.TryText(ctx, request, string(body))
}

// TryText does the same as Try, with a body that is given as text, or none.
func (s *Service) TryText(ctx context.Context, request, body string) (a Answer, err error) {
	method, path, _ := strings.Cut(request, " ")
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return s.send(req)
}

// Upload sends the server a file, and returns the name that calls use for it.
func (s *Service) Upload(t testing.TB, name, content string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/files?name="+url.QueryEscape(name), strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/octet-stream")
	a, err := s.send(req)
	if err != nil || a.Status != http.StatusOK {
		t.Fatalf("send %s: %v %s", name, err, a.Raw)
	}
	return a.Text("path")
}

func (s *Service) send(req *http.Request) (a Answer, err error) {
	maps.Copy(req.Header, s.header)
	req.Header.Set("Authorization", "Bearer "+Token)
	if s.session != "" {
		req.Header.Set("X-Chela-Session", s.session)
	}
	if s.surface != op.OverHTTP {
		req.Header.Set(op.SurfaceHeader, string(s.surface))
	}
	began := time.Now()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return a, err
	}
	a = Answer{Status: resp.StatusCode, Raw: strings.TrimSpace(string(raw)), Took: time.Since(began)}
	return a, json.Unmarshal(raw, &a.fields)
}

// Do does the same as Try, for a request that must be answered.
func (s *Service) Do(t testing.TB, request string, args Args) Answer {
	t.Helper()
	chromium.Skip(t)
	a, err := s.Try(t.Context(), request, args)
	if err != nil {
		t.Fatalf("%s %v: %v", request, args, err)
	}
	return a
}

// OK does the same as Do, for a request that must succeed.
func (s *Service) OK(t testing.TB, request string, args Args) Answer {
	t.Helper()
	a := s.Do(t, request, args)
	if a.Status != http.StatusOK {
		t.Fatalf("%s %v: %d %s", request, args, a.Status, a.Raw)
	}
	return a
}

// Eventually waits until cond holds.
func Eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); !cond(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// UploadRoot is the folder that files are uploaded from.
func UploadRoot(t testing.TB) string {
	t.Helper()
	roots, err := media.Locate(media.Places{Media: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return roots.Uploads
}

// Follow reads the lines of a stream of the server, for the time of the test.
func (s *Service) Follow(t testing.TB, path string) <-chan string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+Token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		defer resp.Body.Close()
		for scanner := bufio.NewScanner(resp.Body); scanner.Scan(); {
			select {
			case lines <- scanner.Text():
			case <-t.Context().Done():
				return
			}
		}
	}()
	return lines
}
