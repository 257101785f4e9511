package observe

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/journal"
)

// ErrBodyGone says that Chromium does not have the body of a request or response. It was evicted,
// its process has ended, or there never was one. The error may be a [*LargeBodyError].
var ErrBodyGone = errors.New("the body is not kept any more")

// A LargeBodyError is an ErrBodyGone for a body that is larger than what Chromium keeps.
type LargeBodyError struct{ Bytes, Most int64 }

func (e *LargeBodyError) Error() string {
	return fmt.Sprintf("the body has %d bytes, and at most %d are kept", e.Bytes, e.Most)
}

// Is makes errors.Is find ErrBodyGone in this error.
func (e *LargeBodyError) Is(err error) bool { return err == ErrBodyGone }

// A bodyResult is the reply to either of the commands below. Chromium sends a body as text, or as
// base64 if it is not text. The types of cdproto refuse text with half of a surrogate pair, see
// [cdp.Decode].
type bodyResult struct {
	Body   string `json:"body"`
	Posted string `json:"postData"`
	Base64 bool   `json:"base64Encoded"`
}

var (
	getResponseBody    = protocol.Command[network.GetResponseBodyParams, bodyResult]{Method: network.GetResponseBody.Method}
	getRequestPostData = protocol.Command[network.GetRequestPostDataParams, bodyResult]{Method: network.GetRequestPostData.Method}
)

// Body asks Chromium for the body of a response. The session s has the body; s is nil if that
// session has ended. The session keeps bodies of up to maxBytes bytes in total. The result text
// reports whether Chromium treats the body as text, which it has decoded to UTF-8. The error is
// ErrBodyGone, or why the session or ctx ended.
func Body(ctx context.Context, s *cdp.Session, maxBytes int64, r journal.Request) (body []byte, text bool, err error) {
	if s == nil {
		return nil, false, ErrBodyGone
	}
	res, err := cdp.Call(ctx, s, getResponseBody, network.GetResponseBodyParams{RequestID: network.RequestID(r.Key)})
	if err = bodyFailure(ctx, err); errors.Is(err, ErrBodyGone) && r.Length > maxBytes {
		err = &LargeBodyError{r.Length, maxBytes}
	}
	if err != nil {
		return nil, false, err
	}
	body, err = res.bytes(res.Body)
	return body, !res.Base64, err
}

// PostData returns the body of a request, even if it is too long for the event log. The session and
// the errors are the same as for Body.
func PostData(ctx context.Context, s *cdp.Session, r journal.Request) ([]byte, error) {
	if s == nil {
		return nil, ErrBodyGone
	}
	res, err := cdp.Call(ctx, s, getRequestPostData, network.GetRequestPostDataParams{RequestID: network.RequestID(r.Key)})
	if err != nil {
		return nil, bodyFailure(ctx, err)
	}
	return res.bytes(res.Posted)
}

func (r bodyResult) bytes(s string) ([]byte, error) {
	if r.Base64 {
		return base64.StdEncoding.DecodeString(s)
	}
	return []byte(s), nil
}

// bodyFailure converts an error as frame.Failure does. If Chromium refuses the command or the
// session has ended, it returns ErrBodyGone.
func bodyFailure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if _, refused := errors.AsType[*cdp.Error](err); refused || errors.Is(err, cdp.ErrDetached) {
		return ErrBodyGone
	}
	return frame.Failure(ctx, err)
}
