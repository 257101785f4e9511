package call

import (
	"context"

	"chela/internal/engine/broker"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// Endpoint returns the address at which other programs drive the tabs of a session by the DevTools
// protocol. It starts the browser now, so that this call returns the error if the browser cannot
// start. If the browser has ended by the time that a program connects, it is started again. Errors
// come from the start of the browser, and from opening a port.
func (s *Service) Endpoint(ctx context.Context, in InProfile, session string) (broker.Address, error) {
	p, err := s.Profiles.Named(in.Profile)
	if err != nil {
		return broker.Address{}, err
	}
	if _, err := startedBrowser(ctx, p); err != nil {
		return broker.Address{}, err
	}
	return s.broker.Open(broker.Grant{
		Profile: p.Name, Session: session,
		Browser: func(ctx context.Context) (*browser.Browser, error) {
			return s.forProgram(op.WithSession(ctx, session), p.Name)
		},
		Scripts: func() bool { return s.Config.Current().Browser.EvaluateEnabled },
		Clipboard: func(b *browser.Browser) error {
			return s.CheckClipboard(op.WithSession(context.Background(), session), b)
		},
		MiddleButton: func(b *browser.Browser) error {
			return s.CheckMiddleButton(op.WithSession(context.Background(), session), b)
		},
		Stage: s.Files.Stage,
		Note:  p.Calls.Add,
	})
}

// forProgram returns the browser of a profile for a program that connects to the endpoint of a
// session. What is refused to calls of the session is refused to the program.
func (s *Service) forProgram(ctx context.Context, name string) (*browser.Browser, error) {
	if err := enabled(s.Config.Current()); err != nil {
		return nil, err
	}
	p, err := s.Profiles.Named(name)
	if err == nil && s.Limited(ctx) {
		err = p.CheckLimited()
	}
	if err != nil {
		return nil, Explain(err)
	}
	b, err := startedBrowser(ctx, p)
	return b, Explain(err)
}
