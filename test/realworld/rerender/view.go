package rerender

import (
	"fmt"
	"slices"
	"strings"
)

// A page is what the application shows. Its template and the scripts of the frameworks know these
// names.
type page struct {
	Title   string    `json:"title"`
	Count   string    `json:"count"`
	Message string    `json:"message"`
	Nav     []control `json:"nav"`
	Filters []control `json:"filters"`
	Form    form      `json:"form"`
	Sorts   []control `json:"sorts"`
	Rows    []row     `json:"rows"`
	Cards   []card    `json:"cards"`
	Tree    []item    `json:"tree"`
	Dialog  *dialog   `json:"dialog,omitempty"`
}

// A control is what can be clicked.
type control struct {
	T       string `json:"t"`                 // value of data-t: the words around the control, and its label
	Do      string `json:"do"`                // the end of the path that a click on the control requests
	Label   string `json:"label"`             // its text
	Name    string `json:"name,omitempty"`    // its accessible name, if that is not its text
	Pressed string `json:"pressed,omitempty"` // its state, if it has one
}

type form struct {
	Name   string   `json:"name"`
	Person string   `json:"person"`
	People []string `json:"people"`
	Add    control  `json:"add"`
}

type row struct {
	Name    string    `json:"name"`
	State   string    `json:"state"`
	Person  string    `json:"person"`
	Checked bool      `json:"checked"`
	Check   control   `json:"check"`
	Buttons []control `json:"buttons"`
}

type card struct {
	Name    string    `json:"name"`
	Text    string    `json:"text"`
	Buttons []control `json:"buttons"`
}

type item struct {
	Name     string    `json:"name"`
	Expanded string    `json:"expanded,omitempty"`
	Buttons  []control `json:"buttons"`
	Items    []item    `json:"items,omitempty"`
}

type dialog struct {
	Title   string    `json:"title"`
	Text    string    `json:"text"`
	Buttons []control `json:"buttons"`
}

// page returns what the application shows now.
func (a *app) page() page {
	title := "Issues"
	if a.archived {
		title = "Archive"
	}
	p := page{
		Title:   title,
		Count:   fmt.Sprintf("%d open of %d", a.open(""), len(a.issues)),
		Message: a.message,
		Nav:     []control{button("Main", "Issues", "view/issues"), button("Main", "Archive", "view/archive")},
		Form:    form{Name: title + ": New issue", Person: title + ": Person", People: people, Add: button(title, "Add", "add")},
		Tree:    a.tree("", a.projects),
	}
	for _, name := range []string{"All", "Open", "Done"} {
		p.Filters = append(p.Filters, toggle(title+", Show", name, "filter", a.filter))
	}
	for _, name := range []string{"Name", "State", "Person"} {
		p.Sorts = append(p.Sorts, toggle(title+", table", name, "sort", a.order))
	}
	for _, i := range a.shown() {
		p.Rows = append(p.Rows, rowOf(title, i))
	}
	for _, name := range people {
		p.Cards = append(p.Cards, a.card(name))
	}
	if a.assigned != nil {
		p.Dialog = dialogOf(a.assigned)
	}
	return p
}

// controls returns all controls of the page.
func (p page) controls() []control {
	list := slices.Concat(p.Nav, p.Filters, p.Sorts, []control{p.Form.Add})
	for _, r := range p.Rows {
		list = append(append(list, r.Check), r.Buttons...)
	}
	for _, c := range p.Cards {
		list = append(list, c.Buttons...)
	}
	for _, i := range p.Tree {
		list = append(list, i.controls()...)
	}
	if p.Dialog != nil {
		list = append(list, p.Dialog.Buttons...)
	}
	return list
}

func (i item) controls() []control {
	list := slices.Clone(i.Buttons)
	for _, each := range i.Items {
		list = append(list, each.controls()...)
	}
	return list
}

func button(place, label, do string) control {
	return control{T: place + ": " + label, Label: label, Do: do}
}

// toggle returns a button that is pressed if its label is the current value of a setting.
func toggle(place, label, setting, value string) control {
	c := button(place, label, setting+"/"+strings.ToLower(label))
	c.Pressed = fmt.Sprint(strings.ToLower(label) == value)
	return c
}

func rowOf(title string, i *issue) row {
	place := fmt.Sprintf("%s, %s, %s, %s", title, i.name, i.state(), i.person)
	of := func(label, verb string) control { return button(place, label, fmt.Sprintf("%s/%d", verb, i.id)) }
	done := "Done"
	if i.done {
		done = "Reopen"
	}
	return row{
		Name: i.name, State: i.state(), Person: i.person, Checked: i.isChecked, Check: of("Select", "check"),
		Buttons: []control{of("Assign", "assign"), of(done, "done"), of("Delete", "delete")},
	}
}

func (a *app) card(name string) card {
	text := fmt.Sprintf("%d open", a.open(name))
	place := fmt.Sprintf("People, %s, %s", name, text)
	follow := "Follow"
	if a.followed[name] {
		follow = "Unfollow"
	}
	return card{Name: name, Text: text, Buttons: []control{button(place, follow, "follow/"+name), button(place, "Greet", "greet/"+name)}}
}

// tree returns the items for projects that are below a path.
func (a *app) tree(path string, projects []*project) []item {
	var list []item
	for _, p := range projects {
		own := path + p.name
		i := item{Name: p.name, Buttons: []control{button("Projects, "+own, "Star", "star/"+own)}}
		if p.parts != nil {
			name := "Collapse"
			i.Expanded = fmt.Sprint(!p.shut)
			if p.shut {
				name = "Expand"
			} else {
				i.Items = a.tree(own+"/", p.parts)
			}
			c := button("Projects, "+own, name, "toggle/"+own)
			c.Name, c.Label = name, "▸"
			i.Buttons = append(i.Buttons, c)
		}
		list = append(list, i)
	}
	return list
}

func dialogOf(i *issue) *dialog {
	d := &dialog{Title: "Assign", Text: i.name + " is of " + i.person}
	place := fmt.Sprintf("Assign, %s, %s", i.name, i.person)
	for _, name := range people {
		d.Buttons = append(d.Buttons, button(place, name, fmt.Sprintf("to/%d/%s", i.id, name)))
	}
	d.Buttons = append(d.Buttons, button(place, "Cancel", "cancel"))
	return d
}
