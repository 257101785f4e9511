package acts

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// Options of lists that are made with ARIA are chosen as a user does it, and the result is checked.
func TestSelectInListbox(t *testing.T) {
	const has = `it has ["Fig" "Lime" "Plum"]`
	for _, s := range []story{
		{"in a portal, by label", "/listboxes.html", `combobox "In a portal"`, tab.Choosing("Lime"), "portal closed", ""},
		{"in a portal, by fill", "/listboxes.html", `combobox "In a portal"`, tab.Filling("Lime"), "portal closed", ""},
		{"in the page, by fill", "/listboxes.html", `listbox "One of them"`, tab.Filling("Plum"), "one Plum", ""},
		{"in a portal, by value", "/listboxes.html", `combobox "In a portal"`, tab.Choosing("l"), "portal closed", ""},
		{"in another case", "/listboxes.html", `combobox "In a portal"`, tab.Choosing("lime"), "portal closed", ""},
		{"no such option", "/listboxes.html", `combobox "In a portal"`, tab.Choosing("Kiwi"), "portal closed", ": option: \"Kiwi\", " + has},
		{"that names no list", "/listboxes.html", `button "That names no list"`, tab.Choosing("Plum"), "unnamed closed", ""},
		{"that ignores the choice", "/listboxes.html", `combobox "That ignores a choice"`, tab.Choosing("Lime"), "silent closed", ": unchosen"},
		{"that opens nothing", "/listboxes.html", `combobox "Without a list"`, tab.Choosing("Lime"), "", ": closed"},
		{"disabled", "/listboxes.html", `combobox "Disabled list"`, tab.Choosing("Lime"), "", ": disabled"},
		{"that offers what is typed", "/listboxes.html", `combobox "City"`, tab.Choosing("Lisbon"), "city Lisbon", ""},
		{"virtual", "/listboxes.html", `combobox "Virtual"`, tab.Choosing("Row 123"), "rows closed", ""},
		{"in the page", "/listboxes.html", `listbox "One of them"`, tab.Choosing("Plum"), "one Plum", ""},
		{"in the page, no such option", "/listboxes.html", `listbox "One of them"`, tab.Choosing("Kiwi"), "", ": option: \"Kiwi\", " + has},
		{"several of one", "/listboxes.html", `listbox "One of them"`, tab.Choosing("Fig", "Plum"), "one Plum", ": single"},
		{"exactly these", "/listboxes.html", `listbox "Toggling"`, tab.Choosing("Fig", "Lime"), "toggling Fig,Lime", ""},
		{"what is selected already", "/listboxes.html", `listbox "Toggling"`, tab.Choosing("Plum"), "", ""},
		{"several with Control", "/listboxes.html", `listbox "With Control"`, tab.Choosing("Fig", "Plum"), "control Fig,Plum", ""},
	} {
		s.test(t)
	}
}

// After a choice the control shows the chosen option. The click on it is a trusted event.
func TestSelectShowsTheChoice(t *testing.T) {
	tt := tab.Borrow(t, "/listboxes.html")
	if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "In a portal"`), tab.Choosing("Plum")); err != nil {
		t.Fatal(err)
	}
	if got := tab.Run[string](tt, "document.getElementById('portal').textContent + (document.getElementById('out').textContent.includes('chose Plum true') ? ' trusted' : '')"); got != "Plum trusted" {
		t.Errorf("shows %q", got)
	}
	for name, row := range map[string]string{"Virtual": "Row 77", "That sorts under the mouse": "Fig", "That slips away": "Fig"} {
		if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "`+name+`"`), tab.Choosing(row)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := tab.Run[string](tt, `document.querySelector('[aria-label="`+name+`"]').textContent`); got != row {
			t.Errorf("%s shows %q, want %q", name, got, row)
		}
	}
}

// If a later value cannot be chosen, the error says whether the choice of an earlier one was sent.
func TestSelectSomeOfSeveral(t *testing.T) {
	for _, c := range []struct {
		choose, chosen string
		sent           bool
	}{
		{"Fig,Kiwi", "Fig,Plum", true},
		{"Plum,Kiwi", "Plum", false}, // Plum is selected already
		{"Kiwi,Fig", "Plum", false},
	} {
		tt := tab.Borrow(t, "/listboxes.html")
		err := tt.OnRefFor(5*time.Second, tt.Ref(`listbox "Toggling"`), tab.Choosing(strings.Split(c.choose, ",")...))
		lacks, ok := errors.AsType[*page.ElementError](err)
		if !ok || lacks.Missing != pagejs.Option || errors.Is(err, page.ErrSent) != c.sent {
			t.Errorf("%s: got %v, sent: %v", c.choose, err, errors.Is(err, page.ErrSent))
		}
		if got := tab.Run[string](tt, "[...toggling.children].filter(li => li.ariaSelected === 'true').map(li => li.textContent).join()"); got != c.chosen {
			t.Errorf("%s: chosen %s, want %s", c.choose, got, c.chosen)
		}
	}
}

// Some lists mark the highlighted option as selected, although nobody has chosen it. An example is
// Choices.js, whose chosen options leave the list. It names that option as the active one only after
// a key or the mouse has moved the highlight. The select element behind the control has only those
// that were chosen.
func TestSelectBesideTheActiveOption(t *testing.T) {
	long.Test(t)
	for _, c := range []struct {
		name   string
		active string // the active option that the combobox names
		values []string
		want   string
	}{
		{"others", "o0", []string{"Oslo", "Bern"}, "Oslo,Bern"},
		{"the active one", "o0", []string{"Rome"}, "Rome"},
		{"one that is not active", "o0", []string{"Oslo"}, "Oslo"},
		{"the highlighted one", "", []string{"Rome"}, "Rome"},
		{"the highlighted one and another", "", []string{"Rome", "Bern"}, "Rome,Bern"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<div id=box role=combobox tabindex=0 aria-label=Cities aria-expanded=false>
				<select id=cities multiple hidden><option>Rome<option>Oslo<option>Bern<option>New Rome</select><span id=chips>None</span>
				<div id=list role=listbox aria-multiselectable=true hidden></div></div>
				<script>
					const show = open => {
						const chosen = [...cities.options].filter(o => o.selected), rest = [...cities.options].filter(o => !o.selected)
						chips.innerHTML = chosen.map(o => '<b>' + o.label + '</b>').join(' ')
						list.innerHTML = rest.map((o, i) => '<div role=option id=o' + i + ' aria-selected=' + (i === 0) + '>' + o.label + '</div>').join('')
						box.setAttribute('aria-activedescendant', '`+c.active+`')
						box.setAttribute('aria-expanded', !(list.hidden = !open))
					}
					box.onclick = ({ target }) => {
						const option = [...cities.options].find(o => target.role === 'option' && o.label === target.textContent)
						if (option) option.selected = true
						show(true)
					}
					box.onkeydown = ({ key }) => key === 'Escape' && show(false)
				</script>`))
			if err := tt.OnRefFor(5*time.Second, tt.Ref(`combobox "Cities"`), tab.Choosing(c.values...)); err != nil {
				t.Error(err)
			}
			if got := tab.Run[string](tt, "[...cities.selectedOptions].map(o => o.label).join()"); got != c.want {
				t.Errorf("chosen: %s, want %s", got, c.want)
			}
			err := tt.OnRefFor(5*time.Second, tt.Ref(`combobox "Cities"`), tab.Choosing("New Rome"))
			lacks, ok := errors.AsType[*page.ElementError](err)
			if !ok || lacks.Missing != page.Kept || strings.Join(lacks.Options, ",") != c.want {
				t.Errorf("one more: got %v, want those that are kept", err)
			}
		})
	}
}

// If a combobox opens a menu, the error lists the entries of the menu: they are clicked one after
// the other.
func TestSelectNamesTheEntriesOfAMenu(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div id=box role=combobox tabindex=0 aria-label=Region aria-expanded=false style="width:200px;height:30px">Region</div>
		<ul id=menu role=menu style="display:none"><li role=menuitemcheckbox>Zhejiang</li><li role=menuitemcheckbox>Jiangsu</li></ul>
		<script>box.onclick = () => { menu.style.display = 'block'; box.setAttribute('aria-expanded', 'true'); }</script>`))
	err := tt.On("Region", tab.Choosing("Zhejiang"))
	lacks, ok := errors.AsType[*page.ElementError](err)
	if !ok || lacks.Missing != pagejs.Menu || len(lacks.Options) != 2 || !strings.HasPrefix(lacks.Options[0], "\"Zhejiang\" [ref=e") {
		t.Errorf("got %v, want the entries of the menu", err)
	}
}

// A box around a field may hide it. Then the click goes to what is shown for the field, and not to its
// label. The label would pass the click to the field, which opens nothing. Such a box may let no mouse
// event reach the field.
func TestSelectInWhatIsShownForAField(t *testing.T) {
	long.Test(t)
	for _, style := range []string{
		"clip:rect(0 0 0 0)", "clip-path:inset(50%)", "opacity:0;pointer-events:none", "width:1px;height:1px", "clip:rect(0 0 0 0);pointer-events:none",
	} {
		tt := tab.Open(t, pages.HTML(`<label for=field>City</label>
			<div id=shown style="position:relative;display:inline-block;padding:8px;border:1px solid">
				<div style="position:absolute;overflow:hidden;`+style+`"><input id=field role=combobox aria-haspopup=listbox aria-expanded=false readonly></div>
				<span id=says>None</span></div>
			<ul id=list role=listbox hidden><li role=option>Rome<li role=option>Oslo</ul>
			<script>
				const show = open => field.setAttribute('aria-expanded', !(list.hidden = !open))
				shown.onclick = ({ target }) => target !== field && show(list.hidden)
				list.onclick = ({ target }) => { says.textContent = target.textContent; show(false) }
			</script>`))
		if err := tt.OnRefFor(5*time.Second, tt.Ref(`combobox "City"`), tab.Choosing("Oslo")); err != nil {
			t.Errorf("%s: %v", style, err)
		}
		if got := tab.Run[string](tt, "says.textContent"); got != "Oslo" {
			t.Errorf("%s: chosen: %s, want Oslo", style, got)
		}
		if err := tt.OnRefFor(5*time.Second, tt.Ref(`combobox "City"`), tab.Filling("Rome")); err != nil || tab.Run[string](tt, "says.textContent") != "Rome" {
			t.Errorf("%s, by fill: %v", style, err)
		}
	}
}

// Some lists are drawn outside of their own box: a box in it is positioned, so that its own has no
// height. An example is the select of Material Web.
func TestSelectInAListWithoutHeight(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<button id=box role=combobox aria-label=Fruit aria-expanded=false aria-controls=list>None</button>
		<div style="position:relative;width:0;height:0"><div id=list role=listbox hidden style="display:flex;min-width:200px">
			<div style="position:absolute;display:block;background:#eee"><div role=option>Apple</div><div role=option>Plum</div></div></div></div>
		<style>[hidden] { display: none !important }</style>
		<script>
			const show = open => box.setAttribute('aria-expanded', !(list.hidden = !open))
			box.onclick = () => show(list.hidden)
			list.onclick = ({ target }) => { box.textContent = target.textContent; show(false) }
		</script>`))
	if err := tt.OnRefFor(5*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing("Plum")); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "box.textContent"); got != "Plum" {
		t.Errorf("chosen: %s, want Plum", got)
	}
}

// An option may be in a shadow root, and its words come from outside by a slot. An example is the
// option of Material Web.
func TestSelectAmongOptionsWithSlots(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div id=box role=combobox tabindex=0 aria-label=Fruit aria-expanded=false aria-controls=list>None</div>
		<div id=list role=listbox hidden><an-option>Apple</an-option><an-option>Plum</an-option></div>
		<script>
			customElements.define('an-option', class extends HTMLElement {
				constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<div role=option><slot></slot></div>' }
			})
			const show = open => box.setAttribute('aria-expanded', !(list.hidden = !open))
			box.onclick = () => show(true)
			list.onclick = ({ target }) => { box.textContent = target.textContent; show(false) }
			box.onkeydown = ({ key }) => key === 'Escape' && show(false)
		</script>`))
	if err := tt.OnRefFor(5*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing("Plum")); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "box.textContent"); got != "Plum" {
		t.Errorf("chosen: %s, want Plum", got)
	}
	err := tt.OnRefFor(5*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing("Kiwi"))
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || strings.Join(lacks.Options, " ") != "Apple Plum" {
		t.Errorf("got %v, want the options", err)
	}
}

// The options of some lists have boxes to check, and only these show which options are chosen. Carbon's
// list of this kind never changes aria-selected. In that of Tom Select it marks the option that the
// mouse was over.
func TestSelectOptionsWithBoxes(t *testing.T) {
	for _, over := range []string{"", "list.onmouseover = ({ target }) => { for (const o of list.children) o.ariaSelected = o.contains(target); };"} {
		selectOptionsWithBoxes(t, over)
	}
}

// selectOptionsWithBoxes does what TestSelectOptionsWithBoxes says, with a script that the page runs.
func selectOptionsWithBoxes(t *testing.T, script string) {
	t.Helper()
	tt := tab.Borrow(t, pages.HTML(`<div role=combobox tabindex=0 aria-label=Fruit aria-expanded=false aria-controls=list>0 chosen</div>
		<div role=listbox id=list hidden>`+strings.Repeat(`<div role=option aria-selected=false><label style="display:block"><input type=checkbox tabindex=-1> </label></div>`, 3)+`</div><script>
		const box = document.querySelector('[role=combobox]'), boxes = [...list.querySelectorAll('input')];
		list.querySelectorAll('label').forEach((label, i) => label.append(['Fig', 'Lime', 'Plum'][i]));
		boxes[1].checked = true;
		const open = is => { list.hidden = !is; box.setAttribute('aria-expanded', is); };
		box.onclick = () => open(list.hidden);
		document.onkeydown = event => { if (event.key === 'Escape') open(false); };
		list.onchange = () => { box.textContent = boxes.filter(b => b.checked).length + ' chosen'; };
		`+script+`
		</script>`))
	if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing("Fig", "Plum")); err != nil {
		t.Error(err)
	}
	if got, want := tab.Run[string](tt, "boxes.map(b => b.checked).join()"), "true,false,true"; got != want {
		t.Errorf("checked %s, want %s", got, want)
	}
}

// Some lists that take several options close after each choice, as those of Material UI do. Others do
// not say that they take several, as those of Element Plus. The options that were chosen before are
// deselected in all of them.
func TestSelectExactlyTheseInAnyListOfSeveral(t *testing.T) {
	long.Test(t)
	for _, c := range []struct{ name, says, afterChoice, before, choose, want string }{
		{"that closes", "aria-multiselectable=true", "show(false)", "Fig", "Lime,Plum", "Lime,Plum"},
		{"that closes late", "aria-multiselectable=true", "setTimeout(show, 150, false)", "Fig,Plum", "Lime", "Lime"},
		{"that does not say so", "", "", "Fig,Plum", "Lime", "Lime"},
		{"that does not say so and closes", "", "show(false)", "Fig,Plum", "Lime", "Lime"},
	} {
		tt := tab.Open(t, pages.HTML(`<div id=box role=combobox tabindex=0 aria-label=Fruit aria-expanded=false style="width:300px;height:30px"></div>
			<div id=list role=listbox `+c.says+` hidden></div>
			<script>
				let chosen = '`+c.before+`'.split(',')
				const show = open => {
					box.innerHTML = chosen.map(label => '<b>' + label + '</b>').join(' ')
					list.innerHTML = ['Fig', 'Lime', 'Plum'].map(label => '<div role=option aria-selected=' + chosen.includes(label) + '>' + label + '</div>').join('')
					box.setAttribute('aria-expanded', !(list.hidden = !open))
				}
				show(false)
				box.onclick = () => show(true)
				list.onmousedown = event => event.preventDefault()
				list.onclick = ({ target }) => {
					const label = target.textContent
					chosen = chosen.includes(label) ? chosen.filter(c => c !== label) : [...chosen, label]
					show(true)
					`+c.afterChoice+`
				}
				box.onkeydown = ({ key }) => key === 'Escape' && show(false)
			</script>`))
		if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing(strings.Split(c.choose, ",")...)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := tab.Run[string](tt, "chosen.sort().join()"); got != c.want {
			t.Errorf("%s: chosen %s, want %s", c.name, got, c.want)
		}
		if c.says != "" && !tab.Run[bool](tt, "list.hidden") {
			t.Errorf("%s: the list was left open", c.name)
		}
	}
}

// A chosen option may also show a check mark, which is text. It is still the same option. A mark that an
// icon font draws from a word leaves only the element to tell the option by.
func TestSelectOptionsWithCheckMarks(t *testing.T) {
	for _, c := range []struct{ says, mark, chosen, choose string }{
		{"aria-multiselectable=true", "✓", "", "Cherry"},
		{"aria-multiselectable=true", "✓", "", "Apple,Cherry"},
		{"aria-multiselectable=true", "check", "", "Apple,Cherry"},
		{"", "✓", "", "Apple,Cherry"},
		{"", "✓", "Cherry", "Cherry,Apple"},
		{"", "✓", "Cherry", "Apple,Cherry"},
		{"", "✓", "Apple,Cherry", "Cherry,Apple"},
	} {
		tt := tab.Borrow(t, pages.HTML(`<button role=combobox aria-label=Fruit id=box aria-expanded=false aria-controls=list>Pick</button>
			<div role=listbox id=list hidden `+c.says+`></div>
			<script>
				const all = ['Apple', 'Apple Pie', 'Cherry'], chosen = '`+c.chosen+`'.split(',').filter(each => each !== '')
				list.innerHTML = all.map(each => '<div role=option aria-selected=false>' + each + '</div>').join('')
				const show = open => box.setAttribute('aria-expanded', !(list.hidden = !open))
				box.onclick = () => show(list.hidden)
				box.onkeydown = ({ key }) => key === 'Escape' && show(false)
				list.onmousedown = event => event.preventDefault()
				list.onclick = ({ target }) => {
					const each = all[[...list.children].indexOf(target.closest('[role=option]'))], at = chosen.indexOf(each)
					at < 0 ? chosen.push(each) : chosen.splice(at, 1)
					draw()
				}
				function draw() {
					[...list.children].forEach((option, i) => {
						option.ariaSelected = chosen.includes(all[i])
						option.innerHTML = all[i] + (chosen.includes(all[i]) ? ' <b>`+c.mark+`</b>' : '')
					})
				}
				draw()
			</script>`))
		if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing(strings.Split(c.choose, ",")...)); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		if got := tab.Run[string](tt, "chosen.sort().join()"); got != strings.Join(slices.Sorted(strings.SplitSeq(c.choose, ",")), ",") {
			t.Errorf("%v: chosen %s", c, got)
		}
	}
}

// A page may handle a choice once more a little later, by the place of the option, as React does with a
// reducer. Carbon's list puts what is chosen first when it closes. A person closes it later than that.
func TestSelectBeforeTheListIsSorted(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<input role=combobox aria-label=Fruit id=field aria-expanded=false aria-controls=list>
		<div role=listbox aria-multiselectable=true id=list hidden></div>
		<script>
			let all = ['Apple', 'Apricot', 'Banana', 'Cherry'], shown = ['Apple'], chosen = ['Apple']
			const toggled = (among, each) => among.includes(each) ? among.filter(other => other !== each) : [...among, each]
			const draw = () => { list.innerHTML = all.map(each => '<div role=option aria-selected=' + shown.includes(each) + '>' + each + '</div>').join('') }
			const show = open => {
				field.setAttribute('aria-expanded', !(list.hidden = !open))
				if (!open) all = [...all].sort((a, b) => shown.includes(b) - shown.includes(a))
				draw()
			}
			field.onclick = () => show(list.hidden)
			field.onkeydown = ({ key }) => key === 'Escape' && show(false)
			list.onmousedown = event => event.preventDefault()
			list.onclick = ({ target }) => {
				const at = [...list.children].indexOf(target)
				shown = toggled(shown, all[at])
				draw()
				setTimeout(() => { shown = chosen = toggled(chosen, all[at]); draw() }, 30)
			}
		</script>`))
	if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing("Apple", "Cherry")); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "(list.hidden ? '' : 'open ') + chosen.join()"); got != "Apple,Cherry" {
		t.Errorf("chosen %s, want Apple,Cherry", got)
	}
}

// What is chosen may stand as chips beside the field. Some chips are options of a list of their own, as
// in the TagPicker of Fluent UI and the MultiComboBox of UI5. They may be buttons, and the option may
// leave the list.
func TestSelectShownAsOptions(t *testing.T) {
	for _, c := range []struct{ chip, leaves, named string }{
		{"<button role=option aria-selected=true type=button><span>EACH</span> <span aria-hidden=true>×</span></button>", "true", "aria-controls=list"},
		{"<span role=option>EACH</span> ", "false", "aria-controls=list"},
		{"<span role=option>EACH</span> ", "false", ""},
	} {
		tt := tab.Borrow(t, pages.HTML(`<div style="width:300px;padding:6px"><span id=chips role=listbox aria-label=Chosen></span><input role=combobox aria-label=Tags id=field aria-expanded=false `+c.named+`></div>
			<div role=listbox id=list hidden></div>
			<script>
				const chosen = []
				const draw = () => {
					chips.innerHTML = chosen.map(each => '`+c.chip+`'.replace('EACH', each)).join('')
					list.innerHTML = ['Apple', 'Banana', 'Cherry'].filter(each => !`+c.leaves+` || !chosen.includes(each)).map(each => '<div role=option>' + each + '</div>').join('')
				}
				const show = open => { draw(); field.setAttribute('aria-expanded', !(list.hidden = !open)) }
				field.onclick = () => show(list.hidden)
				field.onkeydown = ({ key }) => key === 'Escape' && show(false)
				list.onmousedown = event => event.preventDefault()
				list.onclick = ({ target }) => { chosen.push(target.textContent); show(false) }
			</script>`))
		if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Tags"`), tab.Choosing("Apple", "Cherry")); err != nil {
			t.Errorf("%s, %q: %v", c.chip, c.named, err)
		}
		if got := tab.Run[string](tt, "chosen.join()"); got != "Apple,Cherry" {
			t.Errorf("%s, %q: chosen %s, want Apple,Cherry", c.chip, c.named, got)
		}
	}
}

// The list of a combobox may be a menu of items to check, as in Fluent UI. The field stays empty, and the
// item that was clicked last is the active one.
func TestSelectItemsToCheck(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<input role=combobox aria-label=Fruit id=field aria-expanded=false aria-controls=list>
		<div role=menu id=list hidden><div role=menuitemcheckbox id=a aria-checked=false>Apple</div><div role=menuitemcheckbox id=b aria-checked=true>Banana</div><div role=menuitemcheckbox id=c aria-checked=false>Date</div></div>
		<script>
			const show = open => field.setAttribute('aria-expanded', !(list.hidden = !open))
			field.onclick = () => show(list.hidden)
			field.onkeydown = ({ key }) => key === 'Escape' && show(false)
			list.onmousedown = event => event.preventDefault()
			list.onclick = ({ target }) => { target.ariaChecked = String(target.ariaChecked !== 'true'); field.setAttribute('aria-activedescendant', target.id) }
		</script>`))
	if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing("Apple", "Date")); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "[...list.children].filter(item => item.ariaChecked === 'true').map(item => item.textContent).join()"); got != "Apple,Date" {
		t.Errorf("chosen %s, want Apple,Date", got)
	}
}

// A combobox may be hidden in a box with chips that have buttons, as in the MultiSelect of PrimeReact. A
// click beside the buttons opens the list.
func TestSelectBesideChipsWithButtons(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<div id=box style="width:280px;height:40px;border:1px solid"><div style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);pointer-events:none">
			<input role=combobox aria-label=Cities id=field aria-expanded=false aria-controls=list readonly style="pointer-events:none"></div><div id=chips>None</div></div>
		<div role=listbox aria-multiselectable=true id=list hidden><div role=option>Rome</div><div role=option>Oslo</div></div>
		<script>
			const chosen = []
			const show = open => field.setAttribute('aria-expanded', !(list.hidden = !open))
			box.onclick = ({ target }) => {
				if (/button|svg/.test(target.localName)) return chips.replaceChildren('removed')
				show(list.hidden)
				field.focus()
			}
			list.onclick = ({ target }) => {
				chosen.push(target.textContent)
				target.ariaSelected = 'true'
				chips.innerHTML = chosen.map(each => '<span>' + each + '</span> <button aria-label=Remove>×</button><svg tabindex=0 width=9 height=9></svg>').join(' ')
			}
			document.onkeydown = ({ key }) => key === 'Escape' && show(false)
		</script>`))
	for _, c := range []struct{ choose, shows string }{{"Rome", "Rome ×"}, {"Rome,Oslo", "Rome × Oslo ×"}} {
		if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Cities"`), tab.Choosing(strings.Split(c.choose, ",")...)); err != nil {
			t.Errorf("%s: %v", c.choose, err)
		}
		if got := tab.Run[string](tt, "(list.hidden ? '' : 'open: ') + chips.textContent"); got != c.shows {
			t.Errorf("%s: got %q, want %q", c.choose, got, c.shows)
		}
	}
}

// Some popups have options, and no list around them. The combobox may name a list that is not there. An
// expanded part of the page around it has not opened the options that stand elsewhere.
func TestSelectAmongOptionsWithoutAList(t *testing.T) {
	for _, around := range []string{"<div>", "<div role=treeitem aria-expanded=true>"} {
		tt := tab.Borrow(t, pages.HTML(around+`<div role=combobox id=box aria-haspopup=listbox aria-expanded=false aria-owns=none><input id=field aria-label=Payee aria-autocomplete=list></div>
			<div id=popup hidden><p>Suggested</p><div role=option>Kroger</div><div role=option>Publix</div></div></div>
			<div><div role=option>Kroger</div></div>
			<script>
				const show = open => box.setAttribute('aria-expanded', !(popup.hidden = !open))
				field.onclick = () => show(true)
				popup.onmousedown = event => event.preventDefault()
				popup.onclick = ({ target }) => { field.value = target.textContent; show(false) }
			</script>`))
		if err := tt.OnRefFor(10*time.Second, tt.Ref(`"Payee"`), tab.Choosing("Kroger")); err != nil {
			t.Errorf("%s: %v", around, err)
		}
		if got := tab.Run[string](tt, "field.value"); got != "Kroger" {
			t.Errorf("%s: chosen: %q, want Kroger", around, got)
		}
	}
}

// Something covers a combobox for a moment. The card around it, which does something else when it is
// clicked, is not clicked in its place.
func TestSelectInACardWhileCovered(t *testing.T) {
	for _, where := range []string{"document.body", "card"} {
		tt := tab.Borrow(t, pages.HTML(`<div id=card style="position:relative;width:300px;padding:40px;border:1px solid"><span role=tab tabindex=0>Other</span>
				<button role=combobox aria-label=Fruit id=box aria-expanded=false aria-controls=list>Pick</button></div>
			<div role=listbox id=list hidden><div role=option>Apple</div><div role=option>Cherry</div></div>
			<div id=cover style="position:fixed;background:white"></div>
			<script>
				let clicks = 0
				for (const name of ['left', 'top', 'width', 'height']) cover.style[name] = box.getBoundingClientRect()[name] + 'px'
				`+where+`.append(cover)
				setTimeout(() => cover.remove(), 600)
				card.onclick = ({ target }) => { if (target !== box) clicks++ }
				const show = open => box.setAttribute('aria-expanded', !(list.hidden = !open))
				box.onclick = () => show(list.hidden)
				list.onclick = ({ target }) => { box.textContent = target.textContent; show(false) }
			</script>`))
		if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Fruit"`), tab.Choosing("Cherry")); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		if got := tab.Run[string](tt, "box.textContent + ' ' + clicks"); got != "Cherry 0" {
			t.Errorf("%s: got %s", where, got)
		}
	}
}

// A list may still be closing when the next option is chosen, as in PrimeReact. Nothing says whose list
// that is, and a click opens it again.
func TestSelectWhileTheListIsClosing(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<button id=box aria-label=City aria-haspopup=listbox aria-expanded=false>Pick</button>
		<div role=listbox id=list hidden><div role=option>Berlin</div><div role=option>Cairo</div></div>
		<script>
			let closing
			box.onclick = () => { clearTimeout(closing); list.hidden = false; box.ariaExpanded = 'true' }
			list.onclick = ({ target }) => {
				box.textContent = target.textContent
				box.ariaExpanded = 'false'
				closing = setTimeout(() => list.hidden = true, 500)
			}
		</script>`))
	for _, city := range []string{"Berlin", "Cairo", "Berlin"} {
		if err := tt.OnRefFor(10*time.Second, tt.Ref(`button "City"`), tab.Choosing(city)); err != nil {
			t.Error(err)
		}
		if got := tab.Run[string](tt, "box.textContent"); got != city {
			t.Errorf("got %s, want %s", got, city)
		}
	}
}

// Filling does not open the calendar of a read-only field, which has no list of options.
func TestFillWhatOpensADialog(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input aria-label=Date readonly role=combobox aria-haspopup=dialog aria-expanded=false onclick="document.title = 'opened'">`)
	err := tt.OnRefFor(time.Second, tt.Ref(`combobox "Date"`), tab.Filling("11"))
	if err == nil || !strings.Contains(err.Error(), ": readonly") || tab.Run[string](tt, "document.title") == "opened" {
		t.Errorf("got %v, want readonly", err)
	}
}

// Beside a combobox there may be a list that has nothing to do with it. What stood there before the
// choice does not show that something was chosen.
func TestSelectBesideAnotherList(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<div><input role=combobox aria-label="Add city" id=field aria-expanded=false aria-controls=list>
			<div role=listbox aria-label=Recent><div role=option>Oslo</div><div role=option>Paris</div></div></div>
		<div role=listbox id=list hidden><div role=option>Paris</div><div role=option>Rome</div></div>
		<script>
			const show = open => field.setAttribute('aria-expanded', !(list.hidden = !open))
			field.onclick = () => show(true)
			list.onclick = () => show(false) // it takes no choice
		</script>`))
	err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Add city"`), tab.Choosing("Paris"))
	if err == nil || !strings.Contains(err.Error(), ": unchosen") {
		t.Errorf("got %v, want unchosen", err)
	}
}

// A selected option whose label has the words of the wanted one is another option, even if the wanted
// one is not drawn any more.
func TestSelectOneWithTheWordsOfAnother(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<button role=combobox aria-label=Wine id=box aria-expanded=false aria-controls=list>Pick</button>
		<div role=listbox aria-multiselectable=true id=list hidden></div>
		<script>
			const chosen = ['Red wine']
			const draw = all => list.innerHTML = all.map(each => '<div role=option aria-selected=' + chosen.includes(each) + '>' + each + '</div>').join('')
			const show = open => box.setAttribute('aria-expanded', !(list.hidden = !open))
			draw(['Red', 'Red wine', 'White'])
			box.onclick = () => show(list.hidden)
			box.onkeydown = ({ key }) => key === 'Escape' && show(false)
			list.onmousedown = event => event.preventDefault()
			list.onclick = ({ target }) => {
				const each = target.textContent, at = chosen.indexOf(each)
				at < 0 ? chosen.push(each) : chosen.splice(at, 1)
				box.textContent = chosen.join(', ')
				draw(['Red wine', 'White']) // the list has scrolled on
			}
		</script>`))
	if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Wine"`), tab.Choosing("Red")); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "chosen.join()"); got != "Red" {
		t.Errorf("chosen %s, want Red", got)
	}
}

// A page with a virtual list of so many ROWS. If it KEEPS its active row in view, it scrolls back until
// the mouse is over it, as the lists of Headless UI do.
const virtualList = `<div id=box role=combobox tabindex=0 aria-label=Row aria-expanded=false style="width:200px;height:30px">None</div>
	<div id=list role=listbox hidden style="width:200px;height:200px;overflow:auto;position:relative"><div id=rows></div></div>
	<script>
		let over = !KEEPS
		const show = open => { box.setAttribute('aria-expanded', !(list.hidden = !open)); render() }
		const render = () => {
			if (!over) list.scrollTop = 0
			const first = Math.floor(list.scrollTop / 30)
			rows.style.height = ROWS * 30 + 'px'
			rows.innerHTML = Array.from({ length: 10 }, (_, i) => first + i).filter(i => i < ROWS)
				.map(i => '<div role=option style="position:absolute;height:30px;top:' + i * 30 + 'px">Row ' + i + '</div>').join('')
		}
		list.onscroll = render
		list.onmousemove = () => { over = true }
		box.onclick = () => show(true)
		list.onclick = ({ target }) => { box.textContent = target.textContent; show(false) }
		document.onkeydown = ({ key }) => key === 'Escape' && show(false)
	</script>`

func virtualListOf(rows, keeps string) string {
	return pages.HTML(strings.NewReplacer("ROWS", rows, "KEEPS", keeps).Replace(virtualList))
}

func TestSelectInAListThatScrollsBack(t *testing.T) {
	tt := tab.Open(t, virtualListOf("60", "true"))
	if err := tt.OnRefFor(10*time.Second, tt.Ref(`combobox "Row"`), tab.Choosing("Row 50")); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "box.textContent"); got != "Row 50" {
		t.Errorf("chosen: %s, want Row 50", got)
	}
}

// A page may keep its scroll events from all other listeners. A list is searched all the same.
func TestSelectInAListWithoutScrollEvents(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<div id=list role=listbox aria-label=Rows style="height:100px;overflow:auto">` + strings.Repeat(`<div role=option>Row</div>`, 30) + `</div>
		<script>window.addEventListener('scroll', e => e.stopImmediatePropagation(), true)</script>`)
	err := tt.OnRefFor(10*time.Second, tt.Ref(`listbox "Rows"`), tab.Choosing("Other"))
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != pagejs.Option {
		t.Errorf("got %v, want option", err)
	}
}

// If the time is over before all of a long list was seen, the error says so. It does not say that
// there is no such option.
func TestSelectInAListTooLongForTheTime(t *testing.T) {
	tt := tab.Open(t, virtualListOf("1000000", "false"))
	err := tt.OnRefFor(2*time.Second, tt.Ref(`combobox "Row"`), tab.Choosing("Row 900000"))
	lacks, ok := errors.AsType[*page.ElementError](err)
	if !ok || lacks.Missing != pagejs.Unread || len(lacks.Options) == 0 {
		t.Errorf("got %v, want unread", err)
	}
}
