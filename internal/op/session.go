package op

import (
	"context"
	"strings"
	"time"
)

// SessionHeader is the HTTP header by which a call says in which session it is made.
const SessionHeader = "X-Chela-Session"

// maxSession is the longest key of a session, in bytes.
const maxSession = 128

// Person is the key of the session in which a person acts, in the live view and the dashboard. No
// call can choose it: these surfaces set it themselves.
const Person = "person"

type sessionKey struct{}

// WithSession returns a context for calls of the session with this key, which must have passed
// [CheckSession]. An empty key means no session.
func WithSession(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, sessionKey{}, key)
}

// Session returns the key of the session in which the call of ctx is made, or "" for a call without
// one. The surface takes the key from the header X-Chela-Session, from the flag --session or
// CHELA_SESSION, or from the connection of an MCP client.
//
// The name of a [Caller] is only for logs and messages, but the key has effects. It decides which
// tab is meant when a call names none, and which session owns the tabs that the call opens. It also
// decides whether the call may use a tab that another session has leased. It keeps agents that
// share a server from using each other's tabs by mistake. It is neither a secret nor a protection:
// a malicious caller can send any key.
func Session(ctx context.Context) string {
	key, _ := ctx.Value(sessionKey{}).(string)
	return key
}

// EndSessionTime limits how long the server takes to end a session that nobody holds any more.
const EndSessionTime = 30 * time.Second

// CheckSession returns an [*Error] for what a caller cannot choose as the key of a session. A key
// is one to 128 visible ASCII characters, and not [Person]. A key that is too long is refused and
// not cut, since two sessions could then have the same key.
func CheckSession(key string) error {
	if key == "" || len(key) > maxSession || strings.ContainsFunc(key, func(r rune) bool { return !visible(r) }) {
		return Errorf(Invalid, "the key of a session is 1 to %d visible ASCII characters, without spaces", maxSession)
	}
	if key == Person {
		return Errorf(Invalid, "the session %s is reserved for the person who uses the live view or the dashboard", Person).Hinted("choose another name")
	}
	return nil
}

// SessionOf makes the key of a session from a name that was given for another purpose. It replaces
// characters that a key cannot have by _. The name [Person] gets one more _.
func SessionOf(name string) string {
	key := strings.Map(func(r rune) rune {
		if visible(r) {
			return r
		}
		return '_'
	}, name)
	if key == Person {
		key += "_"
	}
	return key[max(0, len(key)-maxSession):] // the end distinguishes it from others
}

func visible(r rune) bool { return r > ' ' && r < 0x7f }
