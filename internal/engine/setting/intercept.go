package setting

import (
	"context"
	"errors"
	"slices"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// A pausing is which requests Chromium pauses for us, by the Fetch domain, until it is
// told what to do with them. All other requests are not held up. This file is the one
// place that decides it: a session has one list of patterns, which a new one replaces.
type pausing []fetch.RequestPattern

// pausing is what the settings need to see: the requests of routes, those to origins
// that get headers or a login, those that are judged, and what the page itself waits for at
// the moment.
func (s Settings) pausing() (p pausing) {
	for _, r := range s.Routes {
		if !r.Spent() {
			p = append(p, r.patterns()...)
		}
	}
	for _, h := range s.Headers {
		p = append(p, h.Origin.pausing()...)
	}
	for _, l := range s.Logins {
		p = append(p, l.Origin.pausing()...)
	}
	return slices.Concat(p, s.judged, s.also)
}

// pauseIn has Chromium pause these requests of a session, and no others. What is paused
// already stays so until it is told what to do: for that, the domain must stay enabled,
// as Chromium sends all requests that are paused when it is disabled.
func (s Settings) pauseIn(session *cdp.Session) confirm {
	p := s.pausing()
	switch {
	case len(p) == 0 && s.delayed.count() > 0:
		p = pausing{{URLPattern: "none:"}}
	case len(p) == 0:
		return send(session, fetch.Disable, protocol.Empty{})
	}
	params := fetch.EnableParams{}
	for i := range p {
		params.Patterns = append(params.Patterns, &p[i])
	}
	sent := send(session, fetch.Enable, params)
	return func(ctx context.Context) error {
		if err := sent(ctx); !errors.Is(err, frame.ErrCrashed) && !errors.Is(err, cdp.ErrDetached) {
			return err
		}
		return nil // a frame that has gone meanwhile sends no requests
	}
}

// interceptPart is one command for all settings that pause requests. A dedicated
// worker has none: its requests are paused by the session of its frame.
var interceptPart = part{
	name: "Routes",
	of:   func(s Settings) any { return s.pausing() },
	on:   []Kind{Tab, Frame, Shared},
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		return []confirm{s.pauseIn(session)}
	},
}

// memoryPart has a renderer forget the images, styles and scripts that it has in
// memory when the routes change. It takes them from there without a request, so a new
// route would miss them, and what a former one has answered would stay.
var memoryPart = part{
	name: "Routes",
	of:   func(s Settings) any { return s.Routes },
	on:   []Kind{Tab, Frame},
	send: func(session *cdp.Session, _, _ Settings) []confirm {
		for _, disabled := range []bool{true, false} { // to disable the cache empties it
			cdp.Send(session, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: disabled})
		}
		return nil // a busy page does it when it can, before it asks for anything
	},
}
