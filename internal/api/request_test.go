package api

import (
	"fmt"
	"testing"

	"chela/internal/engine/page"
)

// A request is shown without its body if the process that has the body has crashed.
func TestBodiesOfCrashedPages(t *testing.T) {
	for _, err := range []error{page.ErrCrashed, page.ErrFrameCrashed} {
		if withheld(fmt.Errorf("get the body: %w", err)) == "" {
			t.Errorf("%v: the request is not shown", err)
		}
	}
}
