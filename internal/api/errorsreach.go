package api

import (
	"errors"
	"net/http"

	"chela/internal/cdp"
	"chela/internal/endpoint"
	"chela/internal/guard"
	"chela/internal/op"
	"chela/internal/profile"
)

// explainReach words why a browser that somebody else starts could not be connected to; nil is any other failure.
// The messages are the contract's.
func explainReach(err error) *op.Error {
	if strict, ok := errors.AsType[*profile.StrictError](err); ok {
		return op.Errorf(op.Blocked, "strict browser SSRF policy cannot be enforced in the browser of profile %q, which chela does not start", strict.Profile).
			Hinted("use a profile whose browser chela starts, or remove browser.ssrfPolicy.dangerouslyAllowPrivateNetwork: false")
	}
	reach, ok := errors.AsType[*profile.ReachError](err)
	if !ok {
		return nil
	}
	if refused, ok := errors.AsType[*guard.Refused](reach.Err); ok {
		return op.Errorf(op.Invalid, "browser endpoint blocked by policy").Hinted("%s", refused.Hint())
	}
	if errors.Is(reach.Err, endpoint.ErrElsewhere) {
		return op.Errorf(op.Invalid, "browser endpoint blocked by policy").
			Hinted("the endpoint names a WebSocket on another host or port than its own; give the address of that as cdpUrl")
	}
	e := op.Errorf(op.Conflict, "Remote CDP for profile %q is not reachable at %s.", reach.Profile, reach.URL)
	if !reach.Remote {
		e = op.Errorf(op.Conflict, "Browser attachOnly is enabled and profile %q is not running.", reach.Profile)
	}
	return e.Hinted("%s", reachHint(reach))
}

// reachHint says what to do about an endpoint that does not answer as one.
func reachHint(e *profile.ReachError) string {
	status := 0
	if answer, ok := errors.AsType[*endpoint.StatusError](e.Err); ok {
		status = answer.Status
	}
	if handshake, ok := errors.AsType[*cdp.HandshakeError](e.Err); ok {
		status = handshake.Status
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "it refuses the name, password or token of cdpUrl: correct them"
	case errors.Is(e.Err, endpoint.ErrNoWebSocket):
		return "what answers at " + e.URL + " is no debugging port of a browser: correct cdpUrl"
	}
	return "start the browser with --remote-debugging-port and see that " + e.URL + " can be reached from here: " + e.Err.Error()
}
