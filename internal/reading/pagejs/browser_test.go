package pagejs_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/reading/pagejs"
	tests "chela/test/chromium"
)

// browser is the Chromium that all tests of this package share.
var browser *cdp.Conn

func TestMain(m *testing.M) {
	tests.PreferShell()
	code, err := withBrowser(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// withBrowser starts a browser, runs the tests, and ends the browser.
func withBrowser(run func() int) (code int, err error) {
	executable, err := chrome.Find("")
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "pagejs")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	process, err := chrome.Launch(context.Background(), chrome.Options{Executable: executable, UserDataDir: dir, Headless: tests.Headless()})
	if err != nil {
		return 0, err
	}
	defer process.Terminate(context.Background())
	browser = cdp.NewConn(cdp.Pipe(process.Out, process.In), cdp.Options{})
	defer browser.Close()
	return run(), nil
}

// tab is a page with the script in its world.
type tab struct {
	*cdp.Session
	t     testing.TB
	world runtime.ExecutionContextID
}

// tested gives tests functions of the page script that nothing else calls from outside.
const tested = `
	globalThis.asSeen = asSeen;
	globalThis.describe = describe;
	globalThis.about = el => {
		look();
		return { role: roleOf(el) || 'generic', name: nameOf(el), description: descriptionOf(el) };
	};
`

// idle are the sessions of tabs that no test uses. A tab that has been used takes a third
// of the processor time of a new one, for which Chromium makes a window.
var idle []*cdp.Session

// open opens url in a tab and puts the script into its world. Tests run one after another.
func open(t testing.TB, url string) *tab {
	t.Helper()
	if len(idle) == 0 {
		opened := call(t, browser.Root(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
		flat := true
		attached := call(t, browser.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: opened.TargetID, Flatten: &flat})
		idle = append(idle, browser.Session(string(attached.SessionID)))
		call(t, idle[0], page.Enable, page.EnableParams{})
		call(t, idle[0], emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}) // as in chela's tabs
	}
	s := idle[len(idle)-1]
	idle = idle[:len(idle)-1]
	t.Cleanup(func() {
		if !t.Failed() {
			idle = append(idle, s)
		}
	})
	moved := call(t, s, page.Navigate, page.NavigateParams{URL: url})
	for here := false; ; {
		ev, err := s.Events().Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if navigated, ok := cdp.Decode(ev, page.FrameNavigated); ok && navigated.Frame.LoaderID == moved.LoaderID {
			here = true // earlier events are of the page that another test has left
		}
		if _, ok := cdp.Decode(ev, page.LoadEventFired); ok && here {
			break
		}
	}
	world := call(t, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: moved.FrameID, WorldName: pagejs.World})
	p := &tab{Session: s, t: t, world: world.ExecutionContextID}
	p.eval(nil, strings.Replace(pagejs.Source(), "globalThis.chela =", tested+"globalThis.chela =", 1))
	return p
}

// eval runs an expression in the world of the page script, and decodes its value. It waits for the
// value of a promise.
func (p *tab) eval(value any, expression string) {
	p.t.Helper()
	yes := true
	got := call(p.t, p.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ContextID: p.world, ReturnByValue: &yes, AwaitPromise: &yes})
	if got.ExceptionDetails != nil {
		d := got.ExceptionDetails
		p.t.Fatalf("%.200s: line %d: %s", expression, d.LineNumber, d.Exception.Description)
	}
	if value == nil {
		return
	}
	if err := json.Unmarshal(got.Result.Value, value); err != nil {
		p.t.Fatalf("%.200s: %s: %v", expression, got.Result.Value, err)
	}
}

// show opens a page with this markup. All such pages come from one site, so Chromium does not make
// a process for each. For addresses that contain their pages it would.
func show(t testing.TB, markup string) *tab {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, markup)
	}))
	t.Cleanup(site.Close)
	t.Cleanup(site.CloseClientConnections)
	return open(t, site.URL)
}

func call[P, R any](t testing.TB, s *cdp.Session, c proto.Command[P, R], p P) R {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a renderer that crashed never answers
	defer cancel()
	r, err := cdp.Call(ctx, s, c, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// adoptClosed hands the closed shadow root of a candidate to the page script, as chela's Go code
// does. Only the DOM domain of the protocol reaches such a root.
func (p *tab) adoptClosed(candidate int) {
	p.t.Helper()
	expression := fmt.Sprintf("chela.candidate(%d)", candidate)
	host := call(p.t, p.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ContextID: p.world})
	deep, pierce := int64(1), true
	node := call(p.t, p.Session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: host.Result.ObjectID, Depth: &deep, Pierce: &pierce})
	if len(node.Node.ShadowRoots) != 1 {
		p.t.Fatalf("%d shadow roots, want 1", len(node.Node.ShadowRoots))
	}
	closed := node.Node.ShadowRoots[0].BackendNodeID
	root := call(p.t, p.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: closed, ExecutionContextID: p.world})
	call(p.t, p.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(root) { chela.adoptClosedRoot(this, root) }",
		ObjectID:            host.Result.ObjectID,
		Arguments:           []*runtime.CallArgument{{ObjectID: root.Object.ObjectID}},
	})
}
