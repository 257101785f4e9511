package page_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/cdp"
	"chela/internal/engine/keys"
	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// A tab moves through its history as in any browser: documents, states of one document, and frames
// that were at another address.
func TestHistory(t *testing.T) {
	tt := tab.Open(t, "/frame.html?name=outer&nest=inner")
	first := tt.URL()
	second := tab.Site.URL + "/pointer.html"
	back := func(ctx context.Context) error { return tt.Back(ctx) }
	forward := func(ctx context.Context) error { return tt.Forward(ctx) }
	reload := func(ctx context.Context) error { return tt.Reload(ctx, page.Reloading{}) }
	hard := func(ctx context.Context) error { return tt.Reload(ctx, page.Reloading{Hard: true}) }
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, second) }); err != nil {
		t.Fatal(err)
	}
	tab.Run[any](tt, "history.pushState(0, '', '#state'); undefined")
	for _, s := range []struct {
		name string
		do   func(context.Context) error
		at   string
		err  error
	}{
		{"back from a state", back, second, nil},
		{"back to a document", back, first, nil},
		{"before the first", back, first, page.ErrNoHistory},
		{"forward", forward, second, nil},
		{"forward to a state", forward, second + "#state", nil},
		{"beyond the last", forward, second + "#state", page.ErrNoHistory},
		{"reload", reload, second + "#state", nil},
		{"hard reload", hard, second + "#state", nil},
		{"back from a reloaded state", back, second, nil},
	} {
		if err := tt.InTurn(20*time.Second, s.do); !errors.Is(err, s.err) || tt.URL() != s.at {
			t.Errorf("%s: got %v at %s, want %v at %s", s.name, err, tt.URL(), s.err, s.at)
		}
		if text := tt.Text(); s.at == first && !(strings.Contains(text, "In outer") && strings.Contains(text, "In inner")) {
			t.Errorf("%s: the page shows %s", s.name, text)
		}
	}
}

// A page may make its history so long that reading it would take the server's memory. Then going back
// fails, and says why.
func TestLongHistory(t *testing.T) {
	tt := tab.Open(t, "/text.html")
	tab.Run[any](tt, "for (let i = 0; i < 12; i++) history.pushState(0, '', '#' + i + 'x'.repeat(1 << 20)); undefined")
	err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Back(ctx) })
	if _, large := errors.AsType[*cdp.LargeError](err); !large {
		t.Errorf("got %v, want a LargeError", err)
	}
}

// A reload that would send a form again fails, unless it is told to. This is also so for a page whose
// arrival was not seen.
func TestReloadOfAPostedForm(t *testing.T) {
	for _, s := range []struct {
		name, method, script string
		unseen               bool
		posted               bool
	}{
		{"posted", "post", "", false, true},
		{"not posted", "get", "", false, false},
		{"the script replaces the entry", "post", "history.replaceState(null, '', '?replaced')", false, false},
		{"the script adds an entry, and goes back", "post", "history.pushState(null, '', '?two'); history.back()", false, false},
		{"the script goes to a fragment", "post", "location.hash = 'x'", false, true},
		{"posted, unseen", "post", "", true, true},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, "/text.html")
			want := "GET a=b"
			if s.method == "post" {
				want = "POST a=b"
			}
			tab.Run[any](tt, "document.body.innerHTML = `<form method="+s.method+" action=/echo><input name=a value=b><button>Send</button></form>`; undefined")
			if err := tt.On("button", func(ctx context.Context, el *page.Element) error { return el.Click(ctx, page.Click{}) }); err != nil {
				t.Fatal(err)
			}
			await := func(text string) {
				t.Helper()
				script := fmt.Sprintf("document.body.textContent.includes(%q)", text)
				if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.WaitFunction(ctx, script) }); err != nil {
					t.Fatal(err)
				}
			}
			await(want)
			tab.Run[any](tt, "onpopstate = () => { document.body.innerHTML += '<p>Popped' }; "+s.script+"; undefined")
			if strings.Contains(s.script, "back()") {
				await("Popped")
			}
			if strings.Contains(s.script, "replaced") {
				if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.WaitURL(ctx, "**replaced") }); err != nil {
					t.Fatal(err)
				}
			}
			if s.unseen {
				page.ForgetArrival(tt.Page)
			}
			err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Reload(ctx, page.Reloading{}) })
			if refused := errors.Is(err, page.ErrPosted); refused != s.posted || !refused && err != nil {
				t.Fatalf("got %v, want refused: %v", err, s.posted)
			}
			if err := tt.PressKeys("F5"); errors.Is(err, page.ErrPosted) != s.posted || errors.Is(err, page.ErrSent) != s.posted { // the page has the key
				t.Errorf("the key: got %v, want refused: %v", err, s.posted)
			}
			if !s.posted {
				return
			}
			if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Reload(ctx, page.Reloading{Resend: true}) }); err != nil {
				t.Error(err)
			}
		})
	}
}

// The keys that navigate the history or reload in a browser do the same here, unless the page
// handles them.
func TestBrowserKeys(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	first, second := tt.URL(), tab.Site.URL+"/pointer.html"
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, second) }); err != nil {
		t.Fatal(err)
	}
	press := func(key string) {
		t.Helper()
		chord, err := keys.Parse(key)
		if err != nil {
			t.Fatal(err)
		}
		if err := tt.InActFor(20*time.Second, func(ctx context.Context) error { return tt.Press(ctx, chord, 0) }); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	for _, s := range []struct{ key, at string }{{"Alt+ArrowRight", second}, {"Alt+ArrowLeft", first}, {"Alt+ArrowRight", second}} {
		if press(s.key); tt.URL() != s.at {
			t.Errorf("%s: got %s, want %s", s.key, tt.URL(), s.at)
		}
	}
	hold := func(ctx context.Context) error { return tt.KeyDown(ctx, tab.Chord(t, "Alt")) }
	if err := tt.InActFor(20*time.Second, hold); err != nil {
		t.Fatal(err)
	}
	if press("ArrowLeft"); tt.URL() != first {
		t.Errorf("ArrowLeft while Alt is held: got %s, want %s", tt.URL(), first)
	}
	for _, key := range []string{"F5", "Control+F5", "Control+r", "Control+Shift+R"} {
		tab.Run[any](tt, "globalThis.old = true; undefined")
		if press(key); tab.Run[bool](tt, "!!globalThis.old") {
			t.Errorf("%s did not reload", key)
		}
	}
	tab.Run[any](tt, "globalThis.old = true; addEventListener('keydown', e => e.preventDefault()); undefined")
	if press("F5"); !tab.Run[bool](tt, "!!globalThis.old") {
		t.Error("F5 was prevented, and reloaded")
	}
}

// On macOS, keys of the history move the caret while a text field has the focus.
func TestBrowserKeysInATextOnMac(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	first, second := tt.URL(), tab.Site.URL+pages.HTML(`<input autofocus>`)
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, second) }); err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct{ focus, at string }{{"focus", second}, {"blur", first}} {
		tab.Run[any](tt, "document.querySelector('input')."+s.focus+"()")
		err := tt.InActFor(20*time.Second, func(ctx context.Context) error { return page.PressOnMac(ctx, tt.Page, tab.Chord(t, "Meta+ArrowLeft")) })
		if err != nil || tt.URL() != s.at {
			t.Errorf("%s: got %s, %v, want %s", s.focus, tt.URL(), err, s.at)
		}
	}
}

// Going back to another state of the same document (history.pushState) takes effect at once, even
// while the document still loads.
func TestHistoryWhileLoading(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	at := tt.URL()
	tab.Run[any](tt, "history.pushState(0, '', '#state'); const i = new Image(); i.src = '/hang'; document.body.append(i); undefined")
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Back(ctx) }); err != nil || tt.URL() != at {
		t.Errorf("got %v at %s", err, tt.URL())
	}
}

// While the document to go back to is on its way, the old document still runs. What it does to its
// address and its frames does not end the wait.
func TestHistoryWhileThePageChanges(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ name, script string }{
		{"a frame comes", "document.body.append(document.createElement('iframe'))"},
		{"a frame navigates", "frames[0].location.replace(frames[0].location.pathname + '#' + Math.random())"}, // adds no entry to the history
		{"the address changes", "history.replaceState(0, '', '#' + Math.random())"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, "/slow?ms=500")
			first := tt.URL()
			if err := tt.InTurn(20*time.Second, func(ctx context.Context) error {
				return tt.Navigate(ctx, tab.Site.URL+"/frame.html?name=outer&nest=inner")
			}); err != nil {
				t.Fatal(err)
			}
			tab.Run[any](tt, "setInterval(() => { "+s.script+" }, 10); undefined")
			if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Back(ctx) }); err != nil || tt.URL() != first {
				t.Errorf("got %v at %s, want %s", err, tt.URL(), first)
			}
		})
	}
}

// A page may refuse to go to another state of its document. The call says so, and does not wait for
// its deadline.
func TestHistoryThatThePageRefuses(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	at := tt.URL() + "#state"
	tab.Run[any](tt, "history.pushState(0, '', '#state'); navigation.onnavigate = (e) => { e.preventDefault(); }; undefined")
	letter, err := keys.Parse("a")
	if err != nil {
		t.Fatal(err)
	}
	if err := tt.InActFor(20*time.Second, func(ctx context.Context) error { return tt.Press(ctx, letter, 0) }); err != nil {
		t.Fatal(err) // Chromium lets a page refuse only after input
	}
	err = tt.InTurn(time.Minute, func(ctx context.Context) error { return tt.Back(ctx) })
	if failed, ok := errors.AsType[*page.LoadError](err); !ok || tt.URL() != at {
		t.Errorf("got %v (%v) at %s, want a LoadError at %s", err, failed, tt.URL(), at)
	}
}
