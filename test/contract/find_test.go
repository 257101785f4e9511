package contract

import (
	"fmt"
	"strings"
	"testing"
)

// The operation find finds what the page says, and the lines that it finds can be acted on.
func TestFind(t *testing.T) {
	tab := shared.open(t, page(`<table><tr><td>10a</td><td>10b</td></tr></table><div role=grid><div role=row><div role=gridcell tabindex=-1>Cell 7</div></div></div>
		<label>City <input placeholder="Where to" value=Rome></label><h2>Inert</h2><p>Some <b>bold</b> text</p>
		<div onmousedown="1"><span>Pick one</span><svg width=16 height=16><circle r=9 /></svg></div>
		<select aria-label=Color><option>Red<option>Blue</select><iframe srcdoc="<p onclick=&quot;top.last='in frame'&quot;>Within"></iframe>
		<ul id=people></ul><script>
		for (let i = 1; i <= 60; i++) people.innerHTML += '<li><a href="#">Person ' + (61 - i) + '</a> <button>Edit</button></li>';
		onclick = e => { last = (e.target.closest('li') ?? e.target).textContent };
		</script>`))
	find := func(query string) (line, ref string) {
		t.Helper()
		a := shared.ok(t, "POST /find", shared.body(tab, query))
		if a.Get("total") == 0.0 {
			return "", ""
		}
		first := a.Get("matches").([]any)[0].(map[string]any)
		return fmt.Sprint(first["line"]), fmt.Sprint(first["ref"])
	}
	for _, s := range []struct{ query, line, clicked string }{
		{`"text": "10a"`, "10a", "10a"},
		{`"text": "10B", "role": "cell"`, "10b", "10b"},
		{`"text": "Cell 7"`, "gridcell", "Cell 7"},
		{`"text": "inert"`, "heading", "Inert"},
		{`"text": "bold"`, "Some bold text", "Some bold text"},
		{`"text": "Pick one"`, "- generic [ref", "Pick one"},
		{`"text": "where to"`, "textbox", ""},
		{`"text": "rome"`, "textbox", ""},
		{`"text": "Within"`, "Within", "in frame"},
		{`"text": "Person 6", "limit": 1`, "Person 6\"", "Person 6 Edit"},
		{`"text": "Edit", "role": "button", "near": "Person 4", "limit": 1`, "Edit", "Person 4 Edit"},
		{`"role": "button", "near": "Person 60"`, "Edit", "Person 60 Edit"},
	} {
		line, ref := find(s.query)
		if !strings.Contains(line, s.line) || !strings.Contains(line, "[ref="+ref+"]") {
			t.Errorf("%s: %s", s.query, line)
			continue
		}
		shared.act(t, tab, fmt.Sprintf(`"kind": "click", "ref": %q`, ref))
		if last := shared.eval(t, tab, "last"); last != s.clicked {
			t.Errorf("%s: clicked %q, want %q", s.query, last, s.clicked)
		}
	}
	if _, ref := find(`"text": "blue"`); ref != "" {
		shared.act(t, tab, fmt.Sprintf(`"kind": "select", "ref": %q, "values": ["Blue"]`, ref))
	}
	if chosen := shared.eval(t, tab, "document.querySelector('select').value"); chosen != "Blue" {
		t.Errorf("chosen %v", chosen)
	}
	for _, words := range []string{"ref", "e12", "level=2", "[level", "gridcell", "placeholder", "Mars"} {
		if line, _ := find(fmt.Sprintf(`"text": %q`, words)); line != "" {
			t.Errorf("%q found %s", words, line)
		}
	}
}

// The first match is in the row that the query names, even where rows are plain boxes. If several
// lines have the same text, each comes with a text near it that tells them apart.
func TestFindNear(t *testing.T) {
	tab := shared.open(t, page(`<div id=board></div>
		<nav><a href="#a">Add New</a></nav><section><h2>Cards</h2><div><p>Both are active.</p></div><a href="#b">Add New</a></section>
		<div><div><div>PIN</div><div>****</div></div><button>Change PIN</button></div>
		<div><div><div>Daily Spending Limit</div><div>$2,000</div></div><button>Change</button></div>
		<table><tr><td>Sarah Chen<td>Q1<td><input type=checkbox><tr><td>Sarah Chen<td>Q2<td><input type=checkbox></table><script>
		for (const name of ['Ann Lee', 'Bob Ray', 'Cy Fox', 'Tom Nguyen', 'Uma Rao', 'Vic Day']) {
			board.innerHTML += '<div><div>' + name[0] + '</div><div><div>' + name + '</div><div>Member</div></div>' +
				'<select aria-label=Role><option>Viewer<option>Editor</select><button>×</button></div>';
		}
		</script>`))
	for _, s := range []struct {
		query     string
		line, in  string // line and context of the first match
		unplaced  any
		unrelated string // a text that no match has
	}{
		{`"text": "×", "near": "Tom Nguyen", "role": "button"`, "×", "Tom Nguyen", nil, ""},
		{`"role": "combobox", "near": "uma rao"`, "Role", "Uma Rao", nil, ""},
		{`"text": "Change", "near": "Daily Spending Limit"`, `button "Change" `, "Daily Spending Limit", nil, ""},
		{`"role": "checkbox", "near": "Sarah Chen Q2"`, "checkbox", "Q2", nil, ""},
		{`"role": "button", "near": "Zoe"`, "button", "", true, ""},
		{`"text": "Add New"`, "Add New", "navigation", nil, "Member"},
		{`"text": "×"`, "×", "Ann Lee", nil, "Member"},
		{`"text": "Change PIN"`, "Change PIN", "", nil, ""},
	} {
		a := shared.ok(t, "POST /find", shared.body(tab, s.query))
		first := a.Get("matches").([]any)[0].(map[string]any)
		line, in := fmt.Sprint(first["line"]), fmt.Sprint(first["in"])
		if s.in == "" && first["in"] != nil && s.unplaced == nil || !strings.Contains(line, s.line) || !strings.Contains(in, s.in) {
			t.Errorf("%s: got %s (in: %s), want %s (in: %s)", s.query, line, in, s.line, s.in)
		}
		if a.Get("nearNothing") != s.unplaced {
			t.Errorf("%s: nearNothing is %v, want %v", s.query, a.Get("nearNothing"), s.unplaced)
		}
		if s.unrelated != "" && strings.Contains(fmt.Sprint(a.Get("matches")), s.unrelated) {
			t.Errorf("%s: %v", s.query, a.Get("matches"))
		}
	}
}
