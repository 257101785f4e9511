package snapshot

import "testing"

// A frame in which nothing can be seen keeps its controls. The amount of text that cannot be seen
// is written once, for all frames, in the last line. A page that is cut keeps that line.
func TestUnseen(t *testing.T) {
	page := func(marked bool) *Frame {
		inner := &Walk{Marked: marked, Lines: "0\theading\t\tDo this\t\tlevel=1\n0\tbutton\t1\tPay\n0\tparagraph\n1\ttext\t\t\tand that"}
		return &Frame{
			Walk:     &Walk{Marked: marked, Lines: "0\ttext\t\t\tHello\n0\tiframe\t2\n0\ttext\t\t\tBye", Veiled: []int{2}, Unseen: Unseen{1, 5}},
			Children: map[int]*Frame{2: {Walk: inner, Prefix: "f1"}},
		}
	}
	for _, c := range []struct {
		name    string
		marked  bool
		options Options
		want    string
	}{
		{"left out", false, Options{}, `- text: Hello
- iframe [ref=e2]:
  - button "Pay" [ref=f1e1]
  - paragraph
- text: Bye
- hidden: 3 texts that a person cannot see, 20 characters (hidden=mark shows them)`},
		{"marked", true, Options{}, `- text: Hello
- iframe [ref=e2]:
  - heading "Do this" [level=1] [hidden=frame]
  - button "Pay" [ref=f1e1]
  - paragraph:
    - text [hidden=frame]: and that
- text: Bye`},
		{"cut", false, Options{MaxChars: 140}, `- text: Hello

[...TRUNCATED - page too large]
- hidden: 3 texts that a person cannot see, 20 characters (hidden=mark shows them)`},
		{"controls alone", false, Options{Interactive: true}, `- iframe [ref=e2]:
  - button "Pay" [ref=f1e1]
- hidden: 3 texts that a person cannot see, 20 characters (hidden=mark shows them)`},
	} {
		if got := Render(page(c.marked), c.options).Text; got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}
