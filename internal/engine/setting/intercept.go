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

// requestPatterns say which requests Chromium's Fetch domain pauses until it is told what to do
// with them. All other requests are not delayed. Only this file makes the list: a session has one,
// and a new one replaces it.
type requestPatterns []fetch.RequestPattern

// patternsToPause returns patterns of the requests that Chromium must pause for the settings. These
// are requests that routes match, requests to origins with headers or a login, and requests to be
// checked against the network policy. While the page itself answers requests (see
// [Applied.Answer]), these are included.
func (s Settings) patternsToPause() (p requestPatterns) {
	for _, r := range s.Routes {
		if !r.Spent() {
			p = append(p, r.patterns()...)
		}
	}
	for _, h := range s.Headers {
		p = append(p, h.Origin.patterns()...)
	}
	for _, l := range s.Logins {
		p = append(p, l.Origin.patterns()...)
	}
	return slices.Concat(p, s.judged, s.answered)
}

// pauseRequests has Chromium pause the session's requests that match patternsToPause, and no
// others. Requests that are already paused stay so until they are answered. For that the Fetch
// domain must stay enabled: Chromium sends all paused requests when it is disabled.
func (s Settings) pauseRequests(session *cdp.Session) confirm {
	p := s.patternsToPause()
	switch {
	case len(p) == 0 && s.delayed.count() > 0:
		p = requestPatterns{{URLPattern: "none:"}}
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
		return nil // a frame that was removed meanwhile sends no requests
	}
}

// interceptPart sends one command for all settings that pause requests. A dedicated worker does not
// get it: the session of its frame pauses its requests.
var interceptPart = part{
	name: "Routes",
	of:   func(s Settings) any { return s.patternsToPause() },
	on:   []Kind{Tab, Frame, Shared},
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		return []confirm{s.pauseRequests(session)}
	},
}

// memoryPart empties a renderer's memory cache of images, styles and scripts when the routes
// change. The renderer loads from that cache without a request. A new route would miss such loads,
// and responses of a former route would stay.
var memoryPart = part{
	name: "Routes",
	of:   func(s Settings) any { return s.Routes },
	on:   []Kind{Tab, Frame},
	send: func(session *cdp.Session, _, _ Settings) []confirm {
		for _, disabled := range []bool{true, false} { // disabling the cache empties it
			cdp.Send(session, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: disabled})
		}
		return nil // do not wait: a busy page empties the cache later, but before its next request
	},
}
