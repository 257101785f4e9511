package page_test

import (
	"context"
	"fmt"
	"time"

	"chela/internal/engine/page"
)

// Code that uses a tab does so in a turn, which ends by its deadline whatever the page does.
func Example() {
	buy := func(p *page.Page, ref string) error {
		ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
		defer cancel()
		return p.Turn(ctx, func(ctx context.Context) error {
			button, err := p.Element(ctx, ref)
			if err != nil {
				return err
			}
			if err := p.Act(ctx, func(ctx context.Context) error { return button.Click(ctx, page.Click{}) }); err != nil {
				return err
			}
			after, err := p.Snapshot(ctx, page.View{})
			fmt.Println(after.Text)
			return err
		})
	}
	_ = buy // buy runs with a tab of a running browser
}
