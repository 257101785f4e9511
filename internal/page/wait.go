package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// How far a page can have loaded.
const (
	Loaded      = "load"
	DOMLoaded   = "domcontentloaded"
	NetworkIdle = "networkidle"
)

// What can be waited for.
const (
	ForText     = "text"     // any frame shows the text
	ForNoText   = "noText"   // no frame shows the text any more
	ForSelector = "selector" // any frame shows an element that the CSS selector matches
	ForURL      = "url"      // the address fits the pattern
	ForLoad     = "load"     // the page has loaded as far as the state
	ForFunction = "function" // the caller's function returned true
)

// Awaited is what was waited for: one of the words above, and the text, selector,
// pattern or state; none for a function.
type Awaited struct{ For, Value string }

// A WaitError says that what was waited for did not come before the deadline.
type WaitError struct {
	Awaited
	Busy bool // because the page did not answer; the error is ErrBusy then, too
}

func (e *WaitError) Error() string { return fmt.Sprintf("timed out waiting for %s %q", e.For, e.Value) }

// Unwrap returns ErrBusy where that is the cause.
func (e *WaitError) Unwrap() error {
	if e.Busy {
		return ErrBusy
	}
	return nil
}

// WaitText waits until any frame shows the text, or, if gone, none does any more.
func (p *Page) WaitText(ctx context.Context, text string, gone bool) error {
	what := ForText
	if gone {
		what = ForNoText
	}
	return p.until(ctx, sight(ctx, map[string]any{"text": text, "gone": gone}), gone, Awaited{what, text})
}

// WaitSelector waits until any frame shows an element that a CSS selector matches.
func (p *Page) WaitSelector(ctx context.Context, selector string) error {
	if err := p.checkSelector(ctx, selector); err != nil {
		return err
	}
	return p.until(ctx, sight(ctx, map[string]any{"selector": selector}), false, Awaited{ForSelector, selector})
}

// A condition is what a wait is for.
type condition struct {
	in    func(*frame) *world // where it is looked for
	holds func(context.Context, *world) (bool, error)
}

// sight is a condition that the page script looks for.
func sight(ctx context.Context, what map[string]any) condition {
	what["by"] = pageDeadline(ctx)
	return condition{
		in:    func(f *frame) *world { return f.world },
		holds: func(ctx context.Context, w *world) (bool, error) { return holdsIn(ctx, w, what) },
	}
}

// until waits for a condition in any frame or, with all, in every one. When
// documents come or go meanwhile, those that are there then are asked.
func (p *Page) until(ctx context.Context, c condition, all bool, what Awaited) error {
	for {
		err := p.await(ctx, func() bool { return c.in(p.main()) != nil || p.main().crashed })
		if err != nil {
			return pageError(ctx, err)
		}
		round, stop := context.WithTimeout(ctx, remaining(ctx)+margin/2)
		holds, err := p.askFrames(round, c, all)
		stop()
		switch {
		case holds:
			return nil
		case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, ErrBusy):
			return &WaitError{what, true}
		case context.Cause(ctx) != nil:
			return pageError(ctx, cmp.Or(err, context.Cause(ctx)))
		case err != nil:
			return err
		case remaining(ctx) == 0:
			return &WaitError{Awaited: what}
		}
	}
}

// askFrames asks the documents that are there whether the condition comes to
// hold, all at once, until others have come. One that does not answer counts as
// one where it does not hold, unless it is of the main frame's process.
func (p *Page) askFrames(ctx context.Context, c condition, all bool) (bool, error) {
	type result struct {
		w     *world
		holds bool
		err   error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	worlds := p.worldsIn(c.in)
	if len(worlds) == 0 {
		return false, nil
	}
	results := make(chan result, len(worlds)+1)
	for _, w := range worlds {
		go func() {
			holds, err := c.holds(ctx, w)
			results <- result{w, holds, err}
		}()
	}
	go func() {
		come := func(f *frame) bool { w := c.in(f); return w != nil && !slices.Contains(worlds, w) }
		if p.await(ctx, func() bool { return slices.ContainsFunc(slices.Collect(maps.Values(p.frames)), come) }) == nil {
			results <- result{err: errWorldGone}
		}
	}()
	for range worlds {
		switch r := <-results; {
		case errors.Is(r.err, errWorldGone):
			return false, nil
		case r.err != nil && (all || r.w.session == p.session):
			return false, r.err
		case r.holds != all:
			return r.holds, nil
		}
	}
	return all, nil
}

// holdsIn asks one document, and opens the closed shadow roots that are in the way.
func holdsIn(ctx context.Context, w *world, o map[string]any) (bool, error) {
	for {
		a, err := call[struct {
			Holds bool
			Hosts int
		}](ctx, w, "until", o)
		if err != nil || a.Hosts == 0 {
			return a.Holds, err
		}
		if err := openClosedRoots(ctx, w, a.Hosts); err != nil {
			return false, err
		}
	}
}

// WaitURL waits until the main frame's address fits a pattern, and is loaded.
func (p *Page) WaitURL(ctx context.Context, pattern string) error {
	fits := urlPattern(pattern)
	return p.awaitMain(ctx, Awaited{ForURL, pattern}, func(f *frame) bool {
		return fits(f.address()) && (f.state == "load" || f.loader == "")
	})
}

// WaitLoad waits until the main frame has loaded so far.
func (p *Page) WaitLoad(ctx context.Context, state string) error {
	return p.awaitMain(ctx, Awaited{ForLoad, state}, func(f *frame) bool {
		if len(p.navigations) > 0 && p.navigations[f.id].loader != "" {
			return false
		}
		switch state {
		case DOMLoaded:
			return f.state != "" || f.loader == ""
		case NetworkIdle:
			return f.idle && f.state == "load" || f.loader == ""
		}
		return f.state == "load" || f.loader == ""
	})
}

func (p *Page) awaitMain(ctx context.Context, what Awaited, cond func(*frame) bool) error {
	limited, cancel := context.WithTimeoutCause(ctx, remaining(ctx), &WaitError{Awaited: what})
	defer cancel()
	return p.await(limited, func() bool { return cond(p.main()) })
}

// urlPattern returns what tells whether an address fits a pattern: the address
// itself, a glob (* within a path segment, ** across them), or a part of it.
func urlPattern(pattern string) func(string) bool {
	if !strings.Contains(pattern, "*") {
		return func(url string) bool { return strings.Contains(url, pattern) }
	}
	var b strings.Builder
	for rest := pattern; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			rest = rest[2:]
		case rest[0] == '*':
			b.WriteString("[^/]*")
			rest = rest[1:]
		default:
			next := strings.IndexByte(rest, '*')
			if next < 0 {
				next = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:next]))
			rest = rest[next:]
		}
	}
	return regexp.MustCompile("^" + b.String() + "$").MatchString
}
