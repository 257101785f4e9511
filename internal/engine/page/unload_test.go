package page_test

import (
	"context"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/tab"
)

// A page whose unload handlers never end can still be left, by an address and by a click on its
// link.
func TestLeaveAPageThatHoldsOn(t *testing.T) {
	long.Test(t)
	for _, event := range []string{"beforeunload", "visibilitychange", "pagehide"} {
		t.Run(event, func(t *testing.T) {
			there := tab.Site.URL + "/frame.html"
			leave := func(tt *tab.Tab) {
				t.Helper()
				err := tt.InTurn(8*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, there) })
				if err != nil || tt.URL() != there {
					t.Fatalf("got %v, the tab is at %s", err, tt.URL())
				}
				if err := tt.On(`button "Press"`, tab.Click); err != nil || tt.Last() != "frame pressed trusted" {
					t.Errorf("got %v, page told %q", err, tt.Logged())
				}
			}
			tt := tab.Open(t, "/leave.html?on="+event)
			leave(tt)
			tt.Write("") // scripts run in this page: none is terminated any more
			if err := tt.InTurn(8*time.Second, func(ctx context.Context) error {
				return tt.Navigate(ctx, tab.Site.URL+"/leave.html?on="+event)
			}); err != nil {
				t.Fatal(err)
			}
			ref := tt.Ref(`link "Leave"`)
			tt.OnRefFor(1500*time.Millisecond, ref, func(ctx context.Context, el *page.Element) error { // the outcome of the click depends on the event
				return el.Click(ctx, page.Click{})
			})
			if event == "pagehide" && (tt.Leaving() != there || tt.Way() != page.Unloading) {
				t.Errorf("the tab is on its way to %q, its way: %v", tt.Leaving(), tt.Way())
			}
			leave(tt)
		})
	}
}
