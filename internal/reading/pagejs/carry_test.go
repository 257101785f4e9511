package pagejs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// TestCarry replaces all elements of a page. Elements are known to the test by data-t, which the
// page script does not look at. In want, a=b says that the ref of a means b afterwards. Elements
// that are not in want have lost their refs.
func TestCarry(t *testing.T) {
	row := func(name string) string {
		return `<tr><td>` + name + `<td><button data-t=` + name + `>Delete</button>`
	}
	card := func(name string) string {
		return `<div class=card><div>` + name + `</div><button data-t=` + name + `>Follow</button></div>`
	}
	lone := func(name, button string) string {
		return `<div><span>` + name + `</span><button data-t=b>` + button + `</button></div>`
	}
	button := func(name string) string { return `<button data-t=` + name + `>Delete</button>` }
	fields := func(name string) string {
		return `<div class=row><input aria-label=Key value=` + name + `><input aria-label=Value value=1>` + button(name) + `</div>`
	}
	chosen := func(name string) string {
		return `<div><select aria-label=Who><option>` + name + `</select>` + button(name) + `</div>`
	}
	picture := func(name string) string {
		return `<div class=row><img src="data:,` + name + `" alt="">` + button(name) + `</div>`
	}
	photo := func(name string) string {
		return `<div class=row><img src="data:,` + name + `">` + button(name) + `</div>`
	}
	const before = `<style>.c::before { content: attr(data-n) }</style>`
	styled := func(name string) string {
		return `<div><span class=c data-n=` + name + `></span>` + button(name) + `</div>`
	}
	labeled := func(name string) string {
		return `<span>Price</span><img alt="" src="data:,` + name + `">` + button(name)
	}
	bare := func(name string) string { return `<input aria-label=Key value=` + name + `>` + button(name) }
	payment := func(name string) string {
		return `<section><h2>Payment</h2><p><input readonly aria-label=To value=` + name + `></p>` + button(name) + `</section>`
	}
	order := func(number string) string {
		return `<h1>Orders</h1><nav><a href=/all>All</a> <a href=/open>Open</a></nav><div>Order ` + number + `</div><p>` + button(number) + `</p>`
	}
	list := func(names ...string) string {
		all := `<ul>`
		for _, name := range names {
			all += `<li>` + name + ` <button data-t=` + name + `>Delete</button>`
		}
		return all + `</ul>`
	}
	counted := func(count string, names ...string) string {
		return `<h2>People</h2><p>` + count + `</p>` + list(names...)
	}
	titled := func(count string, names ...string) string { return `<h2>` + count + `</h2>` + list(names...) }
	for _, c := range []struct{ name, before, after, want string }{
		{"equal elements", `<button data-t=a>Save</button><a href=/x data-t=b>Home</a><input aria-label=Name data-t=c>`, ``, "a=a b=b c=c"},
		{"another name", lone("Ann", "Delete"), lone("Ann", "Undo"), ""},
		{"another icon", `<ul><li>Ann <button class=btn data-t=a><svg class=icon-archive></svg></button></ul>`,
			`<ul><li>Ann <button class=btn data-t=a><svg class=icon-trash></svg></button></ul>`, ""},
		{"another box without words", `<div class=menu onclick=1 data-t=a><p>One<p>Two</div>`, `<div class=overlay onclick=1 data-t=a></div>`, ""},
		{"a dot that shows which is chosen", `<button class="dot on" data-t=a></button><button class=dot data-t=b></button>`, `<button class=dot data-t=a></button><button class="dot on" data-t=b></button>`, ""},
		{"an icon with an id that counts", `<ul><li>Ann <button data-t=a><svg id=":r1:"></svg></button></ul>`, `<ul><li>Ann <button data-t=a><svg id=":r2:"></svg></button></ul>`, "a=a"},
		{"equal icons", `<ul><li>Ann <button class=btn data-t=a><svg class=icon-archive></svg></button></ul>`, ``, "a=a"},
		{"another kind", `<input aria-label=X type=text data-t=a>`, `<input aria-label=X type=search role=textbox data-t=a>`, ""},
		{"another address", `<a href=/1 data-t=a>Next</a>`, `<a href=/2 data-t=a>Next</a>`, ""},
		{"a key of the page's", `<button data-key=7 data-t=a>×</button><button data-key=8 data-t=b>×</button>`,
			`<button data-key=8 data-t=b>×</button><button data-key=7 data-t=a>×</button>`, "a=a b=b"},
		{"generated ids say nothing", `<button id=":r1:" data-t=a>Save</button>`, `<button id=":r7:" data-t=a>Save</button>`, "a=a"},

		{"a table that is sorted", table(row("Ann"), row("Bob"), row("Cid")), table(row("Cid"), row("Bob"), row("Ann")), "Ann=Ann Bob=Bob Cid=Cid"},
		{"a row that is deleted", table(row("Ann"), row("Bob"), row("Cid")), table(row("Bob"), row("Cid")), "Bob=Bob Cid=Cid"},
		{"a table with another page", table(row("Ann"), row("Bob")), table(row("Cid"), row("Dan")), ""},
		{"one row, and then another", table(row("Ann")), table(row("Bob")), ""},
		{"a row that is renamed", table(row("Ann"), row("Bob")), table(row("Anne"), row("Bob")), "Bob=Bob"},
		{"rows that read the same", table(`<tr><td>Ann<td><button data-t=a>Delete</button>`, `<tr><td>Ann<td><button data-t=b>Delete</button>`), ``, ""},
		{"two rows become one", table(`<tr><td>Ann<td><button data-t=a>Delete</button>`, `<tr><td>Ann<td><button data-t=b>Delete</button>`), table(row("Ann")), ""},
		{"one row becomes two", table(row("Ann")), table(row("Ann"), row("Ann")), ""},
		{"numbered rows", table(`<tr><td>1<td>Ann<td><button data-t=a>Delete</button>`, `<tr><td>2<td>Bob<td><button data-t=b>Delete</button>`),
			table(`<tr><td>1<td>Bob<td><button data-t=b>Delete</button>`), ""},

		{"cards", card("Ann") + card("Bob"), card("Bob") + card("Ann"), "Ann=Ann Bob=Bob"},
		{"one card, and then another", card("Ann"), card("Bob"), ""},
		{"one card, and then another of the next number", lone("Item 7", "Delete"), lone("Item 8", "Delete"), ""},
		{"cards of a link and a button", `<div><a href=/ann data-t=x>Ann</a><button data-t=a>×</button></div><div><a href=/bob data-t=y>Bob</a><button data-t=b>×</button></div>`,
			`<div><a href=/bob data-t=y>Bob</a><button data-t=b>×</button></div><div><a href=/ann data-t=x>Ann</a><button data-t=a>×</button></div>`, "a=a b=b x=x y=y"},
		{"a pane with a heading", `<div><h2>Ann</h2><div><button data-t=a>Edit</button><button data-t=b>Delete</button></div></div>`,
			`<div><h2>Bob</h2><div><button data-t=a>Edit</button><button data-t=b>Delete</button></div></div>`, ""},
		{"a dialog about another thing", `<div role=dialog><p>Delete Ann?</p><button data-t=a>Delete</button></div>`,
			`<div role=dialog><p>Delete Bob?</p><button data-t=a>Delete</button></div>`, ""},
		{"a form under another heading", `<div><h2>Ann</h2><form><label>Email <input data-t=a></label><button data-t=b>Save</button></form></div>`,
			`<div><h2>Bob</h2><form><label>Email <input data-t=a></label><button data-t=b>Save</button></form></div>`, ""},
		{"a month of the same days", `<div><div>February 2026</div>` + table(`<tr><td><button data-t=a>1</button><td><button data-t=b>2</button>`) + `</div>`,
			`<div><div>March 2026</div>` + table(`<tr><td><button data-t=a>1</button><td><button data-t=b>2</button>`) + `</div>`, ""},
		{"a list of another tab", `<div role=tabpanel aria-label=Open><ul><li>Ann <button data-t=a>Edit</button></ul></div>`,
			`<div role=tabpanel aria-label=Done><ul><li>Ann <button data-t=a>Edit</button></ul></div>`, ""},
		{"a form that is sent by each row", `<div><span>Ann</span><form><button data-t=a>Delete</button></form></div>`,
			`<div><span>Bob</span><form><button data-t=a>Delete</button></form></div>`, ""},

		{"a form with a message", `<form><label>Email <input data-t=a></label><button data-t=b>Save</button></form>`,
			`<form><label>Email <input data-t=a></label><p>Not an address</p><button data-t=b>Save</button></form>`, "a=a b=b"},
		{"what is beside a list that grows", `<div><h1>Todos</h1><input aria-label=New data-t=a><ul><li>One</ul><p>1 left</p><button data-t=b>Clear</button></div>`,
			`<div><h1>Todos</h1><input aria-label=New data-t=a><ul><li>One<li>Two</ul><p>2 left</p><button data-t=b>Clear</button></div>`, "a=a b=b"},
		{"lists under headings of their own", `<h2>Open</h2><ul><li>Ann <button data-t=a>×</button></ul><h2>Done</h2><ul><li>Ann <button data-t=b>×</button></ul>`, ``, "a=a b=b"},
		{"an item that changes the list", `<h2>Open</h2><ul><li>Ann <button data-t=a>×</button></ul><h2>Done</h2><ul></ul>`,
			`<h2>Open</h2><ul></ul><h2>Done</h2><ul><li>Ann <button data-t=a>×</button></ul>`, ""},
		{"an item that changes a list without headings", `<p>Open</p><ul><li>Ann <button data-t=a>×</button></ul><p>Done</p><ul><li>Bob</ul>`,
			`<p>Open</p><ul><li>Bob</ul><p>Done</p><ul><li>Ann <button data-t=a>×</button></ul>`, ""},
		{"a menu with a counter", `<nav><a href=/ data-t=a>Home</a><a href=/in data-t=b>Inbox</a> 3</nav>`, `<nav><a href=/ data-t=a>Home</a><a href=/in data-t=b>Inbox</a> 4</nav>`, "a=a b=b"},
		{"a counter with an id", `<div>Count: <b>1</b> <button id=more data-t=a>+</button></div>`, `<div>Count: <b>2</b> <button id=more data-t=a>+</button></div>`, "a=a"},
		{"a tree with a new item", `<ul role=tree><li role=treeitem>A<ul role=group><li role=treeitem>B <button data-t=b>×</button></ul></ul>`,
			`<ul role=tree><li role=treeitem>A<ul role=group><li role=treeitem>B <button data-t=b>×</button><li role=treeitem>C <button data-t=c>×</button></ul></ul>`, "b=b"},
		{"an item of the same name elsewhere", `<ul role=tree><li role=treeitem>A<ul role=group><li role=treeitem>X <button data-t=a>×</button></ul></ul>`,
			`<ul role=tree><li role=treeitem>B<ul role=group><li role=treeitem>X <button data-t=a>×</button></ul></ul>`, ""},
		{"rows that differ by the text in a field", `<h2>Variables</h2>` + fields("Ann") + fields("Bob") + fields("Cid"), `<h2>Variables</h2>` + fields("Bob") + fields("Cid"), "Bob=Bob Cid=Cid"},
		{"rows that differ by nothing", `<h2>Cart</h2>` + fields("1") + fields("1") + fields("1"), `<h2>Cart</h2>` + fields("1") + fields("1"), ""},
		{"rows that differ by what is chosen", `<h2>People</h2>` + chosen("Ann") + chosen("Bob") + chosen("Cid"), `<h2>People</h2>` + chosen("Bob") + chosen("Cid"), "Bob=Bob Cid=Cid"},
		{"rows that differ by a picture", `<h2>Photos</h2>` + picture("Ann") + picture("Bob") + picture("Cid"), `<h2>Photos</h2>` + picture("Bob") + picture("Cid"), "Bob=Bob Cid=Cid"},
		{"rows that differ by text of a style", before + `<h2>People</h2>` + styled("Ann") + styled("Bob") + styled("Cid"), before + `<h2>People</h2>` + styled("Bob") + styled("Cid"), "Bob=Bob Cid=Cid"},
		{"no rows, but labels", `<h2>Prices</h2>` + labeled("Ann") + labeled("Bob") + labeled("Cid"), `<h2>Prices</h2>` + labeled("Bob") + labeled("Cid"), ""},
		{"no rows, but fields", `<h2>Variables</h2>` + bare("Ann") + bare("Bob") + bare("Cid"), `<h2>Variables</h2>` + bare("Bob") + bare("Cid"), ""},
		{"a card whose words are in fields", payment("Ann"), payment("Bob"), ""},
		{"a row and then another with a picture", `<ul><li>` + picture("Ann") + `</ul>`, `<ul><li>` + picture("Bob") + `</ul>`, ""},
		{"a row and then another with a field", table(`<tr><td><input aria-label=Who value=Ann><td>` + button("a")), table(`<tr><td><input aria-label=Who value=Bob><td>` + button("b")), ""},
		{"a number beside a button that changes it", `<h2>Apple</h2><input type=number aria-label=Pieces value=1>` + button("b"), `<h2>Apple</h2><input type=number aria-label=Pieces value=2>` + button("b"), "b=b"},
		{"rows that differ by a picture without alt", `<h2>Photos</h2>` + photo("Ann") + photo("Bob") + photo("Cid"), `<h2>Photos</h2>` + photo("Bob") + photo("Cid"), "Bob=Bob Cid=Cid"},
		{"a picture in a button that changes", `<h2>Song</h2><button aria-label=Play><img alt="" src="data:,play"></button>` + button("b"),
			`<h2>Song</h2><button aria-label=Pause><img alt="" src="data:,pause"></button>` + button("b"), "b=b"},
		{"a field in which something was typed", `<h2>Search</h2><input aria-label=Words value="" data-t=a>`, `<h2>Search</h2><input aria-label=Words value=Ann data-t=a>`, "a=a"},
		{"a card with the same words in a field", payment("Ann"), payment("Ann"), "Ann=Ann"},
		{"an order and then another after a menu", order("1001"), order("1002"), ""},
		{"what is beside rows without a role", `<h1>Todos</h1>` + card("Ann") + card("Bob") + `<p>2 left</p><button data-t=b>Clear</button>`,
			`<h1>Todos</h1>` + card("Ann") + card("Bob") + `<p>1 left</p><button data-t=b>Clear</button>`, "Ann=Ann Bob=Bob b=b"},
		{"a list under a count with another noun", counted("2 people", "Ann", "Bob"), counted("1 person", "Bob"), ""},
		{"a list under the number of its items", counted("3 people", "Ann", "Bob", "Cid"), counted("2 people", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"a list under a heading with the number of its items", titled("3 people", "Ann", "Bob", "Cid"), titled("2 people", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"a list in a box under the number of its items", `<p>3 people</p><div><input aria-label=Filter>` + list("Ann", "Bob", "Cid") + `</div>`, `<p>2 people</p><div><input aria-label=Filter>` + list("Bob", "Cid") + `</div>`, "Bob=Bob Cid=Cid"},
		{"a table under the number of its rows", `<p>3 people</p>` + table(`<tr><th>Name<th>Do`, row("Ann"), row("Bob"), row("Cid")), `<p>2 people</p>` + table(`<tr><th>Name<th>Do`, row("Bob"), row("Cid")), "Bob=Bob Cid=Cid"},
		{"a list under a number that is not that of its items", counted("12 people", "Ann", "Bob", "Cid"), counted("11 people", "Bob", "Cid"), ""},
		{"a list under a number that then is not that of its items", counted("3 people", "Ann", "Bob", "Cid"), counted("5 people", "Bob", "Cid"), ""},
		{"a list whose name has the number of its items", counted("Room 3", "Ann", "Bob", "Cid"), counted("Room 2", "Bob", "Cid"), ""},
		{"a list after the number of another one", `<p>1 invited</p><ul><li>Ann <button data-t=a>Delete</button></ul><p>Others</p>` + list("Ann"), `<p>2 invited</p><ul><li>Ann <button data-t=a>Delete</button><li>Eve</ul><p>Others</p>` + list("Ann"), "a=a"},
		{"pictures as names", `<div><img alt=Ann src="data:,"><button data-t=a>Follow</button></div><div><img alt=Bob src="data:,"><button data-t=b>Follow</button></div>`,
			`<div><img alt=Bob src="data:,"><button data-t=b>Follow</button></div>`, "b=b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.after == "" {
				c.after = c.before
			}
			checkCarried(t, c.before, `document.body.innerHTML = `+quoted(c.after), c.want)
		})
	}
}

// A page keeps its elements, and shows other items in them: the new document is patched into the old
// one, by place. What is in the list has data-t, as in TestCarry, which is patched as well.
func TestCarryOfReusedElements(t *testing.T) {
	row := func(name string) string {
		return `<tr><td>` + name + `<td>open<td><button data-t=` + name + `>Delete</button>`
	}
	named := func(name string) string {
		return `<li><b>` + name + `</b> <button data-t=` + name + ` aria-label="Delete ` + name + `">×</button>`
	}
	card := func(name string) string {
		return `<div class=card><div>` + name + `</div><button data-t=` + name + `>Follow</button></div>`
	}
	parts := func(name string) string {
		return `<li>Order <b>` + name + `</b> <button data-t=` + name + `>Delete</button>`
	}
	cells := func(name string) string {
		return `<tr><td>` + name + ` <button>Edit</button><td>open<td><button data-t=` + name + `>Delete</button>`
	}
	link := func(name, text string) string {
		return `<li><a data-t=` + name + ` href=/` + name + `>` + text + `</a>`
	}
	option := func(name string) string { return `<div role=option tabindex=0 data-t=` + name + `>` + name + `</div>` }
	list := func(items ...string) string { return `<ul>` + strings.Join(items, "") + `</ul>` }
	// held is an item with a role, and a button in it. Both have data-t: the item in lower case.
	held := func(role string) func(name string) string {
		return func(name string) string {
			return `<div role=` + role + ` tabindex=0 data-t=` + strings.ToLower(name) + `><span>` + name + `</span><button data-t=` + name + `>Delete</button></div>`
		}
	}
	chip, tab, item := held("button"), held("tab"), held("menuitem")
	names := func(names ...string) string { // buttons that are items themselves
		all := ""
		for _, name := range names {
			all += `<button data-t=` + name + `>` + name + ` ×</button>`
		}
		return all
	}
	column := func(name string) string {
		return `<div class=col><div class=card><h3>` + name + `</h3><button data-t=` + name + `>Delete</button></div></div>`
	}
	wrapped := func(name string) string {
		return `<div class=row><label><input type=radio data-t=` + name + `>` + name + `</label></div>`
	}
	icon := func(name string) string {
		return `<div class=row><button data-t=` + name + ` aria-label="Delete ` + name + `">×</button></div>`
	}
	counted := func(count, name string) string {
		return `<li><span>` + count + `</span> <b>` + name + `</b> <button data-t=` + name + `>Delete</button>`
	}
	faces := func(name, verb string) string { // only the buttons have a name
		return `<li><img src="data:,"> <button data-t=` + name + ` aria-label="` + verb + ` ` + name + `">+</button><button data-t=` + strings.ToLower(name) + ` aria-label="Hide ` + name + `">×</button>`
	}
	switches := func(room, state string) string {
		return `<li><img src="data:,"> <button data-t=` + room + ` aria-label="Turn ` + state + ` light">+</button><button data-t=` + room + `2 aria-label="Turn ` + state + ` fan">×</button>`
	}
	at := func(time string) string { return `<li>` + time + ` <button data-t="` + time + `">Book</button>` }
	mail := func(subject string) string {
		return `<li><span>GitHub</span><p>` + subject + `</p><button data-t=` + subject + `>Archive</button>`
	}
	field := func(name string) string {
		return `<li><input aria-label=Name value=` + name + `><button data-t=` + name + `>Remove</button>`
	}
	marked := func(class, name string) string {
		return `<div class="` + class + `"><span>` + name + `</span> <button data-t=` + name + `>Go</button></div>`
	}
	placed := func(place, name string) string {
		return `<li><div>` + place + `</div><div>` + name + `</div><button data-t=` + name + `>Choose</button>`
	}
	order := func(number, state string) string {
		return `<tr><td>Order ` + number + `<td>` + state + `<td><button data-t=` + number + `>View</button>`
	}
	inline := func(name, state string) string {
		return `<li><span>` + name + `</span><span>` + state + `</span><button data-t=` + name + `>More</button>`
	}
	days := func(numbers ...string) string {
		row := `<tr>`
		for _, number := range numbers {
			row += `<td>`
			if number != "" {
				row += strings.ReplaceAll(`<button data-t=#>#</button>`, "#", number)
			}
		}
		return row
	}
	pressed := func(names ...string) string { // buttons that keep their places
		all := ""
		for i, name := range names {
			all += fmt.Sprintf("<button data-t=%d>%s</button>", i, name)
		}
		return all
	}
	entry := func(name, t string) string { return `<tr><td>` + name + `<td><button data-t=` + t + `>Cancel</button>` }
	photo := func(name string) string {
		return `<td><b>` + name + `</b> <button data-t=` + name + `>Delete</button></td>`
	}
	day := func(t string) string {
		return `<td><button data-t=` + t + `>` + strings.TrimSuffix(t, "x") + `</button></td>`
	}
	numbered := func(number, state string) string {
		return `<tr><td>Order ` + number + `<td>` + state + `<td><button data-t=` + number + `>View</button>`
	}
	// dots returns a page with three buttons. The page keeps the buttons, and only changes their names.
	dots := func(a, b, c string) func(names ...string) string {
		return func(names ...string) string {
			all := ""
			for i, t := range []string{a, b, c} {
				all += `<button data-t=` + t + `>` + names[i] + `</button>`
			}
			return all
		}
	}
	follow := func(name, one, other string) string {
		return fmt.Sprintf(`<tr><td>%s<td><button data-t=1%[1]s>%s</button><button data-t=2%[1]s>%s</button>`, name, one, other)
	}
	// wheels are fields for a date. Beside each are the values before and after its own.
	wheels := func(tag string, values ...string) string {
		all := ""
		for i, name := range []string{"day", "month", "year"} {
			all += fmt.Sprintf(`<%s class=w><button data-t=-%s aria-label="previous %[2]s">-</button><div>%s</div><div role=spinbutton tabindex=0 data-t=%[2]s aria-label=%[2]s>%s</div><div>%s</div><button data-t=+%[2]s aria-label="next %[2]s">+</button></%[1]s>`,
				tag, name, values[3*i], values[3*i+1], values[3*i+2])
		}
		return all
	}
	// beside returns rows. Each has a body, and an element without words before or after it.
	beside := func(before, after string, names ...string) string {
		all := ""
		for _, name := range names {
			all += `<div class=r>` + before + `<div><span>` + name + `</span><button data-t=` + name + `>Delete</button></div>` + after + `</div>`
		}
		return `<h1>People</h1><div><div>` + all + `</div></div><p>End</p>`
	}
	pictures := func(alt string, names ...string) string {
		all := `<ul>`
		for _, name := range names {
			all += `<li><img ` + alt + ` src="data:,` + name + `"><button data-t=` + name + `>Delete</button>`
		}
		return all + `</ul>`
	}
	// rowsOf returns rows of something with a name in it, in the place of NAME, and of a button.
	rowsOf := func(body string, names ...string) string {
		all := `<ul>`
		for _, name := range names {
			all += `<li>` + strings.ReplaceAll(body, "NAME", name) + `<button data-t=` + name + `>Delete</button>`
		}
		return all + `</ul>`
	}
	// turned returns three buttons. One of them has another picture than the others.
	turned := func(which int) string {
		all := ""
		for i := range 3 {
			picture := "off"
			if i == which {
				picture = "on"
			}
			all += fmt.Sprintf(`<button data-t=%d><img alt=page src="data:,%s"></button>`, i, picture)
		}
		return `<div>` + all + `</div>`
	}
	// loading returns three rows of texts and pictures. The pictures have the same name.
	loading := func(ann, bob string, pictures ...string) string {
		all := `<ul>`
		for i, text := range []string{ann, bob, "Cid"} {
			all += fmt.Sprintf(`<li>%s <img alt=photo src="data:,%s"><button data-t=%d>Delete</button>`, text, pictures[i%len(pictures)], i)
		}
		return all + `</ul>`
	}
	// pointing returns rows of a button, whose name an attribute or another element has.
	pointing := func(attribute string, names ...string) string {
		all := `<p id=Ann>Ann</p><p id=Bob>Bob</p><p id=Cid>Cid</p><ul>`
		for _, name := range names {
			all += `<li><button ` + attribute + `="` + name + `" data-t=` + name + `><svg></svg></button>`
		}
		return all + `</ul>`
	}
	labelled := func(name string) string {
		return `<div id=label>` + name + `</div><input aria-labelledby=label data-t=` + name + `>`
	}
	numberedLink := func(number, name string) string {
		return `<tr><td><a href="#` + number + `" data-t=` + name + `>` + number + `. ` + name + `</a>`
	}
	feed := func(names ...string) string {
		all := ""
		for _, name := range names {
			all += `<article>Buy ` + name + ` <button data-t=` + name + `>Delete</button></article>`
		}
		return `<main><div class=feed>` + all + `</div></main>`
	}
	swatches := func(names ...string) string {
		all := ""
		for _, name := range names {
			all += `<span role=button tabindex=0 aria-label=` + name + ` data-t=` + name + ` style="display: inline-block; width: 20px; height: 20px"></span>`
		}
		return `<div class=swatches>` + all + `</div>`
	}
	boxes := func(texts ...string) string { // that may be clicked, and keep their places
		all := ""
		for i, text := range texts {
			all += fmt.Sprintf(`<div style="cursor: pointer" data-t=%d>%s</div>`, i, text)
		}
		return `<div>` + all + `</div>`
	}
	transfers := func(rows ...string) string {
		all := ""
		for _, row := range rows {
			all += `<div style="cursor: pointer" data-t=` + row[len(row)-1:] + `>` + row + `</div>`
		}
		return `<h1>Transfers</h1><div>` + all + `</div>`
	}
	grid := func(names ...string) string {
		all := ""
		for _, name := range names {
			all += `<div role=row><div role=gridcell></div><div role=gridcell><div><span>` + name + `</span> <button data-t=` + name + `>Delete</button></div></div></div>`
		}
		return `<div role=grid>` + all + `</div>`
	}
	hits := func(names ...string) string {
		all := ""
		for _, name := range names {
			all += `<div style="cursor: pointer" data-t=` + name + `><p><span>` + name + `</span> <span>paid</span></p><b>$` + strconv.Itoa(len(name)) + `</b></div>`
		}
		return `<input aria-label=Filter><div><div>` + all + `</div></div><p>End</p>`
	}
	const dateWheels = "+day=+day +month=+month +year=+year -day=-day -month=-month -year=-year day=day month=month year=year"
	for _, c := range []struct{ name, before, after, want string }{
		{"wheels of a date", wheels("div", "29", "30", "1", "October", "November", "December", "2025", "2026", "2027"), wheels("div", "27", "28", "1", "January", "February", "March", "2025", "2026", "2027"), dateWheels},
		{"wheels of a date that all turn", wheels("div", "30", "31", "1", "November", "December", "January", "2025", "2026", "2027"), wheels("div", "2", "3", "4", "December", "January", "February", "2026", "2027", "2028"), dateWheels},
		{"wheels in a list", `<ul>` + wheels("li", "29", "30", "1", "October", "November", "December", "2025", "2026", "2027"), `<ul>` + wheels("li", "27", "28", "1", "January", "February", "March", "2025", "2026", "2027"), dateWheels},
		{"rows with lines", beside("", "<hr>", "Ann", "Bob", "Cid"), beside("", "<hr>", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"rows with drawings", beside("<svg></svg>", "", "Ann", "Bob", "Cid"), beside("<svg></svg>", "", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"rows with pictures without words", beside(`<img alt="" src="data:,">`, "", "Ann", "Bob", "Cid"), beside(`<img alt="" src="data:,">`, "", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"pictures without words", pictures("alt=''", "Ann", "Bob", "Cid"), pictures("alt=''", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"pictures without alt", pictures("", "Ann", "Bob", "Cid"), pictures("", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"pictures that may be clicked", pictures("onclick=1", "Ann", "Bob", "Cid"), pictures("onclick=1", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"pictures of the same name", rowsOf(`<img alt=photo src="data:,NAME">`, "Ann", "Bob", "Cid"), rowsOf(`<img alt=photo src="data:,NAME">`, "Bob", "Cid"), ""},
		{"pictures of the same label", rowsOf(`<img aria-label=photo src="data:,NAME">`, "Ann", "Bob", "Cid"), rowsOf(`<img aria-label=photo src="data:,NAME">`, "Bob", "Cid"), ""},
		{"pictures of the same caption", rowsOf(`<figure><img src="data:,NAME"><figcaption>Photo</figcaption></figure>`, "Ann", "Bob", "Cid"), rowsOf(`<figure><img src="data:,NAME"><figcaption>Photo</figcaption></figure>`, "Bob", "Cid"), ""},
		{"pictures in buttons", rowsOf(`<button><img src="data:,NAME"></button>`, "Ann", "Bob", "Cid"), rowsOf(`<button><img src="data:,NAME"></button>`, "Bob", "Cid"), ""},
		{"pictures of the same name in links", rowsOf(`<a href="#"><img alt=View src="data:,NAME"></a>`, "Ann", "Bob", "Cid"), rowsOf(`<a href="#"><img alt=View src="data:,NAME"></a>`, "Bob", "Cid"), ""},
		{"buttons that are pictures", rowsOf(`<input type=image src="data:,NAME">`, "Ann", "Bob", "Cid"), rowsOf(`<input type=image src="data:,NAME">`, "Bob", "Cid"), ""},
		{"captions of a picture", rowsOf(`<figure><img alt="" src="data:,"><figcaption>NAME</figcaption></figure>`, "Ann", "Bob", "Cid"), rowsOf(`<figure><img alt="" src="data:,"><figcaption>NAME</figcaption></figure>`, "Bob", "Cid"), ""},
		{"pictures beside texts, loaded late", loading("Ann", "Bob", "empty"), loading("Ann", "Bob", "a", "b", "c"), "0=0 1=1 2=2"},
		{"pictures beside texts, one loaded late", loading("Ann", "Bob", "empty"), loading("Ann", "Bob", "empty", "b", "empty"), "0=0 1=1 2=2"},
		{"pictures beside texts that go round", loading("Ann", "Bob", "a", "b", "c"), loading("Ann", "Bob", "b", "c", "a"), "0=0 1=1 2=2"},
		{"pictures beside equal texts, loaded late", loading("Cid", "Cid", "empty"), loading("Cid", "Cid", "a", "b", "c"), "0=0 1=1 2=2"},
		{"a mark in the buttons of a row that moves", turned(0), turned(1), "0=0 1=1 2=2"},
		{"buttons with titles", pointing("title", "Ann", "Bob", "Cid"), pointing("title", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"buttons named by other elements", pointing("aria-labelledby", "Ann", "Bob", "Cid"), pointing("aria-labelledby", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"a field named by an element before it", labelled("Ann"), labelled("Bob"), ""},
		{"rows with icons", beside(`<i class=icon></i>`, "<div></div>", "Ann", "Bob", "Cid"), beside(`<i class=icon></i>`, "<div></div>", "Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"rows with lines between them", `<div>` + card("Ann") + `<hr>` + card("Bob") + `<hr>` + card("Cid") + `</div>`, `<div>` + card("Bob") + `<hr>` + card("Cid") + `</div>`, "Bob=Bob Cid=Cid"},
		{"rows of a grid", grid("Ann", "Bob", "Cid"), grid("Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"another row in a list", hits("Ann", "Bobby", "Cidney"), hits("Ann", "Zelda W", "Cidney"), "Ann=Ann Cidney=Cidney"},
		{"another row of shared words", transfers("Ann Bob 1", "Bob Cid 2", "Cid Ann 3"), transfers("Ann Bob 1", "Ann Cid 9", "Cid Ann 3"), "1=1 3=3"},
		{"the only one left of rows of shared words", transfers("Ann Bob 1", "Bob Cid 2", "Cid Ann 3"), transfers("Cid Ann 3"), ""},
		{"another item before the only one", feed("milk"), feed("bread", "milk"), "milk=milk"},
		{"swatches", swatches("Red", "Blue", "Green", "Pink"), swatches("Blue", "Green", "Pink"), "Blue=Blue Green=Green Pink=Pink"},
		{"two swatches", swatches("Red", "Blue"), swatches("Blue"), "Blue=Blue"},
		{"boxes that are buttons", boxes("Start", "Reset"), boxes("Stop", "Reset"), "0=0 1=1"},
		{"boxes that are tiles", boxes("Loading the data", "Loading the data"), boxes("Revenue 5000", "Orders 12"), "0=0 1=1"},
		{"another page of pages", names("Previous", "1", "2", "3", "…", "10", "Next"), names("Previous", "1", "…", "8", "9", "10", "Next"), "10=10 1=1 Next=Next Previous=Previous …=…"},
		{"lessons that are done", names("1", "2", "3", "4", "5"), strings.Replace(names("1", "2", "3", "4", "5"), ">3 ×", ">✓ ×", 1), "1=1 2=2 3=3 4=4 5=5"},
		{"levels that open", pressed("1", "2", "3", "4", "🔒", "🔒", "🔒"), pressed("1", "2", "3", "4", "5", "6", "🔒"), "0=0 1=1 2=2 3=3 4=4 5=5 6=6"},
		{"a counter among others", pressed("1", "2", "3", "4", "5"), pressed("1", "2", "4", "4", "5"), "0=0 1=1 2=2 3=3 4=4"},
		{"badges before numbers", pressed("5", "6", "7", "8"), pressed("2 events 5", "6", "1 event 7", "8"), "0=0 1=1 2=2 3=3"},
		{"numbered links", table(numberedLink("1", "Ann"), numberedLink("2", "Bob"), numberedLink("3", "Cid"), numberedLink("4", "Dan"), numberedLink("5", "Eve"), numberedLink("6", "Fay"), numberedLink("7", "Gus")),
			table(numberedLink("1", "Bob"), numberedLink("2", "Cid"), numberedLink("3", "Dan"), numberedLink("4", "Eve"), numberedLink("5", "Fay"), numberedLink("6", "Gus")), ""},
		{"a row that is left", beside("", "", "Ann", "Bob", "Cid"), beside("", "", "Cid"), "Cid=Cid"},
		{"the only hit", hits("Ann", "Bobby", "Cidney"), hits("Cidney"), ""},
		{"another only hit", hits("Ann", "Bobby", "Cid"), hits("Zelda"), ""},
		{"another page of people with other states", table(follow("Ann", "Follow", "Mute"), follow("Bob", "Following", "Mute")), table(follow("Cid", "Follow", "Mute"), follow("Dan", "Following", "Mute")), ""},
		{"another page of numbered rows with named buttons", table(follow("Ann", "Edit row 1", "Delete row 1"), follow("Bob", "Edit row 2", "Delete row 2")), table(follow("Cid", "Edit row 1", "Delete row 1"), follow("Dan", "Edit row 2", "Delete row 2")), ""},
		{"places with named buttons", table(follow("Ann", "Edit gold", "Delete gold"), follow("Bob", "Edit silver", "Delete silver")), table(follow("Bob", "Edit gold", "Delete gold"), follow("Cid", "Edit silver", "Delete silver")), ""},
		{"options with buttons", `<div role=listbox>` + held("option")("Ann") + held("option")("Bob") + held("option")("Cid") + `</div>`,
			`<div role=listbox>` + held("option")("Bob") + held("option")("Cid") + `</div>`, "Bob=Bob Cid=Cid bob=bob cid=cid"},
		{"an option that is left", `<div role=listbox>` + held("option")("Ann") + held("option")("Bob") + `</div>`, `<div role=listbox>` + held("option")("Bob") + `</div>`, "Bob=Bob bob=bob"},
		{"tabs with buttons", `<div role=tablist>` + tab("Ann") + tab("Bob") + tab("Cid") + `</div>`, `<div role=tablist>` + tab("Bob") + tab("Cid") + `</div>`, "Bob=Bob Cid=Cid bob=bob cid=cid"},
		{"chips with buttons", chip("Ann") + chip("Bob") + chip("Cid"), chip("Bob") + chip("Cid"), "Bob=Bob Cid=Cid bob=bob cid=cid"},
		{"menu items with buttons", `<div role=menu>` + item("Ann") + item("Bob") + `</div>`, `<div role=menu>` + item("Bob") + `</div>`, "Bob=Bob bob=bob"},
		{"another menu in the same elements", `<div role=menu>` + item("Ann") + item("Bob") + `</div>`, `<div role=menu>` + item("Cid") + item("Dan") + `</div>`, ""},
		{"buttons that are items", names("Ann", "Bob", "Cid"), names("Bob", "Cid"), "Bob=Bob Cid=Cid"},
		{"buttons named by their authors", icon("Ann") + icon("Bob") + icon("Cid"), icon("Bob") + icon("Cid"), "Bob=Bob Cid=Cid"},
		{"cards in columns", column("Ann") + column("Bob") + column("Cid"), column("Bob") + column("Cid"), "Bob=Bob Cid=Cid"},
		{"wrapped radios", wrapped("Ann") + wrapped("Bob") + wrapped("Cid"), wrapped("Bob") + wrapped("Cid"), "Bob=Bob Cid=Cid"},
		{"another page of cards", card("Ann") + card("Bob"), card("Cid") + card("Dan"), ""},
		{"a card with another class", marked("card sel", "Ann") + marked("card", "Bob") + marked("card", "Cid"), marked("card sel", "Bob") + marked("card", "Cid"), "Bob=Bob Cid=Cid"},
		{"a count before the name", list(counted("3", "Ann"), counted("1", "Bob"), counted("4", "Cid")), list(counted("1", "Bob"), counted("4", "Cid")), "Bob=Bob Cid=Cid"},
		{"items without letters", list(at("10:30"), at("11:30"), at("12:30")), list(at("11:30"), at("12:30")), "11:30=11:30 12:30=12:30"},
		{"rows that begin with the same text", list(mail("Ann"), mail("Bob"), mail("Cid")), list(mail("Bob"), mail("Cid")), "Bob=Bob Cid=Cid"},
		{"another person, whom only buttons name", list(faces("Ann", "Follow"), faces("Ben", "Follow"), faces("Cyd", "Follow")),
			list(faces("Ann", "Follow"), faces("Zed", "Follow"), faces("Cyd", "Follow")), "Ann=Ann Cyd=Cyd ann=ann cyd=cyd"},
		{"a row, whose switches share a state", list(switches("a", "off"), switches("b", "on"), switches("c", "on")), list(switches("a", "on"), switches("b", "on"), switches("c", "on")), "a2=a2 a=a b2=b2 b=b c2=c2 c=c"},
		{"a person, whom only buttons name, is followed", list(faces("Ann", "Follow"), faces("Ben", "Follow"), faces("Cyd", "Follow")),
			list(faces("Ann", "Follow"), faces("Ben", "Unfollow"), faces("Cyd", "Follow")), "Ann=Ann Ben=Ben Cyd=Cyd ann=ann ben=ben cyd=cyd"},
		{"rows known by their fields", list(field("Ann"), field("Bob"), field("Cid")), list(field("Bob"), field("Cid")), "Bob=Bob Cid=Cid"},
		{"another page of rows that say the same", table(entry("Acme", "a"), entry("Beta", "b"), entry("Cord", "c")), table(entry("Dyn", "d"), entry("Dyn", "e"), entry("Dyn", "f")), ""},
		{"another page of people of the same family", table(entry("Anna Smith", "a"), entry("Ben Jones", "b")), table(entry("Dana Smith", "d"), entry("Emil Jones", "e")), ""},
		{"another page of names that are longer", table(entry("A", "a"), entry("B", "b"), entry("C", "c")), table(entry("Ann", "d"), entry("Bert", "e"), entry("Clara", "f")), ""},
		{"a row that is deleted", table(row("Ann"), row("Bob"), row("Cid"), row("Dan")), table(row("Ann"), row("Cid"), row("Dan")), "Ann=Ann Cid=Cid Dan=Dan"},
		{"a named button", list(named("Ann"), named("Bob"), named("Cid")), list(named("Ann"), named("Cid")), "Ann=Ann Cid=Cid"},
		{"a table that is sorted", table(row("Ann"), row("Bob"), row("Cid")), table(row("Cid"), row("Bob"), row("Ann")), "Ann=Ann Bob=Bob Cid=Cid"},
		{"a row that is inserted", table(row("Bob"), row("Cid")), table(row("Ann"), row("Bob"), row("Cid")), "Bob=Bob Cid=Cid"},
		{"a list that is scrolled", list(named("Ann"), named("Bob"), named("Cid")), list(named("Bob"), named("Cid"), named("Dan")), "Bob=Bob Cid=Cid"},
		{"another page of a table", table(row("Ann"), row("Bob")), table(row("Cid"), row("Dan")), ""},
		{"cards", card("Ann") + card("Bob") + card("Cid"), card("Bob") + card("Cid"), "Bob=Bob Cid=Cid"},
		{"a number in an element of its own", list(parts("1"), parts("2"), parts("3")), list(parts("2"), parts("3")), "2=2 3=3"},
		{"options", `<div role=listbox>` + option("Ann") + option("Bob") + `</div>`, `<div role=listbox>` + option("Bob") + option("Cid") + `</div>`, "Bob=Bob"},
		{"links", list(link("Ann", "Ann"), link("Bob", "Bob")), list(link("Bob", "Bob"), link("Cid", "Cid")), "Bob=Bob"},
		{"rows of numbers", table(row("1"), row("2"), row("3")), table(row("2"), row("3")), "2=2 3=3"},

		{"the last but one of numbered rows", list(parts("1"), parts("2"), parts("3")), list(parts("1"), parts("3")), "1=1 3=3"},
		{"numbered rows in a list that is scrolled by one", list(parts("1"), parts("2")), list(parts("3"), parts("2")), "2=2"},
		{"cells with controls of their own", table(cells("Ann"), cells("Bob"), cells("Cid")), table(cells("Ann"), cells("Cid")), "Ann=Ann Cid=Cid"},

		{"another page of people of the same families", table(entry("Ann Smith", "a"), entry("Ben Jones", "b"), entry("Cyd Smith", "c"), entry("Dan Jones", "d")),
			table(entry("Ann Jones", "e"), entry("Ben Smith", "f"), entry("Cyd Jones", "g"), entry("Dan Smith", "h")), ""},
		{"another week", list(at("Mon 2 Nov"), at("Tue 3 Nov"), at("Wed 4 Nov")), list(at("Mon 9 Nov"), at("Tue 10 Nov"), at("Wed 11 Nov")), ""},
		{"another week in another month", list(at("Mon 30 Nov"), at("Tue 1 Dec"), at("Wed 2 Dec")), list(at("Mon 7 Dec"), at("Tue 8 Dec"), at("Wed 9 Dec")), ""},
		{"another year", names("Jan 2026", "Feb 2026", "Mar 2026"), names("Jan 2027", "Feb 2027", "Mar 2027"), ""},
		{"cells that are items", table(`<tr>`+photo("Ann")+photo("Bob")+photo("Cid"), `<tr>`+photo("Dan")+photo("Eve")+photo("Fay")), table(`<tr>`+photo("Bob")+photo("Cid")+photo("Dan"), `<tr>`+photo("Eve")+photo("Fay")), ""},
		{"another month", table(`<tr>`+day("1")+day("2")+day("3"), `<tr>`+day("4")+day("5")+day("6")), table(`<tr>`+day("30")+day("1x")+day("2x"), `<tr>`+day("3x")+day("4x")+day("5x")), ""},
		{"letters by place", list(`<li><div>A</div><div>Paris</div><button data-t=a>Choose</button>`, `<li><div>B</div><div>Rome</div><button data-t=b>Choose</button>`),
			list(`<li><div>A</div><div>Oslo</div><button data-t=c>Choose</button>`, `<li><div>B</div><div>Bonn</div><button data-t=d>Choose</button>`), ""},

		{"numbered rows whose states change", table(numbered("1001", "Pending"), numbered("1002", "Paid"), numbered("1003", "Paid")), table(numbered("1001", "Paid"), numbered("1002", "Shipped"), numbered("1003", "Paid")), "1001=1001 1002=1002 1003=1003"},
		{"a mark of dots", dots("a", "b", "c")("●", "○", "○"), dots("a", "b", "c")("○", "●", "○"), "a=a b=b c=c"},
		{"the word for what is chosen", dots("a", "b", "c")("Current", "Choose", "Choose"), dots("a", "b", "c")("Choose", "Current", "Choose"), "a=a b=b c=c"},
		{"the current one of numbered buttons", dots("a", "b", "c")("Slide 1, current", "Slide 2", "Slide 3"), dots("a", "b", "c")("Slide 1", "Slide 2, current", "Slide 3"), "a=a b=b c=c"},
		{"the current page", dots("a", "b", "c")("Page 1, current page", "Page 2", "Page 3"), dots("a", "b", "c")("Page 1", "Page 2, current page", "Page 3"), "a=a b=b c=c"},
		{"the slide that is shown", dots("a", "b", "c")("Slide 1", "Go to slide 2 of 3", "Go to slide 3 of 3"), dots("a", "b", "c")("Go to slide 1 of 3", "Slide 2", "Go to slide 3 of 3"), "a=a b=b c=c"},
		{"a step that is completed", dots("a", "b", "c")("Step 1, current", "Step 2", "Step 3"), dots("a", "b", "c")("Step 1, completed", "Step 2, current", "Step 3"), "a=a b=b c=c"},
		{"counts as names", dots("a", "b", "c")("1", "2", "3"), dots("a", "b", "c")("2", "3", "3"), "a=a b=b c=c"},
		{"badges without a space", dots("a", "b", "c")("Inbox3", "Sent1", "Spam2"), dots("a", "b", "c")("Inbox2", "Sent2", "Spam2"), "a=a b=b c=c"},
		{"a row with another state", table(row("Ann"), row("Bob")), strings.ReplaceAll(table(row("Ann"), row("Bob")), "open", "sent"), "Ann=Ann Bob=Bob"},
		{"a time before the words", list(`<li>5s ago <b>Ann</b> <button data-t=a>Reply</button>`), list(`<li>6s ago <b>Ann</b> <button data-t=a>Reply</button>`), "a=a"},
		{"a counter of a link", list(link("in", "Inbox 3")), list(link("in", "Inbox 4")), "in=in"},
		{"a counter in one of several rows", list(`<li>Adults: 1 <button data-t=a>+</button>`, `<li>Children: 0 <button data-t=b>+</button>`),
			list(`<li>Adults: 2 <button data-t=a>+</button>`, `<li>Children: 0 <button data-t=b>+</button>`), "a=a b=b"},
		{"counters in boxes beside each other", `<div class=c><h3>Todo 3</h3><button data-t=a>Add</button></div><div class=c><h3>Done 1</h3><button data-t=b>Add</button></div>`,
			`<div class=c><h3>Todo 2</h3><button data-t=a>Add</button></div><div class=c><h3>Done 2</h3><button data-t=b>Add</button></div>`, "a=a b=b"},
		{"a state before the name", list(`<li>Off Wi-Fi <button data-t=a>Toggle</button>`, `<li>Off Sound <button data-t=b>Toggle</button>`),
			list(`<li>On Wi-Fi <button data-t=a>Toggle</button>`, `<li>Off Sound <button data-t=b>Toggle</button>`), "a=a b=b"},
		{"a sign before the name", list(`<li>▸ src <button data-t=a>New</button>`, `<li>▸ doc <button data-t=b>New</button>`),
			list(`<li>▾ src <button data-t=a>New</button>`, `<li>▸ doc <button data-t=b>New</button>`), "a=a b=b"},
		{"boxes that show what was chosen", `<div class=c><span>Spain</span><button data-t=a>Choose</button></div><div class=c><span>France</span><button data-t=b>Choose</button></div>`,
			`<div class=c><span>Spain</span><button data-t=a>Choose</button></div><div class=c><span>Spain</span><button data-t=b>Choose</button></div>`, "a=a b=b"},
		{"a message above all", `<div><p>Ann</p><button data-t=a>Edit</button></div><div><p>Foot</p><button data-t=b>Help</button></div>`,
			`<div><p>Saved</p><button data-t=a>Edit</button></div><div><p>Foot</p><button data-t=b>Help</button></div>`, "a=a b=b"},
		{"a text that grows", list(`<li>Hel <button data-t=a>Stop</button>`, `<li>You <button data-t=b>Copy</button>`), list(`<li>Hello world <button data-t=a>Stop</button>`, `<li>You <button data-t=b>Copy</button>`), "a=a b=b"},
		{"a button with another name", list(`<li>Ann <button data-t=a>Follow</button>`), list(`<li>Ann <button data-t=a>Unfollow</button>`), "a=a"},
		{"a text that is edited", list(`<li contenteditable>Ann <button data-t=a>Tools</button>`), list(`<li contenteditable>Anna <button data-t=a>Tools</button>`), "a=a"},
		{"a tab with a badge", `<div role=tablist>` + tab("Inbox") + tab("Sent") + `</div>`, strings.Replace(`<div role=tablist>`+tab("Inbox")+tab("Sent")+`</div>`, "Inbox</span>", "Inbox 3</span>", 1), "Inbox=Inbox Sent=Sent inbox=inbox sent=sent"},
		{"an option that gets a mark", `<div role=listbox>` + option("Ann") + option("Bob") + `</div>`, strings.Replace(`<div role=listbox>`+option("Ann")+option("Bob")+`</div>`, ">Ann", ">✓ Ann", 1), "Ann=Ann Bob=Bob"},
		{"a radio whose label counts", `<div><label><input type=radio data-t=a>Red (3)</label><label><input type=radio data-t=b>Blue (1)</label></div>`,
			`<div><label><input type=radio data-t=a>Red (2)</label><label><input type=radio data-t=b>Blue (2)</label></div>`, "a=a b=b"},
		{"buttons that toggle", `<button data-t=a>Play</button><button data-t=b>Stop</button><button data-t=c>Follow</button>`,
			`<button data-t=a>Pause</button><button data-t=b>Stop</button><button data-t=c>Follow</button>`, "a=a b=b c=c"},
		{"equal buttons that toggle", list(`<button data-t=a>Follow</button>`, `<button data-t=b>Follow</button>`, `<button data-t=c>Following</button>`),
			list(`<button data-t=a>Following</button>`, `<button data-t=b>Follow</button>`, `<button data-t=c>Following</button>`), "a=a b=b c=c"},
		{"buttons that all toggle", `<button data-t=a>Do</button><button data-t=b>Do</button><button data-t=c>Undo</button>`, `<button data-t=a>Undo</button><button data-t=b>Undo</button><button data-t=c>Do</button>`, "a=a b=b c=c"},
		{"a tab that gets a name when it is saved", `<div role=tablist>` + tab("New") + tab("Sent") + `</div>`, strings.Replace(`<div role=tablist>`+tab("New")+tab("Sent")+`</div>`, "New</span>", "a.py</span>", 1), "New=New Sent=Sent new=new sent=sent"},
		{"states that change in all rows", table(row("Ann"), row("Bob")), strings.ReplaceAll(table(row("Ann"), row("Bob")), "open", "sent"), "Ann=Ann Bob=Bob"},
		{"states at the beginning that become the same", table(`<tr><td>Draft<td>Ann<td><button data-t=a>Edit</button>`, `<tr><td>Sent<td>Bob<td><button data-t=b>Edit</button>`),
			table(`<tr><td>Gone<td>Ann<td><button data-t=a>Edit</button>`, `<tr><td>Gone<td>Bob<td><button data-t=b>Edit</button>`), "a=a b=b"},
		{"times that go on", list(`<li>1 min ago <b>Ann</b> <button data-t=a>Reply</button>`, `<li>2 min ago <b>Bob</b> <button data-t=b>Reply</button>`),
			list(`<li>2 min ago <b>Ann</b> <button data-t=a>Reply</button>`, `<li>3 min ago <b>Bob</b> <button data-t=b>Reply</button>`), "a=a b=b"},
		{"a price that changes", list(`<li>€ 12.00 <button data-t=a>Buy</button>`, `<li>€ 13.00 <button data-t=b>Buy</button>`), list(`<li>€ 12.50 <button data-t=a>Buy</button>`, `<li>€ 13.00 <button data-t=b>Buy</button>`), "a=a b=b"},
		{"a mark that moves", list(`<li><em>New</em> <p>Ann</p><button data-t=a>Open</button>`, `<li><em>Old</em> <p>Bob</p><button data-t=b>Open</button>`),
			list(`<li><em>Old</em> <p>Ann</p><button data-t=a>Open</button>`, `<li><em>New</em> <p>Bob</p><button data-t=b>Open</button>`), "a=a b=b"},
		{"a heading outside of lists", `<div><h2>Ann</h2><button data-t=a>Edit</button></div>`, `<div><h2>Anna</h2><button data-t=a>Edit</button></div>`, "a=a"},
		{"another page of people who share all words", table(entry("Ann Smith", "a"), entry("Ben Jones", "b"), entry("Cid Smith", "c")),
			table(entry("Ann Jones", "d"), entry("Ben Smith", "e"), entry("Cid Jones", "f")), ""},
		{"another page of products that share all words", list(`<li>Red mug <button data-t=a>Buy</button>`, `<li>Blue mug <button data-t=b>Buy</button>`, `<li>Red tee <button data-t=c>Buy</button>`, `<li>Blue tee <button data-t=d>Buy</button>`),
			list(`<li>Tan mug <button data-t=e>Buy</button>`, `<li>Grey mug <button data-t=f>Buy</button>`, `<li>Tan tee <button data-t=g>Buy</button>`, `<li>Grey tee <button data-t=h>Buy</button>`), ""},
		{"another question with the letters of the last", list(placed("A", "Rome"), placed("B", "Oslo")), list(placed("A", "Bonn"), placed("B", "Kiel")), ""},
		{"places with words", list(placed("Gold", "Ann"), placed("Silver", "Bob"), placed("Bronze", "Cid")), list(placed("Gold", "Bob"), placed("Silver", "Cid"), placed("Bronze", "Dan")), ""},
		{"a place fewer", list(placed("First", "Ann"), placed("Second", "Bob"), placed("Third", "Cid")), list(placed("First", "Ann"), placed("Second", "Cid")), "Ann=Ann"},
		{"days in the cells of a grid", table(days("", "1", "2", "3"), days("4", "5", "6", "7")), table(days("1", "2", "3", "4"), days("5", "6", "7", "8")), ""},
		{"a field with another name", `<form><label>Email <input data-t=a></label><button data-t=b>Next</button></form>`, `<form><label>Street <input data-t=c></label><button data-t=b>Next</button></form>`, "b=b"},
		{"a mark that moves between numbered rows", table(order("1", "Primary"), order("2", "Replica"), order("3", "Replica")), table(order("1", "Replica"), order("2", "Primary"), order("3", "Replica")), "1=1 2=2 3=3"},
		{"a guest who moves between numbered tables", table(order("1", "Ann"), order("2", "free"), order("3", "Cid")), table(order("1", "free"), order("2", "Ann"), order("3", "Cid")), "1=1 2=2 3=3"},
		{"a day that is chosen", pressed("1, selected", "2", "3"), pressed("1", "2", "3, selected"), "0=0 1=1 2=2"},
		{"numbers that all count", pressed("2", "3", "4"), pressed("3", "4", "5"), "0=0 1=1 2=2"},
		{"two of three toggles", pressed("Mute", "Stop video", "Share"), pressed("Unmute", "Start video", "Share"), "0=0 1=1 2=2"},
		{"badges without a space", pressed("Inbox3", "Sent", "Drafts1", "Spam12"), pressed("Inbox4", "Sent", "Drafts", "Spam12"), "0=0 1=1 2=2 3=3"},
		{"states in elements of their own", list(inline("Wifi", "Off"), inline("Sound", "Off"), inline("Dark", "Off")), list(inline("Wifi", "On"), inline("Sound", "On"), inline("Dark", "Off")), "Dark=Dark Sound=Sound Wifi=Wifi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkCarried(t, c.before, `after = document.createElement('body'); after.innerHTML = `+quoted(c.after)+`; (`+patch(t)+`)(document.body, after)`, c.want)
		})
	}
}

// checkCarried shows a page, changes it by a script, and checks what the refs of before mean then: see
// TestCarry for want. They are asked for after each kind of reading, and by an act alone.
func checkCarried(t *testing.T, before, change, want string) {
	t.Helper()
	for how, read := range map[string]string{"by the next reading": "chela.walk(all)", "by a reading of a part": "chela.walk({...all, selector: 'body > *'})", "by an act": "0"} {
		var got string
		show(t, before).eval(&got, fmt.Sprintf(`(() => {
			const all = {maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7};
			chela.walk(all);
			const refs = [...document.querySelectorAll('[data-t]')].map(el => [el.dataset.t, chela.refOf(el)]);
			let after;
			%s;
			%s;
			return refs.map(([t, n]) => [t, chela.element(n)?.dataset.t]).filter(([, now]) => now).map(pair => pair.join('=')).sort().join(' ');
		})()`, change, read))
		if got != want {
			t.Errorf("%s: got %q, want %q", how, got, want)
		}
	}
}

// The user types in an editable part of an item. The item is still the same one, unless the page then shows another
// one in its elements.
func TestCarryOfTypedText(t *testing.T) {
	cells := table(`<tr><td contenteditable data-t=ann>Ann<td contenteditable data-t=a>3`, `<tr><td contenteditable data-t=bob>Bob<td contenteditable data-t=b>4`)
	item := func(word, name string) string {
		return `<li>` + word + `<span contenteditable data-t=` + name + `>` + name + `</span> <button data-t=b` + name + `>Delete</button>`
	}
	list := `<ul>` + item("", "milk") + item("", "eggs") + `</ul>`
	noted := table(`<tr><td>Ann<td contenteditable>x<td><button data-t=a>Delete</button>`, `<tr><td>Bob<td contenteditable>y<td><button data-t=b>Delete</button>`)
	all := func(names ...string) string {
		for i, name := range names {
			names[i] = name + "=" + name
		}
		return strings.Join(names, " ")
	}
	kept := all("beggs", "bmilk", "eggs", "milk")
	for _, c := range []struct{ name, page, typed, change, again, want string }{
		{"a cell", cells, "Zed", "", "", all("a", "ann", "b", "bob")},
		{"a number", strings.NewReplacer("Ann", "3", "3", "Ann", "Bob", "4", "4", "Bob").Replace(cells), "5", "", "", all("a", "ann", "b", "bob")},
		{"an item", list, "oat", "", "", kept},
		{"a word in a text", `<ul>` + item("Buy ", "milk") + item("Buy ", "eggs") + `</ul>`, "oat", "", "", kept},
		{"the words of another item", list, "eggs", "", "", kept},
		{"twice", list, "oat", "", "rye", kept},
		{"an empty cell", strings.Replace(cells, ">Ann", ">", 1), "Zed", "", "", all("a", "ann", "b", "bob")},
		{"a text that the page then trims", list, " oat", "host.textContent = host.textContent.trim()", "", kept},
		{"a cell that is no longer edited", cells, "Zed", "host.removeAttribute('contenteditable')", "", all("a", "ann", "b", "bob")},

		{"a text that the page then changes", list, "oat", "host.textContent = 'tea'", "", all("beggs", "eggs")},
		{"a text in an item that came after typing", list, "oat", "host.textContent = 'tea'", "rye", all("beggs", "eggs")},
		{"a text in an item that came before typing", list, "", "host.textContent = 'tea'", "rye", all("beggs", "eggs")},
		{"another item takes the place", list, "oat", "host.textContent = 'eggs'; host.closest('ul').lastChild.remove()", "", "beggs=bmilk eggs=milk"},
		{"what is typed stays, and the row is another one", noted, "new", "host.previousElementSibling.textContent = 'Cid'", "", all("b")},
		{"what is typed stays, and rows move up", noted, "new", "host.previousElementSibling.textContent = 'Bob'; host.closest('tr').nextSibling.remove()", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := show(t, c.page)
			p.eval(nil, `chela.walk({maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7})`)
			p.eval(nil, `globalThis.refs = [...document.querySelectorAll('[data-t]')].map(el => [el.dataset.t, chela.refOf(el)])`)
			p.eval(nil, `globalThis.host = document.querySelector('[contenteditable]')`)
			enter := func(text string) {
				if text != "" {
					p.eval(nil, `host.focus(); getSelection().selectAllChildren(host)`)
					call(t, p.Session, input.InsertText, input.InsertTextParams{Text: text})
				}
			}
			enter(c.typed)
			p.eval(nil, c.change)
			enter(c.again)
			var got string
			p.eval(&got, `refs.map(([t, n]) => [t, chela.element(n)?.dataset.t]).filter(([, now]) => now).map(pair => pair.join('=')).sort().join(' ')`)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A calendar keeps its elements, and shows another month, week or decade in them: each element in its
// place, as in TestCarryOfReusedElements. A ref of a day never means another day.
func TestCarryOfCalendars(t *testing.T) {
	type calendar struct{ begin, cell, empty, week, end string } // in cell, DAY and MONTH are replaced
	table := func(cell, empty string) calendar {
		return calendar{`<table role=grid><tr>`, cell, empty, `<tr>`, `</table>`}
	}
	// month shows six weeks. The first day of the month is in the cell of the index first. Before and after are the
	// days of other months, or nothing if before is 0.
	month := func(c calendar, name string, first, days, before int) string {
		all := `<h2>` + name + `</h2>` + c.begin
		for i := range 42 {
			if i%7 == 0 && i > 0 {
				all += c.week
			}
			month, day := name, i-first+1
			switch {
			case day > days:
				month, day = "Later", day-days
			case day <= 0:
				month, day = "Earlier", day+before
			}
			if before == 0 && month != name {
				all += c.empty
			} else {
				all += strings.NewReplacer("DAY", strconv.Itoa(day), "MONTH", month, "LEFT", strconv.Itoa(90-day), "PERSIAN", persian(day)).Replace(c.cell)
			}
		}
		return all + c.end
	}
	check := func(t *testing.T, before, after string) {
		t.Helper()
		checkCarried(t, before, `after = document.createElement('body'); after.innerHTML = `+quoted(after)+`; (`+patch(t)+`)(document.body, after)`, "")
	}
	for name, c := range map[string]calendar{
		"cells":                     table(`<td onclick=1 data-t=DAY>DAY`, `<td onclick=1>`),
		"buttons in cells":          table(`<td><button data-t=DAY>DAY</button>`, `<td>`),
		"cells with prices":         table(`<td onclick=1 data-t=DAY><b>DAY</b> <i>€LEFT</i>`, `<td onclick=1>`),
		"cells with slots":          table(`<td onclick=1 data-t=DAY><span>DAY</span><span>LEFT slots</span>`, `<td onclick=1>`),
		"cells with labels":         table(`<td onclick=1 data-t=DAY aria-label="MONTH DAY"><img src="data:,">`, `<td onclick=1>`),
		"cells with words":          table(`<td onclick=1 data-t=DAY><i>MONTH</i> <b>DAY</b>`, `<td onclick=1>`),
		"cells with Persian digits": table(`<td onclick=1 data-t=DAY>PERSIAN`, `<td onclick=1>`),
		"options":                   {`<div role=listbox>`, `<span role=option tabindex=-1 data-t=DAY>DAY</span>`, `<span role=option></span>`, ``, `</div>`},
		"boxes":                     {`<div>`, `<div style="cursor: pointer" data-t=DAY>DAY</div>`, `<div></div>`, ``, `</div>`},
		"buttons in rows":           {`<div><div>`, `<button data-t=DAY>DAY</button>`, `<button></button>`, `</div><div>`, `</div></div>`},
	} {
		for _, m := range []struct {
			name          string
			before, after string
		}{
			{"and nothing else", month(c, "March", 0, 31, 0), month(c, "April", 3, 30, 0)},
			{"a day later", month(c, "June", 1, 30, 0), month(c, "September", 2, 30, 0)},
			{"a day that is alone in its row", month(c, "August", 6, 31, 0), month(c, "September", 2, 30, 0)},
			{"and days of other months", month(c, "March", 0, 31, 28), month(c, "April", 3, 30, 31)},
		} {
			t.Run(name+" "+m.name, func(t *testing.T) { check(t, m.before, m.after) })
		}
	}
	// What else a day shows may change.
	for name, change := range map[string][2]string{"price": {"", " €75"}, "state": {" Available", " Booked"}, "event": {" Standup", " Dentist at 10:30"}} {
		t.Run("days with another "+name, func(t *testing.T) {
			format := `<td onclick=1 data-t=DAY>DAY<br>WORDS`
			before, after := month(table(strings.ReplaceAll(format, "WORDS", change[0]), `<td onclick=1>`), "June", 1, 30, 0), month(table(strings.ReplaceAll(format, "WORDS", change[1]), `<td onclick=1>`), "June", 1, 30, 0)
			var kept []string
			for day := range 30 {
				kept = append(kept, fmt.Sprintf("%d=%[1]d", day+1))
			}
			slices.Sort(kept)
			checkCarried(t, before, `after = document.createElement('body'); after.innerHTML = `+quoted(after)+`; (`+patch(t)+`)(document.body, after)`, strings.Join(kept, " "))
		})
	}
	row := func(format string, first int) string {
		all := `<table role=grid><tr>`
		for i, day := range []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"} {
			all += strings.NewReplacer("N", strconv.Itoa(first+i), "DAY", day).Replace(format)
		}
		return all + `</table>`
	}
	years, week := `<td role=gridcell onclick=1 data-t=N>N`, `<td role=gridcell onclick=1 data-t=N>DAY N`
	t.Run("years", func(t *testing.T) { check(t, row(years, 2020), row(years, 2027)) })
	t.Run("days of a week", func(t *testing.T) { check(t, row(week, 2), row(week, 9)) })

	// In a table of appointments, only what heads a column says which day it is.
	appointments := func(slot string, heads ...string) string {
		all := `<table><thead><tr><th>` + "<th>" + strings.Join(heads, "<th>") + `<tbody>`
		for _, hour := range []string{"9:00", "10:00"} {
			all += `<tr><td>` + hour
			for day := range heads {
				all += `<td>` + strings.ReplaceAll(slot, "NAME", fmt.Sprint(hour[:1], "-", day))
			}
		}
		return all + `</table>`
	}
	const all = "1-0=1-0 1-1=1-1 1-2=1-2 9-0=9-0 9-1=9-1 9-2=9-2"
	button := `<button data-t=NAME>Book</button>`
	for name, c := range map[string]struct {
		slot          string
		before, after []string
		want          string
	}{
		"numbers":                {button, []string{"Mon 2", "Tue 3", "Wed 4"}, []string{"Mon 9", "Tue 10", "Wed 11"}, ""},
		"numbers of months":      {button, []string{"Mon 2 Feb", "Tue 3 Feb", "Wed 4 Feb"}, []string{"Mon 2 Mar", "Tue 3 Mar", "Wed 4 Mar"}, ""},
		"dates":                  {button, []string{"2026-03-02", "2026-03-03", "2026-03-04"}, []string{"2026-03-09", "2026-03-10", "2026-03-11"}, ""},
		"dates of months":        {button, []string{"01.02.", "02.02.", "03.02."}, []string{"01.03.", "02.03.", "03.03."}, ""},
		"dates of years":         {button, []string{"Mar 2, 2026", "Mar 3, 2026", "Mar 4, 2026"}, []string{"Mar 2, 2027", "Mar 3, 2027", "Mar 4, 2027"}, ""},
		"one other day":          {button, []string{"Mon 30", "Tue 1", "Wed 2"}, []string{"Mon 30", "Tue 1", "Thu 2"}, "1-0=1-0 1-1=1-1 9-0=9-0 9-1=9-1"},
		"numbers, of a cell":     {`<div data-t=NAME onclick=1>free</div>`, []string{"Mon 2", "Tue 3", "Wed 4"}, []string{"Mon 9", "Tue 10", "Wed 11"}, ""},
		"numbers, beside a word": {`<div>Room <button data-t=NAME>Book</button></div>`, []string{"Mon 2", "Tue 3", "Wed 4"}, []string{"Mon 9", "Tue 10", "Wed 11"}, ""},
		"words that come":        {button, []string{"Mon 2", "Tue 3", "Wed 4"}, []string{"Mon 2 today", "Tue 3 7 free", "Wed 4"}, all},
		"counts":                 {button, []string{"Mon 2 (3 free)", "Tue 3 (4 free)", "Wed 4"}, []string{"Mon 2 (2 free)", "Tue 3 (4 free)", "Wed 4"}, all},
		"two counts":             {button, []string{"Yes (0)", "No (1)", "Maybe"}, []string{"Yes (1)", "No (1)", "Maybe"}, all},
	} {
		t.Run("appointments below "+name, func(t *testing.T) {
			before, after := appointments(c.slot, c.before...), appointments(c.slot, c.after...)
			checkCarried(t, before, `after = document.createElement('body'); after.innerHTML = `+quoted(after)+`; (`+patch(t)+`)(document.body, after)`, c.want)
			head := `<tr><th>` + "<th>" + strings.Join(c.after, "<th>")
			checkCarried(t, before, `document.querySelector('thead').innerHTML = `+quoted(head), c.want)
		})
	}
	for name, places := range map[string]*strings.Replacer{
		"a table of their own":    strings.NewReplacer("<table>", "<div><div><table>", "<tbody>", "</table></div><div><div><table>"),
		"cells of no heads":       strings.NewReplacer("<th>", "<td>"),
		"a table with a caption":  strings.NewReplacer("<table>", "<table><caption>Rooms</caption>"),
		"the table, in its tbody": strings.NewReplacer("<thead>", "", "<tbody>", ""),
	} {
		t.Run("heads in "+name, func(t *testing.T) {
			before, after := places.Replace(appointments(button, "Mon 2", "Tue 3", "Wed 4")), places.Replace(appointments(button, "Mon 9", "Tue 10", "Wed 11"))
			replace := `after = document.createElement('body'); after.innerHTML = ` + quoted(after) + `; (` + patch(t) + `)(document.body, after)`
			checkCarried(t, before, replace, "")
			checkCarried(t, after, replace, all)
		})
	}
	t.Run("steppers in rows with a head each", func(t *testing.T) {
		steps := func(a, b, c string) string {
			return fmt.Sprintf(`<table><tr><th>Adults<td>%s <button data-t=a>+</button><td>%s <button data-t=b>+</button><td>%s <button data-t=c>+</button></table>`, a, b, c)
		}
		checkCarried(t, steps("2", "3", "4"), `after = document.createElement('body'); after.innerHTML = `+quoted(steps("3", "3", "4"))+`; (`+patch(t)+`)(document.body, after)`, "a=a b=b c=c")
	})
	t.Run("one appointment of a row", func(t *testing.T) {
		one := func(days ...string) string {
			return `<table><tr><th><th>` + strings.Join(days, `<th>`) + `<tr><td>9:00<td><button data-t=a>Book</button><td><td></table>`
		}
		checkCarried(t, one("Mon 2", "Tue 3", "Wed 4"), `document.body.innerHTML = `+quoted(one("Mon 9", "Tue 10", "Wed 11")), "")
		checkCarried(t, one("Mon 2", "Tue 3", "Wed 4"), `document.body.innerHTML = `+quoted(one("Mon 2", "Tue 3", "Wed 4")), "a=a")
	})
}

// persian returns a number in Persian digits.
func persian(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + '۰' }, strconv.Itoa(n))
}

// Each row is a component with a shadow tree, and is reused.
func TestCarryOfReusedComponents(t *testing.T) {
	var got []string
	show(t, `<h1>People</h1><div id=rows></div>`).eval(&got, `(() => {
		const all = {maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7}, names = ['Ann', 'Bob', 'Cid'];
		for (const name of names) {
			const root = rows.appendChild(document.createElement('x-row')).attachShadow({mode: 'open'});
			root.innerHTML = '<style></style><div><span>' + name + '</span> <button>Delete</button></div>';
		}
		chela.walk(all);
		const buttons = [...rows.children].map(row => row.shadowRoot.querySelector('button')), refs = buttons.map(chela.refOf);
		names.shift();
		rows.lastChild.remove();
		names.forEach((name, i) => { rows.children[i].shadowRoot.querySelector('span').textContent = name; });
		return refs.map(n => names[buttons.indexOf(chela.element(n))] ?? 'gone');
	})()`)
	for i, name := range []string{"Ann", "Bob", "Cid"} {
		if got[i] != name && got[i] != "gone" {
			t.Errorf("the ref of %s means %s", name, got[i])
		}
	}
}

// The rows of a table are empty for a moment, while another page of it loads.
func TestCarryOfRowsThatWereEmpty(t *testing.T) {
	row := func(name string) string { return `<tr><td>` + name + `<td><button>Delete</button>` }
	var got []bool
	show(t, table(row("Ann"), row("Bob"))).eval(&got, fmt.Sprintf(`(() => {
		const all = {maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7}, patch = %s;
		chela.walk(all);
		const refs = [...document.querySelectorAll('button')].map(chela.refOf);
		for (const html of [%s, %s]) {
			const next = document.createElement('body');
			next.innerHTML = html;
			patch(document.body, next);
			chela.walk(all);
		}
		return refs.map(n => chela.element(n) !== null);
	})()`, patch(t), quoted(table(row(""), row(""))), quoted(table(row("Cid"), row("Dan")))))
	if want := []bool{false, false}; !slices.Equal(got, want) {
		t.Errorf("valid: %v, want %v", got, want)
	}
}

// A list reuses its elements after readings of other kinds.
func TestCarryAfterOtherReadings(t *testing.T) {
	const whole, exact = `walk(true, {})`, `walk(false, {})`
	for _, c := range []struct{ name, reads string }{
		{"a part first", `walk(true, {selector: 'table'})`},
		{"one in which refs do not pass on", whole + "; " + exact},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := func(name string) string { return `<tr><td>` + name + `<td><button data-t=` + name + `>Delete</button>` }
			var got []string
			show(t, table(row("Ann"), row("Bob"), row("Cid"))).eval(&got, fmt.Sprintf(`(async () => {
				const patch = %s, next = document.createElement('body');
				const call = (carry, fn, arg) => chela.run(fn, performance.now() + 20000, 0, carry, null, null, [arg]);
				const walk = (carry, o) => call(carry, 'walk', {maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7, ...o});
				const before = document.querySelectorAll('button');
				for (const read of [%s]) await read();
				const refs = [...before].map(chela.refOf);
				next.innerHTML = %s;
				patch(document.body, next);
				return refs.map(n => chela.element(n)?.dataset.t ?? 'gone');
			})()`, patch(t), "() => "+strings.ReplaceAll(c.reads, "; ", ", () => "), quoted(table(row("Ann"), row("Cid")))))
			if got[1] == "Cid" {
				t.Errorf("the ref of Bob means Cid: %v", got)
			}
		})
	}
}

// patch returns a function of JavaScript that makes an element like another one, and keeps what is in
// it where it can.
func patch(t *testing.T) string {
	script, err := os.ReadFile("testdata/patch.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// An act carries a ref over to an element that has come back. The ref then also survives further
// renderings.
func TestCarryAgain(t *testing.T) {
	shut, open := `<h1>Issues</h1><button>Filter</button>`, `<h1>Issues</h1><button>Filter</button><ul><li>Ann <button id=x>Delete</button></ul>`
	var got []bool
	show(t, open).eval(&got, fmt.Sprintf(`(() => {
		const all = {maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7}, shut = %s, open = %s;
		chela.walk(all);
		const n = chela.refOf(document.querySelector('#x'));
		document.body.innerHTML = shut;
		chela.walk(all);
		return [open, open, shut, open].map(html => {
			document.body.innerHTML = html;
			return chela.element(n) === document.querySelector('#x');
		});
	})()`, quoted(shut), quoted(open)))
	if want := []bool{true, true, true, true}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A call waits for a button, and another call comes meanwhile. Then the page replaces the button. Only
// the waiting call decides whether it means the new one.
func TestCarryOfWaitingCall(t *testing.T) {
	for _, c := range []struct {
		name           string
		waits, carries bool // whether the waiting call carries refs over, and whether the other one does
		want           string
	}{
		{"that carries", true, false, "found"},
		{"that does not", false, true, "gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got string
			show(t, `<h1>Issues</h1><button disabled>Save</button>`).eval(&got, fmt.Sprintf(`(async () => {
				chela.walk({maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7});
				const button = document.querySelector('button'), n = chela.refOf(button), by = performance.now() + 20000;
				const call = (carry, fn, ...args) => chela.run(fn, by, 0, carry, null, null, args);
				const waiting = call(%v, 'ready', n, {by, attempt: 0, enabled: true});
				await call(%v, 'element', 0);
				button.outerHTML = '<button>Save</button>';
				return (await waiting).value.missing ?? 'found';
			})()`, c.waits, c.carries))
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// An element that is alone in its role and name, before and after, is named when what is around it
// has changed. It is not acted on by the old ref.
func TestCandidates(t *testing.T) {
	button := func(around string) string { return `<div><p>` + around + `</p><button>Delete</button></div>` }
	for _, c := range []struct{ name, before, after, want string }{
		{"other words around it", button("Ann"), button("Bob"), `{"refs":["Delete"],"moved":true}`},
		{"another name", button("Ann"), `<p>Ann</p><button>Undo</button>`, `{"refs":[],"moved":true}`},
		{"several before", button("Ann") + button("Bob"), button("Bob"), `{"refs":[],"moved":true}`},
		{"several now", button("Ann"), button("Bob") + button("Cid"), `{"refs":[],"moved":true}`},
		{"several in its place", button("Ann"), button("Ann") + button("Ann"), `{"refs":["Delete","Delete"],"moved":false}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got string
			show(t, c.before).eval(&got, fmt.Sprintf(`(() => {
				chela.walk({maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7});
				const n = chela.refOf(document.querySelector('button'));
				document.body.innerHTML = %s;
				if (chela.element(n) !== null) return 'carried over';
				const {refs, moved} = chela.candidates(n);
				return JSON.stringify({refs: refs.map(n => chela.element(n).textContent), moved});
			})()`, quoted(c.after)))
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func table(rows ...string) string { return "<table>" + strings.Join(rows, "") + "</table>" }

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// A page removes an element, and later puts it in another place. Its ref stays its own, although a
// new element now stands where it was.
func TestCarryOfElementThatComesBack(t *testing.T) {
	p := show(t, `<section><h2>One</h2><p id=a><button>Edit</button></p></section><section><h2>Two</h2><p id=b><button>More</button></p></section>`)
	p.walk()
	p.eval(nil, "globalThis.kept = document.querySelector('button'); kept.remove()")
	p.walk()
	p.eval(nil, "b.append(kept); a.innerHTML = '<button>Edit</button>'")
	p.walk()
	var same bool
	if p.eval(&same, "chela.element(1) === kept"); !same {
		t.Errorf("e1 is another element than before:\n%s", p.ai())
	}
}

// Rows have a button that only shows while the mouse is over them, and the page draws rows again. The button
// says nothing about which row it is.
func TestCarryOfHoveredRows(t *testing.T) {
	const page = `<style>li { height: 30px } .d { display: none } li:hover .d { display: inline }</style><ul id=list></ul><script>
		let items = ['milk', 'rent', 'Bob', 'dog']
		const html = name => '<div><input type=checkbox data-t=' + name + '><label>' + name + '</label>BUTTON</div>'
		const fill = (li, name) => { li.innerHTML = html(name) }
		const all = () => { list.textContent = ''; for (const name of items) fill(list.appendChild(document.createElement('li')), name) }
		const reuse = () => { while (list.children.length > items.length) list.lastChild.remove()
			items.forEach((name, i) => { const li = list.children[i]; li.querySelector('input').dataset.t = name; li.querySelector('label').textContent = name }) }
		all()</script>`
	const kept = "Bob=Bob dog=dog milk=milk rent=rent"
	for _, button := range []string{"<button class=d>×</button>", "<button class=d>Remove</button>", "<button>Remove</button>", "<button>Edit</button><button class=d><i></i>Delete</button>"} {
		for _, c := range []struct{ name, change, want string }{
			{"one is drawn again", "fill(list.children[1], 'rent')", kept},
			{"all are drawn again", "all()", kept},
			{"one is deleted, and all are drawn again", "items.splice(1, 1); all()", "Bob=Bob dog=dog milk=milk"},
			{"one is deleted, and the others move up in the elements", "items.splice(1, 1); reuse()", "Bob=Bob dog=dog milk=milk"},
		} {
			t.Run(button+" "+c.name, func(t *testing.T) {
				p := show(t, strings.Replace(page, "BUTTON", button, 1))
				read := func() { p.eval(nil, `chela.walk({maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7})`) }
				hover := func(row int) {
					var at struct{ X, Y float64 }
					p.eval(&at, fmt.Sprintf(`(() => { const r = document.querySelectorAll('li')[%d].getBoundingClientRect(); return {X: r.x + 20, Y: r.y + 5} })()`, row))
					call(t, p.Session, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y})
				}
				settled := func() {
					p.eval(nil, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
				}
				read()
				p.eval(nil, `globalThis.refs = [...document.querySelectorAll('input')].map(el => [el.dataset.t, chela.refOf(el)])`)
				for _, row := range []int{2, 1} {
					hover(row)
					settled()
					read()
				}
				p.eval(nil, `(() => { const script = document.createElement('script'); script.textContent = `+quoted(c.change)+`; document.body.append(script) })()`)
				settled()
				read()
				var got string
				p.eval(&got, `refs.map(([t, n]) => [t, chela.element(n)?.dataset.t]).filter(([, now]) => now).map(pair => pair.join('=')).sort().join(' ')`)
				if got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			})
		}
	}
}

// The button under the mouse has other words after the click, and is all that its row shows: it is another item.
func TestCarryOfTheButtonUnderTheMouse(t *testing.T) {
	p := show(t, `<!doctype html><ul><li><button>Paris</button><li><button>Oslo</button><li><button>Rome</button></ul>`)
	p.eval(nil, `chela.walk({maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7})`)
	p.eval(nil, `globalThis.ref = chela.refOf(document.querySelector('button'))`)
	call(t, p.Session, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: 60, Y: 25})
	p.eval(nil, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
	var hovered, stale bool
	p.eval(&hovered, `document.querySelector('li').matches(':hover')`)
	p.eval(nil, `['Cusco', 'Lima', 'Quito'].forEach((name, i) => { document.querySelectorAll('button')[i].textContent = name })`)
	p.eval(nil, `chela.walk({maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7})`)
	p.eval(&stale, `chela.element(ref) === null`)
	if !hovered || !stale {
		t.Errorf("hovered %v, stale %v", hovered, stale)
	}
}

// A reading that gives refs to all lines, such as that of find, changes nothing about which rows are items.
func TestCarryAfterRefsForAllLines(t *testing.T) {
	row := func(name string) string {
		return `<div><div><span>` + name + `</span><button data-t=` + name + `>Delete</button></div><hr></div>`
	}
	var got string
	show(t, `<div>`+row("Ann")+row("Bob")+row("Cid")+`</div><p>End</p>`).eval(&got, `(() => {
		const all = {maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7};
		chela.walk(all);
		const refs = [...document.querySelectorAll('button')].map(el => [el.dataset.t, chela.refOf(el)]);
		chela.walk({...all, refs: 'all'});
		chela.walk(all);
		const after = document.createElement('body');
		after.innerHTML = `+quoted(`<div>`+row("Bob")+row("Cid")+`</div><p>End</p>`)+`;
		(`+patch(t)+`)(document.body, after);
		chela.walk(all);
		return refs.map(([t, n]) => t + '=' + chela.element(n)?.dataset.t).join(' ');
	})()`)
	if want := "Ann=undefined Bob=Bob Cid=Cid"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
