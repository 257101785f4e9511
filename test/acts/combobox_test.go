package acts

import (
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// Two comboboxes as Element Plus makes them. A placeholder lies over the field, and the box around both
// takes the click. Nothing says whether the list takes several options. What stands for IS describes the
// first box:
//
//	several   whether it takes several options
//	reset     the option that means none
//	collapse  whether only the first of several is shown
//	leave     how long the list fades, in milliseconds
const comboboxes = `<style>
		.box { position: relative; width: 200px; height: 30px; border: 1px solid; margin: 4px }
		.box input { position: absolute; inset: 5px; border: 0 }
		.shown { position: absolute; inset: 0; z-index: 1 }
		.list { position: absolute; width: 200px; background: #eee; z-index: 5 }
		[role=option] { height: 30px }
	</style><div id=a></div><div id=b></div>
	<script>
		function combobox(box, name, labels, is) {
			box.className = 'box'
			box.innerHTML = '<input role=combobox readonly aria-haspopup=listbox aria-expanded=false aria-label=' + name + ' aria-controls=list' + name + '><div class=shown>Pick</div>'
			const list = document.createElement('div'), input = box.firstChild, chosen = window[name] = []
			Object.assign(list, { id: 'list' + name, role: 'listbox', className: 'list', hidden: true })
			document.body.append(list)
			const show = open => {
				input.setAttribute('aria-expanded', open)
				Object.assign(list.style, { left: box.offsetLeft + 'px', top: box.offsetTop + 30 + 'px' })
				if (!open && is.leave) setTimeout(() => { list.hidden = true }, is.leave)
				else list.hidden = !open
			}
			for (const label of labels) {
				const option = document.createElement('div')
				Object.assign(option, { role: 'option', id: name + label, textContent: label, ariaSelected: 'false' })
				option.onmousemove = () => input.setAttribute('aria-activedescendant', option.id)
				option.onclick = () => {
					const at = chosen.indexOf(label)
					if (is.several) at < 0 ? chosen.push(label) : chosen.splice(at, 1)
					else chosen.splice(0, 1, ...is.reset === label ? [] : [label])
					for (const o of list.children) o.ariaSelected = String(chosen.includes(o.textContent))
					if (!is.several) show(false)
					box.lastChild.textContent = is.collapse && chosen.length > 1 ? chosen[0] + ' + ' + (chosen.length - 1) : chosen.join(', ') || 'Pick'
				}
				list.append(option)
			}
			box.onclick = () => { input.focus(); show(list.hidden) }
			input.onkeydown = ({ key }) => key === 'Escape' && show(false)
		}
		combobox(a, 'First', ['None', 'Alpha', 'Beta'], IS)
		combobox(b, 'Second', ['One', 'Two'], {})
	</script>`

// One list after the other is chosen from. The first does not stay open over the second.
func TestSelectOneAfterTheOther(t *testing.T) {
	for name, is := range map[string]string{"a list that stays open": "{ several: true }", "a list that fades": "{ leave: 400 }"} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(strings.Replace(comboboxes, "IS", is, 1)))
			first, second := tt.Ref(`combobox "First"`), tt.Ref(`combobox "Second"`)
			if err := tt.OnRefFor(10*time.Second, first, tab.Choosing("Alpha")); err != nil {
				t.Error(err)
			}
			if err := tt.OnRefFor(4*time.Second, second, tab.Choosing("Two")); err != nil {
				t.Error(err)
			}
			if got := tab.Run[string](tt, "[First, Second].join()"); got != "Alpha,Two" {
				t.Errorf("chosen: %s, want Alpha,Two", got)
			}
			for _, label := range []string{"Beta", "None"} {
				if err := tt.OnRefFor(4*time.Second, first, tab.Choosing(label)); err != nil {
					t.Errorf("%s: %v", label, err)
				}
			}
		})
	}
}

// A choice counts although the control does not show the label of the option.
func TestSelectWithoutTheLabel(t *testing.T) {
	long.Test(t)
	for _, c := range []struct{ name, is, before, choose, want string }{
		{"of several, only the first is shown", "{ several: true, collapse: true }", "", "Alpha,Beta", "Alpha,Beta"},
		{"the option that means none", "{ reset: 'None' }", "Alpha", "None", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(strings.Replace(comboboxes, "IS", c.is, 1)))
			ref := tt.Ref(`combobox "First"`)
			for _, values := range []string{c.before, c.choose} {
				if values == "" {
					continue
				}
				if err := tt.OnRefFor(10*time.Second, ref, tab.Choosing(strings.Split(values, ",")...)); err != nil {
					t.Error(err)
				}
			}
			if got := tab.Run[string](tt, "First.join()"); got != c.want {
				t.Errorf("chosen: %q, want %q", got, c.want)
			}
		})
	}
}

// A page may refuse a choice by clearing the control.
func TestSelectWhatClearsTheControl(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, pages.HTML(strings.Replace(comboboxes, "IS", "{ reset: 'Beta' }", 1)))
	choose := func(value string) error {
		return tt.OnRefFor(10*time.Second, tt.Ref(`combobox "First"`), tab.Choosing(value))
	}
	if err := choose("Alpha"); err != nil {
		t.Error(err)
	}
	err := choose("Beta")
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != page.Unchosen {
		t.Errorf("got %v, want that the option is not chosen", err)
	}
}

// If one of several values is not there, the error says that others may have been chosen.
func TestSelectAnUnknownAfterAnother(t *testing.T) {
	tt := tab.Open(t, pages.HTML(strings.Replace(comboboxes, "IS", "{ several: true }", 1)))
	err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "First"`), tab.Choosing("Alpha", "Nope"))
	if !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v, want an error that says that something was sent", err)
	}
}

// A list may load its options only after text was typed. Until then it shows a message. An example is the asynchronous combobox of react-select.
func TestSelectWhatComesAfterTyping(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, pages.HTML(`<div id=box style="width:200px;border:1px solid"><b id=says>None</b>
			<input id=field role=combobox aria-label=City aria-autocomplete=list aria-haspopup=listbox aria-expanded=false></div>
		<div id=list role=listbox hidden></div>
		<script>
			const show = html => { list.innerHTML = html; field.setAttribute('aria-expanded', !(list.hidden = html === '')) }
			let timer
			box.onclick = () => show('<div>No options</div>')
			field.oninput = () => {
				clearTimeout(timer)
				show('<div>Loading</div>')
				timer = setTimeout(() => show(field.value === 'Oslo' ? '<div role=option>Oslo</div>' : '<div>No options</div>'), 1000)
			}
			list.onmousedown = event => event.preventDefault()
			list.onclick = ({ target }) => { if (target.role === 'option') { says.textContent = target.textContent; field.value = ''; show('') } }
			field.onkeydown = ({ key }) => { if (key === 'Escape') show('') }
		</script>`))
	ref := tt.Ref(`combobox "City"`)
	if err := tt.OnRefFor(8*time.Second, ref, tab.Choosing("Oslo")); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "says.textContent"); got != "Oslo" {
		t.Errorf("chosen: %s, want Oslo", got)
	}
	err := tt.OnRefFor(8*time.Second, ref, tab.Choosing("Rome"))
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != pagejs.Option || len(lacks.Options) > 0 {
		t.Errorf("got %v, want no options", err)
	}
}

// A list whose options have no role may have a single one. The error for another value names it.
func TestSelectAnUnknownBesideASingleText(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, pages.HTML(`<button id=box aria-haspopup=listbox aria-expanded=false aria-controls=list>Color</button>
		<div id=list role=listbox hidden><div>Red</div></div>
		<script>box.onclick = () => box.setAttribute('aria-expanded', !(list.hidden = !list.hidden))</script>`))
	err := tt.OnRefFor(20*time.Second, tt.Ref(`button "Color"`), tab.Choosing("Blue"))
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != pagejs.Option || strings.Join(lacks.Options, ",") != "Red" {
		t.Errorf("got %v, want the option Red", err)
	}
}
