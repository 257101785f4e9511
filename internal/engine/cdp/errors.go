package cdp

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrClosed means that the connection to the browser has ended: the browser exited
	// or crashed, or [Conn.Close] was called.
	ErrClosed = errors.New("connection to the browser closed")
	// ErrWebSocketEnded comes with ErrClosed when the WebSocket of a watched browser has ended, see
	// [Watch]. The browser may run on.
	ErrWebSocketEnded = errors.New("its WebSocket has ended")
	// ErrSilent comes with ErrWebSocketEnded when nothing came by the WebSocket any more.
	ErrSilent = errors.New("nothing came by it any more")
	// ErrDetached means that the target of the session is gone or let go.
	ErrDetached = errors.New("session detached from its target")
	// ErrUnconfirmed means that the command was sent, and its reply was lost on the way. The browser
	// may have carried it out. An [*Error] with [Unconfirmed] is one.
	ErrUnconfirmed = errors.New("the reply was lost")
)

// Codes of an [Error] from one of our own transports, or from chela's extension. Chromium's codes
// are negative.
const (
	Unconfirmed = -32097 // stands for [ErrUnconfirmed]
	Unshared    = 404    // the person shares the tab no more
	Withheld    = 409    // the tab, or all tabs, cannot be used now: Message says why
)

// Stopped is the message of an [Error] with [Withheld] if the person has stopped all agents.
const Stopped = "stopped"

// Error is the browser's refusal of one command. Code is a JSON-RPC code, such as -32601 for a
// method that Chromium does not have. Most refusals have -32000, and only Message says which.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Method  string `json:"-"` // the command
}

// Unknown reports whether the server has no such command, or does not let it be used. Servers in
// front of a browser, or inside one, lack some of the commands for a whole browser.
func (e *Error) Unknown() bool {
	return e.Code == -32601 || strings.HasPrefix(e.Message, "Not allowed") || strings.HasPrefix(e.Message, "Not supported")
}

// Is maps the codes of our own to the errors that they stand for.
func (e *Error) Is(other error) bool { return other == ErrUnconfirmed && e.Code == Unconfirmed }

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
}
