package page_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/internal/page"
)

func TestFrames(t *testing.T) {
	press := func(frame string) string { return `"In ` + frame + `" > button "Press"` }
	field := func(frame string) string { return `"In ` + frame + `" > textbox "Field"` }
	all := "/frames.html?other=" + elsewhere()
	turned := "/transformed.html?other="
	for _, s := range []story{
		{"beside the frames", all, `button "Press at the top"`, click, "top pressed", ""},
		{"same site", all, press("same"), click, "same pressed trusted", ""},
		{"nested", all, press("inner"), click, "inner pressed trusted", ""},
		{"srcdoc", all, `button "Press in srcdoc"`, click, "srcdoc pressed", ""},
		{"sandboxed", all, press("sandbox"), click, "sandbox pressed trusted", ""},
		{"about:blank", all, `button "Press in about:blank"`, click, "written pressed", ""},
		{"covered", all, press("covered"), click, "", `covered by div#cover`},
		{"another site", all, press("other"), click, "other pressed trusted", ""},
		{"another site, in it", all, press("other-inner"), click, "other-inner pressed trusted", ""},

		{"text, same site", all, field("same"), typing("Ada"), "same typed Ada", ""},
		{"text, nested", all, field("inner"), typing("Ada"), "inner typed Ada", ""},
		{"text, sandboxed", all, field("sandbox"), typing("Ada"), "sandbox typed Ada", ""},
		{"text, another site", all, field("other"), typing("Ada"), "other typed Ada", ""},
		{"text, another site, in it", all, field("other-inner"), typing("Ada"), "other-inner typed Ada", ""},
		{"keys, same site", all, field("same"), slowly("Ada"), "same typed Ada", ""},
		{"keys, another site", all, field("other"), slowly("Ada"), "other typed Ada", ""},
		{"keys, another site, in it", all, field("other-inner"), slowly("Ada"), "other-inner typed Ada", ""},

		{"scaled", turned, press("scaled"), click, "scaled pressed trusted", ""},
		{"turned", turned, press("turned"), click, "turned pressed trusted", ""},
		{"in a scaled box", turned, press("in a scaled box"), click, "in a scaled box pressed trusted", ""},
		{"zoomed", turned, press("zoomed"), click, "zoomed pressed trusted", ""},
		{"scrolled", turned, press("scrolled"), click, "scrolled pressed trusted", ""},
		{"tall", turned, press("tall"), click, "tall pressed trusted", ""},
		{"scaled, another site", turned + elsewhere(), press("scaled"), click, "scaled pressed trusted", ""},
		{"turned, another site", turned + elsewhere(), press("turned"), click, "turned pressed trusted", ""},
		{"in a scaled box, another site", turned + elsewhere(), press("in a scaled box"), click, "in a scaled box pressed trusted", ""},
		{"zoomed, another site", turned + elsewhere(), press("zoomed"), click, "zoomed pressed trusted", ""},
		{"scrolled, another site", turned + elsewhere(), press("scrolled"), click, "scrolled pressed trusted", ""},
		{"tall, another site", turned + elsewhere(), press("tall"), click, "tall pressed trusted", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := open(t, s.path)
			err := s.act(tt)
			if err == nil {
				tt.await(s.told) // a frame tells its top by message
			}
			s.check(tt, err)
		})
	}
}

// A ref of an iframe is the frame: what is in its middle gets the click.
func TestClickOnAFrame(t *testing.T) {
	tt := open(t, "/shifting.html")
	run[any](tt, `(() => { const d = document.querySelector('iframe').contentDocument;
		d.body.onclick = () => log('frame clicked'); d.body.style.height = '140px'; })()`)
	if err := tt.on("iframe", click); err != nil || tt.last() != "frame clicked" {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

// Frames that go take their refs with them; their numbers are not used again.
func TestFrameThatLeaves(t *testing.T) {
	tt := open(t, "/shifting.html")
	ref := tt.ref(`"In leaving" > button "Press"`)
	if err := tt.on(`"Remove the frame"`, click); err != nil {
		t.Fatal(err)
	}
	err := tt.onRef(ref, click)
	if err == nil || !strings.Contains(err.Error(), "its frame was removed") {
		t.Errorf("got %v", err)
	}
}

// A frame that spins holds up neither the click in another site's frame nor the one beside it.
func TestFrameThatSpins(t *testing.T) {
	tt := open(t, "/frames.html?other="+elsewhere())
	top := tt.ref(`button "Press at the top"`)
	run[any](tt, `document.querySelector('[title=other]').contentWindow.postMessage('spin', '*')`)
	if err := tt.onRef(top, click); err != nil || tt.last() != "top pressed" {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

func slowly(text string) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error {
		_, err := el.TypeSlowly(ctx, text)
		return err
	}
}

// Frames of another site leave with the document that they were in.
func TestFramesLeaveWithTheirDocument(t *testing.T) {
	tt := open(t, "/frames.html?other="+elsewhere())
	if n := tt.FrameCount(); n < 2 {
		t.Fatalf("got %d frames before, want several", n)
	}
	if err := tt.touch(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, site.URL+"/form.html") }); err != nil {
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
		tt := open(t, "/frame.html")
		run[any](tt, `const f = document.createElement('iframe'); document.body.append(f); (`+write+`)(f.contentDocument)`)
		if err := tt.on(`button "Written"`, click); err != nil {
			t.Fatal(err)
		}
		tt.await("Written")
	})
	t.Run("page", func(t *testing.T) {
		tt := open(t, "/frame.html")
		run[any](tt, `(`+write+`)(document); addEventListener('message', event => { document.title = event.data.log; })`)
		if err := tt.on(`button "Written"`, click); err != nil {
			t.Fatal(err)
		}
		titled := func(ctx context.Context) error { return tt.WaitFunction(ctx, "document.title === 'Written'") }
		if err := tt.touch(5*time.Second, titled); err != nil { // the message is handled in a task of its own
			t.Errorf("title is %q, want Written: %v", run[string](tt, "document.title"), err)
		}
	})
}

// Frames of one process are read at the same time, each with its closed shadow roots.
func TestClosedRootsInManyFrames(t *testing.T) {
	tt := open(t, "/frame.html")
	run[any](tt, `for (let i = 0; i < 12; i++) {
		const f = document.createElement('iframe');
		document.body.append(f);
		for (let k = 0; k < 5; k++) {
			const host = f.contentDocument.createElement('x-host');
			host.attachShadow({ mode: 'closed' }).innerHTML = '<button>Closed</button>';
			f.contentDocument.body.append(host);
		}
	}`)
	if got := strings.Count(tt.text(), `button "Closed"`); got != 60 {
		t.Errorf("%d buttons, want 60, in\n%s", got, tt.text())
	}
}

// A closed root of a plain element is found also when the element holds something.
func TestClosedRootsOfWhatHoldsSomething(t *testing.T) {
	tt := open(t, "/frame.html")
	run[any](tt, `for (const [light, shadow] of [
		['<p>Nowhere</p>', '<button>Instead</button>'],
		['<p slot=a>Placed</p>', '<button>Beside</button><slot name=a></slot>'],
	]) {
		const host = document.createElement('div');
		host.innerHTML = light;
		host.attachShadow({ mode: 'closed' }).innerHTML = shadow;
		document.body.append(host);
	}`)
	text := tt.text()
	for words, want := range map[string]bool{"Nowhere": false, "Instead": true, "Beside": true, "Placed": true} {
		if got := strings.Contains(text, words); got != want {
			t.Errorf("%s: shown is %v, want %v, in\n%s", words, got, want, text)
		}
	}
}
