package server

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"chela/internal/op"
	"chela/internal/surface/dashboard"
)

// goneTab takes the place of a service in which the shared tab is not the guest's any more.
type goneTab struct{}

func (goneTab) Run(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
	if op.GuestOf(ctx).Browser != "work" {
		return nil, op.Errorf(op.Invalid, "the guest's browser is not known")
	}
	return nil, op.Errorf(op.Unauthorized, "the tab is not shared any more")
}

// A share ends when a guest's call finds that its tab is not there any more, such as because the
// profile drives another browser now.
func TestShareEndsWithItsBrowser(t *testing.T) {
	var shares dashboard.Shares
	wish := dashboard.Share{Profile: "chrome", Tab: "t1", Browser: "work", Until: time.Now().Add(time.Hour)}
	made, _, _ := shares.New(wish, func(dashboard.Share) {})
	type tabOf struct {
		Profile  string `json:"profile,omitempty" doc:"browser profile"`
		TargetID string `json:"targetId,omitempty" doc:"tab"`
	}
	back := op.Define("POST /back", "back", "Go back.", func(context.Context, *target, tabOf) (noted, error) { return noted{}, nil }, op.ForViewers)
	_, err := confiningGuests{goneTab{}, &shares}.Run(withGuest(t.Context(), made), back, op.Args{})
	if op.AsError(err).Code != op.Unauthorized || len(shares.List()) > 0 {
		t.Errorf("%v; left are %+v", err, shares.List())
	}
}
