package acts

import (
	"chela/test/long"
	"chela/test/tab"
	"strings"
	"testing"
)

// In a framework, the root element listens for all events of the page. The elements that have
// handlers of the framework are shown as clickable or droppable.
func TestHandlersOfFrameworks(t *testing.T) {
	long.Test(t)
	const many = `for (let i = 0; i < 21; i++) document.body.addEventListener(i ? 'x' + i : 'mousedown', () => {});`
	for _, c := range []struct{ name, script, want string }{
		{"React", many + `
			a.__reactProps$x1 = { onMouseDown() {}, onFocus() {}, children: [] };
			b.__reactProps$x1 = { onDoubleClick() {}, onMouseEnter() {} };
			c.__reactProps$x1 = { onClick: null };`, `
- generic [ref=e1] [clickable]: First
- generic [ref=e2] [doubleclickable]: Second
- text: Third`},
		{"React before 17", many + `a.__reactEventHandlers$x1 = { onPointerDown() {} };`, `
- generic [ref=e1] [clickable]: First
- text: Second
- text: Third`},
		{"Solid", `document._$DX_DELEGATE = new Set(['click']); document.addEventListener('click', () => {}); b.$$click = () => {};`, `
- text: First
- generic [ref=e1] [clickable]: Second
- text: Third`},
		{"Svelte", `self.__svelte = {}; document.addEventListener('click', () => {}); b.__click = () => {}; c.__other = 1;`, `
- text: First
- generic [ref=e1] [clickable]: Second
- text: Third`},
		{"Svelte 5.57", `self.__svelte = {}; document.addEventListener('click', () => {}); const events = Symbol('events');
			b[events] = { click() {}, focus() {} }; c[events] = { click: undefined }; a[Symbol('other')] = { click() {} };`, `
- text: First
- generic [ref=e1] [clickable]: Second
- text: Third`},
		{"jQuery", `document.addEventListener('click', () => {}); document.jQuery1 = true;
			self.jQuery = Object.assign(() => ({ find: () => ({ toArray: () => [c] }) }), {
				expando: 'jQuery1', _data: el => el === document
					? { click: [{ selector: '#b' }, { selector: ':odd' }, {}], focus: [{ selector: '#a' }] } : undefined,
			});`, `
- text: First
- generic [ref=e1] [clickable]: Second
- generic [ref=e2] [clickable]: Third`},
		{"jQuery that is no global", `document.addEventListener('click', () => {});
			document.jQuery42 = { events: { click: Object.assign([{ selector: '#c' }], { delegateCount: 1 }) } };`, `
- text: First
- text: Second
- generic [ref=e1] [clickable]: Third`},
		{"interact.js", `document.addEventListener('pointerdown', () => {});
			const zone = (target, enabled) => ({ target, options: { drop: { enabled } } });
			self.interact = { scope: { interactables: { list: [zone('#a', true), zone(b, true), zone('#c', false)] } } };`, `
- generic [ref=e1] [droppable]: First
- generic [ref=e2] [droppable]: Second
- text: Third`},
		{"none", `document.addEventListener('focus', () => {}); a.__reactProps$x1 = { onClick() {} };`, `
- text: First
- text: Second
- text: Third`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tt := tab.Open(t, "/frame.html")
			tab.Run[any](tt, `document.body.innerHTML = '<div id=a>First</div><div id=b>Second</div><div id=c>Third</div>';`+c.script+`; undefined`)
			for range 2 { // the second snapshot asks for the handlers before the browser answers with the listeners
				if got := tt.Text(); got != strings.TrimSpace(c.want) {
					t.Errorf("got\n%s\nwant%s", got, c.want)
				}
			}
		})
	}
}

// Handlers that come with a new rendering are seen at once, and follow their elements.
func TestHandlersChange(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<div id=a>First</div><div id=b>Second</div>';
		for (let i = 0; i < 21; i++) document.body.addEventListener('x' + i, () => {});
		a.__reactProps$x1 = { onMouseDown() {} }; undefined`)
	tt.Text()
	tab.Run[any](tt, `a.__reactProps$x1 = {}; b.__reactProps$x1 = { onMouseDown() {} };
		document.body.prepend(document.createElement('hr')); undefined`)
	if got, want := tt.Text(), "- separator\n- text: First\n- generic [ref=e2] [clickable]: Second [new]"; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A framework writes a view again: the same handlers are at the same places, for other elements.
func TestHandlersOfReplacedElements(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `for (let i = 0; i < 21; i++) document.body.addEventListener('x' + i, () => {});
		self.write = () => {
			document.body.innerHTML = '<div id=a>First</div><div id=b>Second</div>';
			b.__reactProps$x1 = { onMouseDown() {} };
		};
		write()`)
	for range 3 {
		if got, want := tt.Text(), "- text: First\n- generic [ref=e1] [clickable]: Second"; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		tab.Run[any](tt, `write()`)
	}
}

// Elements come and go while a page is read. Then it is not known which elements the handlers belong
// to: they are asked for again, and what was known of an element stays.
func TestHandlersOfAChangingPage(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<div id=a>First</div><div id=b>Second</div>';
		for (let i = 0; i < 21; i++) document.body.addEventListener('x' + i, () => {});
		self.changes = 0;
		a.__reactProps$x1 = { get onMouseDown() {
			if (changes-- > 0) queueMicrotask(() => document.body.append(document.createElement('i')));
			return () => {};
		} }; undefined`)
	for _, changes := range []string{"1", "2", "1e9"} {
		tab.Run[any](tt, `changes = `+changes)
		if got, want := tt.Text(), "- generic [ref=e1] [clickable]: First\n- text: Second"; got != want {
			t.Errorf("%s changes: got\n%s\nwant\n%s", changes, got, want)
		}
	}
}
