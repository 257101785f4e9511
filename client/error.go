package client

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
)

// A Code is the kind of a failure. The constants list those of this version.
type Code string

// CodeNoServer is the code of a call that did not reach a server, so that nothing has been done.
// Servers never send this code.
const CodeNoServer Code = "no_server"

// An Error says why a call has failed. All errors of calls are of this type, except for errors of the
// writer that [Client.FetchFile] gets:
//
//	if failed, ok := errors.AsType[*client.Error](err); ok && failed.Code == client.CodeStaleRef {
//		// take a new snapshot
//	}
//
// If the context of the call has ended, errors.Is also finds [context.Canceled] or
// [context.DeadlineExceeded].
type Error struct {
	Code    Code           `json:"code"`
	Message string         `json:"error"`            // what went wrong; it may quote a page
	Hint    string         `json:"hint,omitzero"`    // what to do next
	Reason  string         `json:"reason,omitzero"`  // why the server refused the call
	Details map[string]any `json:"details,omitzero"` // more about the failure, for programs
	Sent    bool           `json:"sent,omitzero"`    // the action was sent to the page, but not confirmed
	Status  int            `json:"-"`                // HTTP status; 0 if there was no answer

	// A dialog of the page prevented the call, and must be answered first.
	BlockedByDialog bool          `json:"blockedByDialog,omitzero"`
	BrowserState    *BrowserState `json:"browserState,omitzero"`

	cause error
}

// Error returns what went wrong, and what to do next.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; try: " + e.Hint
}

// Unwrap returns the error of the connection, of the context, or of the reader given to
// [Client.SendFile]; nil if there is none.
func (e *Error) Unwrap() error { return e.cause }

// refusal returns the error that a response with another status than 200 describes.
func refusal(resp *http.Response) error {
	defer resp.Body.Close()
	raw, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // a body that is cut off gives the error below
	e := &Error{Status: resp.StatusCode}
	if json.Unmarshal(raw, e) != nil || e.Message == "" {
		return &Error{Code: CodeInternal, Status: resp.StatusCode, Message: "the server answered " + resp.Status, Hint: "is it chela that answers there?"}
	}
	return e
}

// unanswered returns the error of a request that got no response. If no connection could be made,
// nothing has been done. In all other cases, a second call could repeat a click or a purchase.
func (c *Client) unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return broken(ctx, err)
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "dial" {
		return &Error{Code: CodeNoServer, Message: "server not running: " + dial.Error(), Hint: c.whenGone, cause: err}
	}
	if hint, ok := isUnsafe(err); ok {
		return &Error{Code: CodeNoServer, Message: "no safe connection to the server: " + err.Error(), Hint: hint, cause: err}
	}
	return broken(ctx, err)
}

// isUnsafe reports whether err says that another program than the server may be at the other end.
// Then no request was sent, and the hint says what the caller can do.
func isUnsafe(err error) (hint string, ok bool) {
	if unsafe, ok := errors.AsType[*unsafeError](err); ok {
		return unsafe.hint, true
	}
	_, unverified := errors.AsType[*tls.CertificateVerificationError](err)
	_, noTLS := errors.AsType[tls.RecordHeaderError](err)
	return "is it the right server? Fingerprint pins its certificate, as chela cert prints it there", unverified || noTLS
}

// broken returns the error of a call whose connection ended before the answer was complete: by the
// call's context, or because the connection broke.
func broken(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &Error{Code: CodeCanceled, Message: "the call was cancelled", cause: ctx.Err()}
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: CodeDeadline, Message: "the deadline of the call's context has passed", cause: context.DeadlineExceeded}
	}
	return &Error{Code: CodeInternal, Message: "the connection to the server broke: " + err.Error(), Hint: "take a snapshot to see what came of the call", cause: err}
}
