package api

import "context"

// slots has a value in it for each piece of work that is in. So many are let in at once.
type slots chan struct{}

// enter returns when the work may begin. It must leave then. The error is the cause of ctx.
func (s slots) enter(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s slots) leave() { <-s }

// maxFetches is how many documents are fetched at once; more calls wait.
const maxFetches = 16
