package page_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/tab"
)

// asks checks that an act ended because the page opened a dialog.
func asks(t *tab.Tab, err error, kind, message string) {
	t.Helper()
	open, ok := errors.AsType[*page.DialogOpen](err)
	if !ok {
		t.Fatalf("got %v, want a dialog", err)
	}
	if d := open.Dialog; d.Type != kind || string(d.Message) != message {
		t.Errorf("got %s %q, want %s %q", d.Type, d.Message, kind, message)
	}
}

func answer(t *tab.Tab, accept bool, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Ctx, 2*time.Second)
	defer cancel()
	if _, err := t.AnswerDialog(ctx, "", accept, &text, 0); err != nil {
		t.Fatal(err)
	}
}

func TestDialog(t *testing.T) {
	for _, s := range []struct {
		target, kind, message string
		accept                bool
		text, told            string
	}{
		{`button "Alert" `, "alert", "Hello", true, "", "alert closed"},
		{`button "Confirm"`, "confirm", "Sure?", true, "", "confirm true"},
		{`button "Confirm"`, "confirm", "Sure?", false, "", "confirm false"},
		{`button "Prompt"`, "prompt", "Your name?", true, "Ada", "prompt Ada"},
		{`button "Prompt"`, "prompt", "Your name?", false, "", "prompt null"},
	} {
		t.Run(s.kind, func(t *testing.T) {
			tt := tab.Open(t, "/dialog.html")
			ref := tt.Ref(s.target)
			began := time.Now()
			asks(tt, tt.OnRefFor(20*time.Second, ref, tab.Click), s.kind, s.message)
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("told of the dialog after %v, not at once", took)
			}
			asks(tt, tt.OnRef(ref, tab.Click), s.kind, s.message) // the open dialog blocks the next act
			answer(tt, s.accept, s.text)
			tt.Await(s.told)
			if d := tt.Dialogs(); len(d.Pending) != 0 || len(d.Recent) != 1 || d.Recent[0].ClosedBy != "agent" {
				t.Errorf("got %+v", d)
			}
		})
	}
}

func TestDialogAnsweredBefore(t *testing.T) {
	tt := tab.Open(t, "/dialog.html")
	ref := tt.Ref(`button "Prompt"`)
	if _, err := tt.AnswerDialog(tt.Ctx, "", true, new("Ada"), time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := tt.OnRef(ref, tab.Click); err != nil || tt.Last() != "prompt Ada" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// Chromium refuses the armed answer to a dialog of a page that is leaving. The page then ends, as with
// any other answer, and its tab can be opened again.
func TestArmedAnswerThatIsRefused(t *testing.T) {
	tt := tab.Open(t, "/dialog.html")
	if _, err := tt.AnswerDialog(tt.Ctx, "", true, nil, time.Minute); err != nil {
		t.Fatal(err)
	}
	tab.Run[any](tt, `setTimeout(() => {
		location.href = '/frame.html';
		for (const end = Date.now() + 1000; Date.now() < end;);
		confirm('Leaves');
	}); undefined`)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := tt.DialogsOver(ctx); err != nil {
		t.Errorf("%v: %+v", err, tt.Dialogs())
	}
}

func TestDialogs(t *testing.T) {
	t.Run("one after the other", func(t *testing.T) {
		tt := tab.Open(t, "/dialog.html")
		asks(tt, tt.On(`"Two alerts"`, tab.Click), "alert", "One")
		answer(tt, true, "")
		asks(tt, tt.InTurn(2*time.Second, func(ctx context.Context) error { _, err := tt.Snapshot(ctx, page.View{}); return err }), "alert", "Two")
		answer(tt, true, "")
		tt.Await("both closed")
	})
	t.Run("during another call", func(t *testing.T) {
		tt := tab.Open(t, "/dialog.html")
		if err := tt.On(`"Alert later"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		_, err := evaluate(tt, "new Promise(() => {})", 3*time.Second)
		asks(tt, err, "alert", "Later")
		answer(tt, true, "")
		tt.Await("later closed")
	})
	t.Run("while the page loads", func(t *testing.T) {
		tt := tab.Empty(t)
		err := tt.InTurn(3*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/dialog.html?load") })
		asks(tt, err, "alert", "Loading")
		answer(tt, true, "")
		tt.Ref(`button "Alert" `)
	})
	t.Run("before leaving", func(t *testing.T) {
		tt := tab.Open(t, "/dialog.html")
		if err := tt.On(`"Ask before leaving"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		leave := tt.Ref(`link "Leave"`)
		asks(tt, tt.OnRef(leave, tab.Click), "beforeunload", "")
		answer(tt, false, "")
		asks(tt, tt.OnRef(leave, tab.Click), "beforeunload", "")
		answer(tt, true, "")
		if err := waiting(tt, 2*time.Second, func(ctx context.Context) error { return tt.WaitURL(ctx, "frame.html") }); err != nil {
			t.Error(err)
		}
	})
	t.Run("before it is navigated", func(t *testing.T) {
		tt := tab.Open(t, "/dialog.html")
		if err := tt.On(`"Ask before leaving"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		to := func(path string) error {
			return tt.InTurn(3*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+path) })
		}
		asks(tt, to("/form.html"), "beforeunload", "")
		answer(tt, false, "")
		if tab.Run[string](tt, "location.pathname") != "/dialog.html" {
			t.Error("it left although that was dismissed")
		}
		asks(tt, to("/frame.html"), "beforeunload", "")
		answer(tt, true, "")
		if at := tab.Run[string](tt, "location.pathname"); at != "/frame.html" {
			t.Errorf("accepted, it is at %s", at)
		}
		if err := to("/form.html"); err != nil || tab.Run[string](tt, "location.pathname") != "/form.html" {
			t.Errorf("it does not go on from there: %v", err)
		}
	})
	t.Run("in a frame of another site", func(t *testing.T) {
		tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
		err := tt.On(`"In other" > button "Press"`, func(ctx context.Context, el *page.Element) error {
			_, _, err := tt.Evaluate(ctx, "() => { confirm('From afar'); log('answered'); }", el)
			return err
		})
		asks(tt, err, "confirm", "From afar")
		answer(tt, true, "")
		tt.Await("answered")
	})
}

func TestUnansweredDialog(t *testing.T) {
	long.Test(t)
	t.Run("is dismissed", func(t *testing.T) {
		tt := tab.Open(t, "/dialog.html")
		tt.AnswerWithin(time.Millisecond)
		tt.On(`button "Confirm"`, tab.Click)
		tt.DialogsOver(tt.Ctx)
		tt.Await("confirm false")
		if d := tt.Dialogs(); len(d.Pending) != 0 || len(d.Recent) != 1 || d.Recent[0].ClosedBy != "timeout" {
			t.Errorf("got %+v", d)
		}
	})
	t.Run("lets the page leave", func(t *testing.T) {
		tt := tab.Open(t, "/dialog.html")
		if err := tt.On(`"Ask before leaving"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		tt.AnswerWithin(time.Millisecond)
		tt.On(`link "Leave"`, tab.Click)
		if err := waiting(tt, 2*time.Second, func(ctx context.Context) error { return tt.WaitURL(ctx, "frame.html") }); err != nil {
			t.Error(err)
		}
	})
}

// A document cannot open dialogs without end.
func TestStormOfDialogs(t *testing.T) {
	tt := tab.Open(t, "/dialog.html")
	storm := func(n int) error {
		_, err := evaluate(tt, fmt.Sprintf("for (let i = 1; i <= %d; i++) confirm(i) ? log('agreed') : log('closed ' + i)", n), 5*time.Second)
		return err
	}
	asks(tt, storm(30), "confirm", "1")
	for range 20 {
		answer(tt, false, "")
		tt.InTurn(2*time.Second, func(ctx context.Context) error { return tt.WaitFunction(ctx, "true") }) // returns at the next dialog, or after the last
	}
	tt.Await("closed 30")
	if d := tt.Dialogs(); len(d.Pending) != 0 || len(d.Recent) != 20 || d.Dismissed != 10 {
		t.Errorf("%d pending, %d recent, %d dismissed", len(d.Pending), len(d.Recent), d.Dismissed)
	}
	if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/dialog.html") }); err != nil {
		t.Fatal(err)
	}
	asks(tt, storm(1), "confirm", "1") // another document counts its dialogs again
	answer(tt, false, "")
}
