package page

import (
	"cmp"
	"context"
	"errors"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// awaitHandled waits until the browser has handled input that was sent. If the input has closed the
// tab, or the frame has left its process, the input has arrived.
func awaitHandled(ctx context.Context, replies []*cdp.Reply[proto.Empty]) error {
	for _, r := range replies {
		_, err := r.Wait(ctx)
		if errors.Is(err, ErrClosed) || errors.Is(err, cdp.ErrDetached) {
			return nil
		}
		if err != nil {
			return withSentIfBusy(frame.Failure(ctx, err))
		}
	}
	return nil
}

// withSentIfBusy adds ErrSent to the error of input that was sent, if the page did not answer in
// time, or a person ended the call. The page has the input, and may handle it later.
func withSentIfBusy(err error) error {
	if errors.Is(err, ErrBusy) || byPerson(err) {
		return withSent(err)
	}
	return err
}

// checkTime returns the cause of ctx if it has expired. It is called before input is sent: Chromium
// handles the input even if ctx ends, and nothing may happen after the call's answer.
func checkTime(ctx context.Context) error {
	if !frame.Expired(ctx) {
		return nil
	}
	return cmp.Or(context.Cause(ctx), context.DeadlineExceeded)
}

// ErrSent comes with another error if input had been sent before that error. The input may have had
// its effect, so the caller must not just try again.
var ErrSent = errors.New("the input was sent")
