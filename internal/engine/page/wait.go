package page

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/urls"
)

// The load states that WaitLoad can wait for.
const (
	Loaded      = "load"             // images, styles and frames are also loaded
	DOMLoaded   = "domcontentloaded" // the document is parsed
	NetworkIdle = "networkidle"      // loaded, and no request was under way for 500 ms
)

// The values of [Awaited.For].
const (
	ForText     = "text"     // any frame shows the text
	ForNoText   = "noText"   // no frame shows the text any more
	ForSelector = "selector" // any frame shows an element that the CSS selector matches
	ForURL      = "url"      // the address matches the pattern
	ForLoad     = "load"     // the page has reached the given load state
	ForFunction = "function" // the caller's function returned true
)

// Awaited says what a wait was for: ForText, ForSelector or the like, and the text, selector,
// pattern or state. Value is empty for a function.
type Awaited struct{ For, Value string }

// A WaitError says that what was waited for did not come before the deadline.
type WaitError struct {
	Awaited
	Busy     bool // the page did not answer; then the error is also ErrBusy
	Unopened bool // the text is not seen any more, but see the constant Unopened
}

func (e *WaitError) Error() string { return fmt.Sprintf("timed out waiting for %s %q", e.For, e.Value) }

// Unwrap returns ErrBusy if that is the cause.
func (e *WaitError) Unwrap() error {
	if e.Busy {
		return ErrBusy
	}
	return nil
}

// WaitText waits until any frame shows the text; case does not matter. If gone is true, it waits
// until no frame shows it. Like the other waits, it returns a [WaitError] at the deadline, or why
// the turn ended.
func (p *Page) WaitText(ctx context.Context, text string, gone bool) error {
	what := ForText
	if gone {
		what = ForNoText
	}
	return p.awaitCondition(ctx, p.visibleCondition(ctx, map[string]any{"text": text, "gone": gone}), gone, Awaited{what, text})
}

// WaitSelector waits until an element that a CSS selector matches is visible in any frame. If the
// text is not a selector, the error is a [SelectorError].
func (p *Page) WaitSelector(ctx context.Context, selector string) error {
	if err := p.checkSelector(ctx, selector); err != nil {
		return err
	}
	return p.awaitCondition(ctx, p.visibleCondition(ctx, map[string]any{"selector": selector}), false, Awaited{ForSelector, selector})
}

// WaitFunction waits until the caller's function returns a true value in any frame. If it throws in
// the main frame, the error is a [ScriptError]: the script is wrong. In other frames it may well
// throw, since their documents differ.
//
// A loop in the main world calls the function, in each animation frame or, if none is painted,
// every 100 ms. The loop measures time by the document's clock. Between two calls it awaits a plain
// object with a method named then, since the page may have replaced Promise.
//
// When nobody waits for a loop any more, its argument gets the property over, and the loop ends. In
// a lent tab loops have no argument (see callFunctionFor), and end at the deadline. As in
// functionSource, the caller's function stands outside of the loop.
func (p *Page) WaitFunction(ctx context.Context, script string) error {
	what := Awaited{For: ForFunction}
	poll := func(w *frame.World, test, onThrow string) string {
		return fmt.Sprintf(`function() { return (async (round, test) => {
	while (!round?.over && performance.now() < %f) {
		try { if (await test()) return true; } catch (e) { %s }
		await { then(resolve) { const t = setTimeout(resolve, 100); requestAnimationFrame(() => { clearTimeout(t); resolve(); }); } };
	}
	return false;
})(arguments[0], %s); }`, w.Clock.At(waitDeadline(ctx)), onThrow, test)
	}
	return p.awaitCondition(ctx, condition{
		in: func(f *frame.Frame) *frame.World { return f.MainWorld },
		holds: func(ctx context.Context, w *frame.World) (bool, error) {
			onThrow := ""
			if p.isMain(w) {
				onThrow = "throw e;"
			}
			if err := w.ReadClock(ctx); err != nil {
				return false, err
			}
			var round runtime.RemoteObjectID
			if !p.isLent() {
				var err error
				if round, err = w.NewObject(ctx); err != nil {
					return false, err
				}
				defer endRound(w.Session, round)
			}
			raw, _, err := p.runFirst(ctx, w, round, poll(w, expressionSource(script), onThrow), poll(w, bodySource(script), onThrow))
			if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, ErrScriptTimeout) {
				err = &WaitError{Awaited: what} // the caller's script was still running at the deadline
			}
			return string(raw) == "true", err
		},
	}, false, what)
}

// endRound ends the loop that has this argument.
func endRound(s *cdp.Session, round runtime.RemoteObjectID) {
	cdp.Send(s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{FunctionDeclaration: "function() { this.over = true; }", ObjectID: round})
	frame.Release(s, round)
}

// isMain reports whether w is the main world of the main frame, where scripts of the page run.
func (p *Page) isMain(w *frame.World) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.main().MainWorld == w
}

// WaitURL waits until the main frame's address matches a pattern (see [urls.Matcher]), and its
// document has loaded.
func (p *Page) WaitURL(ctx context.Context, pattern string) error {
	fits := urls.Matcher(pattern)
	return p.awaitMain(ctx, Awaited{ForURL, pattern}, func(f *frame.Frame) bool {
		return fits(f.Address()) && (f.State == frame.Loaded || f.Loader == "")
	})
}

// WaitLoad waits until the main frame has loaded as far as a state: Loaded, DOMLoaded or
// NetworkIdle. While a navigation is under way, the present document does not count.
func (p *Page) WaitLoad(ctx context.Context, state string) error {
	return p.awaitMain(ctx, Awaited{ForLoad, state}, func(f *frame.Frame) bool {
		if len(p.navigations) > 0 && p.navigations[f.ID].loader != "" {
			return false
		}
		switch state {
		case DOMLoaded:
			return f.State != frame.Loading || f.Loader == ""
		case NetworkIdle:
			return f.Idle && f.State == frame.Loaded || f.Loader == ""
		}
		return f.State == frame.Loaded || f.Loader == ""
	})
}

// awaitMain waits until a condition of the main frame holds. It calls cond with mu held.
func (p *Page) awaitMain(ctx context.Context, what Awaited, cond func(*frame.Frame) bool) error {
	limited, cancel := context.WithDeadlineCause(ctx, waitDeadline(ctx), &WaitError{Awaited: what})
	defer cancel()
	return p.await(limited, func() bool { return cond(p.main()) })
}
