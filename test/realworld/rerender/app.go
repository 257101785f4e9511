// Package rerender has one application in five frameworks, which replace all elements of the page
// at each click, and shows that refs outlive that.
package rerender

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An issue is an entry of the application's table.
type issue struct {
	id              int
	name, person    string
	done, isChecked bool
}

func (i *issue) state() string {
	if i.done {
		return "done"
	}
	return "open"
}

// A project is an entry of the application's tree.
type project struct {
	name  string
	shut  bool // whether the project is collapsed, so that the projects in it are not shown
	parts []*project
}

// people are those that issues are assigned to.
var people = []string{"Ann", "Bob", "Cid", "Dan", "Eve"}

// An app is what the server of the application knows.
type app struct {
	issues   []*issue
	projects []*project
	followed map[string]bool
	archived bool // whether the archive is shown
	filter   string
	order    string
	assigned *issue // the issue that the dialog is about
	message  string
	acts     []string // what was clicked, by control.Do
}

// newApp returns the application with 50 issues.
func newApp() *app {
	a := &app{followed: map[string]bool{}, filter: "all", order: "none"}
	for _, verb := range strings.Fields("Fix Test Review Translate Measure Describe Simplify Replace Restore Secure") {
		for _, thing := range []string{"the login page", "the search", "invoices", "the import of orders", "the start page"} {
			n := len(a.issues)
			a.issues = append(a.issues, &issue{id: n, name: verb + " " + thing, person: people[n*7%5], done: n%4 == 3})
		}
	}
	a.projects = []*project{
		{name: "Website", parts: []*project{{name: "Shop", parts: []*project{{name: "Cart"}, {name: "Payment"}}}, {name: "Blog"}}},
		{name: "App", parts: []*project{{name: "Shop"}, {name: "Sync"}}},
	}
	return a
}

// do carries out a click on the control whose field Do is the argument what. The form has the name
// and the person of a new issue.
func (a *app) do(what string, form map[string]string) error {
	a.acts = append(a.acts, what)
	a.message = ""
	verb, arg, _ := strings.Cut(what, "/")
	if change, ok := views[verb]; ok {
		change(a, arg)
		return nil
	}
	if verb == "add" {
		a.issues = append(a.issues, &issue{id: len(a.acts) + 1000, name: form["name"], person: form["person"]})
		a.message = form["name"] + " was added"
		return nil
	}
	id, name, _ := strings.Cut(arg, "/")
	n, err := strconv.Atoi(id)
	at := slices.IndexFunc(a.issues, func(i *issue) bool { return i.id == n })
	change, ok := changes[verb]
	if err != nil || at < 0 || !ok {
		return fmt.Errorf("nobody can %s", what)
	}
	change(a, a.issues[at], name)
	return nil
}

// views has the functions that change what is shown, by the verb in control.Do.
var views = map[string]func(a *app, arg string){
	"view":   func(a *app, arg string) { a.archived = arg == "archive" },
	"filter": func(a *app, arg string) { a.filter = arg },
	"sort":   func(a *app, arg string) { a.order = arg },
	"follow": func(a *app, arg string) { a.followed[arg] = !a.followed[arg] },
	"greet":  func(a *app, arg string) { a.message = arg + " was greeted" },
	"toggle": func(a *app, arg string) { p := a.project(arg); p.shut = !p.shut },
	"star":   func(a *app, arg string) { a.message = "Starred " + arg },
	"cancel": func(a *app, arg string) { a.assigned = nil },
}

// changes has the functions that change an issue, by the verb in control.Do. The argument arg is
// what follows the number of the issue there.
var changes = map[string]func(a *app, i *issue, arg string){
	"done":   func(a *app, i *issue, _ string) { i.done = !i.done; a.message = i.name + " is " + i.state() },
	"check":  func(a *app, i *issue, _ string) { i.isChecked = !i.isChecked },
	"assign": func(a *app, i *issue, _ string) { a.assigned = i },
	"to":     func(a *app, i *issue, arg string) { i.person = arg; a.assigned = nil },
	"delete": func(a *app, i *issue, _ string) {
		a.issues = slices.DeleteFunc(a.issues, func(each *issue) bool { return each == i })
		a.message = i.name + " was deleted"
	},
}

// project returns a project by its path.
func (a *app) project(path string) (found *project) {
	list := a.projects
	for name := range strings.SplitSeq(path, "/") {
		found = list[slices.IndexFunc(list, func(p *project) bool { return p.name == name })]
		list = found.parts
	}
	return found
}

// shown returns the issues that are shown, in their order.
func (a *app) shown() []*issue {
	var list []*issue
	for _, i := range a.issues {
		if a.archived && i.done || !a.archived && (a.filter == "all" || a.filter == i.state()) {
			list = append(list, i)
		}
	}
	key := map[string]func(i *issue) string{
		"name": func(i *issue) string { return i.name }, "state": (*issue).state, "person": func(i *issue) string { return i.person },
	}[a.order]
	if key != nil {
		slices.SortStableFunc(list, func(x, y *issue) int { return cmp.Compare(key(x), key(y)) })
	}
	return list
}

// open returns how many issues are open, of all or of a person.
func (a *app) open(person string) (n int) {
	for _, i := range a.issues {
		if !i.done && (person == "" || i.person == person) {
			n++
		}
	}
	return n
}
