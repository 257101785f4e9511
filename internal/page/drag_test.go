package page_test

import (
	"context"
	"strings"
	"testing"

	"chela/internal/page"
)

func TestDrag(t *testing.T) {
	for _, s := range []struct{ from, to, told string }{
		{"Native thing", "Native place", "dragstart native\ndrop native trusted\ndragend native copy"},
		{"Native thing", "Far place", "dragstart native\ndrop native trusted\ndragend native copy"},
		{"Loose thing", "Loose place", "moved inside in several steps"},
		{"Refused thing", "Closed place", "dragstart refused\ndragend refused none"},
	} {
		t.Run(s.from+" onto "+s.to, func(t *testing.T) {
			tt := open(t, "/drag.html")
			onto, err := tt.byCSS(`[aria-label="` + s.to + `"]`)
			if err != nil {
				t.Fatal(err)
			}
			err = tt.on(`button "`+s.from+`"`, func(ctx context.Context, el *page.Element) error { return el.DragTo(ctx, onto) })
			if err != nil {
				t.Fatal(err)
			}
			last := s.told[strings.LastIndex(s.told, "\n")+1:]
			tt.await(last)
			if got := tt.log(); got != s.told {
				t.Errorf("page told %q, want %q", got, s.told)
			}
			// the mouse is not held any more
			if err := tt.on(`button "Native thing"`, click); err != nil {
				t.Error(err)
			}
		})
	}
}

// byCSS finds an element that snapshots give no ref.
func (t *tester) byCSS(selector string) (el *page.Element, err error) {
	err = t.act(func(ctx context.Context) error {
		el, err = t.Match(ctx, selector)
		return err
	})
	return el, err
}
