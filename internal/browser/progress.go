package browser

import (
	"context"

	"chela/internal/cdp"
)

// FollowDownloads reports the downloads that are under way, at once and
// whenever more has come of them, until ctx ends.
func (b *Browser) FollowDownloads(ctx context.Context, report func([]*Download) error) error {
	for {
		list, changed := b.arriving()
		if err := report(list); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-b.done:
			return cdp.ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// arriving lists the downloads under way, and returns what is closed when that changes.
func (b *Browser) arriving() (list []*Download, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.downloads.list {
		select {
		case <-d.done:
		default:
			list = append(list, d)
		}
	}
	return list, b.changed
}
