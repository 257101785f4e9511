package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
)

var (
	// ErrScriptTimeout says that a script of the caller did not end before the deadline.
	ErrScriptTimeout = errors.New("the script did not end in time")

	// ErrScriptReplaced says that the document in which a script of the caller ran was replaced meanwhile.
	ErrScriptReplaced = errors.New("the document was replaced while the script ran")
)

// A ScriptError says what a script of the caller threw.
type ScriptError struct {
	Text   string // the exception's first line, as Chromium writes it
	Syntax bool   // it could not be parsed, so nothing of it ran
}

func (e *ScriptError) Error() string { return "the script threw: " + e.Text }

// A ResultError says that what a script returned has no form in JSON.
type ResultError struct{ Reason string }

func (e *ResultError) Error() string { return "the script's result is no JSON: " + e.Reason }

// Evaluate runs a script of the caller in the page, as the page's own would
// run: a function, an expression, or the body of a function. A function gets el
// as its argument, if there is one. The result is nil where there is none.
func (p *Page) Evaluate(ctx context.Context, script string, el *Element) (json.RawMessage, error) {
	frame := p.main()
	if el != nil {
		frame = el.frame
	}
	if err := p.awake(ctx, frame); err != nil {
		return nil, err
	}
	raw, err := p.runAny(ctx, frame, el, calling(script), body(script))
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, ErrScriptTimeout
	}
	if errors.Is(err, errWorldGone) {
		return nil, ErrScriptReplaced
	}
	return raw, err
}

// WaitFunction waits until a script of the caller answers what counts as true,
// in any frame. It is an error if it throws in the main one.
func (p *Page) WaitFunction(ctx context.Context, script string) error {
	what := Awaited{For: ForFunction}
	poll := func(w *world, test, otherwise string) string {
		return fmt.Sprintf(`async () => {
	while (performance.now() < %f) {
		try { if (await (%s)()) return true; } catch (e) { %s }
		await { then(resolve) { const t = setTimeout(resolve, 100); requestAnimationFrame(() => { clearTimeout(t); resolve(); }); } };
	}
	return false;
}`, w.clock.at(pageDeadline(ctx)), test, otherwise)
	}
	return p.until(ctx, condition{
		in: func(f *frame) *world { return f.page },
		holds: func(ctx context.Context, w *world) (bool, error) {
			otherwise := ""
			if p.isMain(w) {
				otherwise = "throw e;"
			}
			if err := w.readClock(ctx); err != nil {
				return false, err
			}
			raw, err := p.runFirst(ctx, w, nil, poll(w, calling(script), otherwise), poll(w, body(script), otherwise))
			if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
				err = &WaitError{Awaited: what} // the caller's script, not the page, used up the deadline
			}
			return string(raw) == "true", err
		},
	}, false, what)
}

// isMain reports whether a world is the main frame's page.
func (p *Page) isMain(w *world) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.main().page == w
}

// calling is a function that takes a script for an expression, and calls it if
// it is a function. It awaits what that returns, since to return a promise from
// an asynchronous function calls the promise's then, which a page may replace.
func calling(script string) string {
	script = strings.TrimRight(strings.TrimSpace(script), ";")
	return answering("const value = (\n" + script + "\n); return await (typeof value === 'function' ? value(el) : value);")
}

// body is a function that takes a script for its body.
func body(script string) string { return answering("\n" + script + "\n") }

// answering makes a function of the body of one. An element has no form that
// could be answered, so the answer only says that it was one. The function uses
// nothing but syntax: a page may have removed or replaced any global, such as
// Node or Promise, and an element is recognized by what only nodes have.
func answering(body string) string {
	return "async (el) => { const answer = await (async () => {" + body + `})();
	try {
		if (typeof answer.nodeType === 'number' && typeof answer.nodeName === 'string' && 'ownerDocument' in answer) return 'ref: <Node>';
	} catch { /* it is null, or an object that refuses to be looked at */ }
	return answer;
}`
}

// runAny is runFirst in a frame's page.
func (p *Page) runAny(ctx context.Context, f *frame, el *Element, functions ...string) (json.RawMessage, error) {
	var w *world
	if err := p.await(ctx, func() bool { w = f.page; return w != nil || f.crashed }); err != nil {
		return nil, pageError(ctx, err)
	}
	if w == nil {
		return nil, ErrCrashed
	}
	return p.runFirst(ctx, w, el, functions...)
}

// runFirst runs the first of some functions that is one by its grammar, in a
// page's own world. At the deadline it is ended.
func (p *Page) runFirst(ctx context.Context, w *world, el *Element, functions ...string) (raw json.RawMessage, err error) {
	for _, function := range functions {
		raw, err = p.runIn(ctx, w, function, el)
		if e, ok := errors.AsType[*ScriptError](err); !ok || !e.Syntax {
			break
		}
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		interruptScript(w.session)
	}
	return raw, err
}

// runIn runs a function in the page's own world, with the element as its argument.
func (p *Page) runIn(ctx context.Context, w *world, function string, el *Element) (json.RawMessage, error) {
	var args []*runtime.CallArgument
	if el != nil {
		defer releaseElement(w.session)
		id, err := el.inPage(ctx)
		if err != nil {
			return nil, err
		}
		args = append(args, object(id))
	}
	res, err := cdp.Call(ctx, w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, UniqueContextID: w.uniqueID, Arguments: args,
		ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true),
	})
	if err != nil {
		return nil, unserialisable(pageError(ctx, err))
	}
	if d := res.ExceptionDetails; d != nil {
		return nil, scriptError(d)
	}
	return result(res.Result), nil
}

// scriptError returns what a script threw. The functions are asynchronous, so
// whatever they throw when they run rejects their promise ("Uncaught (in
// promise)"). A SyntaxError without that is the parser's: nothing of the script ran.
func scriptError(d *runtime.ExceptionDetails) error {
	text := exceptionText(d)
	syntax := strings.HasPrefix(text, "SyntaxError") && !strings.Contains(d.Text, "in promise")
	return &ScriptError{Text: firstLine(text), Syntax: syntax}
}

// result is a script's result as JSON; values that JSON has no form for are told as text.
func result(o *runtime.RemoteObject) json.RawMessage {
	switch {
	case len(o.Value) > 0:
		return json.RawMessage(o.Value)
	case o.UnserializableValue != "":
		raw, _ := json.Marshal(string(o.UnserializableValue))
		return raw
	}
	return nil
}

// unserialisable turns Chromium's words for a result that is no JSON into ours.
func unserialisable(err error) error {
	if e, ok := errors.AsType[*cdp.Error](err); ok && (strings.Contains(e.Message, "reference chain") || strings.Contains(e.Message, "by value")) {
		return &ResultError{e.Message}
	}
	return err
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
