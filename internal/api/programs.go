package api

import (
	"cmp"
	"context"

	"chela/internal/api/call"
	"chela/internal/op"
)

// A cdpRequest asks for the address at which programs can drive the tabs of a session.
type cdpRequest struct {
	call.InProfile
	op.Timeout
	Session string `json:"session,omitempty" flag:"-" doc:"key of the session; the session of the call when left out"`
}

// cdpResult has the addresses that programs connect to.
type cdpResult struct {
	WSURL   string `json:"wsUrl" doc:"WebSocket address to give to Playwright, Puppeteer or chromedp"`
	HTTPURL string `json:"httpUrl" doc:"HTTP address below which /json/version and /json/list answer"`
}

// Text returns the WebSocket's address alone, for scripts.
func (r cdpResult) Text() string { return r.WSURL }

// endpoint returns the address at which programs drive the tabs of a session. A session with limits
// may ask only for its own address.
func endpoint(ctx context.Context, s *call.Service, r cdpRequest) (cdpResult, error) {
	session := cmp.Or(r.Session, op.Session(ctx))
	if session != "" {
		if err := op.CheckSession(session); err != nil {
			return cdpResult{}, err
		}
	}
	if session != op.Session(ctx) && s.Limited(ctx) {
		return cdpResult{}, op.Errorf(op.Forbidden, "this session may open only some hosts, and may not use another session")
	}
	at, err := s.Endpoint(ctx, r.InProfile, session)
	return cdpResult{at.WebSocket, at.HTTP}, err
}
