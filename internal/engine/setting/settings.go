package setting

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// Settings are what a page is set to. They outlive it: the browser keeps Common,
// the tab the rest, and a page that replaces a crashed one is given them again.
//
// A new setting is a field of [Common], and a row in parts with the commands that
// set it. A page sends those to each of its sessions (its own, those of cross-site
// frames and of workers) before the target runs, so that no document and no request
// comes before its settings, and again when they change.
type Settings struct {
	Common
	Viewport Viewport // the size that the tab was given

	// Fleeting says that the page is shown for one call only, which may need nothing of the page
	// script: that is read when it is first called, and not by each document.
	Fleeting bool

	// Elsewhere says that the browser may be on another machine: it is given the content of files, and not
	// their paths.
	Elsewhere bool

	// Shared says that the user of the browser is at work in the tab, too: its file choosers and dialogs stay theirs.
	Shared bool

	// Windowed says that the tab may be behind others in a window: Chromium paints nothing of it then.
	Windowed bool

	judged  pausing                   // what the network policy is asked about, see judge
	also    pausing                   // what is answered at the moment, see [Applied.Answer]
	delayed *delayedRequests          // those of the page or target
	context protocol.BrowserContextID // of a [Target] that is one
}

// Common are the settings that all tabs of a browser share. Zero values are what
// Chromium does by itself. Maps, slices and pointers in it are never changed in
// place, so that a copy of a Common stays as it was.
type Common struct {
	Offline     bool         `json:"offline,omitzero"`
	Network     string       `json:"network,omitzero"` // how slow it is: a name in Networks
	CPU         float64      `json:"cpu,omitzero"`     // how many times slower it is
	Geolocation *Geolocation `json:"geolocation,omitzero"`
	Media       Media        `json:"media,omitzero"`
	Timezone    string       `json:"timezoneId,omitzero"` // an IANA name, such as Europe/Berlin
	Locale      string       `json:"locale,omitzero"`     // a language tag, such as de-DE
	Device      string       `json:"device,omitzero"`     // a name in package device

	// What becomes of requests, see pausing.
	Routes    []*Route        `json:"routes,omitzero"`    // the last one counts first
	LastRoute int             `json:"lastRoute,omitzero"` // number in the newest id of a route: ids are not used again
	Headers   []OriginHeaders `json:"headers,omitzero"`
	Logins    []*Login        `json:"logins,omitzero"`
}

// A RefusedError says that Chromium refuses a setting.
type RefusedError struct {
	Setting string // a field of Common or Settings
	Value   string
	Err     *cdp.Error
}

func (e *RefusedError) Error() string { return e.Setting + " " + e.Value + ": " + e.Err.Error() }

// Unwrap returns what Chromium answered.
func (e *RefusedError) Unwrap() error { return e.Err }

// Invalid reports whether the value itself is wrong. A command is also refused by a
// target that goes away just then.
func (e *RefusedError) Invalid() bool { return strings.HasPrefix(e.Err.Message, "Invalid") }

// A part is some of the settings, which one command sets, or several together.
type part struct {
	name string             // of the field
	of   func(Settings) any // what of the settings it depends on: it is sent where that changes
	on   []Kind             // the kinds of targets that it is sent to
	send func(s *cdp.Session, now, before Settings) []confirm

	// process says that the setting belongs to a renderer process, which may have documents
	// of several sessions: one session sets it for all, and it ends with that session.
	process bool

	// met reports whether an error of Chromium says that the setting is in effect
	// already; nil: none does.
	met func(*cdp.Error) bool
}

// parts are all settings, in the order in which they are sent.
var parts = []part{
	screenPart, touchPart, userAgentPart, localePart, timezonePart, mediaPart, cpuPart,
	networkEvents, networkPart, networkState, interceptPart, memoryPart, locationPart, locationGrants,
}

// A confirm waits for the reply to a command, and returns its error.
type confirm func(context.Context) error

// send sends a command.
func send[P, R any](s *cdp.Session, c protocol.Command[P, R], params P) confirm {
	reply := cdp.Send(s, c, params)
	return func(ctx context.Context) error {
		_, err := reply.Wait(ctx)
		return err
	}
}

// sendTo sends the commands that bring a target from some settings to these. A
// new target has the zero Settings, which therefore need no command there.
func (s Settings) sendTo(session *cdp.Session, kind Kind, from Settings) (confirms []confirm) {
	for _, p := range parts {
		if !kind.in(p.on) || reflect.DeepEqual(p.of(s), p.of(from)) {
			continue
		}
		for _, sent := range p.send(session, s, from) {
			confirms = append(confirms, p.judged(sent, s))
		}
	}
	return confirms
}

// judged returns a confirm of which a refusal by Chromium is a [*RefusedError], or
// nil where it says that the setting is in effect already.
func (p part) judged(sent confirm, s Settings) confirm {
	return func(ctx context.Context) error {
		err := sent(ctx)
		refusal, refused := errors.AsType[*cdp.Error](err)
		switch {
		case !refused:
			return err
		case p.met != nil && p.met(refusal):
			return nil
		}
		return &RefusedError{p.name, fmt.Sprint(p.of(s)), refusal}
	}
}

// all waits for all confirms, and returns the first error.
func all(confirms []confirm) confirm {
	return func(ctx context.Context) error {
		for _, sent := range confirms {
			if err := sent(ctx); err != nil {
				return frame.Failure(ctx, err)
			}
		}
		return nil
	}
}
