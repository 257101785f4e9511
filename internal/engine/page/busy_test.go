package page_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/capture"
	"chela/internal/engine/keys"
	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
	"chela/test/tab"
)

// A call on a page that spins is answered in time, and does not take effect later, when the page is
// responsive again.
func TestBusyPage(t *testing.T) {
	enter, err := keys.Parse("a")
	if err != nil {
		t.Fatal(err)
	}
	answer := make(chan bool, 1) // until the server answers, a synchronous request blocks the page's thread, like a script that spins
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		select {
		case <-answer:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	tt := tab.Open(t, "/spin.html")
	ref := tt.Ref(`"Still here?"`)
	tab.Run[any](tt, `addEventListener('click', () => log('late')); addEventListener('keydown', () => log('late'))`)
	for name, do := range map[string]func(context.Context, *tab.Tab, *page.Element) error{
		"click": func(ctx context.Context, _ *tab.Tab, el *page.Element) error { return el.Click(ctx, page.Click{}) },
		"click at": func(ctx context.Context, t *tab.Tab, _ *page.Element) error {
			return t.ClickAt(ctx, 30, 80, page.Click{})
		},
		"hover":  func(ctx context.Context, _ *tab.Tab, el *page.Element) error { return el.Hover(ctx) },
		"press":  func(ctx context.Context, t *tab.Tab, _ *page.Element) error { return t.Press(ctx, enter, 0) },
		"insert": func(ctx context.Context, t *tab.Tab, _ *page.Element) error { return t.InsertText(ctx, "x") },
		"evaluate": func(ctx context.Context, t *tab.Tab, _ *page.Element) error {
			_, _, err := t.Evaluate(ctx, "log('late')", nil)
			return err
		},
		"snapshot": func(ctx context.Context, t *tab.Tab, _ *page.Element) error {
			_, err := t.Snapshot(ctx, page.View{})
			return err
		},
		"screenshot": func(ctx context.Context, t *tab.Tab, _ *page.Element) error {
			_, err := capture.Screenshot(ctx, t.Page, capture.Shot{})
			return err
		},
		"wait": func(ctx context.Context, t *tab.Tab, _ *page.Element) error { return t.WaitText(ctx, "nothing", false) },
	} {
		t.Run(name, func(t *testing.T) {
			tt := tt.For(t)
			tab.Run[any](tt, "document.getElementById('out')?.remove(); setTimeout(() => { hold('"+server.URL+"'); log('awake') }); undefined")
			began := time.Now()
			err := tt.InTurn(400*time.Millisecond, func(ctx context.Context) error {
				el, err := tt.Element(ctx, ref)
				if err != nil {
					return err
				}
				return do(ctx, tt, el)
			})
			if took := time.Since(began); took > 400*time.Millisecond+service.Slack() {
				t.Errorf("answered after %v", took)
			}
			if !errors.Is(err, page.ErrBusy) {
				t.Errorf("got %v, want a busy page", err)
			}
			answer <- true
			tt.Await("awake")
			if got := tt.Logged(); got != "awake" {
				t.Errorf("page told %q", got)
			}
		})
	}
}

// A page that spins for ever can be navigated away from, and can be closed.
func TestLeaveAPageThatSpins(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/spin.html")
	ref := tt.Ref(`"Spin for ever"`)
	err := tt.InTurn(500*time.Millisecond, func(ctx context.Context) error {
		el, err := tt.Element(ctx, ref)
		if err != nil {
			return err
		}
		return el.Click(ctx, page.Click{})
	})
	if !errors.Is(err, page.ErrBusy) || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v, want a busy page that input was sent to", err)
	}
	if err := tt.InTurn(3*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/frame.html") }); err != nil {
		t.Fatal(err)
	}
	if err := tt.On(`button "Press"`, tab.Click); err != nil || tt.Last() != "frame pressed trusted" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
	tab.Run[any](tt, "setTimeout(() => { for (;;); }); undefined") // the end of the test closes the tab
}

// When the renderer of a tab crashes, the calls on the tab end at once. Other tabs continue, and
// the tab can be opened again.
func TestCrash(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	other := tab.Open(t, "/frame.html")
	began := time.Now()
	err := tt.InTurn(5*time.Second, func(ctx context.Context) error {
		page.Crash(tt.Page)
		_, _, err := tt.Evaluate(ctx, "new Promise(() => {})", nil)
		return err
	})
	if !errors.Is(err, page.ErrCrashed) || time.Since(began) > 2*time.Second {
		t.Fatalf("got %v after %v", err, time.Since(began))
	}
	if err := other.On(`button "Press"`, tab.Click); err != nil {
		t.Errorf("another tab: %v", err)
	}
	tt.Revive()
	if err := tt.On(`button "Press"`, tab.Click); err != nil || tt.Last() != "frame pressed trusted" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// If the clock of a document was read wrong, the document treats calls that are in time as late.
// Such calls are sent again, and never count as done.
func TestClockThatWasReadWrong(t *testing.T) {
	tt := tab.Open(t, "/pointer.html")
	ref := tt.Ref(`button "Pad"`)
	page.SetClocksBack(tt.Page, time.Hour)
	if err := tt.OnRef(ref, tab.Click); err != nil || strings.Count("\n"+tt.Logged(), "\nclick ") != 1 {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// Input that reaches the page too late has no effect: the page was busy.
func TestInputThatComesLate(t *testing.T) {
	tt := tab.Open(t, "/pointer.html")
	err := tt.OnRefFor(time.Second+page.ConfirmTime, tt.Ref(`button "Pad"`), page.ClickLate)
	if !errors.Is(err, page.ErrBusy) || errors.Is(err, page.ErrSent) || strings.Contains(tt.Logged(), "click") {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// Text that reaches the page too late has no effect. The error does not say that the field itself got
// the input of the field.
func TestTextThatComesLate(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<input aria-label=Name value=Bob>`))
	err := tt.OnRefFor(time.Second, tt.Ref(`textbox "Name"`), page.TypeLate)
	if got := tab.Run[string](tt, "document.querySelector('input').value"); !errors.Is(err, page.ErrBusy) || got != "Bob" {
		t.Errorf("got %v, the field has %q", err, got)
	}
}

// An editor has its text, and is busy with its lines until after the deadline. No key follows then.
func TestTextOfBusyEditor(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><div id=it contenteditable onkeyup="log('keyup')"></div><script>
		it.onbeforeinput = event => {
			event.preventDefault();
			log(event.inputType);
			if (event.inputType === 'insertText') it.textContent = event.data;
			else for (const end = Date.now() + 2000; Date.now() < end;);
		};</script>`))
	el, err := tt.BySelector("#it")
	if err != nil {
		t.Fatal(err)
	}
	err = tt.InActFor(time.Second, func(ctx context.Context) error { return tab.Typing("a\nb")(ctx, el) })
	tab.Run[any](tt, "new Promise(resolve => setTimeout(resolve, 200))") // the script goes on after the text in this time
	if got, want := tt.Logged(), "insertText\ninsertReplacementText"; !errors.Is(err, page.ErrBusy) || got != want {
		t.Errorf("got %v, page told %q", err, got)
	}
}

// After the deadline no input is sent, whatever was found before.
func TestNoInputAfterTheDeadline(t *testing.T) {
	enter, err := keys.Parse("Enter")
	if err != nil {
		t.Fatal(err)
	}
	tt := tab.Open(t, "/pointer.html")
	ref := tt.Ref(`button "Pad"`)
	el, err := tt.Element(tt.Ctx, ref)
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithDeadline(tt.Ctx, time.Now())
	defer cancel()
	for name, do := range map[string]func(context.Context) error{
		"click":    func(ctx context.Context) error { return el.Click(ctx, page.Click{}) },
		"click at": func(ctx context.Context) error { return tt.ClickAt(ctx, 30, 80, page.Click{}) },
		"press":    func(ctx context.Context) error { return tt.Press(ctx, enter, 0) },
		"insert":   func(ctx context.Context) error { return tt.InsertText(ctx, "x") },
		"drag":     func(ctx context.Context) error { return el.Drag(ctx, page.DragEnd{Onto: el}) },
	} {
		if err := do(over); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if got := tt.Logged(); got != "" {
		t.Errorf("page told %q", got)
	}
}

// While a click waits for an element, the page script already reports that the element moves. It
// does so within the first second, because a click may have less time.
func TestMotionIsKnownSoFar(t *testing.T) {
	tt := tab.Open(t, "/moving.html?for=0")
	err := tt.OnRefFor(20*time.Second, tt.Ref(`button "Never rests"`), func(ctx context.Context, el *page.Element) error {
		for ctx.Err() == nil { // on a busy machine, one attempt may pass without a painted frame
			short, cancel := context.WithTimeout(ctx, 700*time.Millisecond)
			lacks, ok := errors.AsType[*page.ElementError](tab.Click(short, el))
			cancel()
			if ok && lacks.Missing == pagejs.Moving {
				break
			}
		}
		soon, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if missing, err := page.AwaitLack(soon, el); missing != pagejs.Moving {
			t.Errorf("got %q, %v", missing, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// While a page function waits for an element, lastMissing already reports what is missing.
func TestWhatIsMissingSoFar(t *testing.T) {
	long.Test(t)
	show := func(ctx context.Context, el *page.Element) error { return el.ScrollIntoView(ctx) }
	choose := func(ctx context.Context, el *page.Element) error {
		_, err := el.Select(ctx, []string{"none"})
		return err
	}
	for _, c := range []struct {
		name, path, line, script string
		do                       func(context.Context, *page.Element) error
		want                     pagejs.Missing
	}{
		{"click", "/covered.html", `button "Save"`, "", tab.Click, pagejs.Covered},
		{"type", "/form.html", `textbox "Text"`, "document.querySelector('input').disabled = true", tab.Typing("Ada"), pagejs.Disabled},
		{"select", "/form.html", `combobox "Select"`, "", choose, pagejs.Option},
		{"scroll", "/covered.html", `button "Save"`, "for (const b of document.querySelectorAll('button')) b.style.display = 'none'",
			show, pagejs.Hidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			tt := tab.Open(t, c.path)
			ref := tt.Ref(c.line)
			if c.script != "" {
				tab.Run[any](tt, c.script)
			}
			err := tt.OnRefFor(20*time.Second, ref, func(ctx context.Context, el *page.Element) error {
				acting, stop := context.WithCancel(ctx)
				ended := make(chan error, 1)
				go func() { ended <- c.do(acting, el) }()
				missing, err := page.AwaitLack(ctx, el)
				stop()
				<-ended
				if missing != c.want {
					t.Errorf("got %q, %v, want %q", missing, err, c.want)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// The call of a wait is cancelled while time is left. The wait ends as well: when the element is ready, it
// changes nothing and guards nothing.
func TestWaitOfACancelledCall(t *testing.T) {
	for _, s := range []struct {
		name, html string
		do         func(context.Context, *page.Element) error
	}{
		{"a choice", `<select id=it><option>a</select><script>ready = () => it.add(new Option('b'))</script>`, tab.Choosing("b")},
		{"a date", `<input id=it type=date disabled><script>ready = () => { it.disabled = false }</script>`, tab.Typing("2026-01-02")},
		{"a click", `<button id=it disabled>Go</button><script>ready = () => { it.disabled = false }</script>`, tab.Click},
		{"a text", `<input id=it disabled><script>ready = () => { it.disabled = false }</script>`, tab.Typing("Ada")},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><body style="margin:0"><div style="height:50px" onclick="log('clicked')">Other</div>`+s.html))
			before := tab.Run[string](tt, "it.value")
			el, err := tt.BySelector("#it")
			if err != nil {
				t.Fatal(err)
			}
			err = tt.InActFor(20*time.Second, func(ctx context.Context) error {
				acting, cancel := context.WithCancel(ctx)
				ended := make(chan error, 1)
				go func() { ended <- s.do(acting, el) }()
				_, err := page.AwaitLack(ctx, el)
				cancel()
				if err := <-ended; !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			tab.Run[any](tt, "ready(), new Promise(resolve => setTimeout(resolve, 200))") // a wait that goes on finds the element in this time
			err = tt.InAct(func(ctx context.Context) error { return page.PersonClicks(ctx, tt.Page, 40, 10) })
			if got := tab.Run[string](tt, "it.value"); err != nil || got != before || tt.Logged() != "clicked" {
				t.Errorf("got %v, the field has %q, page told %q", err, got, tt.Logged())
			}
		})
	}
}

// A frame of another site is busy, so a shortcut is not pressed. The other documents record no keys
// after that.
func TestShortcutThatFailsRecordsNothing(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<body onkeydown="event.preventDefault()"><iframe src="`+tab.Elsewhere()+pages.HTML(`<script>
		onmessage = () => { for (const end = performance.now() + 1500; performance.now() < end;); }</script>`)+`"></iframe>`))
	tt.Text() // the frame has answered
	err := tt.InTurn(time.Second, func(ctx context.Context) error {
		if _, _, err := tt.Evaluate(ctx, "frames[0].postMessage(0, '*')", nil); err != nil {
			return err
		}
		return tt.Press(ctx, tab.Chord(t, "F5"), 0)
	})
	if !errors.Is(err, page.ErrBusy) || errors.Is(err, page.ErrSent) {
		t.Fatalf("got %v", err)
	}
	if err := tt.InActFor(5*time.Second, func(ctx context.Context) error { return tt.Press(ctx, tab.Chord(t, "a"), 0) }); err != nil {
		t.Fatal(err)
	}
	err = tt.InTurn(5*time.Second, func(ctx context.Context) error {
		prevented, err := page.KeysPrevented(ctx, tt.Page)
		if prevented {
			t.Error("the key was recorded")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A wait that ends after the deadline, since the page was busy, changes nothing any more.
func TestWaitThatEndsLate(t *testing.T) {
	long.Test(t)
	const busy = `{ for (const end = Date.now() + 2500; Date.now() < end;); }`
	for _, s := range []struct {
		name, html string
		do         func(context.Context, *page.Element) error
	}{
		{"a choice", `<select id=it><option>a</select><script>setTimeout(() => { ` + busy + ` it.add(new Option('b')) }, 300)</script>`, tab.Choosing("b")},
		{"a date", `<input id=it type=date disabled><script>setTimeout(() => { ` + busy + ` it.disabled = false }, 300)</script>`, tab.Typing("2026-01-02")},
		{"a focus", `<input id=it style="display:none" onfocus="this.value = 'focused'"><script>setTimeout(() => { ` + busy + ` it.style.display = '' }, 300)</script>`,
			func(ctx context.Context, el *page.Element) error { return el.Focus(ctx) }},
		{"a choice after the focus", `<select id=it onfocus="` + busy + `"><option>a<option>b</select>`, tab.Choosing("b")},
		{"a date after the focus", `<input id=it type=date onfocus="` + busy + `">`, tab.Typing("2026-01-02")},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(strings.ReplaceAll(s.html, "setTimeout(", "begin = () => setTimeout(")))
			before := tab.Run[string](tt, "it.value")
			el, err := tt.BySelector("#it")
			if err != nil {
				t.Fatal(err)
			}
			tab.Run[any](tt, "window.begin?.(); undefined")
			err = tt.InActFor(time.Second, func(ctx context.Context) error { return s.do(ctx, el) })
			tab.Run[any](tt, "new Promise(resolve => setTimeout(resolve, 200))") // the wait ends in this time
			if got := tab.Run[string](tt, "it.value"); err == nil || got != before {
				t.Errorf("got %v, the field has %q", err, got)
			}
		})
	}
}

// A page that is busy with the change of its input has the files.
func TestFilesOfBusyPage(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<input type=file aria-label=File onchange="for (const end = Date.now() + 4000; Date.now() < end;);">`))
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := tt.On(`button "File"`, func(ctx context.Context, el *page.Element) error { return el.SetFiles(ctx, []string{file}) })
	if !errors.Is(err, page.ErrBusy) || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
}

// A page that is busy with the release of a drag has it.
func TestReleaseOfDragOnBusyPage(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<button onmouseup="for (const end = Date.now() + 2500; Date.now() < end;);">Thing</button>`))
	err := tt.OnRefFor(time.Second, tt.Ref(`button "Thing"`), func(ctx context.Context, el *page.Element) error {
		return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 20}})
	})
	if !errors.Is(err, page.ErrBusy) || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
}
