package page_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"chela/internal/page"
)

// asks checks that an act ended because the page asks something.
func (t *tester) asks(err error, kind, message string) {
	t.Helper()
	open, ok := errors.AsType[*page.DialogOpen](err)
	if !ok {
		t.Fatalf("got %v, want a dialog", err)
	}
	if d := open.Dialog; d.Type != kind || string(d.Message) != message {
		t.Errorf("got %s %q, want %s %q", d.Type, d.Message, kind, message)
	}
}

func (t *tester) answer(accept bool, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, 2*time.Second)
	defer cancel()
	if _, err := t.AnswerDialog(ctx, "", accept, text, 0); err != nil {
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
			tt := open(t, "/dialog.html")
			ref := tt.ref(s.target)
			began := time.Now()
			tt.asks(tt.onRef(ref, click), s.kind, s.message)
			if took := time.Since(began); took > time.Second {
				t.Errorf("told of the dialog after %v", took)
			}
			tt.asks(tt.onRef(ref, click), s.kind, s.message) // it is in the way of the next act
			tt.answer(s.accept, s.text)
			tt.await(s.told)
			if d := tt.Dialogs(); len(d.Pending) != 0 || len(d.Recent) != 1 || d.Recent[0].ClosedBy != "agent" {
				t.Errorf("got %+v", d)
			}
		})
	}
}

func TestDialogAnsweredBefore(t *testing.T) {
	tt := open(t, "/dialog.html")
	ref := tt.ref(`button "Prompt"`)
	if _, err := tt.AnswerDialog(tt.ctx, "", true, "Ada", time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := tt.onRef(ref, click); err != nil || tt.last() != "prompt Ada" {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

func TestDialogs(t *testing.T) {
	t.Run("one after the other", func(t *testing.T) {
		tt := open(t, "/dialog.html")
		tt.asks(tt.on(`"Two alerts"`, click), "alert", "One")
		tt.answer(true, "")
		tt.asks(tt.touch(2*time.Second, func(ctx context.Context) error { _, err := tt.Snapshot(ctx, page.View{}); return err }), "alert", "Two")
		tt.answer(true, "")
		tt.await("both closed")
	})
	t.Run("during another call", func(t *testing.T) {
		tt := open(t, "/dialog.html")
		if err := tt.on(`"Alert later"`, click); err != nil {
			t.Fatal(err)
		}
		_, err := tt.evaluate("new Promise(() => {})", 3*time.Second)
		tt.asks(err, "alert", "Later")
		tt.answer(true, "")
		tt.await("later closed")
	})
	t.Run("while the page loads", func(t *testing.T) {
		tt := empty(t)
		err := tt.touch(3*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, site.URL+"/dialog.html?load") })
		tt.asks(err, "alert", "Loading")
		tt.answer(true, "")
		tt.ref(`button "Alert" `)
	})
	t.Run("before leaving", func(t *testing.T) {
		tt := open(t, "/dialog.html")
		if err := tt.on(`"Ask before leaving"`, click); err != nil {
			t.Fatal(err)
		}
		leave := tt.ref(`link "Leave"`)
		tt.asks(tt.onRef(leave, click), "beforeunload", "")
		tt.answer(false, "")
		tt.asks(tt.onRef(leave, click), "beforeunload", "")
		tt.answer(true, "")
		if err := tt.waiting(2*time.Second, func(ctx context.Context) error { return tt.WaitURL(ctx, "frame.html") }); err != nil {
			t.Error(err)
		}
	})
	t.Run("before it is navigated", func(t *testing.T) {
		tt := open(t, "/dialog.html")
		if err := tt.on(`"Ask before leaving"`, click); err != nil {
			t.Fatal(err)
		}
		to := func(path string) error {
			return tt.touch(3*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, site.URL+path) })
		}
		tt.asks(to("/form.html"), "beforeunload", "")
		tt.answer(false, "")
		if run[string](tt, "location.pathname") != "/dialog.html" {
			t.Error("it left although that was dismissed")
		}
		tt.asks(to("/frame.html"), "beforeunload", "")
		tt.answer(true, "")
		if at := run[string](tt, "location.pathname"); at != "/frame.html" {
			t.Errorf("accepted, it is at %s", at)
		}
		if err := to("/form.html"); err != nil || run[string](tt, "location.pathname") != "/form.html" {
			t.Errorf("it does not go on from there: %v", err)
		}
	})
	t.Run("in a frame of another site", func(t *testing.T) {
		tt := open(t, "/frames.html?other="+elsewhere())
		err := tt.on(`"In other" > button "Press"`, func(ctx context.Context, el *page.Element) error {
			_, err := tt.Evaluate(ctx, "() => { confirm('From afar'); log('answered'); }", el)
			return err
		})
		tt.asks(err, "confirm", "From afar")
		tt.answer(true, "")
		tt.await("answered")
	})
}

func TestUnansweredDialog(t *testing.T) {
	t.Run("is dismissed", func(t *testing.T) {
		tt := open(t, "/dialog.html")
		tt.AnswerWithin(time.Millisecond)
		tt.on(`button "Confirm"`, click)
		tt.DialogsOver(tt.ctx)
		tt.await("confirm false")
		if d := tt.Dialogs(); len(d.Pending) != 0 || len(d.Recent) != 1 || d.Recent[0].ClosedBy != "timeout" {
			t.Errorf("got %+v", d)
		}
	})
	t.Run("lets the page leave", func(t *testing.T) {
		tt := open(t, "/dialog.html")
		if err := tt.on(`"Ask before leaving"`, click); err != nil {
			t.Fatal(err)
		}
		tt.AnswerWithin(time.Millisecond)
		tt.on(`link "Leave"`, click)
		if err := tt.waiting(2*time.Second, func(ctx context.Context) error { return tt.WaitURL(ctx, "frame.html") }); err != nil {
			t.Error(err)
		}
	})
}

// A document that asks without end is not let through.
func TestStormOfDialogs(t *testing.T) {
	tt := open(t, "/dialog.html")
	storm := func(n int) error {
		_, err := tt.evaluate(fmt.Sprintf("for (let i = 1; i <= %d; i++) confirm(i) ? log('agreed') : log('closed ' + i)", n), 5*time.Second)
		return err
	}
	tt.asks(storm(30), "confirm", "1")
	for range 20 {
		tt.answer(false, "")
		tt.touch(2*time.Second, func(ctx context.Context) error { return tt.WaitFunction(ctx, "true") }) // until the next, or the end
	}
	tt.await("closed 30")
	if d := tt.Dialogs(); len(d.Pending) != 0 || len(d.Recent) != 20 || d.Dismissed != 10 {
		t.Errorf("%d pending, %d recent, %d dismissed", len(d.Pending), len(d.Recent), d.Dismissed)
	}
	if err := tt.touch(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, site.URL+"/dialog.html") }); err != nil {
		t.Fatal(err)
	}
	tt.asks(storm(1), "confirm", "1") // another document
	tt.answer(false, "")
}
