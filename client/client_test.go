package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/client"
	"chela/test/service"
)

// form is a page that greets the name in its field, and shows the name and text of a chosen file.
const form = `<!doctype html><title>Form</title>
<label>Name <input id=name></label>
<button onclick="document.querySelector('p').textContent = 'Hello ' + document.querySelector('#name').value">Greet</button>
<button onclick="this.remove()">Vanish</button>
<label>File <input type=file onchange="this.files[0].text().then((text) => document.querySelector('p').textContent = this.files[0].name + ': ' + text)"></label>
<p></p>`

var (
	shared *service.Service
	site   string
)

// TestMain starts a server. The tests find it by environment variables, as other programs find theirs.
func TestMain(m *testing.M) {
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, form)
	})
	os.Exit(service.Main(m, page, func(alive, _ *service.Service, at *httptest.Server) {
		shared, site = alive, at.URL
		os.Setenv("CHELA_URL", alive.URL)
		os.Setenv("CHELA_TOKEN", service.Token)
	}))
}

func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := client.New(client.Options{Session: "example"})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Open(ctx, client.OpenRequest{URL: site}); err != nil {
		log.Fatal(err)
	}
	found, err := c.Find(ctx, client.FindRequest{Text: "Name"})
	if err != nil {
		log.Fatal(err)
	}
	typed, err := c.Type(ctx, client.TypeRequest{Ref: found.Matches[0].Ref, Text: "Ada"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(typed.Effects)

	_, err = c.Click(ctx, client.ClickRequest{Ref: "e999"})
	if failed, ok := errors.AsType[*client.Error](err); ok {
		fmt.Println(failed.Code, failed.Status)
	}
	if _, err := c.Close(ctx, client.CloseRequest{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [changed]
	// unknown_ref 404
}

// newClient returns a client of the shared server, in a session of the test.
func newClient(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{Session: strings.ToLower(t.Name())})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// must returns a value, and ends the test if there is an error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// codeOf returns the code of an error of a call.
func codeOf(err error) client.Code {
	failed, ok := errors.AsType[*client.Error](err)
	if !ok {
		return client.Code(fmt.Sprint("no *client.Error: ", err))
	}
	return failed.Code
}

func TestStory(t *testing.T) {
	ctx, c := t.Context(), newClient(t)
	opened := must(c.Open(ctx, client.OpenRequest{URL: site, Label: "story"}))(t)
	if !strings.HasPrefix(opened.URL, site) || opened.Label != "story" {
		t.Errorf("opened %+v", opened)
	}

	seen := must(c.Snapshot(ctx, client.SnapshotRequest{TargetID: "story"}))(t)
	ref := func(line string) string {
		t.Helper()
		_, after, _ := strings.Cut(seen.Snapshot, line)
		_, after, found := strings.Cut(after, "[ref=")
		if !found {
			t.Fatalf("no %s in %s", line, seen.Snapshot)
		}
		ref, _, _ := strings.Cut(after, "]")
		return ref
	}

	must(c.Type(ctx, client.TypeRequest{Ref: ref(`textbox "Name"`), Text: "Ada"}))(t)
	if done := must(c.Click(ctx, client.ClickRequest{Ref: ref(`button "Greet"`)}))(t); !done.OK || len(done.Effects) == 0 {
		t.Errorf("clicked: %+v", done)
	}
	greeting := must(c.Evaluate(ctx, client.EvaluateRequest{Fn: "document.querySelector('p').textContent"}))(t)
	if string(greeting.Result) != `"Hello Ada"` {
		t.Errorf("the page says %s", greeting.Result)
	}

	must(c.Click(ctx, client.ClickRequest{Ref: ref(`button "Vanish"`)}))(t)
	_, err := c.Click(ctx, client.ClickRequest{Ref: ref(`button "Vanish"`)})
	if failed, ok := errors.AsType[*client.Error](err); !ok || failed.Code != client.CodeStaleRef || failed.Status != 404 || failed.Hint == "" {
		t.Errorf("click on an element that is gone: %#v", err)
	}

	shot := must(c.Screenshot(ctx, client.ScreenshotRequest{}))(t)
	var picture bytes.Buffer
	if err := c.FetchFile(ctx, shot.FileIDs[shot.Path], &picture); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&picture); err != nil {
		t.Errorf("the screenshot is no picture: %v", err)
	}
	for _, id := range []string{"none", ""} {
		if err := c.FetchFile(ctx, id, io.Discard); codeOf(err) != client.CodeNotFound {
			t.Errorf("a file that does not exist: %v", err)
		}
	}

	path := must(c.SendFile(ctx, "a b.txt", strings.NewReader("content")))(t)
	if up := must(c.Upload(ctx, client.UploadRequest{Paths: []string{path}, InputRef: new(ref("File"))}))(t); up.Files != 1 {
		t.Errorf("uploaded %+v", up)
	}
	must(c.Expect(ctx, client.ExpectRequest{Text: "a b.txt: content"}))(t)

	many := must(c.Batch(ctx, client.BatchRequest{Actions: client.Actions{
		client.TypeRequest{Ref: ref(`textbox "Name"`), Text: "Grace"},
		client.ClickRequest{Ref: ref(`button "Greet"`)},
		client.SnapshotRequest{},
		client.ClickRequest{Ref: "e999"},
	}}))(t)
	if n := len(many.Results); n != 4 || !strings.Contains(many.Results[2].Snapshot, "Hello Grace") || many.Results[3].Code != client.CodeUnknownRef {
		t.Errorf("batch: %+v", many.Results)
	}

	must(c.Close(ctx, client.CloseRequest{TargetID: "story"}))(t)
	if left := must(c.Tabs(ctx, client.TabsRequest{}))(t); len(left.Tabs) != 0 {
		t.Errorf("tabs are left: %+v", left.Tabs)
	}
}

// Each session has its own tabs. In the list of tabs, those of other sessions are marked.
func TestSessions(t *testing.T) {
	ctx, c := t.Context(), newClient(t)
	must(c.Open(ctx, client.OpenRequest{URL: site}))(t)
	if other := must(c.In("another").Tabs(ctx, client.TabsRequest{}))(t); len(other.Tabs) != 1 || !other.Tabs[0].Other {
		t.Errorf("another session sees %+v", other.Tabs)
	}
	if own := must(c.Tabs(ctx, client.TabsRequest{}))(t); len(own.Tabs) != 1 || own.Tabs[0].Other {
		t.Errorf("the session itself sees %+v", own.Tabs)
	}
	must(c.Close(ctx, client.CloseRequest{}))(t)
}

// The context of a call can end it. The error tells a deadline from a cancellation.
func TestContextEndsACall(t *testing.T) {
	c := newClient(t)
	must(c.Open(t.Context(), client.OpenRequest{URL: site}))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := c.Wait(ctx, client.WaitRequest{Text: "what never comes"})
	if codeOf(err) != client.CodeDeadline || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := c.Tabs(ctx, client.TabsRequest{}); codeOf(err) != client.CodeCanceled || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	must(c.Close(t.Context(), client.CloseRequest{}))(t)
}

// Calls over the Unix socket need no token. Files that they make have ids, as over TCP.
func TestSocketOfTheStateDirectory(t *testing.T) {
	t.Setenv("CHELA_URL", "")
	t.Setenv("CHELA_TOKEN", "")
	dir := t.TempDir()
	c := must(client.New(client.Options{StateDir: dir}))(t)
	_, err := c.Status(t.Context(), client.StatusRequest{})
	if failed, ok := errors.AsType[*client.Error](err); !ok || failed.Code != client.CodeNoServer || failed.Hint != "run chela serve" || !strings.HasPrefix(failed.Message, "server not running: dial unix "+dir) {
		t.Errorf("without a server: %#v", err)
	}

	s := service.WithDashboard(t, "") // a server with a socket
	if err := os.Symlink(filepath.Join(s.Dir, "socket"), filepath.Join(dir, "chela.sock")); err != nil {
		t.Fatal(err)
	}
	must(c.Open(t.Context(), client.OpenRequest{URL: site}))(t)
	shot := must(c.Screenshot(t.Context(), client.ScreenshotRequest{}))(t)
	var picture bytes.Buffer
	if err := c.FetchFile(t.Context(), shot.FileIDs[shot.Path], &picture); err != nil || picture.Len() == 0 {
		t.Errorf("%d bytes, %v", picture.Len(), err)
	}
}

// The token in the environment is sent only to the server of $CHELA_URL. If that is not set, it is
// sent only to servers of this machine.
func TestWhoGetsTheToken(t *testing.T) {
	got := make(chan string, 1)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("Authorization")
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer other.Close()
	ask := func(o client.Options) string {
		t.Helper()
		_, err := must(client.New(o))(t).Status(t.Context(), client.StatusRequest{})
		if codeOf(err) != client.CodeInternal { // a redirect is not followed
			t.Errorf("the answer is %v", err)
		}
		return <-got
	}
	if token := ask(client.Options{URL: other.URL}); token != "" {
		t.Errorf("another server than that of CHELA_URL gets %q", token)
	}
	if token := ask(client.Options{URL: other.URL, Token: "given"}); token != "Bearer given" {
		t.Errorf("a given token: %q", token)
	}
	t.Setenv("CHELA_URL", "")
	if token := ask(client.Options{URL: other.URL}); token != "Bearer "+service.Token {
		t.Errorf("a server of this machine, without CHELA_URL: %q", token)
	}
	t.Setenv("CHELA_URL", other.URL)
	if token := ask(client.Options{}); token != "Bearer "+service.Token {
		t.Errorf("the server of CHELA_URL: %q", token)
	}
}

// A client with the option Node names this machine of the fleet in each call.
func TestNode(t *testing.T) {
	got := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		got <- r.URL.RawQuery + string(raw)
		io.WriteString(w, `{"ok":true}`)
	}))
	defer s.Close()
	c := must(client.New(client.Options{URL: s.URL, Token: "t", Node: "mac"}))(t)
	must(c.Tabs(t.Context(), client.TabsRequest{}))(t)
	if sent := <-got; sent != "node=mac&target=node" {
		t.Errorf("in the query: %s", sent)
	}
	must(c.Press(t.Context(), client.PressRequest{Key: "a"}))(t)
	if sent := <-got; sent != `{"key":"a","kind":"press","node":"mac","target":"node"}` {
		t.Errorf("in the body: %s", sent)
	}
}

// If a file does not arrive as a whole, FetchFile returns a [client.Error]. It returns an error
// of the writer unchanged.
func TestFileThatBreaksOff(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		io.WriteString(w, "short")
	}))
	defer s.Close()
	c := must(client.New(client.Options{URL: s.URL, Token: "t"}))(t)
	if err := c.FetchFile(t.Context(), "id", io.Discard); codeOf(err) != client.CodeInternal || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("broken off: %v", err)
	}
	read, write := io.Pipe()
	read.CloseWithError(io.ErrShortBuffer)
	if err := c.FetchFile(t.Context(), "id", write); err != io.ErrShortBuffer {
		t.Errorf("the writer fails: %v", err)
	}
}

func TestWrongOptions(t *testing.T) {
	for _, o := range []client.Options{
		{URL: "ftp://127.0.0.1"},
		{URL: "http://browsers.example.com"},
		{URL: "https://user:secret@browsers.example.com"},
		{URL: "https://browsers.example.com/path"},
		{URL: "http://127.0.0.1:1", Fingerprint: strings.Repeat("ab", 32)},
		{URL: "https://browsers.example.com", Fingerprint: "ab"},
		{URL: "http://127.0.0.1:1", Session: "shopping\n"},
		{URL: "http://127.0.0.1:1", Caller: "a\x00"},
		{URL: "http://127.0.0.1:1", Token: "secret\n"},
	} {
		if _, err := client.New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// A request that cannot be sent is an invalid one. The error does not say that the connection broke,
// since a caller then has to find out what was done.
func TestNothingIsSent(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent", r.URL.Path) }))
	defer s.Close()
	c := must(client.New(client.Options{URL: s.URL, Token: "t"}))(t)
	_, session := c.In("shopping\n").Tabs(t.Context(), client.TabsRequest{})
	_, path := c.Lease(t.Context(), client.LeaseRequest{TtlMs: 1000})
	for want, err := range map[string]error{"X-Chela-Session has a line feed": session, "targetId is required": path} {
		if e, ok := errors.AsType[*client.Error](err); !ok || e.Code != client.CodeInvalidRequest || !strings.HasPrefix(e.Message, want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// With a pin, only the certificate with that fingerprint is accepted, and it may be self-signed.
func TestFingerprint(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"ok":true}`) }))
	defer s.Close()
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	ask := func(pin string) error {
		_, err := must(client.New(client.Options{URL: s.URL, Token: "t", Fingerprint: pin}))(t).Tabs(t.Context(), client.TabsRequest{})
		return err
	}
	if err := ask(pinOf(s.Certificate())); err != nil {
		t.Errorf("pinned: %v", err)
	}
	if err := ask("sha256 Fingerprint=" + strings.ReplaceAll(strings.TrimPrefix(pinOf(s.Certificate()), "sha256:"), ":", "")); err != nil {
		t.Errorf("pinned as openssl writes it: %v", err)
	}
	if err := ask(strings.Repeat("ab", 32)); codeOf(err) != client.CodeNoServer || !strings.Contains(err.Error(), "new certificate") {
		t.Errorf("another pin: %v", err)
	}
	if err := ask(""); codeOf(err) != client.CodeNoServer || !strings.Contains(err.Error(), "Fingerprint") {
		t.Errorf("a self-signed certificate: %v", err)
	}
}
