package call

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/base/mutex"
	"chela/internal/base/ticket"
	"chela/internal/engine/broker"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/internal/engine/profile"
	"chela/internal/engine/render"
	"chela/internal/fleet/roster"
	"chela/internal/op"
	"chela/internal/reading/parser"
	"chela/internal/record/live"
	"chela/internal/record/notify"
	"chela/internal/record/recorder"
	"chela/internal/wall/limits"
	"chela/internal/wall/secret"
	"chela/internal/wall/vault"
)

// A Service runs operations on this machine's browsers. Its fields are for the operations.
type Service struct {
	Config    *config.Live
	Profiles  *profile.Manager
	Limits    *limits.Limits // limits of sessions
	Files     *media.Roots
	Renderer  *render.Renderer // shows pages outside of all tabs
	Parser    *parser.Parser
	Traces    Traces                       // traces under way
	Videos    Videos                       // videos under way, and those that are still to be saved
	Tickets   ticket.Tickets[*live.Stream] // for the live view of a tab: let in viewers that cannot send the server's token, such as a page
	Recorders *recorder.Recorders
	Pictures  Pictures        // screenshots that were saved
	Asks      Asks            // questions of agents to a person
	Consents  Consents        // what persons have allowed to sessions
	Notifier  notify.Notifier // notifies a person who is not looking at the dashboard
	Secrets   *vault.Vault

	roster   *roster.Roster // the nodes of the fleet; nil: there is no fleet
	fleetAt  string         // where NATS is, without passwords
	broker   *broker.Broker
	fetches  chan struct{} // has a value for each document that is being fetched
	changes  changes       // followed by the dashboard
	shutdown func()
	alone    bool // no server runs, see Alone

	confining mutex.Mutex // locked while Confine limits a session
}

// New returns a service. It calls shutdown when a caller asks the server to end. The function may
// wait until no further call comes. It must not wait for the end of calls under way, because the call
// that asks is among them.
func New(live *config.Live, shutdown func()) (*Service, error) {
	c := live.Current()
	roots, err := media.Open(
		media.Places{Media: c.State.Media(), Downloads: c.Downloads()},
		media.Bounds{MaxAge: time.Duration(c.Media.MaxAgeHours * float64(time.Hour)), MaxBytes: int64(c.Media.MaxMB * (1 << 20))},
	)
	if err != nil {
		return nil, err
	}
	limited, err := limits.Open(c.State)
	if err != nil {
		return nil, errors.Join(err, roots.Close())
	}
	profiles := profile.NewManager(live, roots, limited)
	profiles.AwaitExtensions()
	recorders := recorder.NewRecorders(func() recorder.Limits {
		l := live.Current().Browser.RecorderLimits
		return recorder.Limits{Calls: l.Calls, Age: time.Duration(l.Hours * float64(time.Hour)), Bytes: int64(l.MB * (1 << 20))}
	})
	s := &Service{
		Config: live, Profiles: profiles, Limits: limited, Files: roots, Renderer: render.New(profiles.Renderer()), Parser: parser.New(), Recorders: recorders, Secrets: vault.Open(live),
		broker: broker.New(profiles.OwnPort), fetches: make(chan struct{}, maxFetches), confining: mutex.New(), shutdown: shutdown,
	}
	s.Asks.expired = func() { s.changes.note(changedAsks) }
	recorders.Expire(s.allRecorders)
	return s, nil
}

// Alone returns a runner for operations that can be answered while no server runs, see [op.Alone].
// It writes no files, and need not be closed.
func Alone(live *config.Live) (op.Runner, error) {
	limited, err := limits.Open(live.Current().State)
	if err != nil {
		return nil, err
	}
	return &Service{Config: live, Limits: limited, Profiles: profile.NewManager(live, new(media.Roots), limited), Secrets: vault.Open(live), alone: true}, nil
}

// Run runs an operation; a Service is an [op.Runner].
func (s *Service) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	if err := s.permit(ctx, o, args); err != nil {
		return nil, err
	}
	ctx, action := s.traced(ctx, o, args)
	noted := s.noted(ctx, o, args)
	ctx = page.ReadBy(touching(noted.with(ctx), o, args), op.Session(ctx))
	raw, err := o.Run(ctx, s, args)
	if !o.NeverStart() {
		s.Profiles.Remember(o.ProfileIn(args))
	}
	err = o.LimitNamed(args, s.explainSilence(o.ProfileIn(args), Explain(err)))
	// From here on no secret may be seen: not by the trace, not by the recorder, and not by whoever
	// gets the answer.
	raw, err = secret.MaskBytes(raw), op.Masked(err)
	action.End(tracedError(err, action.Secrets()))
	noted.end(ctx, raw, err)
	if !onlyShows(ctx, o) {
		s.changes.note(changedCalls)
	}
	return raw, err
}

// OwnPort adds a port on which this program listens. No browser may open it, until release
// is called.
func (s *Service) OwnPort(port int) (release func()) { return s.Profiles.OwnPort(port) }

// Close stops the browsers and waits until they have gone.
func (s *Service) Close(ctx context.Context) error {
	s.Traces.discardAll()
	s.Videos.discardAll()
	s.Recorders.Close()
	s.Renderer.Close()
	s.Parser.Close()
	s.broker.Close()
	s.Notifier.Close()
	return errors.Join(s.Profiles.Close(ctx), s.Files.Close())
}

// Receive stores a file that a caller sends, and returns the name by which an upload can refer to
// it. It is for files outside of the folders from which the server may read.
func (s *Service) Receive(name string, content io.Reader) (string, error) {
	if err := enabled(s.Config.Current()); err != nil {
		return "", err
	}
	reference, err := s.Files.Receive(name, content)
	return reference, Explain(err)
}

// Shutdown makes the server end. It may wait until no further call comes, but not for the end of
// calls under way.
func (s *Service) Shutdown() { s.shutdown() }

// Busy reports whether somebody may be looking at a browser's window, another program drives one, or
// a tab is being filmed.
func (s *Service) Busy() bool {
	return s.broker.Busy() || s.Videos.running() || slices.ContainsFunc(s.Profiles.Running(), func(b *browser.Browser) bool { return !b.Describe().Headless })
}

// EndPrograms ends the connections of the programs that drive a profile, which was deleted.
func (s *Service) EndPrograms(profile string) { s.broker.EndProfile(profile) }

// EndSession closes the tabs of a session, and returns the number of these tabs. It is for sessions
// whose callers have gone. The limits of such a session stay until a call ends it by its name.
//
// A session does not end while a person has taken over one of its tabs. Then it keeps its endpoint
// for programs, its questions and what it was allowed. It also keeps these if it goes on in a profile
// that the caller may not see, see GoesOn.
func (s *Service) EndSession(ctx context.Context, key string) (closed int, err error) {
	sees := func(profile string) bool { return op.Sees(ctx, profile) }
	if s.GoesOn(ctx, key) {
		closed, err = s.Profiles.EndSession(ctx, key, sees)
		return closed, Explain(err)
	}
	if s.Profiles.CheckTaken(ctx, key) == nil {
		s.broker.End(key) // first: while its tabs close, its programs must not open others
	}
	if closed, err = s.Profiles.EndSession(ctx, key, sees); err != nil {
		return closed, Explain(err)
	}
	s.broker.End(key) // the person may have given the tab back after the check
	s.Asks.endSession(key)
	s.changes.note(changedAsks)
	s.Consents.endSession(key)
	return closed, nil
}

// GoesOn reports whether a session has tabs in a profile that the caller of ctx may not see
// ([op.Sees]). The caller cannot end the session there.
func (s *Service) GoesOn(ctx context.Context, key string) bool {
	return slices.ContainsFunc(s.Profiles.Sessions(ctx), func(found profile.SessionInfo) bool {
		return found.Key == key && len(found.Tabs) > 0 && !op.Sees(ctx, found.Profile)
	})
}
