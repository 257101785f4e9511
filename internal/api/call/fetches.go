package call

import "context"

// maxFetches is how many documents are fetched at once; more calls wait.
const maxFetches = 16

// BeginFetch waits until one more document may be fetched. The caller must call the function end
// after the fetch. The error is the cause of ctx.
func (s *Service) BeginFetch(ctx context.Context) (end func(), err error) {
	select {
	case s.fetches <- struct{}{}:
		return func() { <-s.fetches }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
