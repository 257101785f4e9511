package api

import (
	"errors"

	"chela/internal/op"
	"chela/internal/wall/guard"
)

// address returns the URL that a browser is to open, normalized. The error is an [*op.Error] if it
// must not be opened. The text for a missing address and the reason navigation_blocked are
// OpenClaw's. Clients look at this reason to distinguish a forbidden address from one that fails to
// load.
func address(raw string) (string, error) {
	url, err := guard.CheckURL(raw)
	blocked, ok := errors.AsType[*guard.BlockedURL](err)
	switch {
	case err == nil:
		return url, nil
	case raw == "":
		return "", op.Errorf(op.Invalid, "url is required")
	case !ok:
		return "", err
	}
	e := op.Errorf(op.Blocked, "%s", blocked.Message).Hinted("%s", addressHints[blocked.Fault])
	e.Reason = "navigation_blocked"
	return "", e
}

// addressHints say what to open instead of an address that is wrong.
var addressHints = map[guard.Fault]string{
	guard.NoURL:       "give a whole address that begins with http:// or https://",
	guard.OtherScheme: "only http and https addresses are opened, and in a tab about:blank",
	guard.HasLogin:    "give the address without the user name and password",
}
