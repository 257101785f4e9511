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

// Settings are the settings of a page. They outlive the page: the browser keeps Common, the tab the
// rest. A page that replaces a crashed one gets them again.
//
// A page has its own session, and sessions for cross-site frames and workers. It sends the settings
// to each session before the target runs, so they are in effect before any document or request. A
// changed setting is sent again. To add a setting, add a field to [Common], and a row to parts with
// the commands that set it.
type Settings struct {
	Common
	Viewport Viewport // the size that was set for the tab; zero: not set

	// Ephemeral says that the page exists for one call only, which may not need the page script.
	// Documents then do not load the script at their beginning, but only when it is first called.
	Ephemeral bool

	// Remote says that the browser may be on another machine. It then gets the content of files
	// instead of their paths.
	Remote bool

	// Shared says that the user of the browser also works in the tab, and answers its file choosers
	// and dialogs.
	Shared bool

	// ServiceWorkers says that the tab handles the service workers that its own session is attached
	// to. Otherwise the browser's session handles all service workers.
	ServiceWorkers bool

	// Lent says that chela has not started the browser, so it runs without chela's command line
	// flags.
	Lent bool

	// Windowed says that the browser has windows, in which any tab may be behind others.
	Windowed bool

	judged   requestPatterns           // the requests that are checked against the network policy, see judge
	answered requestPatterns           // the requests answered at the moment, see [Applied.Answer]
	delayed  *delayedRequests          // requests of the page that wait for the delay of their route
	context  protocol.BrowserContextID // set only in the settings of a browser context, see BrowserTarget
}

// Common are the settings that all tabs of a browser share. A zero value means Chromium's default.
// Maps, slices and pointers in it are replaced and never changed, so that copies of a Common stay
// as they were.
type Common struct {
	Offline     bool         `json:"offline,omitzero"`
	Network     string       `json:"network,omitzero"` // a slow network: a name in Networks
	CPU         float64      `json:"cpu,omitzero"`     // factor by which scripts are slowed down, such as 4; 0: none
	Geolocation *Geolocation `json:"geolocation,omitzero"`
	Media       Media        `json:"media,omitzero"`
	Timezone    string       `json:"timezoneId,omitzero"` // an IANA name, such as Europe/Berlin
	Locale      string       `json:"locale,omitzero"`     // a language tag, such as de-DE
	Device      string       `json:"device,omitzero"`     // a name in package device

	// The fields below decide what happens to requests.
	Routes    []*Route         `json:"routes,omitzero"`    // if several routes match, the last one is used
	LastRoute int              `json:"lastRoute,omitzero"` // number in the newest route id: ids are not used again
	Headers   []*OriginHeaders `json:"headers,omitzero"`
	Logins    []*Login         `json:"logins,omitzero"`
}

// A RefusedError says that Chromium refuses a setting.
type RefusedError struct {
	Setting string // a field of Common or Settings
	Value   string
	Err     *cdp.Error
}

func (e *RefusedError) Error() string { return e.Setting + " " + e.Value + ": " + e.Err.Error() }

// Unwrap returns Chromium's error.
func (e *RefusedError) Unwrap() error { return e.Err }

// Invalid reports whether the value itself is wrong. Chromium also refuses a command if the target
// is just going away.
func (e *RefusedError) Invalid() bool { return strings.HasPrefix(e.Err.Message, "Invalid") }

// A part is a group of settings that are set together, by one command or several.
type part struct {
	name string                                               // name of the setting, for errors
	of   func(Settings) any                                   // returns the settings that the commands depend on; the commands are sent when the result has changed
	on   []Kind                                               // kinds of targets to which the commands are sent
	send func(s *cdp.Session, now, before Settings) []confirm // sends the commands that change a target

	// process says that the setting belongs to a renderer process, which may have documents of
	// several sessions. The session that sets it sets it for all. When that session ends, the
	// setting ends: see [Applied.Renew].
	process bool

	// alreadySet reports whether a Chromium error says that the setting is already in effect; nil:
	// none does.
	alreadySet func(*cdp.Error) bool
}

// parts has a row for each setting, in the order in which they are sent.
var parts = []part{
	screenPart, touchPart, userAgentPart, localePart, timezonePart, mediaPart, cpuPart,
	networkPart, networkState, interceptPart, memoryPart, locationPart, locationGrants,
}

// A confirm waits for the reply to a command, and returns its error.
type confirm func(context.Context) error

func send[P, R any](s *cdp.Session, c protocol.Command[P, R], params P) confirm {
	reply := cdp.Send(s, c, params)
	return func(ctx context.Context) error {
		_, err := reply.Wait(ctx)
		return err
	}
}

// sendTo sends a session the commands that give its target the settings s. The parameter from has
// the present settings of the target. They are zero for a new target, which has Chromium's
// defaults.
func (s Settings) sendTo(session *cdp.Session, kind Kind, from Settings) (confirms []confirm) {
	for _, p := range parts {
		if !kind.in(p.on) || reflect.DeepEqual(p.of(s), p.of(from)) {
			continue
		}
		for _, sent := range p.send(session, s, from) {
			confirms = append(confirms, p.explainRefusal(sent, s))
		}
	}
	return confirms
}

// explainRefusal returns a function that calls the function sent, which waits for Chromium's reply
// to a command. The returned function turns a refusal into a [*RefusedError], or into nil if the
// refusal says that the setting is already in effect.
func (p part) explainRefusal(sent confirm, s Settings) confirm {
	return func(ctx context.Context) error {
		err := sent(ctx)
		refusal, refused := errors.AsType[*cdp.Error](err)
		switch {
		case !refused:
			return err
		case p.alreadySet != nil && p.alreadySet(refusal):
			return nil
		}
		return &RefusedError{p.name, fmt.Sprint(p.of(s)), refusal}
	}
}

// all returns a function that waits for all confirms, and returns the first error.
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
