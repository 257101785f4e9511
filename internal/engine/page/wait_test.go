package page_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// waiting runs a wait while nothing holds the tab's turn.
func waiting(t *tab.Tab, limit time.Duration, wait func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(t.Ctx, limit)
	defer cancel()
	return wait(ctx)
}

// hosts is a page with shadow roots and with frames that are not rendered.
var hosts = pages.HTML(`<x-load><template shadowrootmode=open><style>.spinner{color:red}</style><div hidden>Loading data</div><p>Rows ready</p></template></x-load>
	<x-modal style="display:none"><template shadowrootmode=open><p>Order saved</p></template></x-modal>
	<x-text><template shadowrootmode=open>Direct shadow text</template></x-text>
	<p>State: <x-badge><template shadowrootmode=open>sent</template></x-badge> today</p>
	<svg><style>.drawn{color:red}</style><text y=20>Label of a bar</text></svg>
	<iframe style="display:none" srcdoc="<h6>Payment complete</h6><script>var k='scripttoken'</script>"></iframe>
	<iframe style="visibility:hidden" srcdoc="<p>Account closed</p>"></iframe>`)

func TestWait(t *testing.T) {
	type waits = func(context.Context, *tab.Tab) error
	text := func(s string) waits {
		return func(ctx context.Context, t *tab.Tab) error { return t.WaitText(ctx, s, false) }
	}
	gone := func(s string) waits {
		return func(ctx context.Context, t *tab.Tab) error { return t.WaitText(ctx, s, true) }
	}
	selector := func(s string) waits {
		return func(ctx context.Context, t *tab.Tab) error { return t.WaitSelector(ctx, s) }
	}
	url := func(s string) waits { return func(ctx context.Context, t *tab.Tab) error { return t.WaitURL(ctx, s) } }
	load := func(s string) waits { return func(ctx context.Context, t *tab.Tab) error { return t.WaitLoad(ctx, s) } }
	function := func(s string) waits {
		return func(ctx context.Context, t *tab.Tab) error { return t.WaitFunction(ctx, s) }
	}
	for _, s := range []struct {
		name, path string
		wait       waits
		fails      string
	}{
		{"text that is there", "/late.html", text("Start"), ""},
		{"text that comes", "/late.html", text("Added late"), ""},
		{"text in other letters", "/frame.html", text("pRESS"), ""},
		{"text that never comes", "/frame.html", text("Nothing"), `timed out waiting for text "Nothing"`},
		{"text in a frame", "/frames.html?other=" + tab.Elsewhere(), text("In other-inner"), ""},
		{"text in closed shadow", "/shadow.html", text("Closed button"), ""},
		{"text that goes", "/covered.html?after=300", gone("Cookies?"), ""},
		{"text that was never there", "/frame.html", gone("Nothing"), ""},
		{"text that stays", "/covered.html", gone("Cookies?"), "timed out waiting for noText"},
		{"text in a frame that stays", "/frames.html?other=" + tab.Elsewhere(), gone("In other-inner"), "timed out waiting for noText"},
		{"text in a host that is not displayed", hosts, text("Order saved"), `timed out waiting for text`},
		{"text in a frame that is not displayed", hosts, text("Payment complete"), `timed out waiting for text`},
		{"text in a frame that is not visible", hosts, text("Account closed"), `timed out waiting for text`},
		{"text of a script", hosts, text("scripttoken"), `timed out waiting for text`},
		{"text of a style", hosts, text("spinner{"), `timed out waiting for text`},
		{"text of a style in a drawing", hosts, text("drawn{"), `timed out waiting for text`},
		{"text directly in a shadow root", hosts, text("Direct shadow text"), ""},
		{"text around a shadow root", hosts, text("State: sent today"), ""},
		{"text with a soft hyphen", pages.HTML(`<p>Donau&shy;dampfschiff`), text("Donaudampfschiff"), ""},
		{"text in a drawing", hosts, text("Label of a bar"), ""},
		{"text that is hidden in a shadow root", hosts, gone("Loading data"), ""},
		{"text directly in a shadow root that stays", hosts, gone("Direct shadow text"), "timed out waiting for noText"},
		{"element in a frame that is not displayed", hosts, selector("h6"), "timed out waiting for selector"},
		{"element that comes", "/late.html", selector("#place button"), ""},
		{"element that becomes visible", "/late.html", selector("#shown"), ""},
		{"element that stays hidden", "/late.html?start", selector("#shown"), "timed out waiting for selector"},
		{"element in a frame", "/frames.html", selector("iframe[title=inner], h2"), ""},
		{"no selector", "/frame.html", selector("a["), "is not a CSS selector"},
		{"address", "/frame.html", url("**/frame.html"), ""},
		{"part of the address", "/frame.html", url("frame"), ""},
		{"another address", "/frame.html", url("**/form.html"), `timed out waiting for url "**/form.html"`},
		{"load", "/frame.html", load("load"), ""},
		{"network idle", "/frame.html", load("networkidle"), ""},
		{"function", "/late.html", function("() => !document.querySelector('#enabled').disabled"), ""},
		{"function that waits", "/late.html", function("async () => !document.querySelector('#enabled').disabled"), ""},
		{"body", "/late.html", function("return !document.querySelector('#enabled').disabled"), ""},
		{"function in a frame", "/frames.html?other=" + tab.Elsewhere(), function("() => document.body.innerText.includes('In other-inner')"), ""},
		{"function that stays false", "/frame.html", function("() => false"), "timed out"},
		{"function that never answers", "/frame.html", function("() => new Promise(() => {})"), "timed out waiting for function"},
		{"function that throws later", "/frame.html", function("() => { if ((window.n = (window.n ?? 0) + 1) > 2) throw new Error('later') }"), "later"},
		{"text that comes and goes", "/covered.html?after=300", gone("Cookies?"), ""},
		{"address with signs of patterns", "/frame.html?a=(1)", url("**/frame.html?a=(1)"), ""},
		{"function that throws", "/frame.html", function("() => null.x"), "Cannot read properties"},
		{"function that spins", "/frame.html", function("() => { for (;;); }"), "timed out"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Borrow(t, s.path)
			limit := 5 * time.Second
			if s.fails != "" {
				limit = time.Second
			}
			err := waiting(tt, limit, func(ctx context.Context) error { return s.wait(ctx, tt) })
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
		})
	}
}

// If the condition takes long to check, it is checked less often, and the page answers in time.
func TestWaitInALargePage(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/frame.html")
	tt.Write(strings.Repeat("<p><span>some</span> <b>text</b></p>", 20_000))
	err := waiting(tt, 2*time.Second, func(ctx context.Context) error { return tt.WaitText(ctx, "Nothing", false) })
	if err == nil || !strings.Contains(err.Error(), "timed out waiting for text") {
		t.Errorf("got %v", err)
	}
}

// A wait also checks documents and frames that come later.
func TestWaitAcrossDocuments(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ name, script, text string }{
		{"new document", "setTimeout(() => location = 'echo?a=1', 200)", "GET a=1"},
		{"slow document", "location = 'slow?ms=400'", "Answered after 400"},
		{"new frame", "setTimeout(() => document.body.append(Object.assign(document.createElement('iframe'), {srcdoc: 'a=1 after'})), 200)", "after"},
		{"document in a frame", "document.body.append(Object.assign(document.createElement('iframe'), {src: 'slow?ms=200'}))", "Answered after 200"},
		{"frame of another site", "document.body.append(Object.assign(document.createElement('iframe'), {src: '" + tab.Elsewhere() + "/slow?ms=200'}))", "Answered after 200"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			done := make(chan error)
			go func() {
				done <- waiting(tt, 3*time.Second, func(ctx context.Context) error { return tt.WaitText(ctx, s.text, false) })
			}()
			tab.Run[any](tt, s.script+"; undefined")
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// When one frame has answered, the others are left alone. A long task of the page there is not
// ended, and the function is not called any more.
func TestWaitFunctionLeavesOtherFrames(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, pages.HTML(`<script>
		const heard = [];
		onmessage = e => setTimeout(() => heard.push(e.data), e.data === 'begun' ? 200 : 0);
	</script><iframe src="`+tab.Elsewhere()+pages.HTML(`<script>
		let calls = 0, begin = () => {
			begin = () => { calls++; };
			parent.postMessage('begun', '*'); // it is sent at the end of this task
			setTimeout(() => {
				for (const end = performance.now() + 2000; performance.now() < end;);
				parent.postMessage('done', '*');
				calls = 0;
				setTimeout(() => parent.postMessage(calls, '*'), 500);
			}, 50);
		};
	</script>`)+`"></iframe>`))
	for _, function := range []string{
		"() => parent === self ? heard.includes('begun') : begin()",
		"() => heard.includes('done')",
		"() => typeof heard.at(-1) === 'number'",
	} {
		if err := waiting(tt, 5*time.Second, func(ctx context.Context) error { return tt.WaitFunction(ctx, function) }); err != nil {
			t.Fatalf("%s: %v", function, err)
		}
	}
	if calls := tab.Run[int](tt, "heard.at(-1)"); calls > 2 {
		t.Errorf("the function was called %d times after its wait", calls)
	}
}

// A page may add elements all the time that may have a closed shadow root. A wait looks at the page all the
// same, and into closed roots that come late.
func TestWaitBesideNewElements(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<p>Shown</p><main></main>';
		const main = document.querySelector('main'), port = new MessageChannel();
		port.port1.onmessage = () => { main.replaceChildren(document.createElement('x-a')); port.port2.postMessage(0); };
		port.port2.postMessage(0); undefined`)
	for text, gone := range map[string]bool{"Shown": false, "Nothing": true} {
		if err := waiting(tt, 4*time.Second, func(ctx context.Context) error { return tt.WaitText(ctx, text, gone) }); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	tab.Run[any](tt, `setTimeout(() => {
		document.body.append(document.createElement('x-b'));
		document.querySelector('x-b').attachShadow({ mode: 'closed' }).innerHTML = '<p>Closed</p>';
	}, 1500); undefined`)
	if err := waiting(tt, 10*time.Second, func(ctx context.Context) error { return tt.WaitText(ctx, "Closed", false) }); err != nil {
		t.Error(err)
	}
	if err := waiting(tt, time.Second, func(ctx context.Context) error { return tt.WaitText(ctx, "Nothing", false) }); err == nil || !strings.HasPrefix(err.Error(), "timed out") {
		t.Errorf("got %v", err)
	}
}

// nested makes closed shadow roots inside each other. It is a script with the number of levels, and the HTML
// of the innermost.
const nested = `{
	let at = document.body;
	for (let i = 1; i <= %d; i++) at = at.appendChild(document.createElement('x-a')).attachShadow({ mode: 'closed' });
	at.innerHTML = '%s';
} undefined`

// A text is not gone if it may be in closed roots that were not looked into yet.
func TestWaitForTextGoneFromClosedRoots(t *testing.T) {
	for name, script := range map[string]string{
		"inside each other": fmt.Sprintf(nested, 5, "<p>Closed</p>"),
		"of many elements": `for (let i = 0; i < 2100; i++) document.body.append(document.createElement('x-a'));
			document.body.lastChild.attachShadow({ mode: 'closed' }).innerHTML = '<p>Closed</p>'; undefined`,
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, "/frame.html")
			tab.Run[any](tt, script)
			gone := func(ctx context.Context) error { return tt.WaitText(ctx, "Closed", true) }
			if err := waiting(tt, 2*time.Second, gone); err == nil || !strings.HasPrefix(err.Error(), "timed out") {
				t.Errorf("got %v, and the text is there", err)
			}
			tab.Run[any](tt, `document.body.replaceChildren()`)
			if err := waiting(tt, 5*time.Second, gone); err != nil {
				t.Error(err)
			}
		})
	}
}

// A page that adds elements faster than Chromium can be asked about them may show the text in any of them. The
// error says so.
func TestWaitForTextGoneFromChangingPage(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `{
		const grid = document.body.appendChild(document.createElement('div'));
		const render = () => { grid.innerHTML = '<x-a></x-a>'.repeat(600); };
		render();
		setInterval(render, 20);
	} undefined`)
	err := waiting(tt, 2*time.Second, func(ctx context.Context) error { return tt.WaitText(ctx, "Nothing", true) })
	if late, ok := errors.AsType[*page.WaitError](err); !ok || !late.Unopened || late.Value != "Nothing" {
		t.Errorf("got %#v", err)
	}
}

// A wait whose script is ended goes on if the script is chela's. The caller's function may be what keeps the
// page busy, and is not called again.
func TestWaitWhoseScriptIsEnded(t *testing.T) {
	for name, s := range map[string]struct {
		wait func(context.Context, *tab.Tab) error
		want error
	}{
		"chela's":      {func(ctx context.Context, t *tab.Tab) error { return t.WaitSelector(ctx, "h1") }, nil},
		"the caller's": {func(ctx context.Context, t *tab.Tab) error { return t.WaitFunction(ctx, "() => { while (true); }") }, page.ErrEnded},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML("<h1>Many</h1><div id=many hidden></div>"))
			tab.Run[any](tt, "many.innerHTML = '<i></i>'.repeat(1_000_000); undefined") // chela's script looks at each
			err := waiting(tt, 20*time.Second, func(ctx context.Context) error {
				ctx, cancel := context.WithCancel(ctx)
				ended := make(chan bool, 1)
				go func() {
					for ctx.Err() == nil {
						if tt.Unstick(ctx, nil) {
							ended <- true
							return
						}
					}
					ended <- false
				}()
				err := s.wait(ctx, tt)
				cancel()
				if !<-ended {
					t.Error("no script was ended")
				}
				return err
			})
			if !errors.Is(err, s.want) {
				t.Errorf("got %v, want %v", err, s.want)
			}
			if s.want != nil && tt.IsBusy() {
				t.Error("the page is busy again")
			}
		})
	}
}
