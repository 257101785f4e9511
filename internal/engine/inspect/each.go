package inspect

import (
	"context"
	"errors"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// maxReply limits the bytes of a reply about one of many elements or shadow roots. It is lower than [frame.MaxDescription],
// because many replies wait at a time.
const maxReply = 512 << 10

// askEach sends a command with each of the params, see [cdp.CallEach], and calls use with the results.
// It leaves out elements that the page has removed meanwhile, and those with a reply of more than
// maxReply.
func askEach[P, R any](ctx context.Context, w *frame.World, c proto.Command[P, R], params []P, use func(i int, result R)) error {
	return cdp.CallEach(ctx, w.Session, c, params, maxReply, func(i int, result R, err error) error {
		_, gone := errors.AsType[*cdp.Error](err)
		_, large := errors.AsType[*cdp.LargeError](err)
		switch {
		case gone, large:
			return nil
		case err != nil:
			return frame.Failure(ctx, err)
		}
		use(i, result)
		return nil
	})
}
