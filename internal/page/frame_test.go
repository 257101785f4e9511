package page_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/test/tab"
)

func TestFrames(t *testing.T) {
	press := func(frame string) string { return `"In ` + frame + `" > button "Press"` }
	field := func(frame string) string { return `"In ` + frame + `" > textbox "Field"` }
	all := "/frames.html?other=" + tab.Elsewhere()
	turned := "/transformed.html?other="
	for _, s := range []story{
		{"beside the frames", all, `button "Press at the top"`, tab.Click, "top pressed", ""},
		{"same site", all, press("same"), tab.Click, "same pressed trusted", ""},
		{"nested", all, press("inner"), tab.Click, "inner pressed trusted", ""},
		{"srcdoc", all, `button "Press in srcdoc"`, tab.Click, "srcdoc pressed", ""},
		{"sandboxed", all, press("sandbox"), tab.Click, "sandbox pressed trusted", ""},
		{"about:blank", all, `button "Press in about:blank"`, tab.Click, "written pressed", ""},
		{"covered", all, press("covered"), tab.Click, "", `covered by div#cover`},
		{"another site", all, press("other"), tab.Click, "other pressed trusted", ""},
		{"another site, in it", all, press("other-inner"), tab.Click, "other-inner pressed trusted", ""},

		{"text, same site", all, field("same"), tab.Typing("Ada"), "same typed Ada", ""},
		{"text, nested", all, field("inner"), tab.Typing("Ada"), "inner typed Ada", ""},
		{"text, sandboxed", all, field("sandbox"), tab.Typing("Ada"), "sandbox typed Ada", ""},
		{"text, another site", all, field("other"), tab.Typing("Ada"), "other typed Ada", ""},
		{"text, another site, in it", all, field("other-inner"), tab.Typing("Ada"), "other-inner typed Ada", ""},
		{"keys, same site", all, field("same"), tab.TypingSlowly("Ada"), "same typed Ada", ""},
		{"keys, another site", all, field("other"), tab.TypingSlowly("Ada"), "other typed Ada", ""},
		{"keys, another site, in it", all, field("other-inner"), tab.TypingSlowly("Ada"), "other-inner typed Ada", ""},

		{"scaled", turned, press("scaled"), tab.Click, "scaled pressed trusted", ""},
		{"turned", turned, press("turned"), tab.Click, "turned pressed trusted", ""},
		{"in a scaled box", turned, press("in a scaled box"), tab.Click, "in a scaled box pressed trusted", ""},
		{"zoomed", turned, press("zoomed"), tab.Click, "zoomed pressed trusted", ""},
		{"scrolled", turned, press("scrolled"), tab.Click, "scrolled pressed trusted", ""},
		{"tall", turned, press("tall"), tab.Click, "tall pressed trusted", ""},
		{"scaled, another site", turned + tab.Elsewhere(), press("scaled"), tab.Click, "scaled pressed trusted", ""},
		{"turned, another site", turned + tab.Elsewhere(), press("turned"), tab.Click, "turned pressed trusted", ""},
		{"in a scaled box, another site", turned + tab.Elsewhere(), press("in a scaled box"), tab.Click, "in a scaled box pressed trusted", ""},
		{"zoomed, another site", turned + tab.Elsewhere(), press("zoomed"), tab.Click, "zoomed pressed trusted", ""},
		{"scrolled, another site", turned + tab.Elsewhere(), press("scrolled"), tab.Click, "scrolled pressed trusted", ""},
		{"tall, another site", turned + tab.Elsewhere(), press("tall"), tab.Click, "tall pressed trusted", ""},
	} {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Borrow(t, s.Path)
			s := tab.Story(s)
			err := s.Act(tt)
			if err == nil {
				tt.Await(s.Logged) // a frame tells its top by message
			}
			s.Check(tt, err)
		})
	}
}

// A ref of an iframe is the frame: what is in its middle gets the click.
func TestClickOnAFrame(t *testing.T) {
	tt := tab.Borrow(t, "/shifting.html")
	tab.Run[any](tt, `(() => { const d = document.querySelector('iframe').contentDocument;
		d.body.onclick = () => log('frame clicked'); d.body.style.height = '140px'; })()`)
	if err := tt.On("iframe", tab.Click); err != nil || tt.Last() != "frame clicked" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// Frames that go take their refs with them; their numbers are not used again.
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

// A frame that spins holds up neither the click in another site's frame nor the one beside it.
func TestFrameThatSpins(t *testing.T) {
	tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
	top := tt.Ref(`button "Press at the top"`)
	tab.Run[any](tt, `document.querySelector('[title=other]').contentWindow.postMessage('spin', '*')`)
	if err := tt.OnRef(top, tab.Click); err != nil || tt.Last() != "top pressed" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// Frames of another site leave with the document that they were in.
func TestFramesLeaveWithTheirDocument(t *testing.T) {
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

// Documents that their page writes lose the listeners that the page script had there.
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
		if err := tt.InTurn(5*time.Second, titled); err != nil { // the message is handled in a task of its own
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
	if got := strings.Count(tt.Text(), `button "Closed"`); got != 60 {
		t.Errorf("%d buttons, want 60, in\n%s", got, tt.Text())
	}
}

// A closed root of a plain element is found also when the element holds something.
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
