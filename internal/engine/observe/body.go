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

// ErrBodyGone says that Chromium does not have the body of a request or an answer: it
// was evicted, its process has gone, or there was none. It may be a [*LargeBodyError].
var ErrBodyGone = errors.New("the body is not kept any more")

// A LargeBodyError is an ErrBodyGone of a body that is larger than what Chromium keeps.
type LargeBodyError struct{ Bytes, Most int64 }

func (e *LargeBodyError) Error() string {
	return fmt.Sprintf("the body has %d bytes, and at most %d are kept", e.Bytes, e.Most)
}

// Is reports whether the error is ErrBodyGone.
func (e *LargeBodyError) Is(err error) bool { return err == ErrBodyGone }

// Chromium writes a body as text, or in base64 what is no text. The types of cdproto
// refuse texts with half of a surrogate pair, see [cdp.Decode].
type bodyResult struct {
	Body   string `json:"body"`
	Posted string `json:"postData"`
	Base64 bool   `json:"base64Encoded"`
}

var (
	getResponseBody    = protocol.Command[network.GetResponseBodyParams, bodyResult]{Method: network.GetResponseBody.Method}
	getRequestPostData = protocol.Command[network.GetRequestPostDataParams, bodyResult]{Method: network.GetRequestPostData.Method}
)

// Body asks Chromium for the body of the answer to a request, in the session that has it; nil: that has
// gone. Most is how many bytes of bodies the session keeps. text reports whether Chromium takes it for text, which it
// has decoded to UTF-8. Errors are ErrBodyGone and why the session or ctx ended.
func Body(ctx context.Context, s *cdp.Session, most int64, r journal.Request) (body []byte, text bool, err error) {
	if s == nil {
		return nil, false, ErrBodyGone
	}
	res, err := cdp.Call(ctx, s, getResponseBody, network.GetResponseBodyParams{RequestID: network.RequestID(r.Key)})
	if err = bodyFailure(ctx, err); errors.Is(err, ErrBodyGone) && r.Length > most {
		err = &LargeBodyError{r.Length, most}
	}
	if err != nil {
		return nil, false, err
	}
	body, err = res.bytes(res.Body)
	return body, !res.Base64, err
}

// PostData is what was sent with a request, also if it is too long to be in the journal.
// The session and the errors are those of Body.
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

// bodyFailure is frame.Failure with ErrBodyGone for what Chromium refuses, or for a
// session that has ended.
func bodyFailure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if _, refused := errors.AsType[*cdp.Error](err); refused || errors.Is(err, cdp.ErrDetached) {
		return ErrBodyGone
	}
	return frame.Failure(ctx, err)
}
