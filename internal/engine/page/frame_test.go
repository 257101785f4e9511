package page_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"reflect"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/schema"
	"chela/internal/reading/snapshot"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
	"chela/test/tab"
)

func TestFrames(t *testing.T) {
	press := func(frame string) string { return `"In ` + frame + `" > button "Press"` }
	field := func(frame string) string { return `"In ` + frame + `" > textbox "Field"` }
	var transformed []story
	for _, frame := range []string{"scaled", "turned", "in a scaled box", "zoomed", "scrolled", "tall"} {
		transformed = append(transformed, story{Name: frame, Target: press(frame), Do: tab.Click, Logged: frame + " pressed trusted"})
	}
	for _, g := range []struct {
		name, path string
		stories    []story
	}{
		{"click", "/frames.html?other=" + tab.Elsewhere(), []story{
			{Name: "beside the frames", Target: `button "Press at the top"`, Do: tab.Click, Logged: "top pressed"},
			{Name: "same site", Target: press("same"), Do: tab.Click, Logged: "same pressed trusted"},
			{Name: "nested", Target: press("inner"), Do: tab.Click, Logged: "inner pressed trusted"},
			{Name: "srcdoc", Target: `button "Press in srcdoc"`, Do: tab.Click, Logged: "srcdoc pressed"},
			{Name: "sandboxed", Target: press("sandbox"), Do: tab.Click, Logged: "sandbox pressed trusted"},
			{Name: "about:blank", Target: `button "Press in about:blank"`, Do: tab.Click, Logged: "written pressed"},
			{Name: "covered", Target: press("covered"), Do: tab.Click, Fails: `covered by div#cover`},
			{Name: "another site", Target: press("other"), Do: tab.Click, Logged: "other pressed trusted"},
			{Name: "another site, in it", Target: press("other-inner"), Do: tab.Click, Logged: "other-inner pressed trusted"},
		}},
		{"text", "/frames.html?other=" + tab.Elsewhere(), []story{
			{Name: "same site", Target: field("same"), Do: tab.Typing("Ada"), Logged: "same typed Ada"},
			{Name: "nested", Target: field("inner"), Do: tab.Typing("Ada"), Logged: "inner typed Ada"},
			{Name: "sandboxed", Target: field("sandbox"), Do: tab.Typing("Ada"), Logged: "sandbox typed Ada"},
			{Name: "another site", Target: field("other"), Do: tab.Typing("Ada"), Logged: "other typed Ada"},
			{Name: "another site, in it", Target: field("other-inner"), Do: tab.Typing("Ada"), Logged: "other-inner typed Ada"},
		}},
		{"keys", "/frames.html?other=" + tab.Elsewhere(), []story{
			{Name: "same site", Target: field("same"), Do: tab.TypingSlowly("Ada"), Logged: "same typed Ada"},
			{Name: "another site", Target: field("other"), Do: tab.TypingSlowly("Ada"), Logged: "other typed Ada"},
			{Name: "another site, in it", Target: field("other-inner"), Do: tab.TypingSlowly("Ada"), Logged: "other-inner typed Ada"},
		}},
		{"transformed", "/transformed.html", transformed},
		{"transformed, another site", "/transformed.html?other=" + tab.Elsewhere(), transformed},
	} {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, g.path) // opening a document with many frames takes a second, so all cases of a group share one
			for _, s := range g.stories {
				t.Run(s.Name, func(t *testing.T) { tab.Story(s).In(tt.For(t)) })
			}
		})
	}
}

// A frame stays covered until the page is busy. The error says what was in the way.
func TestCoveredFrameOfABusyPage(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/frames.html?other=")
	ref := tt.Ref(`"In covered" > button "Press"`)
	tab.Run[any](tt, `setTimeout(() => { for (const end = Date.now() + 3000; Date.now() < end;); }, 700); undefined`)
	if err := tt.OnRef(ref, tab.Click); err == nil || !strings.Contains(err.Error(), "covered by div#cover") {
		t.Errorf("got %v", err)
	}
}

// A ref of an iframe stands for the frame: a click goes to what is in its middle.
func TestClickOnAFrame(t *testing.T) {
	tt := tab.Borrow(t, "/shifting.html")
	tab.Run[any](tt, `(() => { const d = document.querySelector('iframe').contentDocument;
		d.body.onclick = () => log('frame clicked'); d.body.style.height = '140px'; })()`)
	if err := tt.On("iframe", tab.Click); err != nil || tt.Last() != "frame clicked" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// A frame of another site may contain a frame that has the name of the page script.
func TestClickBesideAFrameNamedAsThePageScript(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="/log.js"></script><button onclick="log('pressed')">Press</button>
		<iframe src="`+tab.Elsewhere()+pages.HTML(`<iframe name=chela></iframe>`)+`"></iframe>`))
	if err := tt.On(`button "Press"`, tab.Click); err != nil || tt.Last() != "pressed" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// Frames of one site may lie in another site's frames, or beside each other in a page of another site. Chromium
// reports each with a session of its own, but all their documents are in one process.
func TestFramesOfOneSiteApart(t *testing.T) {
	const form = `<script src="/log.js"></script><form onsubmit="log('submitted'); return false"><input aria-label=Code></form>
		<button onmousedown="this.className = 'p' + Math.random(); this.setAttribute('aria-pressed', true)" onclick="log('pressed')">Plus</button>
		<div role=slider tabindex=0 aria-label=Tone aria-valuemin=0 aria-valuemax=10 aria-valuenow=5 style="width: 100px; height: 10px"
			onkeydown="if (event.key === 'ArrowRight') { this.ariaValueNow++; log('at ' + this.ariaValueNow) }"></div>`
	frame := func(title, address string) string {
		return `<iframe title="` + title + `" src="` + html.EscapeString(address) + `"></iframe>`
	}
	theirs := tab.Elsewhere() + pages.HTML(form)
	stories := []story{
		{Name: "Enter", Target: `textbox "Code"`, Do: submitting("1111"), Logged: "submitted"},
		{Name: "a press that changes the button", Target: `button "Plus"`, Do: tab.Click, Logged: "pressed"},
		{Name: "keys of a slider", Target: `slider "Tone"`, Do: tab.Typing("8"), Logged: "at 8"},
	}
	for _, g := range []struct{ name, path, within string }{
		{"beside each other", pages.HTML(`<script src="/log.js"></script>` + frame("one", theirs) + frame("two", theirs)), `"two" > `},
		{"the page and a frame in a frame", pages.HTML(form + frame("theirs", tab.Elsewhere()+pages.HTML(frame("ours", tab.Site.URL+pages.HTML(form))))), ""},
	} {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, g.path)
			for _, s := range stories {
				t.Run(s.Name, func(t *testing.T) {
					tt := tt.For(t)
					if err := tt.On(g.within+s.Target, s.Do); err != nil {
						t.Error(err)
					}
					tt.Await(s.Logged)
				})
			}
		})
	}
}

// submitting types a text and presses Enter.
func submitting(text string) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error {
		return el.Submit(ctx, func(ctx context.Context) error { return tab.Typing(text)(ctx, el) })
	}
}

// Frames that are removed take their refs with them; their numbers are not used again.
func TestFrameThatLeaves(t *testing.T) {
	tt := tab.Borrow(t, "/shifting.html")
	ref := tt.Ref(`"In leaving" > button "Press"`)
	if err := tt.On(`"Remove the frame"`, tab.Click); err != nil {
		t.Fatal(err)
	}
	err := tt.OnRef(ref, tab.Click)
	if err == nil || !strings.Contains(err.Error(), "its frame was removed") {
		t.Errorf("got %v", err)
	}
}

// A frame that spins delays neither a click in a cross-site frame nor one beside it.
func TestFrameThatSpins(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
	top := tt.Ref(`button "Press at the top"`)
	tab.Run[any](tt, `document.querySelector('[title=other]').contentWindow.postMessage('spin', '*')`)
	if err := tt.OnRef(top, tab.Click); err != nil || tt.Last() != "top pressed" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// Cross-site frames are removed with the document that contained them.
func TestFramesLeaveWithTheirDocument(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
	if n := tt.FrameCount(); n < 2 {
		t.Fatalf("got %d frames before, want several", n)
	}
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/form.html") }); err != nil {
		t.Fatal(err)
	}
	if n := tt.FrameCount(); n != 1 {
		t.Errorf("got %d frames after, want 1", n)
	}
}

// When a page writes its document again (document.open), the listeners of the page script are lost.
// A click still works.
func TestClickInAWrittenDocument(t *testing.T) {
	write := "d => { d.open(); d.write(`<button onclick='top.postMessage({ log: this.textContent }, \"*\")'>Written</button>`); d.close(); }"
	t.Run("frame", func(t *testing.T) {
		tt := tab.Borrow(t, "/frame.html")
		tab.Run[any](tt, `const f = document.createElement('iframe'); document.body.append(f); (`+write+`)(f.contentDocument)`)
		if err := tt.On(`button "Written"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		tt.Await("Written")
	})
	t.Run("page", func(t *testing.T) {
		tt := tab.Borrow(t, "/frame.html")
		tab.Run[any](tt, `(`+write+`)(document); addEventListener('message', event => { document.title = event.data.log; })`)
		if err := tt.On(`button "Written"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		titled := func(ctx context.Context) error { return tt.WaitFunction(ctx, "document.title === 'Written'") }
		if err := tt.InTurn(5*time.Second, titled); err != nil { // the page handles the message in a separate task
			t.Errorf("title is %q, want Written: %v", tab.Run[string](tt, "document.title"), err)
		}
	})
}

// Frames of one process are read at the same time, each with its closed shadow roots.
func TestClosedRootsInManyFrames(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `for (let i = 0; i < 12; i++) {
		const f = document.createElement('iframe');
		document.body.append(f);
		for (let k = 0; k < 5; k++) {
			const host = f.contentDocument.createElement('x-host');
			host.attachShadow({ mode: 'closed' }).innerHTML = '<button>Closed</button>';
			f.contentDocument.body.append(host);
		}
	}`)
	text := tt.Text()
	if got := strings.Count(text, `button "Closed"`); got != 60 {
		t.Errorf("%d buttons, want 60, in\n%s", got, text)
	}
}

// Chromium describes an element with all of its id. An element with a very long one is not among those
// known to listen: its description would take the server's memory. All others are there.
func TestListenersOfAnElementWithALongID(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `for (let i = 0; i < 200; i++) {
		const div = document.createElement('div');
		div.textContent = i === 50 ? 'Long' : 'Listens';
		if (i === 50) div.id = 'x'.repeat(6e6);
		div.addEventListener('drop', () => {});
		document.body.append(div);
	}`)
	text := tt.Text()
	if got := strings.Count(text, "[droppable]"); got != 199 || !strings.Contains(text, "Long") {
		t.Errorf("%d elements that listen, want 199, in\n%s", got, text)
	}
}

// The frames of a page share one limit of characters. So a page cannot fill the server's memory with
// many frames. What a small frame does not need is for a large one, and the rest is said to be missing.
func TestFramesShareALimitOfCharacters(t *testing.T) {
	for _, c := range []struct {
		name             string
		chars, cut, most int
	}{
		{"enough for all", 1e6, 0, 1.1e6},
		{"too much", 8e6, 1, 5.1e6},
	} {
		t.Run(c.name, func(t *testing.T) {
			const frames = 10
			tt := tab.Borrow(t, "/frame.html")
			tab.Run[any](tt, fmt.Sprintf(`for (let i = 0; i < %d; i++) {
				const f = document.createElement('iframe');
				document.body.append(f);
				if (i === 5) f.contentDocument.body.append('many words '.repeat(%d / 11));
				f.contentDocument.body.append('The end');
			}`, frames, c.chars))
			var read, cut, ends int
			for _, walk := range page.Walks(t, tt.Page) {
				read += len(walk.Lines)
				cut += strings.Count(walk.Cut, "characters read, the page has more")
				ends += strings.Count(walk.Lines, "The end")
			}
			if read < c.most/2 || read > c.most || cut != c.cut || ends != frames-c.cut {
				t.Errorf("%d bytes, %d frames cut, %d ends, want at most %d, %d and %d", read, cut, ends, c.most, c.cut, frames-c.cut)
			}
		})
	}
}

// The closed shadow root of an ordinary element, such as a div, is found even if the element has
// children.
func TestClosedRootsOfWhatHoldsSomething(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `for (const [light, shadow] of [
		['<p>Nowhere</p>', '<button>Instead</button>'],
		['<p slot=a>Placed</p>', '<button>Beside</button><slot name=a></slot>'],
	]) {
		const host = document.createElement('div');
		host.innerHTML = light;
		host.attachShadow({ mode: 'closed' }).innerHTML = shadow;
		document.body.append(host);
	}`)
	text := tt.Text()
	for words, want := range map[string]bool{"Nowhere": false, "Instead": true, "Beside": true, "Placed": true} {
		if got := strings.Contains(text, words); got != want {
			t.Errorf("%s: shown is %v, want %v, in\n%s", words, got, want, text)
		}
	}
}

// The reply to a walk may arrive before the tab has handled the event for a new frame in it. Such a
// frame is still read.
func TestFramesThatAreReportedLate(t *testing.T) {
	for _, c := range []struct {
		name    string
		handled func(tt *tab.Tab) bool
		want    string
	}{
		{"after the walk", func(tt *tab.Tab) bool { page.AwaitWalk(t.Context(), tt.Page); return true }, "button \"Late\""},
		{"never", func(*tab.Tab) bool { return false }, "(frame not read: the browser has not reported its document)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tt := tab.Open(t, "/frame.html")
			page.OnNewFrame(t, tt.Page, func() bool { return c.handled(tt) })
			tab.Run[any](tt, `document.body.innerHTML = '<p>Words</p><iframe></iframe>';
				frames[0].document.body.innerHTML = '<button>Late</button>'`)
			if text := tt.Text(); !strings.Contains(text, c.want) {
				t.Errorf("%q is not in\n%s", c.want, text)
			}
		})
	}
}

// Frames inside frames are read at every depth, even if the call has little time.
func TestFramesInFrames(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `let inner = document;
		for (let depth = 0; depth < 8; depth++) inner = inner.body.appendChild(inner.createElement('iframe')).contentDocument;
		inner.body.innerHTML = '<button>Innermost</button>'; undefined`)
	var s snapshot.Snapshot
	var list snapshot.AriaList
	err := tt.InTurn(5*time.Second, func(ctx context.Context) (err error) {
		if s, err = tt.Snapshot(ctx, page.View{}); err == nil {
			list, err = tt.Aria(ctx, "", snapshot.AriaOptions{})
		}
		return err
	})
	for _, text := range []string{s.Text, list.Text()} {
		if err != nil || !strings.Contains(text, "Innermost") {
			t.Errorf("%v, got\n%s", err, text)
		}
	}
}

// A frame that has not loaded is not shown as if it were empty, and nothing waits for it.
func TestFramesThatHaveNotLoaded(t *testing.T) {
	for _, src := range []string{`src="/slow?ms=60000"`, `loading=lazy src="/frame.html"`, awaitsScript} {
		tt := tab.Open(t, "/frame.html")
		addFrame(tt, src)
		began := time.Now()
		list := snapshot.AriaList{Nodes: aria(tt)} // first, since a snapshot makes the world of the frame
		for _, text := range []string{list.Text(), tt.Text()} {
			if !strings.Contains(text, "(frame not read: it has not loaded yet)") {
				t.Errorf("%s: got\n%s", src, text)
			}
		}
		if took := time.Since(began); took > 2*time.Second+service.Slack() { // aria has 5 s: half of them would be too long
			t.Errorf("%s: read after %v", src, took)
		}
	}
}

// awaitsScript makes an iframe whose document has come, but shows nothing before its script has come.
const awaitsScript = `srcdoc="<div id=root></div><script src=/slow?ms=60000></script>"`

// addFrame gives the page an iframe with these attributes. A document in srcdoc has come when it returns.
func addFrame(tt *tab.Tab, attributes string) {
	tab.Run[any](tt, `document.body.innerHTML = '<div style="height: 20000px"></div><iframe `+attributes+`></iframe>';
		const iframe = document.body.lastElementChild;
		if (iframe.srcdoc !== '') await new Promise(resolve => {
			const look = () => {
				const { scripts, readyState } = iframe.contentDocument;
				if (scripts.length > 0 || readyState === 'complete' && iframe.contentDocument.URL === 'about:srcdoc') resolve();
				else requestAnimationFrame(look);
			};
			look();
		})`)
}

// A caller may also name such a frame.
func TestFrameThatHasNotLoadedAlone(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`src="/slow?ms=60000"`, "(frame not read: it has not loaded yet)"},
		{`loading=lazy src="/frame.html"`, "(frame not read: it has not loaded yet)"},
		{awaitsScript, "(frame not read: it has not loaded yet)"},
		{`srcdoc="<div id=root></div>"`, "(empty)"},
		{"", "(empty)"},
	} {
		for name, read := range map[string]func(context.Context, *tab.Tab) (string, error){
			"snapshot": func(ctx context.Context, tt *tab.Tab) (string, error) {
				s, err := tt.Snapshot(ctx, page.View{Frame: "iframe", Options: snapshot.Options{Scoped: true}})
				return s.Text, err
			},
			"aria": func(ctx context.Context, tt *tab.Tab) (string, error) {
				list, err := tt.Aria(ctx, "iframe", snapshot.AriaOptions{})
				if text := list.Text(); strings.Contains(text, "not read") {
					return text, err
				}
				return "(empty)", err
			},
		} {
			tt := tab.Open(t, "/frame.html")
			addFrame(tt, c.src)
			var text string
			err := tt.InTurn(4*time.Second, func(ctx context.Context) (err error) {
				text, err = read(ctx, tt)
				return err
			})
			if err != nil || !strings.Contains(text, c.want) {
				t.Errorf("%s, %q: got %s, %v", name, c.src, text, err)
			}
		}
	}
}

// What a page writes into the first document of a frame is shown, even if another document is to come.
// An object has no address like that of an iframe.
func TestWrittenFrames(t *testing.T) {
	for html, want := range map[string]string{
		`<iframe src="/slow?ms=60000"></iframe>`:    "Written",
		`<object data="about:blank"></object>Words`: "Words",
	} {
		tt := tab.Open(t, "/frame.html")
		tab.Run[any](tt, `document.body.innerHTML = '`+html+`';
			if (frames.length > 0) frames[0].document.body.innerHTML = '<button>Written</button>';
			else await new Promise(resolve => { requestAnimationFrame(() => setTimeout(resolve)); });`)
		list := snapshot.AriaList{Nodes: aria(tt)}
		for _, text := range []string{list.Text(), tt.Text()} {
			if !strings.Contains(text, want) || strings.Contains(text, "not read") {
				t.Errorf("%s: got\n%s", html, text)
			}
		}
	}
}

// A frame that has gone, or whose process has crashed, answers no call. Each call says so at once, and
// the rest of the tab can still be used.
func TestLostFrames(t *testing.T) {
	const lost = `[title=other]`
	remove := func(t *tab.Tab) { tab.Run[any](t, "document.querySelector('"+lost+"').remove()") }
	crash := func(t *tab.Tab) { page.CrashFrame(t.Ctx, t.Page, tab.Elsewhere()+"/frame.html?name=other") }
	evaluate := func(ctx context.Context, t *tab.Tab, ref string) error {
		return onElement(func(ctx context.Context, el *page.Element) error {
			_, _, err := t.Evaluate(ctx, "el => 1", el)
			return err
		})(ctx, t, ref)
	}
	fields := func(ctx context.Context, t *tab.Tab, ref string) error {
		root, err := schema.Parse([]byte(`{"a": "` + ref + `"}`))
		if err != nil {
			return err
		}
		_, _, err = t.Fields(ctx, root, "", 1000)
		return err
	}
	snap := func(ctx context.Context, t *tab.Tab, _ string) error {
		_, err := t.Snapshot(ctx, page.View{Frame: lost})
		return err
	}
	aria := func(ctx context.Context, t *tab.Tab, _ string) error {
		_, err := t.Aria(ctx, lost, snapshot.AriaOptions{})
		return err
	}
	for _, c := range []struct {
		name  string
		other string // the site of the frame
		lose  func(*tab.Tab)
		do    func(context.Context, *tab.Tab, string) error
		want  string
	}{
		{"script in a removed frame", tab.Elsewhere(), remove, evaluate, string(page.FrameRemoved)},
		{"script in a removed frame of the same site", tab.Site.URL, remove, evaluate, string(page.FrameRemoved)},
		{"fields of a removed frame", tab.Elsewhere(), remove, fields, string(page.FrameRemoved)},
		{"click in a removed frame", tab.Elsewhere(), remove, onElement(tab.Click), string(page.FrameRemoved)},
		{"script in a crashed frame", tab.Elsewhere(), crash, evaluate, string(page.FrameCrashed)},
		{"fields of a crashed frame", tab.Elsewhere(), crash, fields, string(page.FrameCrashed)},
		{"click in a crashed frame", tab.Elsewhere(), crash, onElement(tab.Click), string(page.FrameCrashed)},
		{"snapshot of a crashed frame", tab.Elsewhere(), crash, snap, page.ErrFrameCrashed.Error()},
		{"accessibility tree of a crashed frame", tab.Elsewhere(), crash, aria, page.ErrFrameCrashed.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			tt := tab.Open(t, "/frames.html?other="+c.other)
			ref := tt.Ref(`"In other" > button "Press"`)
			c.lose(tt)
			began := time.Now()
			err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return c.do(ctx, tt, ref) })
			if took := time.Since(began); err == nil || !strings.Contains(err.Error(), c.want) || took > 10*time.Second {
				t.Errorf("got %v after %v", err, took)
			}
			if tt.Err() != nil {
				t.Errorf("the tab has ended: %v", tt.Err())
			}
		})
	}
}

// Calls that ask all frames leave out a frame that crashes meanwhile.
func TestFrameThatCrashesBesideACall(t *testing.T) {
	for name, call := range map[string]func(context.Context, *tab.Tab) error{
		"login forms": func(ctx context.Context, t *tab.Tab) error {
			_, err := t.LoginForms(ctx, func(string) bool { return true })
			return err
		},
		"focus": func(ctx context.Context, t *tab.Tab) error {
			_, err := t.Focused(ctx)
			return err
		},
		"shortcut": func(ctx context.Context, t *tab.Tab) error { return t.Press(ctx, tab.Chord(t, "F5"), 0) },
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
			field := tt.Ref(`"In covered" > textbox "Field"`)
			tt.MustAct(func(ctx context.Context) error {
				return onElement(func(ctx context.Context, el *page.Element) error { return el.Focus(ctx) })(ctx, tt, field)
			})
			err := tt.InTurn(20*time.Second, func(ctx context.Context) error {
				page.StartCrash(tt.Page, tab.Elsewhere()+"/frame.html?name=other")
				return call(ctx, tt)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// onElement does something with the element of a ref.
func onElement(do func(context.Context, *page.Element) error) func(context.Context, *tab.Tab, string) error {
	return func(ctx context.Context, t *tab.Tab, ref string) error {
		el, err := t.Element(ctx, ref)
		if err != nil {
			return err
		}
		return do(ctx, el)
	}
}

// The process of a frame crashes when its page has got what a call does. The call ends at once, and
// says that it may have had its effect.
func TestFrameThatCrashesDuringACall(t *testing.T) {
	const begun = "parent.postMessage(0, '*')" // it is sent at the end of the task
	choose := func(ctx context.Context, el *page.Element) error {
		_, err := el.Select(ctx, []string{"One"})
		return err
	}
	for _, c := range []struct {
		name, html, target string
		do                 func(context.Context, *page.Element) error
	}{
		{"script", `<button>Press</button>`, `button "Press"`, nil},
		{"click", `<button onmousedown="` + begun + `">Press</button>`, `button "Press"`, page.ClickCrashing},
		{"choice that the page refuses", `<select aria-label=List onchange="this.value = ''; requestAnimationFrame(() => requestAnimationFrame(() => ` + begun + `))">
			<option value=""></option><option>One</option></select>`, `"List"`, choose},
		{"choice in a list", `<div role=listbox aria-label=List><div role=option aria-selected=false onclick="setTimeout(() => ` + begun + `)">One</div></div>`,
			`"List"`, choose},
	} {
		t.Run(c.name, func(t *testing.T) {
			inFrame := tab.Elsewhere() + pages.HTML(c.html)
			tt := tab.Open(t, pages.HTML(`<script>begun = new Promise(resolve => { onmessage = () => resolve(1) })</script><iframe src="`+inFrame+`"></iframe>`))
			ref := tt.Ref("iframe > " + c.target)
			do := c.do
			if do == nil {
				do = func(ctx context.Context, el *page.Element) error {
					_, _, err := tt.Evaluate(ctx, "() => { "+begun+"; return new Promise(() => {}) }", el)
					return err
				}
			}
			err := tt.InTurn(20*time.Second, func(ctx context.Context) error {
				go func() {
					if _, _, err := tt.Evaluate(ctx, "begun", nil); err == nil {
						page.CrashFrame(ctx, tt.Page, inFrame)
					}
				}()
				return onElement(do)(ctx, tt, ref)
			})
			if !errors.Is(err, page.ErrSent) || errors.Is(err, page.ErrBusy) || errors.Is(err, page.ErrCrashed) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// While a frame keeps a reading waiting, the page loads another document. What is read is that
// document, and not the one whose address and refs are no longer there.
func TestReadingOfAReplacedDocument(t *testing.T) {
	for name, read := range map[string]func(context.Context, *tab.Tab) (string, error){
		"snapshot": func(ctx context.Context, t *tab.Tab) (string, error) {
			s, err := t.Snapshot(ctx, page.View{})
			return s.Text, err
		},
		"aria": func(ctx context.Context, t *tab.Tab) (string, error) {
			list, err := t.Aria(ctx, "", snapshot.AriaOptions{OmitHidden: true})
			return list.Text(), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<button>Old</button><iframe src="`+tab.Elsewhere()+pages.HTML(`<script>
				const next = new MessageChannel() // its task is the next one; a timer's may come after the reading
				next.port1.onmessage = () => { for (;;); }
				onmessage = () => { parent.postMessage(0, '*'); next.port2.postMessage(0); }</script>`)+`"></iframe>`))
			tab.Run[any](tt, "new Promise(resolve => { onmessage = () => resolve(1); frames[0].postMessage(0, '*'); })")
			err := tt.InTurn(20*time.Second, func(ctx context.Context) error {
				leaving := make(chan error, 1)
				go func() {
					page.AwaitWalk(ctx, tt.Page)
					leaving <- page.NavigateRaw(ctx, tt.Page, tab.Site.URL+"/slow?ms=500")
				}()
				text, err := read(ctx, tt)
				if strings.Contains(text, "Old") || !strings.Contains(text, "Answered after") {
					t.Errorf("got\n%s", text)
				}
				return cmp.Or(err, <-leaving)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// A selector for a frame may be invalid, or may match no iframe.
func TestSelectorsOfFrames(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	for _, c := range []struct {
		selector string
		want     error
	}{
		{"iframe[", &page.SelectorError{Selector: "iframe["}},
		{"iframe", &page.NoMatchError{Selector: "iframe", Iframe: true}},
		{"button", &page.NoMatchError{Selector: "button", Iframe: true}},
	} {
		err := tt.InTurn(5*time.Second, func(ctx context.Context) error {
			_, err := tt.Snapshot(ctx, page.View{Frame: c.selector})
			return err
		})
		if !reflect.DeepEqual(err, c.want) {
			t.Errorf("%s: got %#v, want %#v", c.selector, err, c.want)
		}
	}
}
