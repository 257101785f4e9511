package page_test

import (
	"context"
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

// A click whose press got lost is made again: a release alone is no click.
func TestClickWhosePressGetsLost(t *testing.T) {
	tt := tab.Borrow(t, "/pointer.html")
	err := tt.On(`button "Pad"`, page.ClickLosing)
	if err != nil || !strings.HasSuffix(tt.Logged(), "trusted") || strings.Count("\n"+tt.Logged(), "\nclick ") != 1 || strings.Count("\n"+tt.Logged(), "\npointerup ") != 1 {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// If the page is asked for its verdict before the click has come, it waits for the click. If there is
// no click after the press, the wait ends.
func TestClickThatComesAfterTheQuestion(t *testing.T) {
	story{"a click", "/slips.html", `button "Moves"`, page.ClickAskedEarly, "click Moves", ""}.test(t)
	story{"removed on release", "/slips.html", `"Goes when released"`, page.ClickAskedEarly, "chosen", ""}.test(t)
	story{"a press is enough", "/slips.html", `textbox "Text"`, page.ClickAskedEarly, "", ""}.test(t)
}

// The guard of a click lasts as long as the call. If it ended earlier, the page would get a late click
// unseen, and the click would be sent again.
func TestClickThatIsSentLater(t *testing.T) {
	tt := tab.Borrow(t, "/pointer.html")
	err := tt.OnRefFor(10*time.Second, tt.Ref(`button "Pad"`), page.ClickSentLater)
	if err != nil || strings.Count("\n"+tt.Logged(), "\nclick ") != 1 {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// A button that moves away while it is pressed gets one click, which the mouse makes later. A button that
// is then in the old place gets nothing.
func TestClickThatSlips(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, "/slips.html")
	err := tt.On(`button "Moves"`, func(ctx context.Context, el *page.Element) error { return page.ClickSlipping(ctx, el, "move()") })
	if got := tt.Logged(); err != nil || got != "click Moves" {
		t.Errorf("got %v, page told %q", err, got)
	}
	t.Run("always", func(t *testing.T) { // ends after some attempts, and not at a deadline
		tt := tab.Borrow(t, "/slips.html")
		err := tt.OnRefFor(10*time.Second, tt.Ref(`"Moves when active"`), tab.Click)
		if err == nil || !strings.Contains(err.Error(), ": slipped") || tt.Logged() != "" {
			t.Errorf("got %v, page told %q", err, tt.Logged())
		}
	})
	story{"the page answers the press", "/slips.html", `"Opens when pressed"`, tab.Click, "opened", ""}.test(t)
	story{"the page keeps the pointer", "/slips.html", `"Inside what keeps the pointer"`, tab.Click, "kept", ""}.test(t)
	story{"removed on release", "/slips.html", `"Goes when released"`, tab.Click, "chosen", ""}.test(t)
	story{"disabled on release", "/slips.html", `"Sends when released"`, tab.Click, "sent", ""}.test(t)
	story{"the blur is the answer", "/slips.html", `"Suggestion"`, tab.Click, "took it", ""}.test(t)
	story{"a press is enough", "/slips.html", `textbox "Text"`, tab.Click, "", ""}.test(t)
}

// The page answers the press without a change of the document, and no click follows. The page gets one
// press and one release, whatever it did with them. The click is completed if the element has moved away.
// If it is covered, the caller is told.
func TestPressIsNeverRepeated(t *testing.T) {
	button := func(press string) string {
		return `<button class=pay style="margin-top:200px" onpointerdown="log('down')" onclick="log('click')" onmousedown="` + press + `">Pay</button>`
	}
	const popover = `<div id=pop popover=manual style="position:fixed;inset:0;width:100%;height:100%">wait</div>`
	for _, s := range []struct{ name, html, told, logged string }{
		{"it scrolls", button(`window.scrollBy(0, 200)`) + `<p style="height:3000px">`, "", "down up click"},
		{"it animates", button(`this.animate([{translate: '300px'}, {translate: '300px'}], {duration: 200})`), "", "down up click"},
		{"it moves with a style sheet", `<style id=st>.x {}</style>` + button(`st.sheet.insertRule('.pay { translate: 300px }')`), "", "down up click"},
		{"it ignores the mouse", `<style id=st>.x {}</style>` + button(`st.sheet.insertRule('.pay { pointer-events: none }')`), ": unclicked by body", "down up"},
		{"a popover covers it", button(`pop.showPopover()`) + popover, ": unclicked by div#pop", "down up"},
		{"a popover covers it for a moment", button(`pop.showPopover(); setTimeout(() => pop.hidePopover(), 60)`) + popover, ": unclicked by div#pop", "down up"},
		{"a closed shadow root covers it", button(`cover.hidden = false`) + `<div id=host></div><script>
			const cover = host.attachShadow({ mode: 'closed' }).appendChild(Object.assign(document.createElement('div'), { hidden: true, style: 'position:fixed;inset:0' }))</script>`,
			": unclicked by div#host", "down up"},
		{"it moves each time", `<style>.pay:active { translate: 300px }</style>` + button(``), ": slipped", "down up"},
		{"a field that is left moves it", `<input id=q onblur="message.style.height = '90px'"><p id=message></p><script>q.focus()</script>` + button(``), "", "down up click"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<script>const seen = [], log = text => { seen.push(text) }; addEventListener('mouseup', () => log('up'), true)</script>`+s.html))
			told := ""
			err := tt.OnRefFor(5*time.Second, tt.Ref(`"Pay"`), func(ctx context.Context, el *page.Element) error {
				return el.Click(ctx, page.Click{Doubt: func(err error) { told = err.Error() }})
			})
			if err != nil {
				told = err.Error()
			}
			if (s.told == "") != (told == "") || !strings.HasSuffix(told, s.told) || tab.Run[string](tt, "seen.join(' ')") != s.logged {
				t.Errorf("told %q, page told %q", told, tab.Run[string](tt, "seen.join(' ')"))
			}
		})
	}
}

// The press reaches an element, and no click does. If the element has changed since, or the page answers
// the press, that may have been enough. So no click is sent: an error for the caller says so.
func TestClickThatIsLost(t *testing.T) {
	const cover = `document.body.append(Object.assign(document.createElement('div'), {style: 'position:fixed;inset:0', id: 'cover'}))`
	const unclicked = ": unclicked by div#cover"
	field := func(blur string) string {
		return `<input id=q onblur="` + blur + `"><p id=message></p><script>q.focus()</script>`
	}
	for _, s := range []struct{ name, html, told, logged string }{
		{"a field that is left moves it", field(`message.style.height = '90px'`) + `<button onclick="log('saved')">Save</button>`, "", "saved"},
		{"a field that is left ends the editing", field(`message.style.height = '90px'; save.textContent = 'Edit'; log('saved')`) + `<button id=save onclick="log('edits again')">Save</button>`,
			": unclicked by p#message", "saved"},
		{"a field that is left hides it", field(`save.hidden = true`) + `<button id=save onclick="log('saved')">Save</button>`, ": unclicked by html", ""},
		{"a field that is left disables it", field(`save.disabled = true; setTimeout(() => { save.disabled = false }, 300); message.style.height = '90px'`) +
			`<button id=save onclick="log('saved')">Save</button>`, ": unclicked by p#message", ""},
		{"the press moves the focus, and then covers it", field(``) + `<button onmousedown="this.blur(); ` + cover + `" onclick="log('saved')">Save</button>`, unclicked, ""},
		{"the mousedown covers it", `<button onmousedown="` + cover + `" onclick="log('saved')">Save</button>`, unclicked, ""},
		{"the pointerdown covers it", `<button onpointerdown="` + cover + `" onclick="log('saved')">Save</button>`, unclicked, ""},
		{"the pointerdown makes it again", `<svg id=s width=200 height=100><rect width=200 height=100 fill=wheat></rect><text id=x aria-label=Save role=button x=40 y=60 font-size=30></text></svg><script>
			const fill = () => { x.innerHTML = '<tspan>HHHH</tspan>'; s.append(x) }
			fill(); x.onpointerdown = x.onpointerup = fill; x.onmousedown = x.onclick = () => log('chosen')</script>`, ": unclicked by svg#s", ""},
		{"a list that opens covers it", `<button aria-expanded=false onmousedown="this.ariaExpanded = true; log('opened'); ` + cover + `">Save</button>`, "", "opened"},
		{"an entry that is pressed is removed", `<button onmousedown="this.remove(); log('chosen')">Save</button>`, "", "chosen"},
		{"a button with other words comes in its place", `<div id=w><button onmousedown="w.innerHTML = '<button>Save (1 error)</button>'" onclick="log('saved')">Save</button></div>`, `: unclicked by button "Save (1 error)"`, ""},
		{"a button for presses becomes another", `<div id=w><button onmousedown="log('bought'); w.innerHTML = '<button>Undo</button>'">Save</button></div>`, "", "bought"},
		{"a button that was below is seen", `<button style="position:absolute;left:0;top:0">Below</button><button style="position:absolute;left:0;top:0" onmousedown="this.remove(); log('chosen')">Save</button>`, "", "chosen"},
		{"an entry is pressed, and a button comes in its place", `<ul role=menu><li role=menuitem tabindex=0 onmousedown="this.outerHTML = '<button style=width:100%>Undo</button>'; log('chosen')">Save</ul>`, "", "chosen"},
		{"the press changes what the click is for", `<label for=i id=w><div tabindex=-1><div style="height:40px"><span>Rome <i id=x role=button tabindex=-1>x</i></span>` +
			`<input id=i style="position:absolute;width:1px;height:1px;opacity:0;border:0" aria-label=Save role=combobox readonly></div></div></label>` +
			`<script>w.onmousedown = () => { x.tabIndex = 0 }; w.onclick = event => { event.preventDefault(); log('opened') }</script>`, "", "opened"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script>`+s.html))
			told := ""
			err := tt.OnRefFor(5*time.Second, tt.Ref(`"Save"`), func(ctx context.Context, el *page.Element) error {
				return el.Click(ctx, page.Click{Doubt: func(err error) { told = err.Error() }})
			})
			if err != nil || s.told == "" && told != "" || !strings.HasSuffix(told, s.told) || tt.Logged() != s.logged {
				t.Errorf("got %v, told %q, page told %q", err, told, tt.Logged())
			}
		})
	}
}

// A click on a list item never presses a button that appears in the item. The mouse may bring the button,
// the press, or the blur of another field.
func TestClickPressesNothingThatAppearsInside(t *testing.T) {
	const list = `<style>li { position: relative; width: 300px; padding: 12px; cursor: pointer } .act { position: absolute; inset: 0; display: flex; justify-content: center; align-items: center }</style>
		<ul id=u><li>Save</li><li>Other</li></ul><script>
		u.onclick = ({ target }) => { if (!target.matches('input')) log(target.localName === 'button' ? 'deleted' : 'opened') };
		function show(li) { if (!li.querySelector('.act')) li.insertAdjacentHTML('beforeend', '<span class=act><button>Delete</button></span>') }</script>`
	for _, s := range []struct{ name, html, told, logged string }{
		{"at the press", list + `<script>u.onmousedown = ({ target }) => show(target.closest('li'))</script>`, ": unclicked by button", ""},
		{"under the mouse", list + `<script>u.onmouseover = ({ target }) => show(target.closest('li'))</script>`, "", "opened"},
		{"under the mouse, by its style", list + `<style>.act { display: none } li:hover .act { display: flex }</style><script>show(u.children[0])</script>`, "", "opened"},
		{"when a field is left", list + `<input id=q><script>q.focus(); q.onblur = () => show(u.children[0])</script>`, ": unclicked by button", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script>`+s.html))
			told := ""
			err := tt.OnRefFor(5*time.Second, tt.Ref(`listitem`), func(ctx context.Context, el *page.Element) error {
				return el.Click(ctx, page.Click{Doubt: func(err error) { told = err.Error() }})
			})
			if err != nil || !strings.Contains(told, s.told) || tt.Logged() != s.logged {
				t.Errorf("got %v, told %q, page told %q", err, told, tt.Logged())
			}
		})
	}
}

// The page shows another item in the element when the mouse comes, or between two clicks. That item gets
// no click.
func TestClickOnAnItemThatIsReused(t *testing.T) {
	for name, s := range map[string]struct {
		on     string
		count  int
		logged string
	}{"the mouse comes": {"mouseover", 1, ""}, "the first of two clicks": {"click", 2, "deleted Alice"}} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><ul id=u></ul><script>
				let items = ['Alice', 'Bob', 'Cyd', 'Dora'], done = false;
				const find = target => [...u.children].indexOf(target.closest('li'));
				function render() { while (u.children.length > items.length) u.lastChild.remove(); items.forEach((name, i) => { u.children[i].firstChild.data = name }) }
				u.innerHTML = items.map(name => '<li>' + name + ' <button>Delete</button></li>').join('');
				u.onclick = ({ target }) => { if (target.localName === 'button') log('deleted ' + items[find(target)]) };
				u.addEventListener('`+s.on+`', () => { if (!done) { done = true; items.splice(0, 1); render() } });</script>`))
			err := tt.OnRefFor(5*time.Second, tt.Ref(`button "Delete"`), func(ctx context.Context, el *page.Element) error {
				return el.Click(ctx, page.Click{Count: s.count})
			})
			if err == nil || tt.Logged() != s.logged {
				t.Errorf("got %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// Buttons that toggle keep their refs, although most of a bar have other names after some clicks.
func TestClickOnTogglesOfABar(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><div onclick="const b = event.target, names = b.title.split('/'); log(b.textContent); b.textContent = names[+(b.textContent === names[0])]">
		<button title="Mute/Unmute">Mute</button><button title="Stop video/Start video">Stop video</button><button title="Raise hand/Lower hand">Raise hand</button></div>`))
	mute, stop := tt.Ref(`button "Mute"`), tt.Ref(`button "Stop video"`)
	for _, ref := range []string{mute, stop, mute} {
		if err := tt.OnRef(ref, tab.Click); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := tt.Logged(), "Mute\nStop video\nUnmute"; got != want {
		t.Errorf("clicked %q, want %q", got, want)
	}
}

// A person who double-clicks a cell edits it in a field that the first click brings.
func TestDoubleClickThatEdits(t *testing.T) {
	for _, field := range []string{"input", "textarea"} {
		t.Run(field, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><table><tr><td>One<td>x<tr><td>Two<td>x</table><script>
				for (const cell of document.querySelectorAll('td:first-child')) {
					cell.onclick = () => { if (cell.firstElementChild) return; const f = document.createElement('`+field+`'); f.value = cell.textContent; cell.replaceChildren(f); f.focus(); };
					cell.ondblclick = () => log('twice');
				}</script>`))
			err := tt.OnRefFor(5*time.Second, tt.Ref(`cell "Two"`), func(ctx context.Context, el *page.Element) error {
				return el.Click(ctx, page.Click{Count: 2})
			})
			if err != nil || tt.Logged() != "twice" {
				t.Errorf("got %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// A press puts a control under the mouse. It gets no click, whatever it is.
func TestPressThatBringsAControl(t *testing.T) {
	for _, brings := range []string{
		"this.innerHTML = '<button style=width:100%>Delete</button>'",
		"this.insertAdjacentHTML('beforeend', '<input type=checkbox class=k>')",
		"this.insertAdjacentHTML('beforeend', '<span role=menuitem tabindex=0 class=k>Trash</span>')",
		"this.insertAdjacentHTML('beforeend', '<svg tabindex=0 class=k></svg>')",
	} {
		t.Run(brings, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><style>.k { position:absolute; left:100px; top:0; width:60px; height:30px; margin:0 }</style>
				<ul><li style="width:260px;height:30px;position:relative" onmousedown="if (!this.firstElementChild) `+brings+`"
				onclick="log(event.target === this ? 'opened' : 'inner')">Row</li></ul>`))
			if err := tt.On(": Row", tab.Click); err != nil || strings.Contains(tt.Logged(), "inner") {
				t.Errorf("got %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// An item shows other words while the mouse is over it. It can be clicked again and again.
func TestClickOnAnItemWithOtherWordsUnderTheMouse(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><ul><li>Alpha<li>Beta<li>Gamma</ul><script>
		for (const item of document.querySelectorAll('li')) {
			const name = item.textContent;
			item.onmouseenter = () => { item.textContent = 'Open'; };
			item.onmouseleave = () => { item.textContent = name; };
			item.onclick = () => log(name);
		}</script>`))
	beta, gamma := tt.Ref(": Beta"), tt.Ref(": Gamma")
	for _, ref := range []string{beta, beta, gamma} {
		if err := tt.OnRef(ref, tab.Click); err != nil {
			t.Error(err)
		}
	}
	if got, want := tt.Logged(), "Beta\nBeta\nGamma"; got != want {
		t.Errorf("clicked %q, want %q", got, want)
	}
}

// A page keeps the cells of its month. The wheel turns the month while the mouse is over a day. The ref of
// that day does not click the day that is there now.
func TestClickOnAnotherDayUnderTheMouse(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><h2>March</h2><table role=grid><tr><td>1<td>2<td>3<td>4<td>5<td>6<td>7<tr><td>8<td>9<td>10<td>11<td>12<td>13<td>14</table><script>
		const cells = document.querySelectorAll('td');
		for (const cell of cells) cell.onclick = () => log(cell.textContent);
		function turn() { document.querySelector('h2').textContent = 'April'; cells.forEach((cell, i) => { cell.textContent = i < 3 ? '' : i - 2; }); }</script>`))
	ref := tt.Ref(`"5"`)
	if err := tt.OnRef(ref, func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) }); err != nil {
		t.Fatal(err)
	}
	if _, err := evaluate(tt, "turn()", 5*time.Second); err != nil {
		t.Fatal(err)
	}
	if err := tt.OnRef(ref, tab.Click); err == nil || tt.Logged() != "" {
		t.Errorf("got %v, clicked %q", err, tt.Logged())
	}
}

// A press that is held opens something under the mouse before its release. It is not pressed again, and
// the caller is told: the page did what the press was for.
func TestLongPressThatOpensSomething(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><button onpointerdown="setTimeout(() => { log('opened'); sheet.hidden = false }, 30)">Hold</button>
		<div id=sheet hidden style="position:fixed;inset:0">Sheet</div>`))
	told := ""
	err := tt.On(`"Hold"`, func(ctx context.Context, el *page.Element) error {
		return el.Click(ctx, page.Click{Hold: 150 * time.Millisecond, Doubt: func(err error) { told = err.Error() }})
	})
	if err != nil || !strings.HasSuffix(told, ": unclicked") || tt.Logged() != "opened" {
		t.Errorf("got %v, told %q, page told %q", err, told, tt.Logged())
	}
}

// A press opens a frame under the mouse, and its release is held for a frame. The frame keeps the second
// click from the page. The element is not pressed again, as that would close what has opened.
func TestHeldPressThatOpensAFrame(t *testing.T) {
	for name, states := range map[string]string{"with a state": `this.ariaExpanded = 'true'; `, "without": ""} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><button aria-expanded=false onpointerdown="`+states+`log('pressed'); this.title = 'Open'; requestAnimationFrame(() => { box.hidden = !box.hidden })">Date</button>
				<div id=box hidden style="position:fixed;left:0;top:0;pointer-events:none"><iframe src="press.html" style="width:90px;height:90px;pointer-events:auto"></iframe></div>`))
			told := ""
			err := tt.On(`"Date"`, func(ctx context.Context, el *page.Element) error {
				return el.Click(ctx, page.Click{Doubt: func(err error) { told = err.Error() }})
			})
			if err != nil || (told == "") != (states != "") || tt.Logged() != "pressed" {
				t.Errorf("got %v, told %q, page told %q", err, told, tt.Logged())
			}
		})
	}
}

// A page learns from a move of the mouse what is under it, and takes that for what a click is meant
// for. But it handles the move in a later task, or in the next frame.
func TestClickMeansWhatTheMouseIsOver(t *testing.T) {
	const rows = `<script src="log.js"></script><div id=root><button>One</button><button>Two</button><button>Three</button></div><script>
		let over = 'nothing';
		const channel = new MessageChannel(), tasks = [];
		channel.port1.onmessage = () => tasks.shift()();
		const put = { frame: f => requestAnimationFrame(f), task: f => setTimeout(f), message: f => { tasks.push(f); channel.port2.postMessage(0) } };
		const moved = ({ target }) => put['%s'](() => { if (target.localName === 'button') over = target.textContent });
		root.onclick = () => log(over);
		%s</script>`
	each := func(kind string) string { return `for (const b of root.children) b.on` + kind + ` = moved;` }
	react := func(kind, handler string) string {
		return `for (let i = 0; i < 21; i++) root.addEventListener(i ? 'x' + i : '` + kind + `', moved);
			for (const b of root.children) b.__reactProps$x1 = { ` + handler + `() {} };`
	}
	for _, s := range []struct{ name, put, listens string }{
		{"in a frame", "frame", each("pointermove")},
		{"in a task", "task", each("mouseenter")},
		{"a message, on the element around it", "message", `root.onmousemove = moved`},
		{"on the document", "message", `document.addEventListener('mouseover', moved)`},
		{"React", "message", react("mousemove", "onMouseMove")},
		{"React, over", "message", react("mouseover", "onMouseEnter")},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(fmt.Sprintf(rows, s.put, s.listens)))
			for _, name := range []string{"Two", "One", "Three"} {
				if err := tt.On(`button "`+name+`"`, tab.Click); err != nil {
					t.Fatal(err)
				}
			}
			if got := tt.Logged(); got != "Two\nOne\nThree" {
				t.Errorf("page told %q", got)
			}
		})
	}
	t.Run("at a point", func(t *testing.T) {
		tt := tab.Open(t, pages.HTML(fmt.Sprintf(rows, "message", `root.onmousemove = moved`)))
		for i := range 3 {
			at := tab.Run[[]float64](tt, fmt.Sprintf("(() => { const r = root.children[%d].getBoundingClientRect(); return [r.x + 5, r.y + 5]; })()", i))
			if err := tt.InAct(func(ctx context.Context) error { return tt.ClickAt(ctx, at[0], at[1], page.Click{}) }); err != nil {
				t.Fatal(err)
			}
		}
		if got := tt.Logged(); got != "One\nTwo\nThree" {
			t.Errorf("page told %q", got)
		}
	})
}

// The mouse alone opens a menu, and a click closes it again. The caller of the click is told. A hover
// then opens the menu, although the mouse is over it already.
func TestClickThatClosesWhatTheMouseOpened(t *testing.T) {
	for name, put := range map[string]string{"at once": "f => f()", "in a later task": "f => setTimeout(f)"} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<div role=menubar style="padding:20px"><button id=file role=menuitem aria-expanded=false>File</button></div><script>
				const put = `+put+`;
				file.onmouseenter = () => put(() => { file.ariaExpanded = 'true' });
				file.onclick = () => { file.ariaExpanded = file.ariaExpanded !== 'true' };</script>`))
			told, ref := "", tt.Ref(`"File"`)
			err := tt.OnRef(ref, func(ctx context.Context, el *page.Element) error {
				return el.Click(ctx, page.Click{Doubt: func(err error) { told = err.Error() }})
			})
			if err != nil || !strings.HasSuffix(told, ": reclosed") {
				t.Errorf("got %v, told %q", err, told)
			}
			err = tt.OnRef(ref, func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) })
			if err != nil || !tab.Run[bool](tt, "file.ariaExpanded === 'true'") {
				t.Errorf("got %v, and the menu is closed", err)
			}
		})
	}
}

// What the mouse brings into the document is known as a menu by its controls. The click that removes it
// again is told, unless it has brought something else, or changed its element.
func TestClickThatRemovesWhatTheMouseBrought(t *testing.T) {
	button := "<button id=file>File</button>"
	for name, s := range map[string]struct{ html, brings, click, told string }{
		"a menu":                                {button, "<button>New</button>", "close()", "reclosed"},
		"a menu of a button that says so":       {button, "<button>New</button>", "close(); file.className = ''", "reclosed"},
		"a menu that stays":                     {button, "<button>New</button>", "", ""},
		"a tooltip":                             {button, "Create a file", "close()", ""},
		"a menu before a dialog":                {button, "<button>New</button>", "close(); document.body.append('Done')", ""},
		"a menu before a dialog in a component": {button, "<button>New</button>", "close(); host.shadowRoot.append('Done')", ""},
		"a menu with its element":               {button, "<button>New</button>", "bar.remove()", ""},
		"a card of a button that is pressed":    {button, "<button>New</button>", "close(); file.ariaPressed = 'true'", ""},
		"a card of a button that counts":        {button, "<button>New</button>", "close(); file.firstChild.data = '4'", ""},
		"a card of a checkbox":                  {"<input id=file type=checkbox aria-label=File>", "<button>New</button>", "close()", ""},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<div id=bar style="padding:20px">`+s.html+`<div id=menu></div></div><div id=host></div><script>
				host.attachShadow({ mode: 'open' });
				const close = () => menu.replaceChildren();
				file.onmouseenter = () => { menu.innerHTML = '<div>`+s.brings+`</div>'; file.className = 'open' };
				file.onclick = () => { `+s.click+` };</script>`))
			told := ""
			err := tt.On(`"File"`, func(ctx context.Context, el *page.Element) error {
				return el.Click(ctx, page.Click{Doubt: func(err error) { told = err.Error() }})
			})
			if err != nil || !strings.HasSuffix(told, s.told) || s.told == "" && told != "" {
				t.Errorf("got %v, told %q, want %q", err, told, s.told)
			}
		})
	}
}

// A click has closed a menu that the mouse had opened, and only the listeners of the page say that there
// is one. A hover opens it again, and leaves the box with all menus only if it must.
func TestHoverAgainOpensWhatListens(t *testing.T) {
	for name, listens := range map[string]string{
		"the element":                "file",
		"a box around it, by itself": "file.parentNode",
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<div style="padding:20px;display:flex" onmouseleave="document.title = 'left'"><div><button id=file>File</button></div><button>Edit</button></div><script>
				let open = false;
				`+listens+`.onmouseenter = () => { open = true };
				file.onclick = () => { open = !open };</script>`))
			ref := tt.Ref(`"File"`)
			if err := tt.OnRef(ref, tab.Click); err != nil {
				t.Fatal(err)
			}
			err := tt.OnRef(ref, func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) })
			if err != nil || !tab.Run[bool](tt, "open && document.title !== 'left'") {
				t.Errorf("got %v, and the menu is closed, or the mouse has left all menus", err)
			}
		})
	}
}

// A row shows a button while the mouse is over the row. A hover of the button, which the mouse is over
// already, does not leave the row: the button would go.
func TestHoverAgainStaysInARowWithWords(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<ul><li id=row>Task A <button id=drop hidden>Delete</button></li></ul><p>Text</p><script>
		row.onmouseenter = () => { drop.hidden = false };
		row.onmouseleave = () => { drop.hidden = true; document.title = 'left' };</script>`))
	hover := func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) }
	if err := tt.On(`hoverable`, hover); err != nil {
		t.Fatal(err)
	}
	ref := tt.Ref(`button "Delete"`)
	err := errors.Join(tt.OnRef(ref, tab.Click), tt.OnRef(ref, hover))
	if err != nil || tab.Run[string](tt, "document.title") == "left" {
		t.Errorf("got %v, or the mouse has left the row", err)
	}
}

// What the mouse opens may come late. A second hover does not begin the wait for it again.
func TestHoverAgainAwaitsWhatComesLate(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<button id=file>File</button><script>
		let came = 0;
		file.onmouseenter = () => { came++ };</script>`))
	hover := func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) }
	ref := tt.Ref(`"File"`)
	err := errors.Join(tt.OnRef(ref, tab.Click), tt.OnRef(ref, hover), tt.OnRef(ref, hover))
	if came := tab.Run[int](tt, "came"); err != nil || came != 2 {
		t.Errorf("got %v, and the mouse came %d times, want 2", err, came)
	}
}

// The mouse is over an entry of a menu, and leaves the entry so that it can come again. It stays in the
// menu if it can. If the menu has no room, it closes, and the hover is an error.
func TestHoverAgainInAMenu(t *testing.T) {
	for name, s := range map[string]struct{ more, fails string }{"with another entry": {"<li>Open</li>", ""}, "with no other entry": {"", "hidden"}} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<ul id=menu style="width:90px;list-style:none;padding:0" onmouseleave="menu.style.display = 'none'"><li><a id=file href="#" role=menuitem aria-expanded=false
				style="display:block" onmouseenter="this.ariaExpanded = 'true'">New</a></li>`+s.more+`</ul><p>Text</p>`))
			hover := func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) }
			ref := tt.Ref(`"New"`)
			if err := tt.OnRef(ref, hover); err != nil {
				t.Fatal(err)
			}
			tab.Run[any](tt, "file.ariaExpanded = 'false'")
			err := tt.OnRef(ref, hover)
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) || !failed && !tab.Run[bool](tt, "file.ariaExpanded === 'true'") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// What the mouse has opened moves the element away before it is clicked. The next attempt closes it
// again, and the caller is told.
func TestClickThatClosesWhatAnEarlierMoveOpened(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div id=news></div><button id=file aria-expanded=false>File</button><script>
		file.onmouseenter = () => { file.ariaExpanded = 'true'; news.style.height = '90px' };
		file.onclick = () => { file.ariaExpanded = file.ariaExpanded !== 'true' };</script>`))
	told := ""
	err := tt.On(`"File"`, func(ctx context.Context, el *page.Element) error {
		return el.Click(ctx, page.Click{Doubt: func(err error) { told = err.Error() }})
	})
	if err != nil || !strings.HasSuffix(told, ": reclosed") {
		t.Errorf("got %v, told %q", err, told)
	}
}

// A page may keep the mousedown from the guard. The release then shows whether the press had an effect.
func TestClickThatSlipsUnseen(t *testing.T) {
	for _, s := range []struct{ name, handlers, fails, logged string }{
		{"stopped", `onmousedown="event.stopPropagation()"`, ": slipped", ""},
		{"prevented", `onpointerdown="event.preventDefault()"`, ": slipped", ""},
		{"stopped and answered", `onmousedown="event.stopPropagation(); this.title = 'open'; log('opened')"`, "", "opened"},
		{"prevented and answered", `onpointerdown="event.preventDefault(); this.title = 'open'; log('opened')"`, "", "opened"},
		{"prevented, and kept", `onpointerdown="event.preventDefault(); this.setPointerCapture(event.pointerId)" onpointerup="log('kept')"`, "", "kept\nclick"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/slips.html")
			tab.Run[any](tt, "active.outerHTML = active.outerHTML.replace('<button', `<button "+s.handlers+"`); undefined")
			err := tt.OnRefFor(10*time.Second, tt.Ref(`"Moves when active"`), tab.Click)
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) || tt.Logged() != s.logged {
				t.Errorf("got %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// A click at an iframe element is for its content. If the document around the iframe begins to leave
// before the click is sent, the click is not sent: the next document has no guard.
func TestClickAtAFrameWhosePageLeaves(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<iframe src="press.html"></iframe>`))
	el, err := tt.BySelector("iframe")
	if err != nil {
		t.Fatal(err)
	}
	err = tt.InActFor(5*time.Second, func(ctx context.Context) error { return page.UnguardLeaving(ctx, el, "/hang") })
	if _, stale := errors.AsType[*page.StaleRefError](err); !stale || errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
}

// The document of a frame is replaced just before a click there. The click fails, and the guards of the
// other documents end: a person can click in them.
func TestGuardsEndWhenADocumentIsReplaced(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><body style="margin:0"><button style="width:90px" onclick="log('clicked')">Outside</button><br>
		<iframe src="press.html"></iframe>`))
	err := tt.OnRefFor(20*time.Second, tt.Ref(`button "Renders nothing"`), func(ctx context.Context, el *page.Element) error {
		return page.ClickReplaced(ctx, el, "frames[0].location.reload()")
	})
	if _, stale := errors.AsType[*page.StaleRefError](err); !stale {
		t.Errorf("got %v", err)
	}
	tab.Run[any](tt, "undefined") // the page has got what the click has sent before: input may overtake that
	err = tt.InAct(func(ctx context.Context) error { return page.PersonClicks(ctx, tt.Page, 40, 10) })
	if got := tt.Logged(); err != nil || got != "clicked" {
		t.Errorf("got %v, page told %q", err, got)
	}
}

// A press makes a busy page render, and the release comes later, but still before the next frame. The
// page gets the release after that frame: only then does it listen for it.
func TestReleaseWaitsForAFrameOfABusyPage(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><button id=b>Press</button><script>b.onmousedown = () => {
		b.append('ed');
		for (const end = performance.now() + 500; performance.now() < end;);
		requestAnimationFrame(() => { b.onmouseup = () => log('released'); });
	};</script>`))
	err := tt.OnRefFor(10*time.Second, tt.Ref(`button "Press"`), page.ClickReleasedLater)
	if got := tt.Logged(); err != nil || got != "released" {
		t.Errorf("got %v, page told %q", err, got)
	}
}

// Each move of the mouse takes the element away. No attempt to click it succeeds, and the error says what
// the mouse met. The page is not busy.
func TestClickThatTheMouseItselfPrevents(t *testing.T) {
	for _, s := range []struct{ name, html, met string }{
		{"it is made again", `<svg id=s width=200 height=100><rect width=200 height=100 fill=wheat></rect><text id=x aria-label=Save role=button x=40 y=60 font-size=30></text></svg><script>
			const fill = () => { x.innerHTML = '<tspan>HHHH</tspan>'; s.append(x) }
			fill(); x.onmouseover = fill; x.onmousedown = () => log('pressed')</script>`, "svg#s"},
		{"the page scrolls", `<body style="height:5000px"><button onmousedown="log('pressed')">Save</button><script>addEventListener('pointermove', () => scrollTo(0, 90), true)</script>`, "body"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script>`+s.html))
			for range 2 {
				err := tt.OnRefFor(3*time.Second, tt.Ref(`"Save"`), tab.Click)
				if err == nil || !strings.HasSuffix(err.Error(), ": elsewhere by "+s.met) || tt.Logged() != "" {
					t.Fatalf("got %v, page told %q", err, tt.Logged())
				}
			}
		})
	}
}

// A double click that holds the button ends with its first press if that press loads another document. The
// click has had its effect then, whatever names its place.
func TestHeldDoubleClickThatLoadsAnotherDocument(t *testing.T) {
	const logs = `<script src="log.js"></script><script>addEventListener('mousedown', () => log('press'), true)</script>`
	for name, html := range map[string]string{
		"at a point":   `<body style="margin:0"><button style="width:90px" onmousedown="go()">Go</button>`,
		"at an iframe": `<iframe srcdoc="<html onmousedown='parent.go()'>Go"></iframe>`,
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(html+"<script>function go() { location = '"+pages.HTML(logs+"<p>Next")+"' }</script>"))
			c := page.Click{Count: 2, Hold: time.Second}
			click := func(ctx context.Context) error { return tt.ClickAt(ctx, 40, 10, c) }
			if name == "at an iframe" {
				el, err := tt.BySelector("iframe")
				if err != nil {
					t.Fatal(err)
				}
				click = func(ctx context.Context) error { return el.Click(ctx, c) }
			}
			err := tt.InActFor(10*time.Second, click)
			if text, got := tt.Text(), tt.Logged(); err != nil || got != "" || !strings.Contains(text, "Next") {
				t.Errorf("got %v, page told %q and shows %q", err, got, text)
			}
		})
	}
}

// A double click that holds the button ends with its first press if that press loads another document.
// It also does so if nobody waits for the click any more.
func TestHeldDoubleClickThatEnds(t *testing.T) {
	const logs = `<script src="log.js"></script><script>addEventListener('mousedown', () => log('press'), true)</script>`
	for name, press := range map[string]string{
		"by the page":   "location = '" + pages.HTML(logs+"<p>Next") + "'",
		"by its caller": "document.title = 'pressed'",
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(logs+`<button onmousedown="`+press+`">Go</button>`))
			want := ""
			err := tt.OnRefFor(10*time.Second, tt.Ref("Go"), func(ctx context.Context, el *page.Element) error {
				ctx, cancel := context.WithCancel(ctx)
				defer cancel()
				if name == "by its caller" {
					want = "press"
					go func() {
						tt.WaitFunction(ctx, "document.title === 'pressed'")
						cancel()
					}()
				}
				return el.Click(ctx, page.Click{Count: 2, Hold: time.Second})
			})
			if ended := errors.Is(err, context.Canceled) && errors.Is(err, page.ErrSent); ended != (want != "") || !ended && err != nil {
				t.Errorf("got %v", err)
			}
			if got := tt.Logged(); got != want {
				t.Errorf("page told %q, want %q", got, want)
			}
		})
	}
}
