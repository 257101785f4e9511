package pagejs_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	proto "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"

	"chela/test/long"
)

// TestOracle compares role, name and description of each element of the corpus with what Chromium's
// own accessibility tree says of it.
func TestOracle(t *testing.T) {
	long.Test(t)
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	site := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	defer site.Close()
	total := 0
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			p := open(t, site.URL+"/"+name)
			ours := p.ours()
			theirs := p.theirs()
			for _, el := range ours {
				their, known := theirs[el.N]
				if !known || their.ignored {
					continue // Chromium hides the element, or says nothing of it: other tests check these
				}
				total++
				compare(t, el, their)
			}
		})
	}
	for _, e := range exceptions {
		if !e.used {
			t.Errorf("no such difference any more: %s of %s", e.what, e.markup)
		}
	}
	t.Logf("%d elements compared", total)
}

type described struct {
	N                       int
	Role, Name, Description string
	Markup                  string
	ignored                 bool
}

// ours numbers the elements, and returns what the page script says of each.
func (p *tab) ours() (all []described) {
	p.eval(&all, `(() => {
		const all = [];
		const add = root => {
			for (const el of root.querySelectorAll('*')) {
				el.setAttribute('data-n', all.length);
				all.push(el);
				if (el.shadowRoot) add(el.shadowRoot);
			}
		};
		add(document);
		return all.map((el, N) => {
			const { role, name, description } = about(el);
			return { N, Role: role, Name: name, Description: description, Markup: (el.outerHTML + ' in ' + el.parentNode?.outerHTML).replace(/ `+
		`data-n="\d+"/g, '').slice(0, 200) };
		});
	})()`)
	return all
}

// theirs returns what Chromium says of each element, by the numbers that the function ours has
// given.
func (p *tab) theirs() map[int]described {
	numbers := map[proto.BackendNodeID]int{}
	deep, pierce := int64(-1), true
	doc := call(p.t, p.Session, dom.GetDocument, dom.GetDocumentParams{Depth: &deep, Pierce: &pierce})
	var visit func(n *proto.Node)
	visit = func(n *proto.Node) {
		for i := 0; i+1 < len(n.Attributes); i += 2 {
			if n.Attributes[i] == "data-n" {
				numbers[n.BackendNodeID], _ = strconv.Atoi(n.Attributes[i+1])
			}
		}
		for _, c := range n.Children {
			visit(c)
		}
		for _, c := range n.ShadowRoots {
			visit(c)
		}
	}
	visit(doc.Root)
	tree := call(p.t, p.Session, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	all := map[int]described{}
	for _, n := range tree.Nodes {
		if i, ok := numbers[n.BackendDOMNodeID]; ok {
			all[i] = described{
				Role: plainRole(text(n.Role)), Name: squash(text(n.Name)), Description: squash(text(n.Description)),
				ignored: n.Ignored,
			}
		}
	}
	return all
}

func text(v *accessibility.Value) (s string) {
	if v != nil {
		json.Unmarshal(v.Value, &s) // a value that is not a string leaves s empty
	}
	return s
}

func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

func compare(t *testing.T, our, their described) {
	t.Helper()
	report := func(what, our, their, markup string) {
		if our != their && !accepted(what, markup) {
			t.Errorf("%s %q, Chromium says %q: %s", what, our, their, markup)
		}
	}
	report("role", plainRole(our.Role), their.Role, our.Markup)
	if our.Role == "generic" || our.Role == "none" || nameless[our.Role] {
		return // snapshots do not name such elements
	}
	report(our.Role+" name", our.Name, their.Name, our.Markup)
	report(our.Role+" description", our.Description, their.Description, our.Markup)
}

// plainRoles maps roles that only Chromium uses to the roles of ARIA.
var plainRoles = map[string]string{
	"image": "img", "SvgRoot": "img", "Iframe": "iframe", "IframePresentational": "iframe",
	"DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "ColorWell": "button",
	"Date": "textbox", "DateTime": "textbox", "InputTime": "textbox",
	"LayoutTable": "table", "LayoutTableRow": "row", "LayoutTableCell": "cell",
	"MathMLMath": "math", "DescriptionList": "generic",
	"none": "generic", "LabelText": "generic", "Legend": "generic", "Figcaption": "generic",
	"sectionheader": "generic", "sectionfooter": "generic", "Abbr": "generic", "Ruby": "generic", "MathMLIdentifier": "generic",
	"PluginObject": "generic", "Canvas": "generic", "Video": "generic", "Audio": "generic", "LineBreak": "generic",
}

func plainRole(role string) string {
	if plain, ok := plainRoles[role]; ok {
		return plain
	}
	return role
}
