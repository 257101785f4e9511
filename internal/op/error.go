package op

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"chela/internal/wall/secret"
)

// A Code is the kind of a failure, for programs; people read the message.
type Code string

// The codes. Those in capitals are fixed by OpenClaw's HTTP API, with which chela is compatible.
const (
	Invalid         Code = "invalid_request" // an argument is missing, has the wrong type or is out of range
	Unauthorized    Code = "unauthorized"    // no token or password, or a wrong one
	Forbidden       Code = "forbidden"       // this caller, or its session, may not make this call
	TooMany         Code = "too_many"        // an address has sent too many wrong tokens and passwords, or too many questions are open or sessions limited
	Blocked         Code = "navigation_blocked"
	NotFound        Code = "not_found" // no such route, tab, profile, dialog or file
	UnknownRef      Code = "unknown_ref"
	StaleRef        Code = "stale_ref"
	BadMethod       Code = "method_not_allowed"
	Conflict        Code = "conflict" // the present state does not allow the call
	TooLarge        Code = "too_large"
	HeadTooLarge    Code = "headers_too_large"
	BadMediaType    Code = "unsupported_media_type"
	NotSupported    Code = "not_supported"
	PageFailed      Code = "page_failed"   // the page, or its server, failed
	ScriptFailed    Code = "script_failed" // the caller's script threw
	TabCrashed      Code = "tab_crashed"
	TabClosed       Code = "tab_closed"
	BrowserLost     Code = "BROWSER_LOST"
	NoBrowser       Code = "NO_BROWSER"
	BrowserFailed   Code = "browser_failed" // the browser did not start
	Stopping        Code = "shutting_down"
	QueueFull       Code = "queue_full"
	Deadline        Code = "deadline"
	PageBusy        Code = "page_busy"
	Canceled        Code = "canceled"    // the caller closed the connection
	NoSpace         Code = "no_space"    // the disk is full
	FileFailed      Code = "file_failed" // a file or folder could not be read or written, for another reason
	NoPort          Code = "no_port"     // all debugging ports for profiles are in use
	BodyGone        Code = "BODY_GONE"
	TooComplex      Code = "TOO_COMPLEX"               // reading the document takes too much time or memory
	NotMet          Code = "not_met"                   // the page is not as expected
	NodeLost        Code = "NODE_LOST"                 // the node of the call does not answer any more
	NodesBusy       Code = "NODES_BUSY"                // no machine has a place for the call
	Elsewhere       Code = "PROFILE_ELSEWHERE"         // another node has the profile
	PersonInControl Code = "PERSON_IN_CONTROL"         // a person has taken over the tab, or has stopped all agents
	NoSecret        Code = "SECRET_NOT_FOUND"          // there is no secret of that name
	SecretsFailed   Code = "SECRETS_FAILED"            // the store of secrets does not answer, or cannot be read
	Unconfirmed     Code = "SECRET_NOT_CONFIRMED"      // a person has not yet allowed the use of a secret
	SecretRefused   Code = "SECRET_REFUSED"            // a person does not allow the use of a secret
	Internal        Code = "internal"                  // a defect of chela
	SecretPlace     Code = "SECRET_NOT_FOR_THIS_PLACE" // the secret is for other origins, or not for such a field

	// Disabled is the code of calls while browser.enabled is false.
	Disabled Code = "BROWSER_DISABLED"

	ActKindRequired        Code = "ACT_KIND_REQUIRED"
	ActInvalid             Code = "ACT_INVALID_REQUEST"
	ActSelectorUnsupported Code = "ACT_SELECTOR_UNSUPPORTED"
	ActEvaluateDisabled    Code = "ACT_EVALUATE_DISABLED"
	ActTargetMismatch      Code = "ACT_TARGET_ID_MISMATCH"
	ActFailed              Code = "ACT_OPERATION_FAILED"
	NoFocus                Code = "NO_FOCUS" // nothing that takes text has the focus
)

var status = map[Code]int{
	Invalid:                http.StatusBadRequest,
	Unauthorized:           http.StatusUnauthorized,
	Forbidden:              http.StatusForbidden,
	TooMany:                http.StatusTooManyRequests,
	Blocked:                http.StatusBadRequest,
	NotFound:               http.StatusNotFound,
	UnknownRef:             http.StatusNotFound,
	StaleRef:               http.StatusNotFound,
	BadMethod:              http.StatusMethodNotAllowed,
	Conflict:               http.StatusConflict,
	TooLarge:               http.StatusRequestEntityTooLarge,
	HeadTooLarge:           http.StatusRequestHeaderFieldsTooLarge,
	BadMediaType:           http.StatusUnsupportedMediaType,
	NotSupported:           http.StatusNotImplemented,
	PageFailed:             http.StatusBadGateway,
	ScriptFailed:           http.StatusUnprocessableEntity,
	TabCrashed:             http.StatusBadGateway,
	TabClosed:              http.StatusConflict,
	BrowserLost:            http.StatusBadGateway,
	NoBrowser:              http.StatusServiceUnavailable,
	BrowserFailed:          http.StatusServiceUnavailable,
	Stopping:               http.StatusServiceUnavailable,
	QueueFull:              http.StatusServiceUnavailable,
	Deadline:               http.StatusGatewayTimeout,
	PageBusy:               http.StatusGatewayTimeout,
	Canceled:               499, // nginx has this status for a client that has gone
	NoSpace:                http.StatusInsufficientStorage,
	FileFailed:             http.StatusInsufficientStorage,
	NoPort:                 http.StatusInsufficientStorage,
	BodyGone:               http.StatusNotFound,
	TooComplex:             http.StatusUnprocessableEntity,
	NotMet:                 http.StatusUnprocessableEntity,
	NodeLost:               http.StatusBadGateway,
	NodesBusy:              http.StatusTooManyRequests,
	Elsewhere:              http.StatusConflict,
	PersonInControl:        http.StatusLocked,
	NoSecret:               http.StatusNotFound,
	SecretsFailed:          http.StatusServiceUnavailable,
	Unconfirmed:            http.StatusForbidden,
	SecretRefused:          http.StatusForbidden,
	SecretPlace:            http.StatusForbidden,
	ActKindRequired:        http.StatusBadRequest,
	ActInvalid:             http.StatusBadRequest,
	ActSelectorUnsupported: http.StatusBadRequest,
	ActEvaluateDisabled:    http.StatusForbidden,
	Disabled:               http.StatusForbidden,
	ActTargetMismatch:      http.StatusForbidden,
	ActFailed:              http.StatusUnprocessableEntity,
	NoFocus:                http.StatusConflict,
	Internal:               http.StatusInternalServerError,
}

// Status returns the HTTP status for c.
func (c Code) Status() int {
	if s, ok := status[c]; ok {
		return s
	}
	return http.StatusInternalServerError
}

// Known reports whether c is a code of this version. Other machines may have others.
func (c Code) Known() bool { return status[c] != 0 }

// Codes returns all codes, sorted.
func Codes() []Code { return slices.Sorted(maps.Keys(status)) }

// quoteNoPage are the codes of errors whose messages never quote a page. Such errors are about the
// request, and quote only the caller, or they are about the browser. PageBusy is not among them,
// because it may name the address that a page goes to. NoSpace and FileFailed are not either,
// because a page may have suggested the name of the file that could not be written.
var quoteNoPage = map[Code]bool{
	Invalid: true, Unauthorized: true, Forbidden: true, TooMany: true, NotFound: true, UnknownRef: true, BadMethod: true, Conflict: true,
	TooLarge: true, BadMediaType: true, NotSupported: true, TabCrashed: true, TabClosed: true, BrowserLost: true,
	NoBrowser: true, Stopping: true, TooComplex: true, QueueFull: true, Disabled: true, Canceled: true, NoPort: true,
	ActKindRequired: true, ActInvalid: true, ActSelectorUnsupported: true, ActEvaluateDisabled: true, ActTargetMismatch: true, NoFocus: true,
	NodeLost: true, NodesBusy: true, Elsewhere: true, PersonInControl: true,
	NoSecret: true, SecretsFailed: true, Unconfirmed: true, SecretRefused: true,
}

// QuotesPage reports whether the message may contain text of a page.
func (e *Error) QuotesPage() bool { return !quoteNoPage[e.Code] || e.BlockedByDialog }

// HintQuotesPage reports whether the hint of an error with this code may contain text of a page. The
// hint about a forbidden connection names the host, and a page may have led there by a link or a
// redirect. All other hints are only chela's.
func (c Code) HintQuotesPage() bool { return c == Blocked }

// An Error is a failure that the caller can do something about.
type Error struct {
	Code    Code           `json:"code" doc:"kind of failure, for programs"`
	Message PageText       `json:"error" doc:"what went wrong; may quote the page" tool:"refs"`
	Hint    string         `json:"hint,omitempty" doc:"what the caller can do next"`
	Reason  string         `json:"reason,omitempty" doc:"why the call was refused"`
	Details map[string]any `json:"details,omitempty" doc:"details of the failure, for programs"`
	Sent    bool           `json:"sent,omitempty" doc:"the action was sent to the page, but not confirmed"`

	BlockedByDialog bool `json:"blockedByDialog,omitempty" doc:"a dialog of the page prevented the call, and must be answered first"`
	BrowserState    any  `json:"browserState,omitempty" doc:"the dialogs of the page"`
}

func (e *Error) Error() string { return string(e.Message) }

// Errorf returns an Error with a formatted message.
func Errorf(c Code, format string, args ...any) *Error {
	return &Error{Code: c, Message: PageText(fmt.Sprintf(format, args...))}
}

// Hinted sets the hint, which says what to do next, and returns e.
func (e *Error) Hinted(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// NoTab returns an error that says that the tab of a call does not exist. Its Reason distinguishes it
// from other errors with the code [NotFound].
func NoTab(format string, args ...any) *Error {
	e := Errorf(NotFound, format, args...)
	e.Reason = noTab
	return e
}

// IsNoTab reports whether e is an error of [NoTab], perhaps from another machine.
func (e *Error) IsNoTab() bool { return e.Reason == noTab }

const noTab = "no_tab"

// AsError returns the Error in err's chain. An error without one becomes an Error with the code
// [Internal].
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Code: Internal, Message: PageText(err.Error()), Hint: "this is a defect of chela: please report it"}
}

// FailureOf returns the error for the caller of ctx. If err is an [*Error], it is returned.
// Otherwise the result says why the context ended, or is an internal error. An error of the context
// says only that it ended. The cause says why: the server is shutting down, or a limit of the
// operation was reached.
func FailureOf(ctx context.Context, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	cause, ended := errors.AsType[*Error](context.Cause(ctx))
	switch {
	case ended:
		return cause
	case errors.Is(err, ErrDeadline), errors.Is(err, context.DeadlineExceeded):
		return Errorf(Deadline, "the operation did not end in time").Hinted("give it more time with timeoutMs")
	case errors.Is(err, context.Canceled):
		return Errorf(Canceled, "the caller closed the connection")
	}
	return AsError(err)
}

// Masked returns err without the values of secrets, see [secret.Mask]. An error without an [*Error]
// is returned as it is: callers are not shown its text.
func Masked(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || !secret.InUse() {
		return err
	}
	m := *e
	m.Message, m.Hint, m.Reason = PageText(secret.Mask(string(e.Message))), secret.Mask(e.Hint), secret.Mask(e.Reason)
	m.BrowserState = maskedValue(e.BrowserState)
	if e.Details != nil {
		m.Details = make(map[string]any, len(e.Details))
		for name, value := range e.Details {
			m.Details[name] = maskedValue(value)
		}
	}
	if reflect.DeepEqual(m, *e) {
		return err
	}
	return &m
}

// maskedValue returns v or, if its JSON contains values of secrets, the JSON with these masked.
func maskedValue(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return v
	}
	if masked := secret.MaskBytes(raw); !bytes.Equal(masked, raw) {
		return json.RawMessage(masked)
	}
	return v
}

// ErrNotSent is in the chain of an error of a [Runner] that could not reach its server. Nothing has
// been done then.
var ErrNotSent = errors.New("no server")

// HintOf returns the hint of the Error in err's chain; "" if there is no Error.
func HintOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Hint
	}
	return ""
}

// ReadError decodes an Error from JSON; nil if raw is not one.
func ReadError(raw []byte) *Error {
	e := new(Error)
	if json.Unmarshal(raw, e) != nil || e.Message == "" {
		return nil
	}
	return e
}
