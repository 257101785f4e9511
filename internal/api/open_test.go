package api

import (
	"errors"
	"testing"

	"chela/internal/engine/page"
	"chela/internal/op"
)

// An error of a tab that could not be opened does not lead to calls on that tab: it was closed again.
func TestHintOfATabThatWasClosedAgain(t *testing.T) {
	other := errors.New("other")
	for err, want := range map[error]string{
		op.ErrDeadline:  "the tab was closed again: open the address with a larger timeoutMs",
		page.ErrCrashed: "the new tab was closed again, and calls that name no tab use the one of before; this page may crash each time",
		other:           "",
	} {
		if got := op.HintOf(inClosedTab(err)); got != want {
			t.Errorf("%v: got %q, want %q", err, got, want)
		}
	}
}
