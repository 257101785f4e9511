package tab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/capture"
	"chela/internal/engine/journal"
	"chela/internal/engine/keys"
	"chela/internal/engine/page"
	"chela/internal/reading/snapshot"
)

// A Tab is a tab and the test that acts in it.
type Tab struct {
	*page.Page
	testing.TB
	Ctx context.Context // ends some time after the test should have ended

	tab *browser.Tab
}

// Tab returns the tab of the browser.
func (t *Tab) Tab() *browser.Tab { return t.tab }

// For returns the tab for a subtest of the test that opened it.
func (t *Tab) For(within testing.TB) *Tab {
	other := *t
	other.TB = within
	return &other
}

// ErrDeadline is the cause that the contexts of calls have at their deadline.
var ErrDeadline = errors.New("the deadline has passed")

// InTurn calls a function in a turn of the page, see [page.Page.Turn]. The turn may take as long as
// the limit says.
func (t *Tab) InTurn(limit time.Duration, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(t.Ctx, limit, ErrDeadline)
	defer cancel()
	return t.Turn(ctx, do)
}

// InAct does the same as InTurn for an act: it also waits for the effects of the act. The act and
// the wait may take two seconds together.
func (t *Tab) InAct(do func(context.Context) error) error { return t.InActFor(2*time.Second, do) }

// InActFor does the same as InAct, with another limit.
func (t *Tab) InActFor(limit time.Duration, do func(context.Context) error) error {
	return t.InTurn(limit, func(ctx context.Context) error { return t.Act(ctx, do) })
}

// MustAct does the same as InAct, for an act that must succeed.
func (t *Tab) MustAct(do func(context.Context) error) {
	t.Helper()
	if err := t.InAct(do); err != nil {
		t.Fatal(err)
	}
}

// On acts on the element that a line of a snapshot names; see [Tab.Ref].
func (t *Tab) On(line string, do func(context.Context, *page.Element) error) error {
	t.Helper()
	return t.OnRef(t.Ref(line), do)
}

// OnRef acts on the element of a ref, within two seconds.
func (t *Tab) OnRef(ref string, do func(context.Context, *page.Element) error) error {
	return t.OnRefFor(2*time.Second, ref, do)
}

// OnRefFor does the same as OnRef, with another limit.
func (t *Tab) OnRefFor(limit time.Duration, ref string, do func(context.Context, *page.Element) error) error {
	return t.InActFor(limit, func(ctx context.Context) error {
		el, err := t.Element(ctx, ref)
		if err != nil {
			return err
		}
		return do(ctx, el)
	})
}

// BySelector finds an element, also one that snapshots give no ref.
func (t *Tab) BySelector(selector string) (el *page.Element, err error) {
	err = t.InAct(func(ctx context.Context) error {
		el, err = t.Match(ctx, selector)
		return err
	})
	return el, err
}

// PressKeys presses keys where the focus is.
func (t *Tab) PressKeys(names string) error {
	t.Helper()
	chord := Chord(t, names)
	return t.InAct(func(ctx context.Context) error { return t.Press(ctx, chord, 0) })
}

// Chord is the keys of these names.
func Chord(t testing.TB, names string) keys.Chord {
	t.Helper()
	c, err := keys.Parse(names)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Text is a snapshot of the page.
func (t *Tab) Text() string {
	t.Helper()
	return t.Read(page.View{}).Text
}

// Read takes a snapshot of the page.
func (t *Tab) Read(v page.View) (s snapshot.Snapshot) {
	t.Helper()
	err := t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		s, err = t.Snapshot(ctx, v)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Ref takes a snapshot and finds the ref on the line that has these words, such as `button "Save"`.
// For "a > b", it takes the first line that has b after a line that has a.
func (t *Tab) Ref(words string) string {
	t.Helper()
	text := t.Text()
	lines := strings.Split(text, "\n")
	var line string
	for word := range strings.SplitSeq(words, " > ") {
		i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, word) })
		if i < 0 {
			t.Fatalf("no %q in\n%s", words, text)
		}
		line, lines = lines[i], lines[i+1:]
	}
	_, ref, found := strings.Cut(line, "[ref=")
	ref, _, _ = strings.Cut(ref, "]")
	if !found {
		t.Fatalf("no ref on the line of %q in\n%s", words, text)
	}
	return ref
}

// Run runs a script in the page and returns its result.
func Run[R any](t *Tab, script string) R {
	t.Helper()
	var out R
	err := t.InTurn(10*time.Second, func(ctx context.Context) error {
		raw, _, err := t.Evaluate(ctx, script, nil)
		if err != nil || raw == nil {
			return err
		}
		return json.Unmarshal(raw, &out)
	})
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return out
}

// Write gives the page another content.
func (t *Tab) Write(html string) {
	t.Helper()
	Run[any](t, fmt.Sprintf("document.body.innerHTML = ''; document.body.append(document.createRange().createContextualFragment(%q)); undefined", html))
}

// Logged returns what happened in the page, with one line for each event, as log.js wrote it.
func (t *Tab) Logged() string {
	t.Helper()
	return strings.TrimSpace(Run[string](t, "document.getElementById('out')?.textContent ?? ''"))
}

// Last is the last thing that happened in the page.
func (t *Tab) Last() string {
	t.Helper()
	all := t.Logged()
	return all[strings.LastIndex(all, "\n")+1:]
}

// Await waits until what happened last in the page is want.
func (t *Tab) Await(want string) {
	t.Helper()
	script := fmt.Sprintf("(document.getElementById('out')?.textContent ?? '').trim().split('\\n').pop() === %q", want)
	if err := t.InTurn(5*time.Second, func(ctx context.Context) error { return t.WaitFunction(ctx, script) }); err != nil {
		t.Fatalf("the page logged %q, want %q: %v", t.Last(), want, err)
	}
}

// Picture is a screenshot of the viewport, or of the first element that a selector matches.
func (t *Tab) Picture(of string) image.Image {
	t.Helper()
	var pic capture.Picture
	err := t.InTurn(5*time.Second, func(ctx context.Context) (err error) {
		var shot capture.Shot
		if of != "" {
			if shot.Element, err = t.Match(ctx, of); err != nil {
				return err
			}
		}
		pic, err = capture.Screenshot(ctx, t.Page, shot)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(pic.Data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Journal is what has happened in the tab.
func (t *Tab) Journal() *journal.Journal { return t.tab.Journal() }

// Revive opens the page again after its renderer has crashed.
func (t *Tab) Revive() {
	t.Helper()
	if _, err := t.tab.Revive(t.Ctx); err != nil {
		t.Fatal(err)
	}
	t.Page = t.tab.Page()
}
