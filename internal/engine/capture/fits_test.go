package capture

import (
	"testing"

	"chela/internal/engine/page"
)

func TestFits(t *testing.T) {
	for area, want := range map[page.Area]bool{
		{Width: 100, Height: 50}:                  true,
		{X: 10, Y: 10, Width: 20, Height: 20}:     true,
		{X: 90, Y: 10, Width: 20, Height: 20}:     false,
		{X: -10, Y: 10, Width: 20, Height: 20}:    false,
		{X: -50, Y: -50, Width: 500, Height: 500}: false,
		{X: 100, Y: 0, Width: 10, Height: 10}:     false,
		{X: 0, Y: -10, Width: 10, Height: 10}:     false,
	} {
		if got := fits(area, 100, 50); got != want {
			t.Errorf("%v: got %v", area, got)
		}
	}
}
