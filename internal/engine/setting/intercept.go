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

// requestPatterns say which requests Chromium's Fetch domain pauses until it gets a command for
// them. All other requests are not delayed. A session has one list in Chromium, and a new one
// replaces it, so only this file makes the list.
type requestPatterns []fetch.RequestPattern

// patternsToPause returns patterns of the requests that Chromium must pause for the settings. These
// are requests that routes match, requests to origins with headers or a login, and requests to be
// checked against the network policy. While [Applied.Answer] is in effect, its pattern is included.
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
// others. Requests that are already paused stay so until they are answered. For that, the Fetch
// domain must stay enabled: when it is disabled, Chromium sends all paused requests.
func (s Settings) pauseRequests(session *cdp.Session) confirm {
	p := s.patternsToPause()
	switch {
	case len(p) == 0 && s.delayed.count() > 0:
		p = requestPatterns{{URLPattern: "none:"}} // matches no request; an empty list would match all
	case len(p) == 0:
		return send(session, fetch.Disable, protocol.Empty{})
	}
	params := fetch.EnableParams{}
	for i := range p {
		params.Patterns = append(params.Patterns, &p[i])
	}
	sent := send(session, fetch.Enable, params)
	return func(ctx context.Context) error {
		err := sent(ctx)
		if errors.Is(err, frame.ErrCrashed) || errors.Is(err, frame.ErrFrameCrashed) || errors.Is(err, cdp.ErrDetached) {
			return nil // a frame that was removed meanwhile sends no requests
		}
		return err
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
// change. The renderer loads from that cache without a request. So a new route would not see such
// loads, and the response of a removed route would still be used.
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
