package call

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"syscall"

	"chela/internal/base/certificate"
	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/engine/endpoint"
	"chela/internal/engine/extension"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/wall/guard"
)

// explainReach explains why a browser that somebody else starts could not be connected to. It
// returns nil for any other failure. The messages are OpenClaw's.
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
	if errors.Is(reach.Err, endpoint.ErrOtherServer) {
		return op.Errorf(op.Invalid, "browser endpoint blocked by policy").
			Hinted("the endpoint names a WebSocket on another host or port than its own; give the address of that as cdpUrl")
	}
	switch reach.Driver {
	case profile.Extension:
		return extensionNotReached(reach)
	case profile.ExistingSession:
		return userNotReached(reach)
	}
	e := op.Errorf(op.Conflict, "Remote CDP for profile %q is not reachable at %s.", reach.Profile, reach.URL)
	if !reach.Remote {
		e = op.Errorf(op.Conflict, "Browser attachOnly is enabled and profile %q is not running.", reach.Profile)
	}
	return e.Hinted("%s", reachHint(reach))
}

// explainRefusal explains that an endpoint answers, but not as a browser that chela can drive
// would. It returns nil for any other failure.
func explainRefusal(err error) *op.Error {
	refusal, ok := errors.AsType[*cdp.Error](err)
	switch {
	case !ok:
		return nil
	case refusal.Code == cdp.Withheld && refusal.Message == cdp.Stopped:
		return stopped()
	case refusal.Code == cdp.Withheld:
		return op.Errorf(op.Conflict, "the tab cannot be used now: %s", refusal.Message).Hinted("use another tab, or try again when the page has changed")
	case refusal.Code == cdp.Unshared:
		return op.Errorf(op.TabClosed, "the person does not share the tab any more").Hinted("list the tabs")
	case !refusal.Unknown():
		return nil
	}
	return op.Errorf(op.NotSupported, "the browser of this profile does not support it: its endpoint refuses %s (%s)", refusal.Method, refusal.Message).
		Hinted("use a profile whose browser chela starts")
}

// stopped returns the error while the person has stopped all agents.
func stopped() *op.Error {
	e := op.Errorf(op.PersonInControl, "the person has stopped all agents in this browser").
		Hinted("wait until the person presses Go on in chela's extension")
	e.Reason = "stopped_by_person"
	return e
}

// explainSilence explains a call that was not done in time because nothing comes from the browser
// any more. To find that out, it asks the browser of the profile. Any other error stays as it is.
// What the error already says, such as the steps of a call, is kept.
func (s *Service) explainSilence(name string, err error) error {
	e, ok := errors.AsType[*op.Error](err)
	if !ok || e.Code != op.PageBusy && e.Code != op.Deadline {
		return err
	}
	p, none := s.Profiles.Named(name)
	if none != nil {
		return err
	}
	b := p.Running()
	if b == nil || !b.Silent() {
		return err
	}
	silent := *e
	silent.Code = op.Deadline
	if e.Details == nil {
		silent.Message = "not done in time: the browser does not answer, nothing comes by the connection to it"
	}
	silent.Hint = "call again: if nothing comes the connection is ended soon, and made anew"
	if b.Describe().Own {
		silent.Hint = "call again: if nothing comes the browser is ended soon, and started anew; stop ends it at once"
	}
	if e.Sent {
		silent.Hint += "; take a snapshot before you act again, as the page may have taken the input"
	}
	return &silent
}

// reachHint says what to do about an endpoint that does not answer as a DevTools endpoint would.
func reachHint(e *profile.ReachError) string {
	refusal, refused := errors.AsType[*cdp.Error](e.Err)
	_, otherPin := errors.AsType[*certificate.PinError](e.Err)
	leaf, untrusted := certificate.Refused(e.Err)
	switch status := endpoint.StatusOf(e.Err); {
	case refused:
		return fmt.Sprintf("what answers at %s does not let the tabs of a browser be driven (%s: %.200q): give the URL of a whole browser", e.URL, refusal.Method, refusal.Message)
	case untrusted && leaf != nil:
		return fmt.Sprintf("%v; if it is self-signed, set cdpFingerprint beside cdpUrl: here it is %s, which has to be that of the certificate on the other machine",
			e.Err, certificate.Of(leaf))
	case otherPin:
		return fmt.Sprintf("%v: if the server has a new certificate, correct cdpFingerprint; else another program answers there", e.Err)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "it refuses the name, password or token of cdpUrl: correct them"
	case errors.Is(e.Err, endpoint.ErrNoWebSocket):
		return "what answers at " + e.URL + " is no debugging port of a browser: correct cdpUrl"
	}
	const start = "start the browser with --remote-debugging-port"
	if errors.Is(e.Err, syscall.ECONNREFUSED) {
		return "nothing answers at " + e.URL + ": " + start + ", or correct cdpUrl"
	}
	why := e.Err.Error()
	if errors.Is(e.Err, context.DeadlineExceeded) {
		why = "it did not answer in time"
	}
	return start + " and see that " + e.URL + " can be reached from here: " + why
}

// What a person must do when no browser with the extension can be reached.
const (
	PairBrowser = "run chela extension install; then open chrome://extensions in the browser, switch on developer mode, press Load unpacked " +
		"and choose the folder that the command has named: the browser pairs by itself, or by the digits of chela extension pair"
	StartWithExtension = "start the browser that has the extension; chela extension list shows which are paired"
)

// extensionNotReached says why no tab is shared by the extension, and what the person can do.
func extensionNotReached(e *profile.ReachError) *op.Error {
	failed := op.Errorf(op.Conflict, "the tabs of profile %q are not shared: %v", e.Profile, e.Err)
	switch {
	case errors.Is(e.Err, extension.ErrUnpaired):
		return failed.Hinted(PairBrowser)
	case errors.Is(e.Err, extension.ErrAway):
		return failed.Hinted(StartWithExtension)
	case errors.Is(e.Err, extension.ErrBusy):
		return failed.Hinted("use that profile, or stop its browser")
	}
	return failed.Hinted("see whether another program has the port gateway.relayPort")
}

// userNotReached says why the user's own browser could not be connected to, and what the user can
// do. The first two messages are OpenClaw's.
func userNotReached(e *profile.ReachError) *op.Error {
	const allow = "the user opens chrome://inspect/#remote-debugging in Chrome 144 or later and allows remote debugging for this browser"
	none, inactive := errors.AsType[*chrome.NotActiveError](e.Err)
	switch {
	case inactive && none.Ended:
		return op.Errorf(op.Conflict, "Browser tabs are unavailable for profile=%q. Reconnect or start that browser profile, "+
			"then run action=tabs and retry.", e.Profile).Hinted("%v; %s", none, allow)
	case inactive:
		return op.Errorf(op.Conflict, "No browser tabs found for profile=%q. Make sure the configured Chromium-based browser (v144+) "+
			"is running and has open tabs, then retry.", e.Profile).Hinted("%s; %v", allow, none)
	case endpoint.StatusOf(e.Err) == http.StatusForbidden:
		return op.Errorf(op.Forbidden, "the user has not allowed chela to drive the browser of profile %q", e.Profile).
			Hinted("ask the user, and try again: the browser asks them each time")
	case errors.Is(e.Err, context.DeadlineExceeded):
		return op.Errorf(op.Conflict, "the user has not allowed the connection to the browser of profile %q within 45 seconds", e.Profile).
			Hinted("ask the user to allow it in the browser, and try again")
	}
	return op.Errorf(op.Conflict, "the browser of profile %q cannot be connected to: %v", e.Profile, e.Err).Hinted("%s", allow)
}
