package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/engine/browser"
	"chela/internal/engine/profile"
	"chela/internal/engine/render"
	"chela/internal/op"
	"chela/internal/reading/parser"
	"chela/internal/record/trace"
	"chela/internal/wall/limits"
)

// A Service runs operations on this machine's browsers.
type Service struct {
	config   *config.Live
	limits   *limits.Limits
	profiles *profile.Manager
	files    *media.Roots
	renderer *render.Renderer
	fetches  slots // of documents that are fetched
	parser   *parser.Parser
	shutdown func()
	traces   traces
	alone    bool // no server runs, see Alone
}

// New returns a service. It calls shutdown when a caller asks the server to end. The function may
// wait until no further call comes, but not for the end of calls under way, as this one is among
// them.
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
	return &Service{
		config: live, limits: limited, profiles: profiles, files: roots, renderer: render.New(profiles.Renderer()), fetches: make(slots, maxFetches), parser: parser.New(), shutdown: shutdown,
	}, nil
}

// Alone returns a runner of the operations that are answered while no server runs, see [op.Alone]. It
// writes nothing, and needs no end.
func Alone(live *config.Live) (op.Runner, error) {
	limited, err := limits.Open(live.Current().State)
	if err != nil {
		return nil, err
	}
	return &Service{config: live, limits: limited, profiles: profile.NewManager(live, new(media.Roots), limited), alone: true}, nil
}

// Run runs an operation; a Service is an [op.Runner].
func (s *Service) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	if err := s.permit(ctx, o, args); err != nil {
		return nil, err
	}
	ctx, action := s.traced(ctx, o, args)
	raw, err := o.Run(ctx, s, args)
	if !o.NeverStart() {
		s.profiles.Remember(textOf(args["profile"]))
	}
	err = s.explainSilence(textOf(args["profile"]), explain(err))
	action.End(tracedError(err))
	return raw, err
}

// OwnPort adds a port on which this program listens. No browser may open it, until release
// is called.
func (s *Service) OwnPort(port int) (release func()) { return s.profiles.OwnPort(port) }

// Close stops the browsers and waits until they have gone.
func (s *Service) Close(ctx context.Context) error {
	s.traces.discardAll()
	s.renderer.Close()
	s.parser.Close()
	return errors.Join(s.profiles.Close(ctx), s.files.Close())
}

// Receive keeps a file that a caller sends, and returns what to call it by in the
// parameters of an upload. It is for files that are not in a folder from which the server
// may read them itself.
func (s *Service) Receive(name string, content io.Reader) (string, error) {
	if err := enabled(s.config.Current()); err != nil {
		return "", err
	}
	reference, err := s.files.Receive(name, content)
	return reference, explain(err)
}

// Busy reports whether somebody may be looking at a browser's window.
func (s *Service) Busy() bool {
	return slices.ContainsFunc(s.profiles.Running(), func(b *browser.Browser) bool { return !b.Describe().Headless })
}

// startedBrowser returns the profile's browser, and reports that it is started if it has to be.
func startedBrowser(ctx context.Context, p *profile.Profile) (*browser.Browser, error) {
	if p.Running() == nil {
		op.Progress(ctx, 0, 0, startText(p))
	}
	return p.Browser(ctx)
}

// startText is the progress of a call that has a browser started, or connected to.
func startText(p *profile.Profile) string {
	switch s := p.Setup(); {
	case s.Driver == profile.ExistingSession:
		return "connecting to the user's browser, where the user has to allow it"
	case !s.Launched():
		return "connecting to the browser"
	}
	return "starting the browser"
}

// On says which browser and tab a request is about. Requests on a tab embed it.
type On struct {
	InProfile
	TargetID string `json:"targetId,omitempty" doc:"tab: its id (t1), label, or target id; the current tab when left out" tool:"t1, label or target id"`
}

// InProfile says which browser a request is about.
type InProfile struct {
	Profile string `json:"profile,omitempty" flag:"browser-profile,profile" doc:"browser profile; the default one when left out"`
}

// running returns the profile's browser, if it runs.
func (s *Service) running(in InProfile) (*profile.Profile, *browser.Browser, error) {
	p, err := s.profiles.Named(in.Profile)
	if err != nil {
		return nil, nil, err
	}
	return p, p.Running(), nil
}

// mustRun returns the profile's browser, which must run. One that was lost is started again, with
// its tabs. If chela cannot drive it, the error says so, and not that no browser runs.
func (s *Service) mustRun(ctx context.Context, in InProfile) (*browser.Browser, error) {
	p, b, err := s.running(in)
	switch {
	case err != nil || b != nil:
		return b, err
	case len(p.Remembered(ctx, op.Session(ctx))) > 0, !p.AskedSetup(ctx).Launched():
		return startedBrowser(ctx, p)
	}
	return nil, op.Errorf(op.Conflict, "browser not running").Hinted("open a page, or start the browser")
}

// started returns the profile's browser, and starts it if need be.
func (s *Service) started(ctx context.Context, in InProfile) (*browser.Browser, error) {
	p, err := s.profiles.Named(in.Profile)
	if err != nil {
		return nil, err
	}
	return startedBrowser(ctx, p)
}

// seen is a browser as the session of a call uses it.
func seen(ctx context.Context, b *browser.Browser) browser.Session { return b.Session(op.Session(ctx)) }

// emptyTab opens a tab in the session of the call, which is isolated before if that is asked for.
func (s *Service) emptyTab(ctx context.Context, in InProfile, isolated bool) (tab *browser.Tab, err error) {
	err = s.inBrowser(ctx, in, func(b *browser.Browser) (err error) {
		if isolated {
			seen(ctx, b).Isolate()
		}
		tab, err = seen(ctx, b).Open(ctx)
		return err
	})
	if err == nil {
		trace.Of(ctx).On(tab)
	}
	return tab, err
}

// inRunning runs do in the profile's browser, which must run.
func (s *Service) inRunning(ctx context.Context, in InProfile, do func(*browser.Browser) error) error {
	b, err := s.mustRun(ctx, in)
	if err != nil {
		return err
	}
	return do(b)
}

// inBrowser runs do, which can be done again, in the profile's browser, or in the next one, see [browser.InNext].
func (s *Service) inBrowser(ctx context.Context, in InProfile, do func(*browser.Browser) error) error {
	return browser.InNext(ctx, func(ctx context.Context) (*browser.Browser, error) { return s.started(ctx, in) }, do)
}
