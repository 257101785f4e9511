package page_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/keys"
	"chela/internal/page"
	"chela/internal/pagejs"
)

// Whatever is asked of a page that spins is answered in time, and does not
// happen later, when the page has come to itself.
func TestBusyPage(t *testing.T) {
	enter, err := keys.Parse("a")
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func(context.Context, *tester, *page.Element) error{
		"click": func(ctx context.Context, _ *tester, el *page.Element) error { return el.Click(ctx, page.Click{}) },
		"click at": func(ctx context.Context, t *tester, _ *page.Element) error {
			return t.ClickAt(ctx, 30, 80, page.Click{})
		},
		"hover":  func(ctx context.Context, _ *tester, el *page.Element) error { return el.Hover(ctx) },
		"press":  func(ctx context.Context, t *tester, _ *page.Element) error { return t.Press(ctx, enter, 0) },
		"insert": func(ctx context.Context, t *tester, _ *page.Element) error { return t.InsertText(ctx, "x") },
		"evaluate": func(ctx context.Context, t *tester, _ *page.Element) error {
			_, err := t.Evaluate(ctx, "log('late')", nil)
			return err
		},
		"snapshot": func(ctx context.Context, t *tester, _ *page.Element) error {
			_, err := t.Snapshot(ctx, page.View{})
			return err
		},
		"screenshot": func(ctx context.Context, t *tester, _ *page.Element) error {
			_, err := t.Screenshot(ctx, page.Shot{})
			return err
		},
		"wait": func(ctx context.Context, t *tester, _ *page.Element) error { return t.WaitText(ctx, "nothing", false) },
	} {
		t.Run(name, func(t *testing.T) {
			tt := open(t, "/spin.html")
			ref := tt.ref(`"Still here?"`)
			run[any](tt, "addEventListener('click', () => log('late')); addEventListener('keydown', () => log('late')); "+
				"setTimeout(() => { spin(1500); log('awake'); }); undefined")
			run0 := time.Now()
			err := tt.touch(600*time.Millisecond, func(ctx context.Context) error {
				el, err := tt.Element(ctx, ref)
				if err != nil {
					return err
				}
				return do(ctx, tt, el)
			})
			if took := time.Since(run0); took > 850*time.Millisecond {
				t.Errorf("answered after %v", took)
			}
			if !errors.Is(err, page.ErrBusy) {
				t.Errorf("got %v, want a busy page", err)
			}
			tt.await("awake")
			if got := tt.log(); got != "awake" {
				t.Errorf("page told %q", got)
			}
		})
	}
}

// A page that spins for ever is left by navigating, and can be closed.
func TestLeaveAPageThatSpins(t *testing.T) {
	tt := open(t, "/spin.html")
	ref := tt.ref(`"Spin for ever"`)
	err := tt.touch(500*time.Millisecond, func(ctx context.Context) error {
		el, err := tt.Element(ctx, ref)
		if err != nil {
			return err
		}
		return el.Click(ctx, page.Click{})
	})
	if !errors.Is(err, page.ErrBusy) || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v, want a busy page that input was sent to", err)
	}
	if err := tt.touch(3*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, site.URL+"/frame.html") }); err != nil {
		t.Fatal(err)
	}
	if err := tt.on(`button "Press"`, click); err != nil || tt.last() != "frame pressed trusted" {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
	run[any](tt, "setTimeout(() => { for (;;); }); undefined") // for the end of the test to close
}

// When the renderer crashes its calls end at once; the tab can be opened again, under its name.
func TestCrash(t *testing.T) {
	tt := open(t, "/frame.html")
	other := open(t, "/frame.html")
	began := time.Now()
	err := tt.touch(5*time.Second, func(ctx context.Context) error {
		page.Crash(tt.Page)
		_, err := tt.Evaluate(ctx, "new Promise(() => {})", nil)
		return err
	})
	if !errors.Is(err, page.ErrCrashed) || time.Since(began) > 2*time.Second {
		t.Fatalf("got %v after %v", err, time.Since(began))
	}
	if err := other.on(`button "Press"`, click); err != nil {
		t.Errorf("another tab: %v", err)
	}
	if _, err := tt.tab.Revive(tt.ctx); err != nil {
		t.Fatal(err)
	}
	tt.Page = tt.tab.Page()
	if err := tt.on(`button "Press"`, click); err != nil || tt.last() != "frame pressed trusted" {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

// A document whose clock was read wrong takes calls for late that are in time:
// they are sent again, and never taken for done.
func TestClockThatWasReadWrong(t *testing.T) {
	tt := open(t, "/pointer.html")
	ref := tt.ref(`button "Pad"`)
	page.SetClocksBack(tt.Page, time.Hour)
	if err := tt.onRef(ref, click); err != nil || strings.Count("\n"+tt.log(), "\nclick ") != 1 {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

// Input that comes to the page too late has met nothing: the page was busy.
func TestInputThatComesLate(t *testing.T) {
	tt := open(t, "/pointer.html")
	err := tt.onRefFor(time.Second, tt.ref(`button "Pad"`), page.ClickLate)
	if !errors.Is(err, page.ErrBusy) || errors.Is(err, page.ErrSent) || strings.Contains(tt.log(), "click") {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

// After the deadline no input is sent, whatever was found before.
func TestNoInputAfterTheDeadline(t *testing.T) {
	enter, err := keys.Parse("Enter")
	if err != nil {
		t.Fatal(err)
	}
	tt := open(t, "/pointer.html")
	ref := tt.ref(`button "Pad"`)
	el, err := tt.Element(tt.ctx, ref)
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithDeadline(tt.ctx, time.Now())
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
	if got := tt.log(); got != "" {
		t.Errorf("page told %q", got)
	}
}

// While a function waits in the page for an element, the page says what is missing.
func TestWhatIsMissingSoFar(t *testing.T) {
	show := func(ctx context.Context, el *page.Element) error { return el.ScrollIntoView(ctx) }
	choose := func(ctx context.Context, el *page.Element) error { return el.Select(ctx, []string{"none"}) }
	for _, c := range []struct {
		name, path, line, script string
		do                       func(context.Context, *page.Element) error
		want                     pagejs.Missing
	}{
		{"click", "/covered.html", `button "Save"`, "", click, pagejs.Covered},
		{"type", "/form.html", `textbox "Text"`, "document.querySelector('input').disabled = true", typing("Ada"), pagejs.Disabled},
		{"select", "/form.html", `combobox "Select"`, "", choose, pagejs.Option},
		{"scroll", "/covered.html", `button "Save"`, "for (const b of document.querySelectorAll('button')) b.style.display = 'none'",
			show, pagejs.Hidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			tt := open(t, c.path)
			ref := tt.ref(c.line)
			if c.script != "" {
				run[any](tt, c.script)
			}
			err := tt.onRefFor(20*time.Second, ref, func(ctx context.Context, el *page.Element) error {
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
