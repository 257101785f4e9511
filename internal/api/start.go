package api

import (
	"context"

	"chela/internal/op"
)

type startRequest struct {
	InProfile
	op.Timeout
	Headless *bool `json:"headless,omitempty" wrong:"Invalid headless value. Use \"true\" or \"false\"." doc:"without windows, or with, whatever the configuration says"`
}

// Started is the status of a browser that runs.
type Started struct {
	OK bool `json:"ok" doc:"always true"`
	Status
}

// Terminal is what a person reads of it.
func (s Started) Terminal() string { return s.summary() }

func start(ctx context.Context, s *Service, r startRequest) (Started, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return Started{}, err
	}
	if _, err = p.Start(ctx, r.Headless); err != nil {
		return Started{}, err
	}
	st, err := status(ctx, s, profileRequest{r.InProfile})
	return Started{true, st}, err
}

// Stopped is the status of a browser that does not run.
type Stopped struct {
	OK      bool `json:"ok" doc:"always true"`
	Stopped bool `json:"stopped" doc:"it ran until now"`
	Status
}

type stopRequest struct {
	InProfile
	Forget bool `json:"forget,omitempty" doc:"forget session cookies, and the logins in them"`
}

// Terminal is what a person reads of it.
func (s Stopped) Terminal() string { return s.summary() }

func stop(ctx context.Context, s *Service, r stopRequest) (Stopped, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return Stopped{}, err
	}
	stopped, err := p.Stop(ctx, r.Forget)
	if err != nil {
		return Stopped{}, err
	}
	st, err := status(ctx, s, profileRequest{r.InProfile})
	return Stopped{true, stopped, st}, err
}

type nothing struct{}

// OK is the answer of an operation that has no result.
type OK struct {
	OK bool `json:"ok" doc:"always true"`
}

func shutdown(_ context.Context, s *Service, _ nothing) (OK, error) {
	s.shutdown()
	return OK{true}, nil
}
