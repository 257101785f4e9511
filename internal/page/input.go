package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/cdp"
	"chela/internal/frame"
)

// confirmed waits until the browser has handled what was sent.
func confirmed(ctx context.Context, replies []*cdp.Reply[proto.Empty]) error {
	for _, r := range replies {
		_, err := r.Wait(ctx)
		if errors.Is(err, ErrClosed) || errors.Is(err, cdp.ErrDetached) {
			return nil // the page took it, and closed itself
		}
		if err != nil {
			return unconfirmed(frame.Failure(ctx, err))
		}
	}
	return nil
}

// unconfirmed is the error of input that was sent.
func unconfirmed(err error) error {
	if errors.Is(err, ErrBusy) {
		return fmt.Errorf("%w: %w", ErrSent, err)
	}
	return err
}

// inTime is nil unless ctx has expired. It is asked before input is sent: input
// that is sent takes effect whatever becomes of ctx.
func inTime(ctx context.Context) error {
	if !frame.Expired(ctx) {
		return nil
	}
	return cmp.Or(context.Cause(ctx), context.DeadlineExceeded)
}

// ErrSent comes with another error when input was sent before: it may have had its effect.
var ErrSent = errors.New("the input was sent")
