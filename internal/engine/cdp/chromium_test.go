//go:build unix

package cdp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/chrome"
)

// chromium starts a browser and connects to it. Both end with the test. The function kill kills the
// browser and its children at once.
func chromium(t testing.TB) (c *Conn, kill func()) {
	t.Helper()
	found, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "cdp-test-")
	if err != nil {
		t.Fatal(err)
	}
	var ends [4]*os.File
	for i := 0; i < len(ends); i += 2 {
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			t.Fatal(err)
		}
	}
	commands, toBrowser, fromBrowser, replies := ends[0], ends[1], ends[2], ends[3]
	cmd := exec.Command(found.Path, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--site-per-process",
		"--host-resolver-rules=MAP *.test 127.0.0.1", "--no-proxy-server",
		"--remote-debugging-pipe", "--user-data-dir="+dir)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.ExtraFiles = []*os.File{commands, replies}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	commands.Close()
	replies.Close()
	c = NewConn(Pipe(fromBrowser, toBrowser), Options{})
	kill = func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	t.Cleanup(func() {
		c.Close()
		cmd.Wait() // Chromium ends by itself when its pipe ends
		kill()
		for range 100 { // children of Chromium may write until they are gone
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Errorf("%s is left", dir)
	})
	return c, kill
}

// openTab opens url in a new tab. Its session gets the frames and workers of the tab as child
// sessions.
func openTab(t testing.TB, c *Conn, url string) *Session {
	t.Helper()
	opened, err := Call(t.Context(), c.Root(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	flat := true
	attached, err := Call(t.Context(), c.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: opened.TargetID, Flatten: &flat})
	if err != nil {
		t.Fatal(err)
	}
	s := c.Session(string(attached.SessionID))
	if s == nil {
		t.Fatal("the session is not known when attachToTarget answers")
	}
	Send(s, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, Flatten: &flat})
	Send(s, page.Enable, page.EnableParams{})
	if _, err := Call(t.Context(), s, page.Navigate, page.NavigateParams{URL: url}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCrossSiteFramesShareTheQueueOfTheirTab(t *testing.T) {
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			io.WriteString(w, `<iframe src="http://b.test:`+r.URL.Query().Get("port")+`/frame"></iframe>`)
		}
	}))
	defer pages.Close()
	port := pages.URL[strings.LastIndex(pages.URL, ":")+1:]
	c, _ := chromium(t)
	tab := openTab(t, c, "http://a.test:"+port+"/?port="+port)
	for {
		ev, err := tab.Events().Next(soon(t))
		if err != nil {
			t.Fatal(err)
		}
		attached, ok := Decode(ev, target.AttachedToTarget)
		if !ok || attached.TargetInfo.Type != "iframe" {
			continue
		}
		frame := c.Session(string(attached.SessionID))
		if frame == nil || frame.Parent != tab || frame.Events() != tab.Events() {
			t.Fatalf("session of the frame = %+v", frame)
		}
		got, err := Call(soon(t), frame, runtime.Evaluate, runtime.EvaluateParams{Expression: "location.hostname"})
		if err != nil || string(got.Result.Value) != `"b.test"` {
			t.Errorf("hostname in the frame = %s, %v", got.Result.Value, err)
		}
		return
	}
}

func TestBrowserKilledDuringACall(t *testing.T) {
	c, kill := chromium(t)
	tab := openTab(t, c, "about:blank")
	forever := true
	pending := Send(tab, runtime.Evaluate, runtime.EvaluateParams{Expression: "new Promise(() => {})", AwaitPromise: &forever})
	kill()
	if _, err := pending.Wait(soon(t)); !errors.Is(err, ErrClosed) {
		t.Errorf("error = %v, want ErrClosed", err)
	}
	if _, err := tab.Events().Next(context.Background()); err != nil && !errors.Is(err, ErrClosed) {
		t.Errorf("events: %v", err)
	}
}

func BenchmarkChromiumEvaluate(b *testing.B) {
	c, _ := chromium(b)
	tab := openTab(b, c, "about:blank")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Call(b.Context(), tab, runtime.Evaluate, runtime.EvaluateParams{Expression: "1+1"}); err != nil {
			b.Fatal(err)
		}
	}
}
