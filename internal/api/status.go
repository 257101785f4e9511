package api

import (
	"context"

	"chela/internal/api/call"
)

// A profileRequest is about a browser as a whole.
type profileRequest struct{ call.InProfile }

// status describes the browser. It sends nothing to a browser that chela drives. So it answers at
// once even while the browser hangs, which is when a caller needs it.
func status(ctx context.Context, s *call.Service, r profileRequest) (statusResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return statusResult{}, err
	}
	return statusResult{s.AskedStatus(ctx, p)}, nil
}

// statusResult is the status of a browser.
type statusResult struct{ call.BrowserStatus }
