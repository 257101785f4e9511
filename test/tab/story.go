package tab

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
)

// A Story is one act on one element, and the effect that it must have.
type Story struct {
	Name   string
	Path   string
	Target string // the words by which [Tab.Ref] finds the element
	Do     func(context.Context, *page.Element) error
	Logged string // what the page logged last
	Fails  string // a part of the expected error
}

// Test runs the story at the same time as other stories, each in a tab of its own. A story mostly
// waits for what a page does slowly, or never.
func (s Story) Test(t *testing.T) {
	t.Run(s.Name, func(t *testing.T) {
		t.Parallel()
		tt := Borrow(t, s.Path)
		s.Check(tt, s.Act(tt))
	})
}

// In runs the story in a tab that other stories have used. Each of these used another element of
// the page, and its effects may be logged later.
func (s Story) In(t *Tab) {
	t.Helper()
	Run[any](t, "document.getElementById('out')?.remove()")
	err := s.Act(t)
	if err == nil {
		t.Await(s.Logged)
	}
	s.Check(t, err)
}

// Act does the act. An act that must fail waits for its whole deadline, so the deadline is short.
// An act that must succeed has a long one, for busy machines.
func (s Story) Act(t *Tab) error {
	t.Helper()
	limit := 10 * time.Second
	if s.Fails != "" {
		limit = 2 * time.Second
	}
	return t.OnRefFor(limit, t.Ref(s.Target), s.Do)
}

// Check compares the effect of the act with the story.
func (s Story) Check(t *Tab, err error) {
	t.Helper()
	switch {
	case s.Fails == "" && err != nil:
		t.Fatalf("got error %q (page logged %q)", err, t.Logged())
	case s.Fails != "" && err == nil:
		t.Fatalf("got no error, want %q (page logged %q)", s.Fails, t.Logged())
	case s.Fails != "" && !strings.Contains(err.Error(), s.Fails):
		t.Errorf("got error %q, want %q", err, s.Fails)
	}
	if last := t.Last(); last != s.Logged {
		t.Errorf("page logged %q, want %q", t.Logged(), s.Logged)
	}
}

// Click clicks an element.
func Click(ctx context.Context, el *page.Element) error { return el.Click(ctx, page.Click{}) }

// Typing types a text into an element.
func Typing(text string) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error {
		_, err := el.Type(ctx, text)
		return err
	}
}

// TypingSlowly types a text key by key.
func TypingSlowly(text string) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error {
		_, err := el.TypeSlowly(ctx, text)
		return err
	}
}

// Filling gives a form field a value.
func Filling(value string) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error {
		_, err := (&page.Field{Element: el, Value: value}).Fill(ctx, nil)
		return err
	}
}

// Choosing chooses options.
func Choosing(values ...string) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error {
		_, err := el.Select(ctx, values)
		return err
	}
}
