package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
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

// A LargeResult is the error for a result that is too large to be read as a whole.
type LargeResult struct {
	Beginning string // of its text or, if it is no text, of its JSON
	Missing   int    // bytes of its JSON that were not read
}

func (e *LargeResult) Error() string {
	return fmt.Sprintf("%d bytes of the result were not read", e.Missing)
}

// maxResult bounds, in bytes, what is read of a script's result. It is more than callers
// show of one, see [LargeResult].
const maxResult = 4 << 20

// Evaluate runs a script of the caller in the page's own world, where it sees what
// the page's scripts see. The script is a function, an expression, or the body of a
// function. With an element it runs in the document of that; a function gets it as
// its argument. The result is JSON, nil if the script returned undefined.
//
// The error is ErrScriptTimeout, after which the script has been ended,
// ErrScriptReplaced, a [ScriptError], a [ResultError], a [LargeResult], a
// [StaleRefError], or why the turn ended.
func (p *Page) Evaluate(ctx context.Context, script string, el *Element) (json.RawMessage, error) {
	in := p.main()
	if el != nil {
		in = el.frame
	}
	if err := p.awake(ctx, in); err != nil {
		return nil, err
	}
	raw, err := p.runAny(ctx, in, el, calling(script), body(script))
	return raw, scriptEnd(ctx, err)
}

// scriptEnd says what an error means that ended a script of the caller: that its deadline is
// over, or that its document has gone. Others stay as they are.
func scriptEnd(ctx context.Context, err error) error {
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ErrScriptTimeout
	case errors.Is(err, frame.ErrGone):
		return ErrScriptReplaced
	}
	return err
}

// calling returns the source of a function that takes a script for an expression,
// and calls its value if that is a function. It awaits what the call returns instead
// of returning it: to return a promise from an asynchronous function calls the
// promise's method then, which the page may have replaced.
func calling(script string) string {
	script = strings.TrimRight(strings.TrimSpace(script), ";")
	return answering("const value = (\n" + script + "\n); return await (typeof value === 'function' ? value(el) : value);")
}

// body returns the source of a function that has a script as its body.
func body(script string) string { return answering("\n" + script + "\n") }

// answering returns the source of a function with this body. What it returns is made plain, see plainly.
//
// A long text that is thrown is cut. It comes in the place of a result, so it would look like a result that is
// too large to be read.
func answering(body string) string {
	return "async (el) => { let answer; try { answer = await (async () => {" + body + `})(); } catch (thrown) {
		if (typeof thrown !== 'string' || thrown.length <= 10000) throw thrown;
		let cut = '';
		for (let i = 0; i < 10000; i++) cut += thrown[i];
		throw cut + '… (' + (thrown.length - 10000) + ' more characters)';
	}` + plainly + `
	return plain(answer, 0);
}`
}

// plainly declares plain(value, depth), which returns a value for which JSON has a form. A
// node becomes a text that says that it was one. An object without properties of its own
// becomes what its toJSON returns. Chromium would make {} of a date, an address or a box
// on the screen. What a getter or toJSON throws is the script's error.
//
// Nodes are recognized by their properties and not by instanceof Node. A page may have removed
// or replaced any global, such as Node or Promise, so this uses only syntax. Objects are
// copied only where something in them changes. A list is known by its length and by keys that are
// all below that. Chromium refuses what is too deep, or refers to itself.
//
// Of a large value, so many properties are looked at as there can be in what callers show of a
// result. The rest is returned as it is. A value may refer to itself in many ways, as a window
// does, or be a list of millions of numbers.
const plainly = `
	let left = 300000; // properties to look at
	const isNode = (value) => {
		try {
			return typeof value.nodeType === 'number' && typeof value.nodeName === 'string' && 'ownerDocument' in value;
		} catch { return false; /* it refuses to be looked at */ }
	};
	const plain = (value, depth) => {
		if (typeof value !== 'object' || value === null || depth > 100 || left-- <= 0) return value;
		if (isNode(value)) return 'ref: <Node>';
		const length = value.length;
		if (length > left) return value;
		const own = {__proto__: null, ...value};
		let last, changed = false;
		for (const key in own) {
			if (left-- <= 0) return value;
			last = key;
			if (typeof own[key] !== 'object') continue;
			const made = plain(own[key], depth + 1);
			if (made !== own[key]) { own[key] = made; changed = true; }
		}
		if (last === undefined && !(length >= 0) && typeof value.toJSON === 'function') return value.toJSON();
		if (!changed) return value;
		if (!(last < length)) return own;
		const list = [];
		for (let i = 0; i < length; i++) list[i] = own[i];
		return list;
	};`

// runAny is runFirst in the page's own world of a frame, for which it waits.
func (p *Page) runAny(ctx context.Context, f *frame.Frame, el *Element, functions ...string) (json.RawMessage, error) {
	var w *frame.World
	if err := p.await(ctx, func() bool { w = f.MainWorld; return w != nil || f.Crashed }); err != nil {
		return nil, frame.Failure(ctx, err)
	}
	if w == nil {
		return nil, ErrCrashed
	}
	return p.runFirst(ctx, w, el, functions...)
}

// runFirst runs the first of some functions that can be parsed, in a page's own
// world. One that still runs when its call has ended is ended, so that the page is not blocked by
// it for the calls that follow.
func (p *Page) runFirst(ctx context.Context, w *frame.World, el *Element, functions ...string) (raw json.RawMessage, err error) {
	for _, function := range functions {
		raw, err = p.runIn(ctx, w, function, el)
		if e, ok := errors.AsType[*ScriptError](err); !ok || !e.Syntax {
			break
		}
	}
	if err != nil {
		endScript(ctx, w.Session)
	}
	return raw, err
}

// endScript ends the script of a call for which nobody waits any more, as its deadline is over or its caller has cancelled
// it. One that waits for the answer to a dialog goes on with that.
func endScript(ctx context.Context, s *cdp.Session) {
	if ctx.Err() != nil && !interrupts(context.Cause(ctx)) {
		interruptScript(s)
	}
}

// runIn runs a function in the page's own world, with the element as its argument.
func (p *Page) runIn(ctx context.Context, w *frame.World, function string, el *Element) (json.RawMessage, error) {
	if el == nil {
		return call(ctx, w, function)
	}
	defer releaseElement(w.Session)
	id, err := el.inPage(ctx)
	if err != nil {
		return nil, err
	}
	return call(ctx, w, function, frame.Object(id))
}

// call calls a function in the page's own world.
func call(ctx context.Context, w *frame.World, function string, args ...*runtime.CallArgument) (json.RawMessage, error) {
	res, err := cdp.CallWithin(ctx, w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, UniqueContextID: w.UniqueID, Arguments: args,
		ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true),
	}, maxResult)
	if large, ok := errors.AsType[*cdp.LargeError](err); ok {
		return nil, beginningOf(large)
	}
	if err != nil {
		return nil, unserialisable(frame.Failure(ctx, err))
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
	text := frame.ExceptionText(d)
	syntax := strings.HasPrefix(text, "SyntaxError") && !strings.Contains(d.Text, "in promise")
	return &ScriptError{Text: firstLine(text), Syntax: syntax}
}

// result returns a script's result as JSON. Numbers that JSON has no form for, such
// as NaN and 10n, become text.
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

// beginningOf is the error for a reply that is too large: a [LargeResult] or, if the script
// threw an Error, whose value is {}, a [ScriptError].
func beginningOf(large *cdp.LargeError) error {
	if _, details, threw := bytes.Cut(large.Beginning, []byte(`,"exceptionDetails":{"exceptionId":`)); threw {
		_, text, _ := bytes.Cut(details, []byte(`"text":"`))
		return &ScriptError{Text: firstLine(strings.TrimPrefix(unquoted(string(text)), "Uncaught (in promise) "))}
	}
	_, value, _ := bytes.Cut(large.Beginning, []byte(`"value":`))
	text := strings.ToValidUTF8(string(value), "")
	if quoted, isText := strings.CutPrefix(text, `"`); isText {
		text = unquoted(quoted)
	}
	return &LargeResult{Beginning: text, Missing: large.Bytes - len(large.Beginning)}
}

// unquoted decodes the beginning of a text in JSON, which may end within an escape.
func unquoted(quoted string) (text string) {
	for end := range min(len(quoted), len(`\ud83d\ude0`)) {
		if json.Unmarshal([]byte(`"`+quoted[:len(quoted)-end]+`"`), &text) == nil {
			return text
		}
	}
	return ""
}

// unserialisable makes a [ResultError] of Chromium's error for a result that it cannot return by value. Such a
// result refers to itself, or throws when it is read, for example.
func unserialisable(err error) error {
	e, ok := errors.AsType[*cdp.Error](err)
	refused := func(why string) bool { return strings.Contains(e.Message, why) }
	switch {
	case ok && (refused("reference chain") || refused("by value") || refused("stack limit")):
		return &ResultError{e.Message}
	case ok && refused("Internal error"): // that is all that Chromium says
		return &ResultError{"a part of it throws when it is read"}
	}
	return err
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
