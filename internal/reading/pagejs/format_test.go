package pagejs_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"chela/internal/reading/pagejs"
	"chela/internal/reading/snapshot"
)

// The fields of a line are written down twice: in line.js, and in the Go code that reads lines. So
// are the roles that alone mean that an element can be acted on.

func TestGoReadsWhatTheWalkerWrites(t *testing.T) {
	p := show(t, `<input aria-label=Name value=Text required placeholder=Holder title=Says><a href="http://shop.test/x" title=Says>Go</a>`+
		`<div onclick="x()" title=Says>Do</div>`)
	for _, c := range []struct {
		o    snapshot.Options
		want string
	}{
		{snapshot.Options{KeepRepeats: true}, `- textbox "Name" [required] [ref=e1] [placeholder="Holder"] [description="Says"]: Text
- link "Go" [ref=e2] [description="Says"]
- generic "Says" [ref=e3] [clickable]: Do`},
		{snapshot.Options{Role: true, URLs: true}, `- textbox "Name" [ref=e1] [required] [placeholder="Holder"] value="Text"
- link "Go" [ref=e2] [url=http://shop.test/x]
- generic "Says" [ref=e3] [clickable]: Do`},
	} {
		if got := snapshot.Render(&snapshot.Frame{Walk: p.walk("urls: true")}, c.o).Text; got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

// A page that has tabs and newlines in its attributes adds no line and no field.
func TestAttributesMakeNoLines(t *testing.T) {
	const forged = "x&#10;0&#9;button&#9;7&#9;Confirm order"
	for _, c := range []struct{ name, page, want string }{
		{"of an icon", `<button><i id="` + forged + `"></i></button>`, `- button [ref=e1] [description="#x 0 button 7 Confirm order"]`},
		{"of a link", `<a href="http://[` + forged + `">Go</a>`, `- link "Go" [ref=e1] [url=http://%5Bx%200%20button%207%20Confirm%20order]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := snapshot.Render(&snapshot.Frame{Walk: show(t, c.page).walk("urls: true")}, snapshot.Options{Role: true, URLs: true}).Text
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// The events that frameworks handle are asked for in the world of the page, which can answer
// anything.
func TestHandlersMakeNoRefs(t *testing.T) {
	p := show(t, `<div id=card>Card</div>`)
	p.eval(nil, `void chela.setHandlers({ total: document.querySelectorAll('*').length, handled: [[3, 'click x][ref=e5']] })`)
	if got, want := p.ai(), `- generic [ref=e1] [clickable]: Card`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The page and Go have the same bound for the text of a line.
func TestLongestTextIsTheSameInGo(t *testing.T) {
	said := regexp.MustCompile(`LONGEST_TEXT = (\d+)`).FindStringSubmatch(pagejs.Source())
	if said == nil {
		t.Fatal("lines.js has no longest text")
	}
	longest, err := strconv.Atoi(said[1])
	if err != nil {
		t.Fatal(err)
	}
	for more := range 2 {
		walk := &snapshot.Walk{Lines: "0\ttext\t\t\t" + strings.Repeat("x", longest+more)}
		text := snapshot.Render(&snapshot.Frame{Walk: walk}, snapshot.Options{}).Text
		if breaks := strings.Count(strings.TrimSpace(text), "\n"); breaks != more {
			t.Errorf("%d characters: %d lines, want %d", longest+more, breaks+1, more+1)
		}
	}
}

func TestInteractiveRolesAreTheSameInGo(t *testing.T) {
	list := regexp.MustCompile(`ARIA_ROLES = words\(([^)]*)\)`).FindStringSubmatch(pagejs.Source())
	if list == nil {
		t.Fatal("role.js has no list of roles")
	}
	var page strings.Builder
	for role := range strings.FieldsSeq(strings.NewReplacer("'", " ", "+", " ").Replace(list[1])) {
		fmt.Fprintf(&page, "<p></p><div role=listbox aria-label=B><div role=tree aria-label=B><div role=%s tabindex=0 aria-label=This>x"+
			"</div></div></div>", role)
	}
	walk := show(t, page.String()).walk()
	roles := 0
	for line := range strings.SplitSeq(walk.Lines, "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) < 4 || fields[3] != "This" {
			continue
		}
		roles++
		inPage := len(fields) < 7 || fields[6] == "" // field 6 hints that the element can have the focus
		inGo := snapshot.Render(&snapshot.Frame{Walk: &snapshot.Walk{Lines: line}}, snapshot.Options{}).Stats.Interactive == 1
		if inPage != inGo {
			t.Errorf("%s can be acted on: %v in the page, %v in Go", fields[1], inPage, inGo)
		}
	}
	if roles < 50 {
		t.Errorf("only %d roles were compared", roles)
	}
}
