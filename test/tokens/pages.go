// Package tokens measures what the answers of the agent tool cost a model, on the pages of a
// benchmark that compares browser tools.
package tokens

import (
	"fmt"
	"net/http"
	"strings"
)

// pages are served by their paths. Names and contents are from the benchmark, so that figures can
// be compared with those of other tools.
var pages = map[string]string{
	"/small":     head("Small") + `<h1>Small page</h1><p>Hello <a href=#>link</a></p><button>Ok</button></body></html>`,
	"/order":     order,
	"/form-1k":   form(1000),
	"/list-1k":   list(1000),
	"/table-1k":  table(1000),
	"/article":   article(),
	"/dashboard": head("Dashboard") + dashboard,
	"/action":    action(),
}

// handler serves the pages.
func handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	})
}

func head(title string) string {
	return "<!doctype html><html lang=en><head><meta charset=utf-8><title>" + title + "</title><style>body{font:14px/1.4 sans-serif;margin:16px}" +
		"table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:2px 6px}nav a{margin-right:8px}" +
		".card{display:inline-block;border:1px solid #ddd;padding:8px;margin:4px}</style></head><body>"
}

var words = strings.Fields("amber bridge cargo delta ember forest garden harbor island jungle kernel lantern meadow nebula orchid pepper quartz " +
	"river signal timber umbra valley willow xenon yellow zephyr")

// word is the i-th of an endless list of words.
func word(i int) string { return words[(i*7+i/26)%len(words)] }

// order is the form of the form task: eight fields, and a confirmation that comes a moment after
// the button is pressed.
var order = head("Order form") + `<h1>Order form</h1><p>Please fill every field.</p>
<form id=f onsubmit="event.preventDefault();var d=new FormData(this);setTimeout(function(){document.getElementById('out').textContent=` +
	`'Thank you '+d.get('first')+', order confirmed: '+['first','last','email','phone','city','zip','country','terms'].map(function(k){return d.get(k)}).join('|')},50)">
<p><label>First name <input name=first></label></p>
<p><label>Last name <input name=last></label></p>
<p><label>Email <input name=email type=email></label></p>
<p><label>Phone <input name=phone></label></p>
<p><label>City <input name=city></label></p>
<p><label>Zip <input name=zip></label></p>
<p><label>Country <select name=country><option value="">choose</option><option value=Norway>Norway</option><option value=Peru>Peru</option>` +
	`<option value=Japan>Japan</option></select></label></p>
<p><label><input type=checkbox name=terms value=yes> I accept the terms</label></p>
<p><button>Place order</button></p></form><p id=out role=status></p>
<footer><a href="#">Help</a> <a href="#">Contact</a></footer></body></html>`

// form returns a page of about this number of elements.
func form(elements int) string {
	var b strings.Builder
	b.WriteString(head("Form") + `<main><h1>Form</h1><form onsubmit="return false">`)
	have := 9
	for i := 1; have+6 <= elements-2; i++ {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "<p><label for=f%d>Choice %d</label><select id=f%d><option>%s</option><option>%s</option><option>%s</option></select></p>",
				i, i, i, word(i), word(i+1), word(i+2))
			have += 3
		case 1:
			fmt.Fprintf(&b, `<p><label for=f%d>Field %d</label><input id=f%d name=f%d value="%s"></p>`, i, i, i, i, word(i))
		case 2:
			fmt.Fprintf(&b, "<p><label><input type=checkbox name=f%d> Option %d</label></p>", i, i)
		case 3:
			fmt.Fprintf(&b, `<p><label for=f%d>Note %d</label><textarea id=f%d placeholder="%s"></textarea></p>`, i, i, i, word(i))
		}
		have += 3
	}
	return b.String() + "<button>Save</button></form></main></body></html>"
}

// list returns a page of about this number of elements.
func list(elements int) string {
	var b strings.Builder
	b.WriteString(head("List") + "<main><h1>List</h1><ul>")
	for i := 1; 9+5*i <= elements-1; i++ {
		fmt.Fprintf(&b, `<li><a href="#i%d">Item %d</a><p>The <b>%s</b> %s number %d of the list</p><button>Open %d</button></li>`,
			i, i, word(i), word(i+3), i, i)
	}
	return b.String() + "</ul></main></body></html>"
}

// table returns a page of about this number of elements.
func table(elements int) string {
	var b strings.Builder
	b.WriteString(head("Table") + "<main><h1>Table</h1><table><thead><tr><th>Id</th><th>Name</th><th>Status</th><th>Amount</th><th>Action</th></tr></thead><tbody>")
	for i := 1; 17+8*i <= elements-1; i++ {
		fmt.Fprintf(&b, `<tr><td>%d</td><td><a href="#r%d">%s %s %d</a></td><td>%s</td><td>%d.%02d</td><td><button>Edit %d</button></td></tr>`,
			i, i, word(i), word(i+5), i, []string{"open", "closed", "pending"}[i%3], i*3%997, i%100, i)
	}
	return b.String() + "</tbody></table></main></body></html>"
}

func action() string {
	var b strings.Builder
	b.WriteString(head("Action") + `<h1>Action</h1><button onclick="document.getElementById('c').textContent='Clicks: '+(window.n=(window.n||0)+1)">Increment</button> ` +
		`<label>Name <input oninput="document.getElementById('e').textContent='Echo: '+this.value"></label><p id=c>Clicks: 0</p><p id=e>Echo: </p><ul>`)
	for i := range 40 {
		fmt.Fprintf(&b, `<li><a href="#%d">Link %d</a> %s</li>`, i, i, word(i))
	}
	return b.String() + "</ul></body></html>"
}

// article is a page with 60 paragraphs of 60 words. The paragraphs have links, and there are other
// links around them.
func article() string {
	var b strings.Builder
	b.WriteString(head("The harbor article") + "<header><nav aria-label=Main>")
	for i := range 14 {
		fmt.Fprintf(&b, `<a href="/s%d">%s</a> `, i, word(i*3))
	}
	b.WriteString(`</nav><form role=search><input type=search aria-label="Search the site"><button>Search</button></form></header>` +
		"<main><article><h1>The harbor article</h1><p><em>By A. Writer</em>, <time datetime=2026-01-02>2 January 2026</time></p>")
	for section := range 12 {
		fmt.Fprintf(&b, "<h2>Section %d: %s and %s</h2>", section+1, word(section), word(section+9))
		for paragraph := section * 5; paragraph < section*5+5; paragraph++ {
			k := paragraph * 60
			text := func(n int) {
				for range n {
					k++
					b.WriteString(word(k*3+section) + " ")
				}
			}
			b.WriteString("<p>")
			text(20)
			fmt.Fprintf(&b, `<a href="/w/%s">%s %s</a> `, word(k), word(k), word(k+1))
			text(19)
			fmt.Fprintf(&b, "<strong>%s</strong> ", word(k))
			text(19)
			fmt.Fprintf(&b, `<sup><a href="#n%d">[%d]</a></sup></p>`, k, paragraph+1)
		}
	}
	b.WriteString("</article><aside><h2>Related</h2><ul>")
	for i := range 25 {
		fmt.Fprintf(&b, `<li><a href="/rel/%d">%s %s %s</a> <span>%d min</span></li>`, i, word(i), word(i+2), word(i+11), i%9+1)
	}
	return b.String() + "</ul></aside></main><footer><p>Footer</p></footer></body></html>"
}

// dashboard is an application that renders itself a moment after it has loaded. From then on, it
// changes a number each second.
const dashboard = `<div id=app aria-busy=true>Loading</div><script>
const W = "amber bridge cargo delta ember forest garden harbor island jungle kernel lantern meadow nebula orchid pepper quartz river signal timber umbra valley willow xenon yellow zephyr".split(" ");
function el(tag, attributes, children) { const e = document.createElement(tag); for (const a in attributes) e.setAttribute(a, attributes[a]); e.append(...children || []); return e }
setTimeout(() => {
  const app = document.getElementById('app'); app.textContent = ''; app.removeAttribute('aria-busy');
  const cards = el('section', {'aria-label': 'Cards'}, W.slice(0, 16).map((x, i) => el('div', {class: 'card'}, [el('h3', {}, [x]), el('p', {}, [String(i * 137 % 1000)]), el('button', {'aria-label': 'Details of ' + x}, ['...'])])));
  const rows = []; for (let i = 0; i < 60; i++) rows.push(el('div', {role: 'row'}, [
    el('div', {role: 'cell'}, [el('input', {type: 'checkbox', 'aria-label': 'Select row ' + i})]), el('div', {role: 'cell'}, ['#' + (1000 + i)]),
    el('div', {role: 'cell'}, [el('a', {href: '#' + i}, [W[i % 26] + ' ' + W[(i * 5) % 26]])]), el('div', {role: 'cell'}, [['open', 'paid', 'late'][i % 3]]),
    el('div', {role: 'cell'}, [el('div', {onclick: 'void 0', style: 'cursor:pointer'}, ['Edit'])])]));
  app.append(el('nav', {'aria-label': 'Sidebar'}, W.slice(0, 12).map(x => el('div', {role: 'link', tabindex: 0, style: 'cursor:pointer'}, [x]))),
    el('main', {}, [el('h1', {}, ['Dashboard']), el('div', {role: 'tablist'}, ['Overview', 'Orders', 'Customers', 'Reports'].map((x, i) => el('button', {role: 'tab', 'aria-selected': i === 0}, [x]))),
      cards, el('div', {role: 'table', 'aria-label': 'Orders'}, rows)]));
  let n = 0; setInterval(() => { cards.querySelector('p').textContent = String(++n) }, 1000);
}, 30);
</script></body></html>`
