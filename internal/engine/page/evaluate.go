package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

var (
	// ErrScriptTimeout says that a script of the caller did not end before the deadline.
	ErrScriptTimeout = errors.New("the script did not end in time")

	// ErrScriptReplaced says that the document of a script of the caller was replaced while it ran.
	ErrScriptReplaced = errors.New("the document was replaced while the script ran")
)

// A ScriptError says what a script of the caller threw.
type ScriptError struct {
	Text   string // first line of the exception, as Chromium writes it
	Syntax bool   // the script could not be parsed, so nothing of it ran
}

func (e *ScriptError) Error() string { return "the script threw: " + e.Text }

// A ResultError says that the result of a script cannot be written as JSON.
type ResultError struct{ Reason string }

func (e *ResultError) Error() string { return "the script's result is no JSON: " + e.Reason }

// A LargeResult is the error for a result that is too large to be read as a whole.
type LargeResult struct {
	Beginning string // if the result is a text, its beginning; otherwise the beginning of its JSON
	Missing   int    // how many bytes of the JSON were not read
}

func (e *LargeResult) Error() string {
	return fmt.Sprintf("%d bytes of the result were not read", e.Missing)
}

// maxResult limits how many bytes of a script's result are read. It is more than callers show of a
// result, see [LargeResult].
const maxResult = 4 << 20

// Evaluate runs a script of the caller in the main world, where it sees what scripts of the page
// see. The script is a function, an expression, or the body of a function (body). With an element it runs
// in the element's document; a function gets the element as its argument. The result is JSON, nil
// if the script returned undefined.
//
// If the script did not end in time, it has been ended, and the error is ErrScriptTimeout. But
// JavaScript cannot end an asynchronous function that awaits something: it continues later. Other
// errors are ErrScriptReplaced, a [ScriptError], a [ResultError], a [LargeResult], a
// [StaleRefError], or why the turn ended. ErrSent comes with an error after which the script may
// have run.
func (p *Page) Evaluate(ctx context.Context, script string, el *Element) (raw json.RawMessage, body bool, err error) {
	in := p.main()
	if el != nil {
		in = el.frame
	}
	if err := p.awake(ctx, in); err != nil {
		return nil, false, el.orStale(err)
	}
	w, err := p.mainWorld(ctx, in)
	if err != nil {
		return nil, false, el.orStale(err)
	}
	var arg runtime.RemoteObjectID
	if el != nil {
		defer releaseElement(w.Session)
		if arg, err = el.inMainWorld(ctx); err != nil {
			return nil, false, el.orStale(err)
		}
	}
	raw, ran, err := p.runFirst(ctx, w, arg, expressionSource(script), bodySource(script))
	return raw, ran > 0, scriptFailure(ctx, err)
}

// Call calls a function in the main world, with arguments that can be written as JSON. It is for
// pages that chela itself has made. It returns the errors of [Page.Evaluate].
func (p *Page) Call(ctx context.Context, function string, args ...any) (json.RawMessage, error) {
	w, err := p.mainWorld(ctx, p.main())
	if err != nil {
		return nil, err
	}
	var values []*runtime.CallArgument
	for _, arg := range args {
		values = append(values, frame.Value(arg))
	}
	raw, err := callFunction(ctx, w, function, values...)
	return raw, scriptFailure(ctx, err)
}

// scriptFailure translates an error that ended a script of the caller: its deadline passed, or its
// document is gone. Such a script may have run, and so may one whose caller has left, or whose frame
// has crashed: ErrSent says so. Other errors stay as they are.
func scriptFailure(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, ErrScriptTimeout):
		return withSent(ErrScriptTimeout)
	case errors.Is(err, frame.ErrGone):
		return withSent(ErrScriptReplaced)
	case ctx.Err() != nil, errors.Is(err, ErrFrameCrashed):
		return withSent(err)
	}
	return err
}

// expressionSource returns the source of a function that evaluates a script as an expression, and
// calls its value if that is a function. The source awaits a promise and does not return it. If an
// asynchronous function returns a promise, JavaScript calls the promise's then method, which the
// page may have replaced; await does not call it.
func expressionSource(script string) string {
	script = strings.TrimRight(strings.TrimSpace(script), ";")
	return functionSource("return await (given => typeof given === 'function' ? given(el) : given)((\n" + script + "\n));")
}

// bodySource returns the source of a function with a script as its body.
func bodySource(script string) string { return functionSource("\n" + script + "\n") }

// functionSource returns the source of a function with this body. Its result is simplified, see
// declarePlain. The body stands outside of the code that runs it: the variables of that code would
// hide those of the page. It sees el alone.
//
// If the script throws a long text, the text is shortened. Chromium sends what was thrown in the
// place of the result. So a long text would look like a result that is too large to be read.
func functionSource(body string) string {
	return `(el) => (async (run) => { let answer; try { answer = await run(); } catch (thrown) {
		if (typeof thrown !== 'string' || thrown.length <= 10000) throw thrown;
		let cut = '';
		for (let i = 0; i < 10000; i++) cut += thrown[i];
		throw cut + '… (' + (thrown.length - 10000) + ' more characters)';
	}` + declarePlain + `
	return plain(answer, 0);
})(async () => {` + body + "})"
}

// declarePlain declares plain(value, depth), which returns a value that can be written as JSON. A
// node or window becomes a text that says so, with the words of OpenClaw. An object without own
// properties becomes what its toJSON returns. Chromium would return {} for a date, an address or a
// DOMRect. What a getter or toJSON throws is the script's error.
//
// Nodes are recognized by their properties and not by instanceof Node. A page may have removed or
// replaced any global, such as Node or Promise, so this code uses only syntax. Of a window, pages
// cannot replace the property window, which other origins may read too. Objects are copied
// only if something in them changes. A list is recognized by its length, and by keys that are all
// below the length. Chromium refuses values that are too deep or refer to themselves.
//
// For a large value, only as many properties are visited as fit into what callers show of a result.
// The rest is returned as it is. A value may refer to itself in many ways, or be a list of millions
// of numbers.
const declarePlain = `
	let left = 300000; // properties to look at
	const isNode = (value) => {
		try {
			return typeof value.nodeType === 'number' && typeof value.nodeName === 'string' && 'ownerDocument' in value;
		} catch { return false; /* it refuses to be looked at */ }
	};
	const isWindow = (value) => { try { return value.window === value; } catch { return false; } };
	const plain = (value, depth) => {
		if (typeof value !== 'object' || value === null || depth > 100 || left-- <= 0) return value;
		if (isNode(value)) return 'ref: <Node>';
		if (isWindow(value)) return 'ref: <Window>';
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

// runFirst tries the given functions in the main world, and returns the result of the first one
// that can be parsed, with its index. A function that still runs when its call ends is ended, so that it does not
// block the page for later calls.
func (p *Page) runFirst(ctx context.Context, w *frame.World, arg runtime.RemoteObjectID, functions ...string) (raw json.RawMessage, ran int, err error) {
	for i, function := range functions {
		ran = i
		raw, err = p.runIn(ctx, w, arg, function)
		if e, ok := errors.AsType[*ScriptError](err); !ok || !e.Syntax {
			break
		}
	}
	if err != nil {
		endScript(ctx, w.Session)
	}
	return raw, ran, err
}

// endScript ends the script of a call that nobody waits for any more: its deadline passed, or its
// caller cancelled it. A script that waits for the answer to a dialog continues to wait. At the end
// of a round of a wait, nothing is ended: what keeps a frame busy then is a script of the page.
func endScript(ctx context.Context, s *cdp.Session) {
	if cause := context.Cause(ctx); cause != nil && cause != errRoundOver && !interrupts(cause) {
		interruptScript(s)
	}
}

// runIn runs a function in the main world, with an object of that world as its argument; "": none.
func (p *Page) runIn(ctx context.Context, w *frame.World, arg runtime.RemoteObjectID, function string) (json.RawMessage, error) {
	switch {
	case arg != "":
		return callFunction(ctx, w, function, frame.Object(arg))
	case p.isLent():
		return callFunctionFor(ctx, w, function)
	}
	return callFunction(ctx, w, function)
}

// callFunction calls a function in the main world, and returns its result as JSON.
func callFunction(ctx context.Context, w *frame.World, function string, args ...*runtime.CallArgument) (json.RawMessage, error) {
	res, err := cdp.CallWithin(ctx, w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, UniqueContextID: w.UniqueID, Arguments: args,
		ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true),
	}, maxResult)
	return scriptResult(ctx, runtime.EvaluateResult(res), err)
}

// callFunctionFor calls a function in the main world with a time limit, at which Chromium ends it.
// It is for a tab that is reached through an extension, because chela cannot end a script there.
// The limit covers what runs at once, but not what the function continues later, after an await.
func callFunctionFor(ctx context.Context, w *frame.World, function string) (json.RawMessage, error) {
	began, left := time.Now(), max(time.Until(ScriptDeadline(ctx)).Truncate(time.Millisecond), time.Millisecond)
	res, err := cdp.CallWithin(ctx, w.Session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "(" + function + ")()", UniqueContextID: w.UniqueID, Timeout: runtime.TimeDelta(left.Milliseconds()),
		ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true),
	}, maxResult)
	if _, refused := errors.AsType[*cdp.Error](err); refused && time.Since(began) >= left {
		return nil, ErrScriptTimeout // Chromium has several messages for a timeout, so the time decides
	}
	return scriptResult(ctx, res, err)
}

// scriptResult returns the result of a script as JSON, or the error with which the script or the
// call ended.
func scriptResult(ctx context.Context, res runtime.EvaluateResult, err error) (json.RawMessage, error) {
	if large, ok := errors.AsType[*cdp.LargeError](err); ok {
		return nil, largeResultError(large)
	}
	if err != nil {
		return nil, resultError(frame.Failure(ctx, err))
	}
	if d := res.ExceptionDetails; d != nil {
		return nil, scriptError(d)
	}
	return jsonOf(res.Result), nil
}

// scriptError returns the [ScriptError] for what a script threw. The functions are asynchronous, so
// whatever they throw when they run rejects their promise ("Uncaught (in promise)"). A SyntaxError
// without that text comes from the parser: nothing of the script ran.
func scriptError(d *runtime.ExceptionDetails) error {
	text := frame.ExceptionText(d)
	syntax := strings.HasPrefix(text, "SyntaxError") && !strings.Contains(d.Text, "in promise")
	return &ScriptError{Text: firstLine(text), Syntax: syntax}
}

// jsonOf returns a script's result as JSON. Numbers that JSON cannot represent, such as NaN and
// 10n, become text.
func jsonOf(o *runtime.RemoteObject) json.RawMessage {
	switch {
	case len(o.Value) > 0:
		return json.RawMessage(o.Value)
	case o.UnserializableValue != "":
		raw, _ := json.Marshal(string(o.UnserializableValue))
		return raw
	}
	return nil
}

// largeResultError returns the error for a reply that is too large to be read. It is a
// [ScriptError] if the script threw an error, and otherwise a [LargeResult]. A thrown Error has the
// value {}, but a description that can be large.
func largeResultError(large *cdp.LargeError) error {
	if details, threw := bytes.CutPrefix(large.Beginning, []byte(`{"exceptionDetails":`)); threw { // the extension sorts fields, so exceptionDetails come first
		_, text, _ := bytes.Cut(details, []byte(`"description":"`))
		return &ScriptError{Text: firstLine(decodeBeginning(string(text)))}
	}
	if _, details, threw := bytes.Cut(large.Beginning, []byte(`,"exceptionDetails":{"exceptionId":`)); threw {
		_, text, _ := bytes.Cut(details, []byte(`"text":"`))
		return &ScriptError{Text: firstLine(strings.TrimPrefix(decodeBeginning(string(text)), "Uncaught (in promise) "))}
	}
	_, value, _ := bytes.Cut(large.Beginning, []byte(`"value":`))
	text := strings.ToValidUTF8(string(value), "")
	if quoted, isText := strings.CutPrefix(text, `"`); isText {
		text = decodeBeginning(quoted)
	}
	return &LargeResult{Beginning: text, Missing: large.Bytes - len(large.Beginning)}
}

// decodeBeginning decodes the beginning of a JSON string, which may end within an escape.
func decodeBeginning(quoted string) (text string) {
	for end := range min(len(quoted), len(`\ud83d\ude0`)) {
		if json.Unmarshal([]byte(`"`+quoted[:len(quoted)-end]+`"`), &text) == nil {
			return text
		}
	}
	return ""
}

// resultError makes a [ResultError] of Chromium's error for a result that it cannot return by
// value. Such a result refers to itself, or throws when it is read, for example.
func resultError(err error) error {
	e, ok := errors.AsType[*cdp.Error](err)
	refused := func(why string) bool { return strings.Contains(e.Message, why) }
	switch {
	case ok && (refused("reference chain") || refused("by value") || refused("stack limit")):
		return &ResultError{e.Message}
	case ok && refused("Internal error"): // Chromium says no more than this
		return &ResultError{"a part of it throws when it is read"}
	}
	return err
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
