package op

import "testing"

func TestDidYouMean(t *testing.T) {
	words := []string{"click", "clickCoords", "type", "scrollIntoView", "tap"}
	for _, test := range []struct{ word, want string }{
		{"clik", `did you mean "click"?`},
		{"Click", `did you mean "click"?`},
		{"clickcoord", `did you mean "clickCoords"?`},
		{"scrollintoview", `did you mean "scrollIntoView"?`},
		{"zap", `did you mean "tap"?`},
		{"teleport", "there are click, clickCoords, type, scrollIntoView, tap"},
		{"", "there are click, clickCoords, type, scrollIntoView, tap"},
	} {
		if got := DidYouMean(test.word, words); got != test.want {
			t.Errorf("%q: got %s, want %s", test.word, got, test.want)
		}
	}
}
