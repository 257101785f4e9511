package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

func TestEvaluate(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	for _, s := range []struct{ name, script, want, fails string }{
		{"expression", "1 + 1", "2", ""},
		{"object", "{a: [1, 'b']}", `{"a":[1,"b"]}`, ""},
		{"expression with its end", "document.title;", `"frame"`, ""},
		{"function", "() => 'x'", `"x"`, ""},
		{"function of old", "function() { return 'x' }", `"x"`, ""},
		{"function that waits", "async () => { await null; return 'x' }", `"x"`, ""},
		{"expression that waits", "await Promise.resolve('x')", `"x"`, ""},
		{"promise", "Promise.resolve('x')", `"x"`, ""},
		{"body", "const a = 1; return a + 1", "2", ""},
		{"body without a result", "let a = 1; a++", "", ""},
		{"comment at the end", "1 // one", "1", ""},
		{"undefined", "undefined", "", ""},
		{"null", "null", "null", ""},
		{"what JSON has no form for", "-Infinity", `"-Infinity"`, ""},
		{"big", "10n", `"10n"`, ""},
		{"element", "document.body", `"ref: <Node>"`, ""},
		{"window", "window", `"ref: <Window>"`, ""},
		{"what window.open returns", "open('about:blank')", `"ref: <Window>"`, ""},
		{"window of another origin", "({a: Object.assign(document.body.appendChild(document.createElement('iframe')), {src: 'data:,'}).contentWindow})", `{"a":"ref: <Window>"}`, ""},
		{"elements in a list", "[document.body, 1]", `["ref: <Node>",1]`, ""},
		{"a list of elements", "document.querySelectorAll('body')", `["ref: <Node>"]`, ""},
		{"list with holes", "(() => { const a = [document.body]; a[2] = 1; return a })()", `["ref: <Node>",null,1]`, ""},
		{"match in a list", "[/a/.exec('a'), document.body]", `[["a"],"ref: <Node>"]`, ""},
		{"object with a length", "({length: 1, a: document.body})", `{"length":1,"a":"ref: <Node>"}`, ""},
		{"own __proto__", `({["__proto__"]: document.body})`, `{"__proto__":"ref: <Node>"}`, ""},
		{"many elements", "Array(60000).fill(document.body)", "[" + strings.Repeat(`"ref: <Node>",`, 59999) + `"ref: <Node>"]`, ""},
		{"element behind a long list", "({a: Array(1e6).fill(0).length, b: document.body})", `{"a":1000000,"b":"ref: <Node>"}`, ""},
		{"element in an object", "({a: {b: document.body, c: NaN}})", `{"a":{"b":"ref: <Node>","c":null}}`, ""},
		{"date", "new Date(0)", `"1970-01-01T00:00:00.000Z"`, ""},
		{"dates", "({a: [new Date(0)], b: 1})", `{"a":["1970-01-01T00:00:00.000Z"],"b":1}`, ""},
		{"box", "() => { const {x, y} = new DOMRect(1, 2, 3, 4).toJSON(); return [new DOMRect(1, 2, 3, 4).x, new DOMRect(1, 2)].concat(x, y) }",
			`[1,{"x":1,"y":2,"width":0,"height":0,"top":2,"right":1,"bottom":2,"left":1},1,2]`, ""},
		{"address", "new URL('http://a/')", `"http://a/"`, ""},
		{"toJSON beside others", "({a: 1, toJSON: () => 2}).a", "1", ""},
		{"toJSON that throws", "new class { toJSON() { throw new TypeError('no form') } }", "", "TypeError: no form"},
		{"getter that throws", "({get a() { throw new RangeError('far') }})", "", "RangeError: far"},
		{"getter that throws within", "[{get a() { throw 'text' }}]", "", "text"},
		{"long list", "Array(200000).fill(0).length", "200000", ""},
		{"two circles", "(() => { const a = {}; a.a = a.b = a; return a })()", "", "is no JSON"},
		{"circle", "(() => { const a = {}; a.a = a; return a })()", "", "is no JSON"},
		{"throws", "null.x", "", "Cannot read properties of null"},
		{"throws text", "(() => { throw 'text' })()", "", "text"},
		{"refuses", "Promise.reject(new Error('no'))", "", "no"},
		{"bad grammar", "1 +", "", "SyntaxError"},
		{"throws a SyntaxError", "(globalThis.runs = (globalThis.runs ?? 0) + 1, JSON.parse('{'))", "", "SyntaxError"},
		{"ran once", "globalThis.runs", "1", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			got, err := evaluate(tt, s.script, time.Second)
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
				t.Errorf("got error %v, want %q", err, s.fails)
			}
			if string(got) != s.want {
				t.Errorf("got %s, want %s", got, s.want)
			}
		})
	}
}

// A script runs and returns its result whatever the page has done to its globals.
func TestEvaluateInAHostilePage(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, "/frame.html")
	for _, hostile := range []string{
		"delete window.Node",
		"window.Node = class { static [Symbol.hasInstance]() { throw 1 } }",
		"delete window.Promise",
		"window.Promise = function () { throw 1 }",
		"Promise.prototype.then = function () { throw 1 }",
		"Object.defineProperty(Promise, Symbol.species, { get() { throw 1 } })",
		"window.JSON = null; window.Object = null; window.Array = null; window.Symbol = null; window.Reflect = null; window.Proxy = null",
		"for (const p of [Object, Array, String, Function]) p.prototype.toJSON = () => { throw 1 }",
		"for (const n of ['map', 'push', 'slice', 'join', 'forEach']) Array.prototype[n] = () => { throw 1 }; Array.prototype[Symbol.iterator] = undefined",
		"for (const n of ['call', 'apply', 'bind', 'toString']) Function.prototype[n] = () => { throw 1 }",
		"Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(window.Promise)",
		"window.eval = undefined; window.Function = undefined",
		"window.Date = null",
		"document.head.insertAdjacentHTML('beforeend', `<meta http-equiv=Content-Security-Policy content=\"script-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'\">`)",
	} {
		t.Run(hostile, func(t *testing.T) {
			if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/frame.html") }); err != nil {
				t.Fatal(err)
			}
			evaluate(tt, hostile+"; undefined", 2*time.Second)
			for script, want := range map[string]string{
				"({a: [1, 'x', {b: null}]})":        `{"a":[1,"x",{"b":null}]}`,
				"() => 'text'":                      `"text"`,
				"async () => 2":                     "2",
				"document.body":                     `"ref: <Node>"`,
				"document":                          `"ref: <Node>"`,
				"const a = 3; return a":             "3",
				"({nodeType: 1, nodeName: 'none'})": `{"nodeType":1,"nodeName":"none"}`,
			} {
				if got, err := evaluate(tt, script, 2*time.Second); err != nil || string(got) != want {
					t.Errorf("%s: got %s, %v, want %s", script, got, err, want)
				}
			}
			script := "() => (globalThis.looks = (globalThis.looks ?? 0) + 1) > 2"
			if err := waiting(tt, 2*time.Second, func(ctx context.Context) error { return tt.WaitFunction(ctx, script) }); err != nil {
				t.Errorf("wait: %v", err)
			}
		})
	}
}

// Only the beginning is read of a result that is much too large, and of a large thrown value.
func TestLargeResults(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, "/frame.html")
	for _, s := range []struct{ name, script, begins string }{
		{"a text", `'x'.repeat(9e6)`, "xxx"},
		{"a text of many bytes", `'\u{1f600}'.repeat(3e6)`, "\U0001f600\U0001f600"},
		{"a list", `Array(9).fill('x'.repeat(1e6))`, `["xxx`},
	} {
		_, err := evaluate(tt, s.script, 30*time.Second)
		large, ok := errors.AsType[*page.LargeResult](err)
		if !ok || !strings.HasPrefix(large.Beginning, s.begins) || large.Missing < 1e6 {
			t.Errorf("%s: got %.100v", s.name, err)
		}
	}
	for _, script := range []string{`throw new Error('x'.repeat(9e6))`, `throw 'Error: ' + 'x'.repeat(9e6)`} {
		_, err := evaluate(tt, script, 30*time.Second)
		if threw, ok := errors.AsType[*page.ScriptError](err); !ok || !strings.Contains(threw.Text, "Error: xxx") {
			t.Errorf("%s: got %.100v", script, err)
		}
	}
	deep := `(() => { let o = {}; for (let i = 0; i < 500; i++) o = {o}; return o })()`
	if _, err := evaluate(tt, deep, 2*time.Second); !isResultError(err) {
		t.Errorf("a deep object: got %v", err)
	}
}

func isResultError(err error) bool {
	_, ok := errors.AsType[*page.ResultError](err)
	return ok
}

func evaluate(t *tab.Tab, script string, limit time.Duration) (raw json.RawMessage, err error) {
	err = t.InTurn(limit, func(ctx context.Context) error {
		return t.Act(ctx, func(ctx context.Context) error {
			raw, _, err = t.Evaluate(ctx, script, nil)
			return err
		})
	})
	return raw, err
}

func TestEvaluateOnAnElement(t *testing.T) {
	for _, target := range []string{`"In same" > button "Press"`, `"In other" > button "Press"`} {
		tt := tab.Borrow(t, "/frames.html?other="+tab.Elsewhere())
		var got json.RawMessage
		err := tt.On(target, func(ctx context.Context, el *page.Element) (err error) {
			got, _, err = tt.Evaluate(ctx, "el => el.textContent + location.search", el)
			return err
		})
		name := strings.Fields(target)[1]
		if want := `"Press?name=` + strings.TrimSuffix(name, `"`) + `"`; err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

// A script that does not end is ended; the page and its other scripts continue.
func TestEvaluateEndsAtItsDeadline(t *testing.T) {
	long.Test(t)
	for _, script := range []string{"for (;;);", "(async () => { for (;;) await null })()", "new Promise(() => {})"} {
		tt := tab.Borrow(t, "/frame.html")
		began := time.Now()
		_, err := evaluate(tt, script, 400*time.Millisecond)
		if !errors.Is(err, page.ErrScriptTimeout) || !errors.Is(err, page.ErrSent) {
			t.Errorf("%s: got %v", script, err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: took %v", script, took)
		}
		if err := tt.On(`button "Press"`, tab.Click); err != nil || tt.Last() != "frame pressed trusted" {
			t.Errorf("%s: then got %v, page told %q", script, err, tt.Logged())
		}
	}
}

// If a call is cancelled, nobody waits for its script, and the next call must not wait for it
// either.
func TestEvaluateEndsWithItsCaller(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	err := tt.InTurn(10*time.Second, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(100*time.Millisecond, cancel)
		_, _, err := tt.Evaluate(ctx, "for (;;);", nil)
		return err
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
	if err := tt.On(`button "Press"`, tab.Click); err != nil || tt.Last() != "frame pressed trusted" {
		t.Errorf("then got %v, page told %q", err, tt.Logged())
	}
}

func TestEvaluateThatLeaves(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	if _, err := evaluate(tt, "location = 'echo?a=1'", 2*time.Second); err != nil {
		t.Fatal(err)
	}
	if got := tt.URL(); !strings.HasSuffix(got, "/echo?a=1") {
		t.Errorf("the tab is at %s", got)
	}
}

// A script of the caller sees the variables of the page, whatever names chela's own code around the
// script uses.
func TestScriptsSeeNoVariablesOfChela(t *testing.T) {
	names := []string{"answer", "thrown", "cut", "left", "isNode", "isWindow", "plain", "value", "run", "f", "round", "test", "e", "t", "resolve"}
	tt := tab.Open(t, pages.HTML(`<script>for (const name of `+strings.ReplaceAll(fmt.Sprintf("%q", names), " ", ",")+`) window[name] = 7</script>`))
	for _, name := range names {
		for _, script := range []string{name, "() => " + name, "return " + name} {
			if got := tab.Run[int](tt, script); got != 7 {
				t.Errorf("%s: got %d", script, got)
			}
			if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.WaitFunction(ctx, script+" === 7") }); err != nil {
				t.Errorf("wait for %s: %v", script, err)
			}
		}
		tab.Run[any](tt, name+" = 42")
		if got := tab.Run[int](tt, "window."+name); got != 42 {
			t.Errorf("%s = 42: the page has %d", name, got)
		}
	}
}
