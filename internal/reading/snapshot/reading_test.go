package snapshot

import (
	"strings"
	"testing"
)

func TestReadingShows(t *testing.T) {
	r := Read(numbered(orders))
	for _, c := range []struct{ text, ref string }{
		{"MUG", "e103"},
		{"add mug", "e1"},
		{"rome", "e5"},
		{"your e-mail", "e4"},
		{"row 2 two", "e116"}, // a text on several lines has the ref of the line where it begins
		{"row 77", ""},
		{"two row", ""},
		{"", ""},
	} {
		if m, ok := r.Shows(c.text); m.Ref != c.ref || ok != (c.ref != "") {
			t.Errorf("%q: got %+v, want %s", c.text, m, c.ref)
		}
	}
}

func TestReadingClosest(t *testing.T) {
	for _, c := range []struct{ name, page, text, line string }{
		{"most of the words", "\n0|paragraph|||Order sent\n0|status|||Your order was declined", "Your order was confirmed", "declined"},
		{"the beginning of a word", "\n0|paragraph|||Welcome\n0|paragraph|||It is confirming", "confirmed", "confirming"},
		{"the innermost", "\n0|row||Ada Edit\n1|cell||Ada\n1|button|1|Edit", "Ada 5", `cell "Ada"`},
		{"a message", "\n0|heading||Shop\n0|alert|||Card declined\n0|paragraph|||Text", "zzz", "Card declined"},
		{"a heading", "\n0|paragraph|||Text\n0|heading||Shop", "zzz", "Shop"},
		{"nothing", "\n0|paragraph|||Text", "zzz", ""},
	} {
		m, ok := Read(numbered(c.page)).Closest(c.text)
		if ok != (c.line != "") || !strings.Contains(m.Line, c.line) {
			t.Errorf("%s: got %q, want %q", c.name, m.Line, c.line)
		}
	}
}

func TestReadingCounts(t *testing.T) {
	r := Read(numbered(orders))
	for _, c := range []struct {
		name  string
		query Query
		in    string
		want  int // -1: the ref has no line
	}{
		{"of a role", Query{Role: "Button"}, "", 6},
		{"of a text", Query{Text: "lamp"}, "", 2},
		{"of both", Query{Role: "button", Text: "edit"}, "", 3},
		{"of none", Query{Text: "nothing"}, "", 0},
		{"in an element", Query{Role: "button"}, "e102", 2},
		{"items of a list", Query{}, "e102", 2},
		{"rows of a table", Query{}, "e111", 3},
		{"cells of a row", Query{}, "e115", 3},
		{"in nothing", Query{}, "e999", -1},
	} {
		n, first, ok := r.Count(c.query, c.in)
		if ok != (c.want >= 0) || ok && n != c.want || ok && (n > 0) != (first.Ref != "") {
			t.Errorf("%s: got %d, %+v, %v, want %d", c.name, n, first, ok, c.want)
		}
	}
	const nested = "\n0|list\n1|listitem|7\n2|text|||Item 57\n2|list\n3|listitem|8\n4|text|||Part 3\n0|row|9\n1|cell|||Ann\n1|cell|||3"
	for _, c := range []struct{ role, text, ref string }{
		{"row", "Ann", "e9"}, {"row", "ann 3", "e9"}, {"listitem", "Item 57", "e7"}, {"listitem", "Part 3", "e8"}, {"listitem", "Ann", ""}, {"cell", "Ann 3", ""},
	} {
		_, first, _ := Read(numbered(nested)).Count(Query{Role: c.role, Text: c.text}, "")
		found := Find(numbered(nested), Query{Role: c.role, Text: c.text}, 5, 0)
		if first.Ref != c.ref || (len(found.Matches) > 0) != (c.ref != "") || c.ref != "" && found.Matches[0].Ref != c.ref {
			t.Errorf("%s %q: got %q and %v, want %q", c.role, c.text, first.Ref, found.Matches, c.ref)
		}
	}
	if n, _, _ := Read(numbered("\n0|row||Ada Edit\n1|cell||Ada\n1|button|1|Edit")).Count(Query{Text: "ada"}, ""); n != 1 {
		t.Errorf("of lines inside each other, %d count", n)
	}
	if m, ok := r.Of("e17"); !ok || !strings.Contains(m.Line, "Edit") {
		t.Errorf("the line of e17 is %+v", m)
	}
}

func TestReadingUnread(t *testing.T) {
	const frames = "\n0|list\n1|listitem|||Mug\n0|iframe|9\n0|list\n1|listitem|||Lamp"
	with := func(inner *Frame, cut string) *Frame {
		f := numbered(frames)
		f.Walk.Cut, f.Children = cut, map[int]*Frame{9: inner}
		return f
	}
	anywhere := func(f *Frame) *Frame { f.Walk.Anywhere = true; return f }
	noted := func(f *Frame) *Frame { f.Walk.Notes = []string{"note"}; return f }
	for _, c := range []struct {
		name, ref string
		page      *Frame
		want      string
	}{
		{"all is read", "", numbered(orders), ""},
		{"the page", "", &Frame{Failed: "this frame crashed"}, "(page not read: this frame crashed)"},
		{"a frame", "", with(&Frame{Failed: "busy"}, ""), "(frame not read: busy)"},
		{"a frame of the element", "e9", with(&Frame{Failed: "busy"}, ""), "(frame not read: busy)"},
		{"a frame beside the element", "e101", with(&Frame{Failed: "busy"}, ""), ""},
		{"a frame that shows nothing yet", "", with(&Frame{Failed: "not loaded", Unloaded: true}, ""), ""},
		{"the rest of the page", "", with(&Frame{Walk: &Walk{}}, "2 nodes read"), "(2 nodes read)"},
		{"the rest of the last element", "e104", with(&Frame{Walk: &Walk{}}, "2 nodes read"), "(2 nodes read)"},
		{"the rest, after the element", "e101", with(&Frame{Walk: &Walk{}}, "2 nodes read"), ""},
		{"anywhere", "e101", &Frame{Walk: &Walk{Lines: numbered(frames).Walk.Lines, All: numbered(frames).Walk.All, Cut: "not all", Anywhere: true}}, "(not all)"},
		{"anywhere in a frame beside the element", "e101", with(&Frame{Prefix: "f2", Walk: &Walk{Cut: "not all", Anywhere: true}}, ""), ""},
		{"anywhere in a frame of the element", "e9", with(&Frame{Prefix: "f2", Walk: &Walk{Cut: "not all", Anywhere: true}}, ""), "(not all)"},
		{"anywhere in the frame around the element", "f2e1", anywhere(with(&Frame{Prefix: "f2", Walk: &Walk{Lines: "0\tlist\t1"}}, "not all")), ""},
		{"anywhere in the frame of the element", "f2e1", with(&Frame{Prefix: "f2", Walk: &Walk{Lines: "0\tlist\t1", Cut: "not all", Anywhere: true}}, ""), "(not all)"},
		{"anywhere, and no element", "", with(&Frame{Prefix: "f2", Walk: &Walk{Cut: "not all", Anywhere: true}}, ""), "(not all)"},
		{"a frame, after a note", "", noted(with(&Frame{Failed: "busy"}, "")), "(frame not read: busy)"},
		{"the rest, after a note", "", noted(with(&Frame{Walk: &Walk{}}, "2 nodes read")), "(2 nodes read)"},
		{"the rest of a frame", "e9", with(&Frame{Walk: &Walk{Lines: "0\ttext\t\t\tIn", Cut: "2 nodes read"}}, ""), "(2 nodes read)"},
	} {
		if got := Read(c.page).Unread(c.ref); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
