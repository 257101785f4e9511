package acts

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

func checking(want bool) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error { return el.SetChecked(ctx, want) }
}

func TestType(t *testing.T) {
	for _, s := range []story{
		{"text", "/form.html", `textbox "Text"`, tab.Typing("Ada"), "input text Ada trusted", ""},
		{"search", "/form.html", `searchbox "Search"`, tab.Typing("Ada"), "input search Ada trusted", ""},
		{"e-mail", "/form.html", `"E-mail"`, tab.Typing("a@b.c"), "input email a@b.c trusted", ""},
		{"password", "/form.html", `"Password"`, tab.Typing("geheim"), "input password geheim trusted", ""},
		{"number", "/form.html", `"Number"`, tab.Typing("4"), "input number 4 trusted", ""},
		{"number that is none", "/form.html", `"Number"`, tab.Typing("four"), "", ": number"},
		{"range", "/form.html", `"Range"`, tab.Typing("7"), "change range 7 untrusted", ""},
		{"range beyond its end", "/form.html", `"Range"`, tab.Typing("70"), "", ": format"},
		{"date", "/form.html", `textbox "Date" `, tab.Typing("2026-01-31"), "change date 2026-01-31 untrusted", ""},
		{"date as people write it", "/form.html", `textbox "Date" `, tab.Typing("24. Dec 2026"), "change date 2026-12-24 untrusted", ""},
		{"date that may be two", "/form.html", `textbox "Date" `, tab.Typing("03/04/2026"), "", `: format: "03/04/2026", it has ["2026-04-03" "2026-03-04"]`},
		{"date that is none", "/form.html", `textbox "Date" `, tab.Typing("tomorrow"), "", ": format"},
		{"time as people write it", "/form.html", `"Time"`, tab.Typing("9:05 pm"), "change time 21:05 untrusted", ""},
		{"month as people write it", "/form.html", `"Month"`, tab.Typing("Dec 2026"), "change month 2026-12 untrusted", ""},
		{"week as people write it", "/form.html", `"Week"`, tab.Typing("week 52 2026"), "change week 2026-W52 untrusted", ""},
		{"part of a range", "/form.html", `"Range"`, tab.Typing("20%"), "change range 2 untrusted", ""},
		{"range between its steps", "/form.html", `"Range"`, tab.Typing("2.5"), "", ": format"},
		{"colour by its name", "/form.html", `"Colour"`, tab.Typing("Lime"), "change color #00ff00 untrusted", ""},
		{"colour in short", "/form.html", `"Colour"`, tab.Typing("#0f0"), "change color #00ff00 untrusted", ""},
		{"colour by its parts", "/form.html", `"Colour"`, tab.Typing("rgb(0, 255, 0)"), "change color #00ff00 untrusted", ""},
		{"colour one can see through", "/form.html", `"Colour"`, tab.Typing("#0f08"), "", ": format"},
		{"colour that is none", "/form.html", `"Colour"`, tab.Typing("grue"), "", ": format"},
		{"colour that is left out", "/form.html", `"Colour"`, tab.Typing(""), "", ": format"},
		{"time", "/form.html", `"Time"`, tab.Typing("12:30"), "change time 12:30 untrusted", ""},
		{"date and time", "/form.html", `"Date and time"`, tab.Typing("2026-01-31T12:30"), "change datetime 2026-01-31T12:30 untrusted", ""},
		{"date and time, with a space", "/form.html", `"Date and time"`, tab.Typing("2026-01-31 12:30"), "change datetime 2026-01-31T12:30 untrusted", ""},
		{"month", "/form.html", `"Month"`, tab.Typing("2026-01"), "change month 2026-01 untrusted", ""},
		{"week", "/form.html", `"Week"`, tab.Typing("2026-W05"), "change week 2026-W05 untrusted", ""},
		{"colour", "/form.html", `"Colour"`, tab.Typing("#00FF00"), "change color #00ff00 untrusted", ""},
		{"check box", "/form.html", `checkbox "Check"`, tab.Typing("x"), "", ": unfillable"},
		{"button", "/form.html", `button "Send" `, tab.Typing("x"), "", ": untyped"},
		{"disabled", "/form.html", `textbox "Disabled"`, tab.Typing("x"), "", ": disabled"},
		{"disabled by its group", "/form.html", `textbox "In a disabled group"`, tab.Typing("x"), "", ": disabled"},
		{"read only", "/form.html", `textbox "Read only"`, tab.Typing("x"), "", ": readonly"},
		{"over several lines", "/form.html", `textbox "Long text"`, tab.Typing("one\ntwo"), "two trusted", ""},
		{"outside the layout", "/form.html", `textbox "Text"`, tab.Typing("日本 🦞 ß"), "input text 日本 🦞 ß trusted", ""},
		{"longer than it takes", "/form.html", `textbox "Limited"`, tab.Typing("abcdef"), "input limited abcd trusted", ""},
		{"by its label", "/labels.html", `button "Label of a field"`, tab.Typing("Ada"), "field Ada", ""},

		{"rich text", "/editable.html", `textbox "Rich"`, tab.Typing("new"), `Rich "new"`, ""},
		{"rich text, emptied", "/editable.html", `textbox "Rich"`, tab.Typing(""), `Rich "\n"`, ""},
		{"plain text", "/editable.html", `textbox "Plain"`, tab.Typing("new"), `Plain "new"`, ""},
		{"part of rich text", "/editable.html", `textbox "Inner"`, tab.Typing("new"), `Host "before\n\nnew\n\nafter"`, ""},
		{"field in rich text", "/editable.html", `textbox "Field in it"`, tab.Typing("new"), `Field in it "new"`, ""},
		{"changed by the page", "/editable.html", `textbox "Upper"`, tab.Typing("ada"), `Upper "ADA"`, ""},
		{"mask", "/editable.html", `textbox "Masked"`, tab.Typing("123456"), `Masked "123-456"`, ""},
		{"mask that takes nothing", "/editable.html", `textbox "Digits"`, tab.Typing("abc"), `Digits ""`, ""},
		{"taken out by the page", "/editable.html", `textbox "Emptied"`, tab.Typing("abc"), "took abc", ""},
		{"refused", "/editable.html", `textbox "Refusing"`, tab.Typing("abc"), "", ": refused"},
		{"told to nobody else", "/editable.html", `textbox "Quiet"`, tab.Typing("abc"), "Quiet abc", ""},
		{"that waits for a key", "/editable.html", `textbox "Filter"`, tab.Typing("abc"), "filter abc, c 67", ""},
		{"that waits for a key, another letter", "/editable.html", `textbox "Filter"`, tab.Typing("日本"), "filter 日本, 本 229", ""},
		{"what is there already", "/editable.html", `textbox "Kept"`, tab.Typing("same"), `Kept "same"`, ""},
		{"emptied", "/editable.html", `textbox "Kept"`, tab.Typing(""), `Kept ""`, ""},
		{"empty into empty", "/editable.html", `textbox "Short"`, tab.Typing(""), "", ""},
		{"that gives the focus away", "/editable.html", `textbox "Thief"`, tab.Typing("x"), "", ": refocused by textbox \"Kept\""},
		{"in open shadow", "/shadow.html", `"Open field"`, tab.Typing("Ada"), "open Ada", ""},
		{"in closed shadow", "/shadow.html", `"Closed field"`, tab.Typing("Ada"), "closed Ada", ""},
		{"editable late", "/late.html", `"Editable late"`, tab.Typing("Ada"), "editable Ada", ""},
		{"in a group enabled late", "/late.html", `"In a fieldset enabled late"`, tab.Typing("Ada"), "fieldset Ada", ""},
	} {
		s.test(t)
	}
}

func TestTypeSlowly(t *testing.T) {
	for _, s := range []story{
		{"behind what is there", "/editable.html", `textbox "Kept"`, tab.TypingSlowly("r"), `Kept "samer"`, ""},
		{"rich text", "/editable.html", `textbox "Rich"`, tab.TypingSlowly("er"), `Rich "old wordser"`, ""},
		{"lines", "/editable.html", `textbox "Lines"`, tab.TypingSlowly("\nx"), `Lines "old\nx"`, ""},
		{"outside the layout", "/editable.html", `textbox "Kept"`, tab.TypingSlowly("é🦞"), `Kept "sameé🦞"`, ""},
		{"that waits for a key", "/editable.html", `textbox "Filter"`, tab.TypingSlowly("ab"), "filter ab, b 66", ""},
		{"on to the next field", "/editable.html", `textbox "Digit 1"`, tab.TypingSlowly("123"), `Digit 3 "3"`, ""},
		{"refused", "/editable.html", `textbox "Refusing"`, tab.TypingSlowly("a"), "", ": refused"},
		{"Enter at the end", "/editable.html", `textbox "Sent by Enter"`, tab.TypingSlowly("a\n"), "entered a", ""},
		{"e-mail", "/form.html", `"E-mail"`, tab.TypingSlowly("a@b.c"), "input email a@b.c trusted", ""},
		{"no text", "/editable.html", `textbox "Kept"`, tab.TypingSlowly(""), "", ""},
		{"a button is not clicked", "/pointer.html", `button "Pad"`, tab.TypingSlowly("a"), "", ": untyped"},
	} {
		s.test(t)
	}
}

// Some pages take no text in a field that something lies over. It is scrolled free first, as for a click.
func TestTypeIntoACoveredField(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<div style="position: relative; width: 300px"><div style="overflow-y: scroll; height: 100px">
		<input aria-label=Id><br><br><br><input aria-label=Name><br><br><br><input aria-label=Subject><br><br><br><br><br></div>
		<div style="position: absolute; inset: 50px 20px 0 0"></div></div><script>
		const isFree = el => { const r = el.getBoundingClientRect(); return document.elementFromPoint(r.x + 5, r.y + 5) === el; };
		oninput = e => { if (!isFree(e.target)) e.target.value = ''; };</script>`)
	for _, line := range []string{`textbox "Name"`, `textbox "Id"`, `textbox "Subject"`} {
		tab.Run[any](tt, "document.activeElement.blur(); document.querySelector('div div').scrollTop = 0; undefined")
		if err := tt.On(line, func(ctx context.Context, el *page.Element) error { _, err := el.Type(ctx, "Ada"); return err }); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if got := tab.Run[string](tt, "document.activeElement.value"); got != "Ada" {
			t.Errorf("%s: holds %q", line, got)
		}
	}
}

// A field that is not a field for text any more when it has the focus gets no text. The error says why.
func TestTypeIntoWhatTheFocusChanges(t *testing.T) {
	for _, s := range []struct{ name, focused, wrong string }{
		{"it becomes a checkbox", "i.type = 'checkbox'", ": unfillable"},
		{"it is replaced", "const j = i.cloneNode(); i.replaceWith(j); j.focus()", `: refocused by textbox "Name"`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<input aria-label=Name><script>const i = document.querySelector('input'); i.onfocus = () => { `+s.focused+` }</script>`))
			if err := tt.On("textbox", tab.Typing("Ada")); err == nil || !strings.HasSuffix(err.Error(), s.wrong) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A document without a body has no element for the keys when its field loses the focus. It gets none of them.
func TestClearWithoutABody(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<input value=old><script>
		const field = document.querySelector('input');
		document.documentElement.append(field);
		document.body.remove();
		field.onfocus = () => queueMicrotask(() => field.blur());
		onkeydown = event => { document.title += event.key; };</script>`))
	err := tt.On("textbox", tab.Typing(""))
	if got := tab.Run[string](tt, "document.title"); err == nil || got != "" {
		t.Errorf("got %v, keys %q", err, got)
	}
}

// If the page goes elsewhere while a text is typed, the rest is not typed into the next page.
func TestTypeSlowlyOnAPageThatNavigates(t *testing.T) {
	long.Test(t)
	long := strings.Repeat("a text ", 5)
	next := pages.HTML(`<title>next</title><input autofocus aria-label=Next>`)
	for _, s := range []struct{ name, html string }{
		{"the page", `<input aria-label=Name oninput="location.href='` + next + `'">`},
		{"from a frame", `<iframe srcdoc="<input aria-label=Name oninput=&quot;top.location.href='` + next + `'&quot;>"></iframe>`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(s.html))
			err := tt.OnRefFor(10*time.Second, tt.Ref(`textbox "Name"`), tab.TypingSlowly(long))
			if _, stale := errors.AsType[*page.StaleRefError](err); !stale || !errors.Is(err, page.ErrSent) {
				t.Errorf("got error %v", err)
			}
			tt.Ref(`textbox "Next"`)
			if got := tab.Run[string](tt, `document.querySelector('input').value`); got != "" {
				t.Errorf("the next page got %q", got)
			}
		})
	}
	tt := tab.Open(t, pages.HTML(`<input autofocus onkeydown="location.href='`+next+`'">`))
	err := tt.InActFor(10*time.Second, func(ctx context.Context) error {
		_, _, err := tt.TypeKeys(ctx, long, true)
		return err
	})
	if !errors.Is(err, page.ErrReplaced) || !errors.Is(err, page.ErrSent) {
		t.Errorf("at the focus: got error %v", err)
	}
}

func TestSelect(t *testing.T) {
	for _, s := range []story{
		{"by value", "/form.html", `combobox "Select"`, tab.Choosing("g"), "change select g untrusted", ""},
		{"by label", "/form.html", `combobox "Select"`, tab.Choosing("Green"), "change select g untrusted", ""},
		{"in a group", "/form.html", `combobox "Select"`, tab.Choosing("Navy"), "change select n untrusted", ""},
		{"what is chosen already", "/form.html", `combobox "Select"`, tab.Choosing("r"), "", ""},
		{"several", "/form.html", `listbox "Several"`, tab.Choosing("One", "Three"), "change several One,Three untrusted", ""},
		{"several of one", "/form.html", `combobox "Select"`, tab.Choosing("r", "g"), "", ": single"},
		{"disabled option", "/form.html", `combobox "Select"`, tab.Choosing("Blue"), "", ": disabled"},
		{"no such option", "/form.html", `combobox "Select"`, tab.Choosing("Pink"), "", `: option: "Pink", it has ["Red" "Green" "Blue" "Navy"]`},
		{"no select", "/form.html", `textbox "Text"`, tab.Choosing("Fig"), "", ": unselect"},
		{"combobox", "/form.html", `combobox "Fruit"`, tab.Choosing("Fig"), "fruit Fig", ""},
		{"a suggestion", "/form.html", `combobox "Suggested"`, tab.Choosing("Pear"), "input suggested Pear trusted", ""},
		{"no such suggestion", "/form.html", `combobox "Suggested"`, tab.Choosing("Fig"), "", `: option: "Fig", it has ["Apple" "Pear"]`},
	} {
		s.test(t)
	}
}

// If the page changes the text of a suggestion while the text is entered, the suggestion does not
// count as chosen.
func TestSelectARewrittenSuggestion(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input aria-label=City list=cities oninput="this.value = 'Rome'"><datalist id=cities><option>Paris</datalist>`)
	if err := tt.On(`combobox "City"`, tab.Choosing("Paris")); err == nil || !strings.Contains(err.Error(), ": unchosen") {
		t.Errorf("got %v", err)
	}
}

// A select with a styled control in its place is changed behind that control. The select itself
// does not get the focus, as the focus opens many such controls. The change counts only if the
// control shows it.
func TestSelectBehindAStandIn(t *testing.T) {
	long.Test(t)
	const choice = `<select aria-label=Choice onfocus="document.title='open'"><option>Red<option>Green</select>`
	hidden := `<div style="overflow:hidden;width:0;height:0">` + choice + `</div>`
	for _, s := range []struct {
		name, html, fails string
		want              string // the select's value, what stands in for it, and the title
	}{
		{"itself", choice + `<b>Red</b>`, "", "Green Red open"},
		{"a control that hears of it", `<div>` + hidden + `<b>Red</b></div><script>document.querySelector('select').addEventListener('change', e => document.querySelector('b').textContent = e.target.value)</script>`, "", "Green Green "},
		{"a control that hears of it above", `<div oninput="setTimeout(() => document.querySelector('b').textContent = document.querySelector('select').value)">` + hidden + `<b>Red</b></div>`, "", "Green Green "},
		{"a control that does not", `<div>` + hidden + `<b>Red</b></div>`, `: standin by`, "Red Red "},
		{"a transparent one over a picture of it", `<div><div style="opacity:0">` + choice + `</div><b>Chosen</b></div>`, "", "Green Chosen "},
		{"a control that has a list of its own", `<div>` + hidden + `<b onclick="this.nextElementSibling.hidden = false">Red</b><ul hidden><li>Red<li>Green</ul></div><script>
			document.querySelector('ul').onclick = e => { document.querySelector('b').textContent = document.querySelector('select').value = e.target.textContent; e.currentTarget.hidden = true }</script>`,
			"", "Green Green "},
		{"a control whose list has the option disabled", `<div>` + hidden + `<b onclick="this.nextElementSibling.hidden = false">Red</b><ul hidden><li><button disabled>Green</button></ul></div>`,
			"the input was sent: ", "Red Red "},
		{"an option without a label before", `<div>` + strings.Replace(hidden, "<option>", "<option><option>", 1) + `<i style="display:inline-block;width:9px;height:9px"></i><b>Chosen</b></div>`, "", "Green Chosen "},
		{"another select beside it", `<div>` + hidden + `</div><p><b>Red</b></p><select><option>Red</select>`, "", "Green Red "},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(s.html)
			tab.Run[any](tt, "document.title = ''; undefined")
			err := tt.On(`combobox "Choice"`, tab.Choosing("Green"))
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
			if got := tab.Run[string](tt, "[document.querySelector('select').value, document.querySelector('b').textContent, document.title].join(' ')"); got != s.want {
				t.Errorf("got %q, want %q", got, s.want)
			}
		})
	}
}

// A widget with ARIA may stand right beside the hidden select that it was made of, and not listen to
// it. Then the widget is operated. An example is Tom Select, whose select is a child of the body. In
// Choices.js the widget is around the select.
func TestSelectBehindAWidget(t *testing.T) {
	long.Test(t)
	const choice = `<select id=choice aria-label=Choice tabindex=-1 MULTIPLE style="position:absolute;clip:rect(0 0 0 0);width:1px;height:1px"><option>Red<option>Green<option>Blue</select>`
	const several = "multiple aria-multiselectable=true"
	const list = `<div id=box><b id=says></b> <input id=field role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=list></div><div id=list role=listbox MULTIPLE hidden></div>`
	const script = `<script>
		const chosen = () => [...choice.selectedOptions].map(o => o.label).join(', ')
		const show = open => {
			says.textContent = chosen()
			list.innerHTML = [...choice.options].map(o => '<div role=option aria-selected=' + o.selected + '>' + o.label + '</div>').join('')
			field.setAttribute('aria-expanded', !(list.hidden = !open))
		}
		show(false)
		box.onclick = () => show(true)
		list.onclick = ({ target }) => {
			for (const o of choice.options) if (o.label === target.textContent) o.selected = !choice.multiple || !o.selected
			show(choice.multiple)
		}
		field.onkeydown = ({ key }) => key === 'Escape' && show(false)
	</script>`
	for _, s := range []struct {
		name, html, several string
		values              []string
	}{
		{"after it", choice + `<div>` + list + `</div>`, "", []string{"Green"}},
		{"after it, of several", choice + `<div>` + list + `</div>`, several, []string{"Green", "Blue"}},
		{"around it", `<div><div role=combobox id=around aria-haspopup=listbox>` + choice + list + `</div></div>`, several, []string{"Green"}},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(strings.ReplaceAll(s.html, "MULTIPLE", s.several)+script))
			if err := tt.OnRefFor(10*time.Second, tt.Ref(`"Choice"`), tab.Choosing(s.values...)); err != nil {
				t.Error(err)
			}
			want := strings.Join(s.values, ", ")
			if got := tab.Run[string](tt, "says.textContent + ' ' + chosen()"); got != want+" "+want {
				t.Errorf("shown and chosen: %s, want %s", got, want)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, s := range []story{
		{"check", "/form.html", `checkbox "Check"`, checking(true), "change check true trusted", ""},
		{"as it is", "/form.html", `checkbox "Check"`, checking(false), "", ""},
		{"radio", "/form.html", `radio "Large"`, checking(true), "change size l trusted", ""},
		{"switch", "/form.html", `switch "Switch"`, checking(true), "switch true", ""},
		{"by fill", "/form.html", `checkbox "Check"`, tab.Filling("true"), "change check true trusted", ""},
		{"not displayed", "/labels.html", `checkbox "Not displayed"`, checking(true), "displayed true", ""},
		{"transparent", "/labels.html", `checkbox "Transparent"`, checking(true), "transparent true", ""},
		{"for readers", "/labels.html", `checkbox "For readers"`, checking(true), "readers true", ""},
		{"radio for readers", "/labels.html", `radio "Two"`, checking(true), "two true", ""},
		{"by ARIA", "/labels.html", `checkbox "By ARIA"`, checking(true), "aria true", ""},
		{"that does not react", "/labels.html", `checkbox "That does not react"`, checking(true), "", ": unchanged"},
		{"label of what is disabled", "/labels.html", `button "Label of nothing usable"`, tab.Click, "", ": disabled"},
		{"select by fill", "/form.html", `combobox "Select"`, tab.Filling("Green"), "change select g untrusted", ""},
		{"nothing to check", "/form.html", `textbox "Text"`, checking(true), "", ": uncheckable"},
	} {
		s.test(t)
	}
}

// If a selection cannot be edited, Chromium types beside it and does not replace it. The call
// reports that.
func TestTypeOverWhatCannotBeEdited(t *testing.T) {
	tt := tab.Borrow(t, "/editable.html")
	tab.Run[any](tt, `document.body.insertAdjacentHTML('afterbegin', '<div contenteditable role=textbox aria-label=Fixed><p>one</p><p contenteditable=false>two</p></div>'); undefined`)
	if err := tt.On(`textbox "Fixed"`, tab.Typing("new")); err == nil || !strings.Contains(err.Error(), ": beside") {
		t.Errorf("got %v (page told %q)", err, tt.Logged())
	}
}

// A combobox may show values beside its text. Then the text is empty, and keys remove the values.
func TestClear(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<input aria-label=Name value=Ada> <input aria-label=Empty>
		<div><span>Red</span><input role=combobox aria-label=Colour aria-expanded=false></div>
		<div><span>Rome</span><span>Oslo</span><span>Bern</span><input role=combobox aria-label=Cities aria-expanded=false></div>
		<div><span>Green</span><input role=combobox aria-label=Once aria-expanded=false onkeydown="previousSibling.remove(); disabled = true"></div>
		<div><span>Blue</span><input role=combobox aria-label=Deaf aria-expanded=false></div><script>
		for (const name of ['Colour', 'Cities']) document.querySelector('[aria-label=' + name + ']').onkeydown = event => {
			const values = event.target.parentNode.querySelectorAll('span')
			if (event.key !== 'Delete' || values.length === 0) return
			values[values.length - 1].remove()
			event.target.before('removed ' + values.length)
		}</script>`))
	for _, s := range []struct {
		field string
		empty bool
		left  int // values
	}{{"Name", false, 0}, {"Empty", false, 0}, {"Colour", false, 0}, {"Cities", false, 0}, {"Once", false, 0}, {"Deaf", true, 1}} {
		var empty bool
		el := must(tt.BySelector("[aria-label=" + s.field + "]"))
		err := tt.InAct(func(ctx context.Context) (err error) {
			_, empty, err = el.Clear(ctx)
			return err
		})
		if err != nil || empty != s.empty {
			t.Errorf("%s: got %v, %v, want %v", s.field, empty, err, s.empty)
		}
		if got := tab.Run[int](tt, "document.querySelectorAll('div:has([aria-label="+s.field+"]) span').length"); got != s.left {
			t.Errorf("%s shows %d values, want %d", s.field, got, s.left)
		}
	}
	if got := tab.Run[string](tt, "document.querySelector('input').value"); got != "" {
		t.Errorf("the page still shows %q", got)
	}
}

// A page may load another document when a value is removed. That document cannot show the combobox,
// and gets no further keys.
func TestClearThatLeadsElsewhere(t *testing.T) {
	next := pages.HTML(`<title>next</title><input autofocus aria-label=Next onkeydown="document.title = event.key">`)
	for _, leave := range []string{"leave()", "setTimeout(leave, 1)"} {
		t.Run(leave, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<div><span id=rome>Rome</span><span>Oslo</span><input role=combobox aria-label=Cities aria-expanded=false
				onkeydown="rome.remove(); `+leave+`"></div><script>leave = () => { location = '`+next+`' }</script>`))
			empty := false
			el := must(tt.BySelector("input"))
			err := tt.InAct(func(ctx context.Context) (err error) {
				_, empty, err = el.Clear(ctx)
				return err
			})
			tt.Ref(`textbox "Next"`)
			if title := tab.Run[string](tt, "document.title"); err != nil || empty || title != "next" {
				t.Errorf("got %v, %v, and the next page got %q", empty, err, title)
			}
		})
	}
}

// A range that is filled gets the events of a drag by the mouse, in their order. Many pages only use
// the value when the mouse is released, and some frameworks know it only a task after the input.
func TestTypeMovesARangeAsTheMouse(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<script src="log.js"></script><input type=range style="width:200px"><script>
		const range = document.querySelector('input');
		let known = range.value;
		const note = ({ type }) => log(type + ' ' + (type.endsWith('up') ? known : range.value));
		for (const type of ['pointerdown', 'mousedown', 'input', 'pointerup', 'mouseup', 'change']) range.addEventListener(type, note);
		range.addEventListener('input', () => queueMicrotask(() => { known = range.value; }));</script>`))
	ref := nth(tt, 0)
	if err := tt.OnRef(ref, tab.Typing("80")); err != nil {
		t.Fatal(err)
	}
	if err := tt.OnRef(ref, func(ctx context.Context, el *page.Element) error {
		return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 5}, Steps: 1})
	}); err != nil {
		t.Fatal(err)
	}
	const want = "pointerdown 50\nmousedown 50\ninput 80\npointerup 80\nmouseup 80\nchange 80\n" +
		"pointerdown 80\nmousedown 80\ninput 83\npointerup 83\nmouseup 83\nchange 83"
	if got := tt.Logged(); got != want {
		t.Errorf("the page got %q, want %q", got, want)
	}
}

// Some pages take the value of a range from where the mouse is. Plyr does so for a press of the input itself,
// MUI for what it draws for a hidden one. They get the typed value.
func TestTypeIntoARangeThatFollowsTheMouse(t *testing.T) {
	for name, html := range map[string]string{
		"the input": `<input type=range style="margin:0;width:200px"><script>
			const range = document.querySelector('input');
			let at = null;
			const share = e => Math.round((e.clientX - range.getBoundingClientRect().left) / 2);
			range.onmousedown = e => { at = share(e) };
			range.oninput = () => { log('input ' + at) };
			range.onmouseup = e => { log('release ' + share(e)) };</script>`,
		"a box around a transparent one": `<div id=track style="position:relative;width:200px;height:20px">
			<span style="position:absolute;left:90px;width:20px;height:20px"><input type=range
				style="position:absolute;width:100%;height:100%;margin:0;opacity:0"></span></div><script>
			track.onmousedown = () => document.addEventListener('mouseup', () => log('by the mouse'));
			document.querySelector('input').oninput = e => { log('input ' + e.target.value) };
			document.querySelector('input').onchange = e => { log('release ' + e.target.value) };</script>`,
		"a box around it": `<div id=track style="position:relative;width:200px;height:20px">
			<span style="position:absolute;left:90px;width:20px;height:20px"><input type=range
				style="position:absolute;width:100%;height:100%;margin:-1px;clip:rect(0 0 0 0);overflow:hidden"></span></div><script>
			track.onmousedown = () => document.addEventListener('mouseup', e => log('release ' + (e.clientX - track.getBoundingClientRect().left) / 2));
			document.querySelector('input').oninput = e => { log('input ' + e.target.value) };
			document.querySelector('input').onchange = e => { log('release ' + e.target.value) };</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Borrow(t, pages.HTML(`<script src="log.js"></script>`+html))
			if err := tt.OnRef(nth(tt, 0), tab.Typing("20")); err != nil {
				t.Fatal(err)
			}
			if got := tt.Logged(); got != "input 20\nrelease 20" {
				t.Errorf("the page got %q", got)
			}
		})
	}
}

// If the page changes a typed text, the answer reports what the field holds, so that nobody types
// the text again.
func TestTypeReportsWhatTheFieldHolds(t *testing.T) {
	const nothing = "as given"
	slow := func(ctx context.Context, el *page.Element, text string) (*string, error) {
		return el.TypeSlowly(ctx, text)
	}
	fill := func(ctx context.Context, el *page.Element, text string) (*string, error) {
		return (&page.Field{Element: el, Value: text}).Fill(ctx, nil)
	}
	for _, s := range []struct {
		name, html string
		how        func(context.Context, *page.Element, string) (*string, error)
		text, want string
	}{
		{"as given", `<input>`, fill, "Ada", nothing},
		{"as given, behind", `<input value="Lady ">`, slow, "Ada", nothing},
		{"lines", `<textarea></textarea>`, fill, "one\ntwo", nothing},
		{"lines of rich text", `<div contenteditable role=textbox>old</div>`, fill, "one\ntwo", nothing},
		{"taken out", `<p id=o></p><input oninput="o.textContent+=this.value;this.value=''">`, fill, "Ada", ""},
		{"taken out, key by key", `<p id=o></p><input oninput="o.textContent+=this.value;this.value=''">`, slow, "Ada", ""},
		{"taken out and hidden", `<input oninput="event.stopImmediatePropagation();this.value=''">`, fill, "Ada", ""},
		{"hidden from all", `<script>addEventListener('input', e => { e.stopImmediatePropagation(); e.target.value = '' }, true)</script><input>`, fill, "Ada", ""},
		{"put back", `<input value=const oninput="this.value='const'">`, fill, "Ada", "const"},
		{"reformatted", `<input oninput="this.value=this.value.replace(/(\d{3})(?=\d)/g,'$1-')">`, fill, "123456", "123-456"},
		{"cut", `<input maxlength=4>`, fill, "abcdef", "abcd"},
		{"cut, long text", `<textarea maxlength=4></textarea>`, fill, "abcdef", "abcd"},
		{"split over fields", `<input maxlength=1 oninput="this.nextSibling.focus()"><input>`, slow, "12", "1"},
		{"reformatted at a key", `<input onkeyup="this.value=this.value.toUpperCase()">`, fill, "ada", "ADA"},
		{"with a part that the page selects", `<input value="10:20" onfocus="queueMicrotask(() => this.setSelectionRange(0, 2))">`, fill, "11:30", nothing},
		{"with a time that the page puts in", `<input onfocus="queueMicrotask(() => { this.value = '10:20'; this.setSelectionRange(0, 2) })">`, fill, "11:30", nothing},
		{"with a caret that the page moves", `<input value=old onfocus="queueMicrotask(() => this.setSelectionRange(3, 3))">`, fill, "new", nothing},
		{"into a mask", `<input onfocus="queueMicrotask(() => { this.value = '+44 '; this.setSelectionRange(4, 4) })">`, fill, "20", "+44 20"},
		{"completed", `<input oninput="this.value+='@example.org'">`, fill, "ada", "ada@example.org"},
		{"a secret", `<input type=password maxlength=3>`, fill, "abcdef", "••••"},
		{"a number cut", `<input type=number oninput="if (this.value > 9) this.value = 9">`, fill, "12", "9"},
		{"a range moved", `<input type=range max=10 onchange="this.value = 5">`, fill, "7", "5"},
		{"a date", `<input type=date>`, fill, "2026-12-24", nothing},
		{"a date as people write it", `<input type=date>`, fill, "24 Dec 2026", "2026-12-24"},
		{"a date, key by key", `<input type=date>`, slow, "24 Dec 2026", "2026-12-24"},
		{"rich text", `<div contenteditable role=textbox oninput="this.textContent=this.textContent.toUpperCase()">old</div>`, fill, "new", "NEW"},
		{"rich text that can no longer be edited", `<div contenteditable role=textbox oninput="this.contentEditable = 'false'; this.append('!')">old</div>`, fill, "new", "new!"},
		{"rich text that an editor puts back", `<div contenteditable role=textbox oninput="setTimeout(() => this.textContent = 'old', 10)">old</div>`, fill,
			"new", "old"},
		{"an editor that knows only its paragraphs", `<div contenteditable role=textbox onbeforeinput="wrong = getSelection().anchorNode === this"
			oninput="if (wrong) this.innerHTML = '<p>old</p>'"><p>old</p></div>`, fill, "new", nothing},
		{"removed with its field", `<input oninput="this.remove()">`, fill, "Ada", nothing},
		{"removed with its form", `<form><input aria-label=X oninput="if (!window.done) { done = 1; this.form.innerHTML = this.form.innerHTML }"></form>`, fill, "Ada", ""},
		{"made again with its form", `<form><input aria-label=X oninput="this.setAttribute('value', this.value); this.form.innerHTML = this.form.innerHTML"></form>`, fill, "Ada", nothing},
		{"emptied", `<input value=old oninput="this.value='none'">`, fill, "", "none"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(s.html)
			got := nothing
			err := tt.OnRef(nth(tt, 0), func(ctx context.Context, el *page.Element) error {
				holds, err := s.how(ctx, el, s.text)
				if holds != nil {
					got = *holds
				}
				return err
			})
			if err != nil || got != s.want {
				t.Errorf("got %q, %v, want %q", got, err, s.want)
			}
		})
	}
}

// Text that a page refuses is an error, which says that none of it arrived.
func TestTypeRefused(t *testing.T) {
	for _, html := range []string{`<input onbeforeinput="event.preventDefault()">`, `<input onkeydown="event.preventDefault()">`, `<div contenteditable role=textbox onbeforeinput="event.preventDefault()">old</div>`} {
		tt := tab.Borrow(t, "/frame.html")
		tt.Write(html)
		if err := tt.OnRef(nth(tt, 0), tab.TypingSlowly("abc")); err == nil || !strings.Contains(err.Error(), ": refused") {
			t.Errorf("%s: got %v", html, err)
		}
	}
}

// A page may take the focus from a field while the selection stays there, as the calendar of PrimeReact
// does. Chromium then inserts the text there, with an input event only.
func TestTypeWithoutTheFocus(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input aria-label=Date value=old><script>
		const field = document.querySelector('input')
		field.onfocus = () => queueMicrotask(() => { const day = document.createElement('b'); day.tabIndex = 0; document.body.append(day); day.focus(); day.remove() })
	</script>`)
	if err := tt.OnRef(tt.Ref(`textbox "Date"`), tab.Typing("new")); err != nil || tab.Run[string](tt, "field.value") != "new" {
		t.Errorf("got %v, want the text", err)
	}
}

// Some fields only take keys. The segments of some dates draw their value themselves, as those of
// bits-ui. The fields of a code take one character each, and the page moves the focus on. The list of a
// combobox may follow the single keys, as in the examples of ARIA's authoring practices. A terminal
// draws each key, and nobody sees its field.
func TestTypeIntoFieldsForKeys(t *testing.T) {
	const segment = `<span role=spinbutton contenteditable=true aria-label=Day aria-valuetext=Empty style="display:inline-block">dd</span><script>
		const day = document.querySelector('span')
		let typed = ''
		day.onkeydown = event => {
			if (event.key === 'Tab') return
			event.preventDefault()
			if (/^\d$/.test(event.key)) day.textContent = day.ariaValueText = (typed = (typed + event.key).slice(-2)).padStart(2, '0')
		}
		</script>`
	code := strings.Repeat(`<input maxlength=1 aria-label=Digit oninput="this.nextElementSibling?.focus()">`, 4)
	const combobox = `<input aria-label=State role=combobox aria-expanded=false value=Ohio> <span></span><script>
		const field = document.querySelector('input'), list = document.querySelector('span')
		let typed = ''
		field.onkeyup = ({ key }) => {
			typed += key
			list.textContent = ' ' + ['New York', 'Washington', 'Wyoming'].filter(state => state.toLowerCase().startsWith(typed)).join()
		}
		</script>`
	for _, s := range []struct{ name, html, text, want string }{
		{"a segment", segment, "15", "15"},
		{"a segment that fills up", segment, "3", "03"},
		{"a segment with the number", segment + `<script>day.textContent = '03'</script>`, "3", "03"},
		{"a combobox whose list follows the keys", combobox, "new", "new New York"},
		{"a combobox that moves the caret", combobox + `<script>field.onfocus = () => queueMicrotask(() => field.setSelectionRange(1, 2))</script>`, "new", "new New York"},
		{"a field with completions", strings.Replace(combobox, "role=combobox", "aria-autocomplete=both", 1), "new", "new New York"},
		{"the field of a terminal", `<input aria-label=Line style="opacity:0;width:1px;height:1px"> <span></span><script>
			const drawn = document.querySelector('span')
			document.querySelector('input').onkeydown = event => { drawn.textContent += event.key; event.target.value = '' }</script>`, "ls", "sls"},
		{"a code", code, "1234", "1234"},
		{"one character", code, "1", "1"},
		{"a code over another, without a selection", strings.ReplaceAll(code, "<input", "<input value=9"), "1234", "1234"},
		{"a code that is too long", code, "12345", "1"},
		{"a code with a line break", `<form onsubmit="document.querySelector('input').value = 'sent'">` + code + "</form>", "12\n", "1"},
		{"an initial before a name", `<input maxlength=1 oninput="this.nextElementSibling.focus()"><input value=Lovelace onfocus="this.select()">`, "Ada", "ALovelace"},
		{"a code over another", strings.ReplaceAll(code, "<input", "<input value=9 onfocus='this.select()'"), "1234", "1234"},
	} {
		tt := tab.Borrow(t, "/frame.html")
		tt.Write(s.html)
		var holds *string
		if err := tt.OnRef(nth(tt, 0), func(ctx context.Context, el *page.Element) (err error) {
			holds, err = el.Type(ctx, s.text)
			return err
		}); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if strings.HasPrefix(s.name, "a code over") && holds != nil {
			t.Errorf("%s: holds %q", s.name, *holds)
		}
		if got := tab.Run[string](tt, `[...document.querySelectorAll('span, input')].map(el => el.value ?? el.textContent).join('')`); got != s.want {
			t.Errorf("%s: got %q, want %q", s.name, got, s.want)
		}
	}
}

// Keys take time where the page works long for each of them. The text is then inserted in one piece, but
// for its last character: the page may wait for the release of a key.
func TestTypeIntoASlowCombobox(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input aria-label=City role=combobox><script>
		const field = document.querySelector('input')
		let inputs = 0, released = ''
		field.oninput = () => { inputs++; for (const began = performance.now(); performance.now() - began < 150;); }
		field.onkeyup = ({ key }) => { released = key }
	</script>`)
	const text = "the quick brown fox jumps over the lazy dog 1234"
	if err := tt.OnRefFor(8*time.Second, tt.Ref(`combobox "City"`), tab.Typing(text)); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "[field.value, released, inputs < 6].join()"); got != text+",4,true" {
		t.Errorf("got %q", got)
	}
}

// A comment and the text of an editor are inserted in one piece: by keys, the completions would change them.
func TestTypeIntoAnEditorWithCompletions(t *testing.T) {
	for _, html := range []string{"<textarea aria-autocomplete=list></textarea>", "<div contenteditable aria-autocomplete=list role=combobox>old</div>"} {
		tt := tab.Borrow(t, "/frame.html")
		tt.Write(html + `<script>let inputs = ''; document.body.oninput = ({ data }) => { inputs += data + ';' }</script>`)
		if err := tt.OnRef(nth(tt, 0), tab.Typing("hi @ann")); err != nil || tab.Run[string](tt, "inputs") != "hi @ann;" {
			t.Errorf("%s: got %q, %v", html, tab.Run[string](tt, "inputs"), err)
		}
	}
}

// While keys go to a combobox, the page may move the focus to another element. No key reaches that one.
// But an element that replaces the combobox gets the rest.
func TestKeysOfAComboboxGoNowhereElse(t *testing.T) {
	const combobox = `<script src="log.js"></script><div><input aria-label=City role=combobox></div><button onkeydown="log(event.key)">Other</button><script>
		const [place, other] = document.querySelectorAll('div, button')
		let typed = ''
		place.oninput = ({ target }) => { typed = target.value; if (typed.length === 2) react() }
		const react = () => {`
	for _, s := range []struct{ name, react, fails, typed string }{
		{"the page moves the focus on", "other.focus()", `elsewhere by button "Other"`, "ro"},
		{"the page takes the focus away", "document.activeElement.blur()", "elsewhere", "ro"},
		{"the page replaces the field", "place.innerHTML = place.innerHTML; place.firstChild.value = typed; place.firstChild.focus(); place.firstChild.setSelectionRange(2, 2)", "", "rome"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(combobox+s.react+"}</script>"))
			err := tt.OnRef(tt.Ref(`combobox "City"`), tab.Typing("rome"))
			if s.fails == "" && err != nil || s.fails != "" && (err == nil || !strings.Contains(err.Error(), s.fails) || !errors.Is(err, page.ErrSent)) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
			if got := tab.Run[string](tt, "typed"); got != s.typed || tt.Logged() != "" {
				t.Errorf("typed %q, want %q; elsewhere came %q", got, s.typed, tt.Logged())
			}
		})
	}
}

// A page may search a little after the last input, and give that up when a key is pressed. So no key is
// pressed after the input.
func TestTypeIntoASearchAsYouType(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input aria-label=Search><script>
		const field = document.querySelector('input')
		let search, keys = ''
		field.onkeydown = () => { clearTimeout(search); keys += 'down ' }
		field.oninput = () => { clearTimeout(search); keys += 'input '; search = setTimeout(() => { keys += field.value }, 50) }
		field.onkeyup = () => { keys += 'up ' }
	</script>`)
	if err := tt.OnRef(tt.Ref(`textbox "Search"`), tab.Typing("tea")); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "new Promise(resolve => setTimeout(() => resolve(keys), 60))"); got != "input up tea" {
		t.Errorf("got %q", got)
	}
}

// A page may enable a button only when the field before it has lost the focus, or has got a key before
// its text (Knockout). A click leaves the field, as a person's press on the disabled button would.
func TestClickLeavesTheFieldForADisabledButton(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input aria-label=Title><button disabled onclick="textContent = field.value">Save</button><script>
		const field = document.querySelector('input'), save = document.querySelector('button')
		const look = () => { save.disabled = field.value === '' }
		field.onkeydown = () => setTimeout(look)
		field.onchange = look
	</script>`)
	save := tt.Ref(`button "Save"`)
	err := tt.OnRef(tt.Ref(`textbox "Title"`), tab.Typing("tea"))
	if err = errors.Join(err, tt.OnRefFor(10*time.Second, save, tab.Click)); err != nil || tab.Run[string](tt, "save.textContent") != "tea" {
		t.Errorf("got %v, want a click", err)
	}
}

// An editor cancels when the focus leaves it. A click on its disabled button first waits. Then the focus
// goes to the box around the button, if that takes it, as by a person's press.
func TestClickOnADisabledButtonKeepsTheEditor(t *testing.T) {
	for name, s := range map[string]struct{ attributes, enables string }{
		"that is enabled by itself":    {"", "field.oninput = () => setTimeout(() => { save.disabled = false }, 500)"},
		"that is enabled by the focus": {"tabindex=-1", "field.onchange = () => { save.disabled = false }"},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(`<div id=editor ` + s.attributes + `><input aria-label=Title><button disabled onclick="done.textContent = 'saved'">Save</button></div><p id=done></p><script>
				const field = document.querySelector('input'), save = document.querySelector('button')
				editor.addEventListener('focusout', event => {
					if (!editor.contains(event.relatedTarget)) { done.textContent = 'cancelled'; editor.remove() }
				})
				` + s.enables + `
			</script>`)
			save := tt.Ref(`button "Save"`)
			err := tt.OnRef(tt.Ref(`textbox "Title"`), tab.Typing("tea"))
			err = errors.Join(err, tt.OnRefFor(10*time.Second, save, tab.Click))
			if got := tab.Run[string](tt, "done.textContent"); err != nil || got != "saved" {
				t.Errorf("got %v and %q", err, got)
			}
		})
	}
}

// A field in which nothing was typed is not left: its calendar would close, and the error would not say
// that the day is disabled.
func TestClickOnADisabledDayKeepsTheCalendar(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input aria-label=Date><div id=days hidden><div role=button aria-disabled=true>1 May</div></div><script>
		const field = document.querySelector('input')
		field.onfocus = () => { days.hidden = false }
		field.onblur = () => { days.hidden = true }
	</script>`)
	if err := tt.On(`textbox "Date"`, tab.Click); err != nil {
		t.Fatal(err)
	}
	err := tt.OnRef(tt.Ref(`"1 May"`), tab.Click)
	if err == nil || !strings.Contains(err.Error(), "disabled") || tab.Run[bool](tt, "days.hidden") {
		t.Errorf("got %v, want an error that says disabled, and an open calendar", err)
	}
}

// A click on a disabled option waits for it. If it left the field, the list would close.
func TestClickOnADisabledOptionStaysInTheField(t *testing.T) {
	for name, s := range map[string]struct{ field, item string }{
		"an option":                       {``, `<div role=listbox><div role=option aria-disabled=true>Tea</div></div>`},
		"a button in the field's own box": {`aria-controls=list`, `<button disabled>Tea</button>`},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(`<input aria-label=Drink ` + s.field + `><div id=list hidden>` + s.item + `</div><script>
				const field = document.querySelector('input'), item = list.querySelector('[role=option], button')
				list.onmousedown = event => event.preventDefault()
				field.onfocus = () => { list.hidden = false }
				field.onblur = () => { list.hidden = true }
				item.onclick = () => { item.textContent = 'chosen' }
			</script>`)
			if err := tt.OnRef(tt.Ref("Drink"), tab.Typing("tea")); err != nil {
				t.Fatal(err)
			}
			ref := tt.Ref(`"Tea"`)
			tab.Run[any](tt, "let frames = 0; const step = () => { if (++frames < 10) requestAnimationFrame(step); else { item.ariaDisabled = null; item.disabled = false } }; step()")
			if err := tt.OnRef(ref, tab.Click); err != nil || tab.Run[string](tt, "item.textContent") != "chosen" {
				t.Errorf("got %v, want a click", err)
			}
		})
	}
}

// Chromium warns of a value that an input refuses. Such a warning is not the page's.
func TestValuesLeaveNoWarnings(t *testing.T) {
	tt, seen := tab.Open(t, "/form.html"), make(chan journal.Message, 100)
	defer tt.Journal().Listen(journal.Listener{Message: func(m journal.Message) { seen <- m }})()
	for field, texts := range map[string][]string{
		`textbox "Date" `: {"24. Dec 2026", "tomorrow", "2026-12-24", ""}, `"Time"`: {"9:05 pm", "12:30"}, `"Month"`: {"Dec 2026"}, `"Week"`: {"week 52 2026"},
		`"Date and time"`: {"24 Dec 2026 9:05 pm"}, `"Range"`: {"20%", "far"}, `"Colour"`: {"lime", "grue", ""},
	} {
		for _, text := range texts {
			tt.On(field, tab.Typing(text)) // whether it is taken, TestType judges
		}
	}
	tab.Run[any](tt, "console.warn('last')")
	for message := range seen {
		if message.Text == "last" {
			return
		}
		t.Errorf("got %q", message.Text)
	}
}

// nth returns the ref of the text field with this number in the page.
func nth(t *tab.Tab, i int) string {
	t.Helper()
	refs := regexp.MustCompile(`(?m)^\s*- (?:textbox|spinbutton|slider|searchbox|combobox)\b.*?\[ref=(\w+)\]`).FindAllStringSubmatch(t.Text(), -1)
	if i >= len(refs) {
		t.Fatalf("no field %d in\n%s", i, t.Text())
	}
	return refs[i][1]
}

// The options of a drop-down are not a part of the page. A click on one is refused at once, with an
// error that says how to choose the option. Select and fill take the option's ref.
func TestOptionOfADropDown(t *testing.T) {
	hovering := func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) }
	const refused = ": choice"
	for _, s := range []struct {
		name, html, target string
		do                 func(context.Context, *page.Element) error
		fails, value       string
	}{
		{"click", `<select><option>Red<option>Green</select>`, "option:last-child", tab.Click, refused, "Red"},
		{"click on a group", `<select><optgroup label=Dark><option>Navy</optgroup></select>`, "optgroup", tab.Click, refused, "Navy"},
		{"hover", `<select><option>Red<option>Green</select>`, "option:last-child", hovering, refused, "Red"},
		{"of a hidden select", `<label>L<select style="opacity:0"><option>Red<option>Green</select></label>`, "option:last-child", tab.Click, refused, "Red"},
		{"select", `<select><option>Red<option>Green</select>`, "option:last-child", tab.Choosing("Green"), "", "Green"},
		{"fill", `<select><option>Red<option>Green</select>`, "option", tab.Filling("Green"), "", "Green"},
		{"click in a list", `<select size=2><option>Red<option>Green</select>`, "option:last-child", tab.Click, "", "Green"},
		{"click in a list of several", `<select multiple><option>Red<option>Green</select>`, "option:last-child", tab.Click, "", "Green"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(s.html)
			el, err := tt.BySelector(s.target)
			if err != nil {
				t.Fatal(err)
			}
			err = tt.InAct(func(ctx context.Context) error { return s.do(ctx, el) })
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
			if got := tab.Run[string](tt, "document.querySelector('select').value"); got != s.value {
				t.Errorf("chosen %q, want %q", got, s.value)
			}
		})
	}
}

// The popup of a date field opens under the mouse. While the mouse is on the popup, the field shows
// a date of the popup in place of the text. So typing first moves the mouse to the field.
func TestTypeMovesTheMouseFromAPopup(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div class=date-picker><input id=due aria-label=Due></div>
		<button style="position:absolute;top:100px;left:20px;width:200px;height:100px">Before</button>
		<div id=days style="position:absolute;top:60px;left:0;width:400px;height:300px;display:none;background:#eee">9 January</div><script>
		let typed = ''; due.oninput = () => { typed = due.value; days.style.display = 'block'; };
		days.onmouseenter = () => due.value = '2027-01-09'; days.onmouseleave = () => due.value = typed;</script>`))
	for _, text := range []string{"2026-12-01", "2026-12-02"} { // in the first round the popup opens, in the second it is already open
		for _, do := range []func() error{
			func() error {
				return tt.InAct(func(ctx context.Context) error { return tt.MouseMove(ctx, page.Point{X: 100, Y: 150}) })
			},
			func() error { return tt.On("Due", tab.Typing(text)) },
		} {
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}
		if is := tab.Run[string](tt, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(document.getElementById('due').value))))"); is != text {
			t.Errorf("the field has %q, want %q", is, text)
		}
	}
}
