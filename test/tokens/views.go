package tokens

import (
	"fmt"
	"strings"
)

// These pages are for tests of how few tokens an answer takes when most of the page was shown
// before.
func init() {
	pages["/rows"] = head("Orders") + rows
	pages["/cards"] = cards()
	pages["/mail"] = head("Mail") + mail
	for i := range 3 {
		pages[fmt.Sprintf("/site/%d", i)] = sitePage(i)
	}
}

// rows is an application that renders itself again at each click: a table of 50 rows, each with a
// button that changes the row.
const rows = `<div id=app></div><script>
const people = 'Ada Bob Cyd Dan Eve Fay Gus Hal Ida Jon'.split(' ');
const orders = Array.from({length: 50}, (_, i) => ({id: 1000 + i, name: people[i % 10] + ' ' + people[(i * 7 + 3) % 10], open: i % 3 > 0}));
function toggle(i) { orders[i].open = !orders[i].open; render() }
function render() {
  document.getElementById('app').innerHTML = '<nav aria-label=Main><a href="#/orders">Orders</a> <a href="#/people">People</a></nav><main><h1>Orders</h1>' +
    '<table><thead><tr><th>Order<th>Name<th>State<th>Action</thead><tbody>' + orders.map((o, i) => '<tr><td>#' + o.id + '</td><td>' + o.name + '</td><td>' +
    (o.open ? 'open' : 'closed') + '</td><td><button onclick="toggle(' + i + ')">' + (o.open ? 'Close' : 'Reopen') + '</button></td></tr>').join('') +
    '</tbody></table></main>';
}
render();
</script></body></html>`

// cards is an application with a menu and a list of 100 cards.
func cards() string {
	var b strings.Builder
	b.WriteString(head("Shop") + "<header><a href='/'>Shop</a><form role=search><input type=search aria-label=Search><button>Search</button></form></header><nav aria-label=Menu>")
	for i := range 12 {
		fmt.Fprintf(&b, `<a href="/c/%d">%s</a> `, i, word(i))
	}
	b.WriteString(`</nav><main><h1>Shop</h1><label>Sort by <select><option>price</option><option>name</option></select></label><div class=list>`)
	for i := range 100 {
		fmt.Fprintf(&b, `<div class=card><h3><a href="/p/%d">%s %s %d</a></h3><p>%d.99 €</p><button>Add to cart</button></div>`, i, word(i), word(i+5), i, i*7%90+5)
	}
	return b.String() + "</div></main><footer><a href='/about'>About</a> <a href='/terms'>Terms</a></footer></body></html>"
}

// mail is an application with two views. Each time a view is shown, its elements are created again.
const mail = `<nav aria-label=Views><button onclick="show('inbox')">Inbox</button> <button onclick="show('labels')">Labels</button></nav><main id=main></main><script>
const W = "amber bridge cargo delta ember forest garden harbor island jungle kernel lantern meadow nebula orchid pepper quartz river signal timber umbra valley willow xenon yellow zephyr".split(" ");
function show(view) {
  history.pushState({}, '', '#' + view);
  document.getElementById('main').innerHTML = view == 'inbox' ?
    '<h1>Inbox</h1><ul>' + W.map((w, i) => '<li><a href="#m' + i + '">' + w + ' and ' + W[(i + 3) % 26] + '</a> <button>Archive</button></li>').join('') + '</ul>' :
    '<h1>Labels</h1><ul>' + W.map((w, i) => '<li><span>' + w + ' label</span> <button>Rename</button> <button>Delete</button></li>').join('') + '</ul>';
}
show('inbox');
</script></body></html>`

// sitePage is a page of a site of several pages that have the same menus.
func sitePage(i int) string {
	var b strings.Builder
	b.WriteString(head(fmt.Sprintf("Page %d", i)) + "<header><a href='/'>Handbook</a><nav aria-label=Sections>")
	for k := range 12 {
		fmt.Fprintf(&b, `<a href="/s/%d">%s</a> `, k, word(k))
	}
	b.WriteString("</nav></header><aside><h2>Contents</h2><ul>")
	for k := range 20 {
		fmt.Fprintf(&b, `<li><a href="/site/%d">%s %s</a></li>`, k%3, word(k), word(k+9))
	}
	fmt.Fprintf(&b, "</ul></aside><main><h1>Page %d: %s</h1><p>%s and %s.</p><p><a href='/site/%d'>Next</a></p></main>", i, word(i), word(i*4), word(i*5), (i+1)%3)
	return b.String() + "<footer><a href='/about'>About</a> <a href='/terms'>Terms</a> <a href='/imprint'>Imprint</a></footer></body></html>"
}
