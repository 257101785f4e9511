package live

import (
	"slices"
	"testing"

	"chela/internal/engine/browser"
	"chela/internal/engine/page"
)

// If the policy changes its verdict on a page, the viewer learns of its address and title, or loses
// both.
func TestVerdictOnThePageChanges(t *testing.T) {
	var told []any
	f := follower{viewer: Viewer{Tell: func(event any) { told = append(told, event) }}}
	for _, test := range []struct {
		refused bool
		want    []any
	}{
		{true, []any{Address{"", true}, Title{""}, Person{}}},
		{false, []any{Address{"http://a/", false}, Title{"A"}}},
		{false, nil},
		{true, []any{Address{"", true}, Title{""}}},
	} {
		told = nil
		if f.see(browser.Info{URL: "http://a/", Title: "A", Refused: test.refused}); !slices.Equal(told, test.want) {
			t.Errorf("refused %v: told %+v, want %+v", test.refused, told, test.want)
		}
		f.page = new(page.Page) // the first look is over
	}
}
