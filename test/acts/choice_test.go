package acts

import (
	"context"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/tab"
)

// A choice that the page refuses is an error, and one that it accepts late is none.
func TestSelectSeesRefusals(t *testing.T) {
	long.Test(t)
	const options = `<option value=x>X<option value=y>Y<option value=z>Z</select>`
	const refused = `: unchosen: "Y"`
	for _, s := range []struct{ name, html, target, value, fails, want string }{
		{"refused in the event", `<select onchange="this.value='x'">` + options, "select", "Y", refused, "x"},
		{"another one instead", `<select onchange="this.value='z'">` + options, "select", "y", refused, "z"},
		{"refused in a microtask", `<select onchange="Promise.resolve().then(() => this.value = 'x')">` + options, "select", "Y", refused, "x"},
		{"a controlled select", `<select onchange="this.value = 'x'; queueMicrotask(() => this.value = 'y')">` + options, "select", "Y", "", "y"},
		{"a controlled select that is rendered late", `<select onchange="this.value = 'x'; setTimeout(() => this.value = 'y', 150)">` + options, "select", "Y", "", "y"},
		{"options that are made again", `<select onchange="this.innerHTML = this.innerHTML; this.value = 'y'">` + options, "select", "Y", "", "y"},
		{"a menu", `<select onchange="document.body.append(document.createElement('input')); selectedIndex = 0"><option value="">Add field...` + options, "select", "Y", "", ""},
		{"refused with a message", `<select onchange="selectedIndex = 0; this.insertAdjacentHTML('afterend', '<p>Choose a country first</p>')"><option value="">Choose` + options, "select", "Y", refused, ""},
		{"refused with a move of the focus", `<select onchange="selectedIndex = 0; document.querySelector('input').focus()"><option value="">Choose` + options + `<input>`, "select", "Y", refused, ""},
		{"refused while fields are added", `<select onchange="selectedIndex = 0; setTimeout(() => document.body.append(document.createElement('input')), 50)"><option value="">Choose` + options, "select", "Y", refused, ""},
		{"a required select", `<select required onchange="document.body.append(document.createElement('input')); selectedIndex = 0"><option value="">Choose` + options, "select", "Y", refused, ""},
		{"refused without a change", `<select onchange="selectedIndex = 0"><option value="">Choose` + options, "select", "Y", refused, ""},
		{"a select that is removed", `<select onchange="this.replaceWith('done')">` + options, "select", "Y", "", ""},
		{"several, one of which is refused", `<select multiple onchange="this.options[1].selected = false">` + options, "select", "Y|Z", refused, "z"},
		{"several", `<select multiple>` + options, "select", "Y|Z", "", "y"},
		{"words beside an emoji", `<select><option>🐱 Cat<option>🐶 Dog</select>`, "select", "Dog", "", "🐶 Dog"},
		{"words beside other signs", `<select><option>C++<option>D</select>`, "select", "C", `option: "C"`, "C++"},
		{"refused behind a styled control", `<div style="opacity:0"><select onchange="this.value='x'">` + options + `</div>`, "select", "Y", refused, "x"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := checkChoice(t, s.html, s.target, s.value, s.fails)
			if got := tab.Run[string](tt, "document.querySelector('select')?.value ?? ''"); got != s.want {
				t.Errorf("chosen is %q, want %q", got, s.want)
			}
		})
	}
}

// checkChoice chooses values, separated by |, on a page, and checks the error.
func checkChoice(t *testing.T, html, selector, values, fails string) *tab.Tab {
	t.Helper()
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(html)
	el, err := tt.BySelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	err = tt.InAct(func(ctx context.Context) error { return tab.Choosing(strings.Split(values, "|")...)(ctx, el) })
	if failed := err != nil; failed != (fails != "") || failed && !strings.Contains(err.Error(), fails) {
		t.Errorf("got %v, want %q", err, fails)
	}
	return tt
}

// listPage is a combobox with a list. The script in chosen runs when an option (o) is clicked.
func listPage(shows, options, chosen string) string {
	return `<section><p id=label>Size</p><div id=box role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=list tabindex=0 aria-labelledby=label>` + shows + `</div><p id=note></p></section>
		<ul id=list role=listbox hidden>` + options + `</ul><script>
		box.onclick = () => { list.hidden = !list.hidden; box.ariaExpanded = !list.hidden };
		for (const o of list.querySelectorAll('li')) o.onclick = () => { list.hidden = true; box.ariaExpanded = false; ` + chosen + ` };
		</script>`
}

// An option of a list counts as chosen if the control shows it. It is not enough that its label is a
// part of another word, or that something beside the control has changed.
func TestSelectSeesRefusalsOfLists(t *testing.T) {
	long.Test(t)
	const sizes = `<li role=option>S<li role=option>L<li role=option>XL`
	for _, s := range []struct{ name, html, value, fails string }{
		{"a label in another one", listPage("XL", sizes, ""), "L", ": unchosen"},
		{"a word of another label", listPage("Apple Pie", "<li role=option>Apple Pie<li role=option>Apple", ""), "Apple", ": unchosen"},
		{"a message beside it", listPage("Red", "<li role=option>Blue<li role=option>Red", "note.textContent = 'Sold out, please choose another colour'"), "Blue", ": unchosen"},
		{"a message with the label", listPage("Red", "<li role=option>Blue<li role=option>Red", "note.textContent = 'Blue is sold out'"), "Blue", ": unchosen"},
		{"accepted", listPage("XL", sizes, "box.textContent = o.textContent"), "L", ""},
		{"accepted late", listPage("XL", sizes, "setTimeout(() => box.textContent = o.textContent, 150)"), "L", ""},
		{"what is chosen already", listPage("XL", sizes, ""), "XL", ""},
		{"with words before it", listPage("Size: XL", sizes, "box.textContent = 'Size: ' + o.textContent"), "L", ""},
		{"with words before it, refused", listPage("Size: XL", sizes, ""), "L", ": unchosen"},
		{"in another case", listPage("<b style='text-transform:uppercase'>Choose</b>", "<li role=option>Small", "box.firstChild.textContent = o.textContent"), "Small", ""},
		{"its first line", listPage("Choose", "<li role=option>Ann Lee<br>Berlin", "box.textContent = 'Ann Lee'"), "Ann Lee", ""},
		{"a part of it", listPage("Choose", "<li role=option>Germany (+49)<li role=option>France (+33)", "box.textContent = '+33'"), "France (+33)", ""},
		{"words beside an emoji", listPage("Choose", "<li role=option>🐱 Cat<li role=option>🐶 Dog", "box.textContent = o.textContent"), "Dog", ""},
		{"a chip beside it", listPage("Choose", sizes, "note.innerHTML = '<span><b>L</b> <button>Remove</button></span>'"), "L", ""},
		{"one of several", listPage("S", sizes, "box.textContent = 'S, L'"), "L", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			checkChoice(t, s.html, "#box", s.value, s.fails)
		})
	}
}

// If several options have the label, none is chosen. There are two exceptions: only one of them is
// enabled, or they do not differ in anything.
func TestSelectAmongEqualLabels(t *testing.T) {
	long.Test(t)
	const people = `<li role=option><div>Alex Kim</div><small>Sales, Berlin</small><li role=option><div>Alex Kim</div><small>Engineering, Oslo</small>`
	const shows = "box.textContent = o.firstChild.textContent"
	for _, s := range []struct{ name, html, selector, value, fails, want string }{
		{"in groups", `<select><optgroup label=Illinois><option value=1>Springfield</optgroup><optgroup label=Missouri><option value=2>Springfield</optgroup></select>`, "select", "Springfield",
			`: ambiguous: "Springfield", it has ["Springfield (in Illinois, value 1)" "Springfield (in Missouri, value 2)"]`, "1"},
		{"by value", `<select><option value=1>Springfield<option value=2>Springfield</select>`, "select", "2", "", "2"},
		{"one that is disabled", `<select><option value="" disabled selected>Red<option value=r>Red</select>`, "select", "Red", "", "r"},
		{"all disabled", `<select><option value=b>Blue<option value="" disabled>Red<option value=r disabled>Red</select>`, "select", "Red", ": disabled", "b"},
		{"the same twice", `<select><option>Chad<optgroup label=All><option>Fiji<option>Chad</optgroup></select>`, "select", "Chad", "", "Chad"},
		{"suggestions", `<input list=l><datalist id=l><option value=1>Springfield<option value=2>Springfield</datalist>`, "input", "Springfield", ": ambiguous", ""},
		{"first lines of a list", listPage("Choose", people, shows), "#box", "Alex Kim", `: ambiguous: "Alex Kim", it has ["Alex Kim Sales, Berlin" "Alex Kim Engineering, Oslo"]`, ""},
		{"all lines", listPage("Choose", people, shows), "#box", "Alex Kim Engineering, Oslo", "", ""},
		{"the first line of one is another", listPage("Choose", people+`<li role=option>Alex Kim`, shows), "#box", "Alex Kim", "", ""},
		{"groups of a list", listPage("Choose", `<ul role=group aria-label=Illinois><li role=option data-value=1>Springfield</ul><ul role=group aria-label=Missouri><li role=option data-value=2>Springfield</ul>`, shows), "#box", "Springfield",
			`: ambiguous: "Springfield", it has ["Springfield (in Illinois, value 1)" "Springfield (in Missouri, value 2)"]`, ""},
		{"values of a list", listPage("Choose", `<li role=option data-value=1>Springfield<li role=option data-value=2>Springfield`, shows), "#box", "2", "", ""},
		{"without the invisible characters of an option", `<select><option>Rose<option value=d>Donau&shy;dampfer</select>`, "select", "Donaudampfer", "", "d"},
		{"with them, where they tell options apart", `<select><option value=1>Donau&shy;dampfer<option value=2>Donaudampfer</select>`, "select", "Donau\u00addampfer", "", "1"},
		{"an option as it is seen", `<select><option>Donau&shy;dampfer</select>`, "select", "Kahn", `it has ["Donaudampfer"]`, "Donau\u00addampfer"},
		{"without the invisible characters in a list", listPage("Choose", `<li role=option>Rose<li role=option>zero&#8203;width`, shows), "#box", "zerowidth", "", ""},
		{"a disabled option of a list", listPage("Choose", `<li role=option aria-disabled=true>Red<li role=option>Red`, shows), "#box", "Red", "", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := checkChoice(t, s.html, s.selector, s.value, s.fails)
			if got := tab.Run[string](tt, "document.querySelector('select, input')?.value ?? ''"); got != s.want {
				t.Errorf("chosen is %q, want %q", got, s.want)
			}
		})
	}
}
