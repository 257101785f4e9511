package snapshot

import "testing"

// A delta leaves out the lines that only repeat what the caller has done, such as a typed text. It
// has all other lines.
func TestGiven(t *testing.T) {
	const before = `- form:
  - textbox "Name" [ref=e1]
  - textbox "City" [active] [ref=e2]: Rome
  - paragraph:
    - combobox "Country" [ref=e3]:
      - option "choose" [selected]
      - option "Norway"
      - option "Peru"
  - checkbox "Terms" [ref=e4]
  - button "Order" [ref=e5]
- status: Empty`
	const all = `- form:
  - textbox "Name" [ref=e1]: Ada
  - textbox "City" [ref=e2]: Rome
  - paragraph:
    - combobox "Country" [ref=e3]:
      - option "choose"
      - option "Norway" [selected]
      - option "Peru"
  - checkbox "Terms" [checked] [ref=e4]
  - button "Order" [active] [ref=e5]
- status: Thank you`
	tests := []struct {
		name  string
		given Given
		want  string
	}{
		{"nobody asks for less", nil, `~ textbox "Name" [ref=e1]: Ada
~ textbox "City" [ref=e2]: Rome
  combobox "Country" [ref=e3]
~   option "choose"
~   option "Norway" [selected]
~ checkbox "Terms" [checked] [ref=e4]
~ button "Order" [active] [ref=e5]
~ status: Thank you (was Empty)`},
		{"all by the caller", Given{"e1": "Ada", "e3": "Norway", "e4": "", "e5": ""}, `~ checkbox "Terms" [checked] [ref=e4]
~ status: Thank you (was Empty)`},
		{"another text than was given", Given{"e1": "Adam", "e3": "Peru", "e5": ""}, `~ textbox "Name" [ref=e1]: Ada
  combobox "Country" [ref=e3]
~   option "Norway" [selected]
~ checkbox "Terms" [checked] [ref=e4]
~ status: Thank you (was Empty)`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Compare(pageOf(before), pageOf(all), test.given, 0); got.Text != test.want {
				t.Errorf("got\n%s\nwant\n%s", got.Text, test.want)
			}
		})
	}
}
