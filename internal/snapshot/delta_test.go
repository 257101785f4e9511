package snapshot

import (
	"strings"
	"testing"
)

// page makes lines as Render does; a ref stands in brackets.
func pageOf(text string) (lines []Line) {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		l := Line{Text: strings.TrimSpace(line)}
		l.Depth = (len(line) - len(strings.TrimLeft(line, " "))) / 2
		if _, rest, ok := strings.Cut(l.Text, "[ref="); ok {
			l.Ref, _, _ = strings.Cut(rest, "]")
		}
		lines = append(lines, l)
	}
	return lines
}

const shopBefore = `- heading "Shop"
- list:
  - listitem: Mug
  - button "Add mug" [ref=e1]
  - listitem: Lamp
  - button "Add lamp" [ref=e2]
- button "Check out" [disabled] [ref=e3]
- status: Empty`

func TestCompare(t *testing.T) {
	tests := []struct{ name, after, want string }{
		{"nothing", shopBefore, ""},
		{"a state", strings.Replace(shopBefore, " [disabled]", "", 1), `~ button "Check out" [ref=e3]`},
		{"a text", strings.Replace(shopBefore, "Empty", "1 thing", 1), "+ status: 1 thing\n- status: Empty"},
		{"a new element", shopBefore + "\n- link \"Back\" [ref=e4] [new]", `+ link "Back" [ref=e4]`},
		{"an element gone", strings.Replace(shopBefore, "  - button \"Add lamp\" [ref=e2]\n", "", 1), `- button "Add lamp" [ref=e2]`},
		{"a second of the same", shopBefore + "\n- listitem: Mug", "+ listitem: Mug"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Compare(pageOf(shopBefore), pageOf(test.after), 0); got.Text != test.want {
				t.Errorf("got\n%s\nwant\n%s", got.Text, test.want)
			}
		})
	}
}

func TestCompareIsCut(t *testing.T) {
	got := Compare(nil, pageOf(strings.Repeat("- listitem: a long line\n", 50)), 200)
	if !got.Truncated || len(got.Text) > 200 || !strings.HasSuffix(got.Text, deltaMarker) || got.Changes != 50 {
		t.Errorf("got %+v", got)
	}
}
