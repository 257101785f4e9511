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
	// ErrWebSocketEnded is wrapped together with ErrClosed when the WebSocket of a browser elsewhere
	// has ended, see [Options]. The browser itself may still run.
	ErrWebSocketEnded = errors.New("its WebSocket has ended")
	// ErrSilent is wrapped together with ErrClosed if the connection was ended because nothing came
	// over it any more, see [Watch].
	ErrSilent = errors.New("nothing came by it any more")
	// ErrDetached means that the target of the session has ended, or the session was detached from
	// it.
	ErrDetached = errors.New("session detached from its target")
	// ErrUnconfirmed means that the command was sent, but its reply was lost. The browser may have
	// carried the command out. An [*Error] with the code [Unconfirmed] is also an ErrUnconfirmed.
	ErrUnconfirmed = errors.New("the reply was lost")
)

// These are codes of an [Error] that does not come from Chromium, but from one of chela's
// transports or its extension.
const (
	Unconfirmed = -32097 // stands for [ErrUnconfirmed]
	Unshared    = 404    // the person no longer shares the tab
	Withheld    = 409    // the tab, or all tabs, cannot be used now: Message says why
)

// Stopped is the message of an [Error] with [Withheld] if the person has stopped all agents.
const Stopped = "stopped"

// Error is the browser's error for one command. Code is a JSON-RPC code, such as -32601 for a
// method that Chromium does not have. Most errors have the code -32000 and differ only in Message.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Method  string `json:"-"` // name of the command that failed
}

// Unknown reports whether the server does not have the command, or does not allow it. Proxies in
// front of a browser, and programs that embed one, lack some commands that concern the whole
// browser.
func (e *Error) Unknown() bool {
	return e.Code == -32601 || strings.HasPrefix(e.Message, "Not allowed") || strings.HasPrefix(e.Message, "Not supported")
}

// Is makes errors.Is(e, ErrUnconfirmed) true for the code [Unconfirmed].
func (e *Error) Is(other error) bool { return other == ErrUnconfirmed && e.Code == Unconfirmed }

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
}
