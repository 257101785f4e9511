package api

import (
	"context"
)

// A profileRequest is about a browser as a whole.
type profileRequest struct{ InProfile }

// status starts nothing and asks nothing of a browser that chela drives. So it answers at once,
// also while the browser hangs, which is when a caller needs it.
func status(ctx context.Context, s *Service, r profileRequest) (browserStatus, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return browserStatus{}, err
	}
	return s.askedStatus(ctx, p), nil
}
