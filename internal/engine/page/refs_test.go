package page_test

import (
	"strings"
	"testing"

	"chela/internal/engine/page"
	"chela/internal/reading/snapshot"
	"chela/test/tab"
)

// With refs on all lines, every line of a snapshot can be acted on, even in frames.
func TestRefsOfAllLines(t *testing.T) {
	tt := tab.Open(t, "/listening.html")
	tab.Run[any](tt, `document.body.insertAdjacentHTML('beforeend',
		'<p>Some <b>bold</b> text <a href=#>link</a> after</p><table><tr><td>10a<td>10b</table>'); undefined`)
	s := tt.Read(page.View{Options: snapshot.Options{AllRefs: true}})
	for _, l := range s.Lines {
		if l.Ref == "" {
			t.Errorf("no ref: %s", l.Text)
		}
		if _, ok := s.Refs[l.Ref]; !ok {
			t.Errorf("the ref of %q is not listed", l.Text)
		}
	}
	plain := tt.Read(page.View{})
	if got, want := len(s.Lines), len(plain.Lines); got != want {
		t.Errorf("%d lines with all refs, %d without", got, want)
	}
	tab.Run[any](tt, `document.querySelector('table').onclick = event => log(event.target.textContent); undefined`)
	for ref, r := range s.Refs {
		if strings.Contains(r.Name, "10b") && r.Role == "cell" {
			if err := tt.OnRef(ref, tab.Click); err != nil || tt.Last() != "10b" {
				t.Errorf("click on the cell: %v, page told %q", err, tt.Logged())
			}
		}
	}
}
