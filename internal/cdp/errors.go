package cdp

import (
	"errors"
	"fmt"
)

var (
	// ErrClosed means that the connection to the browser has ended: the browser exited
	// or crashed, or [Conn.Close] was called.
	ErrClosed = errors.New("connection to the browser closed")
	// ErrDetached means that the target of the session is gone or let go.
	ErrDetached = errors.New("session detached from its target")
)

// Error is the browser's refusal of one command. Code is that of JSON-RPC, such as
// -32601 for a method that Chromium does not have; most refusals have -32000, and
// only Message says which.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Method  string `json:"-"` // the command
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
}
