package call

import (
	"context"
	"log/slog"

	"chela/internal/base/config"
	"chela/internal/op"
)

// permit refuses what the settings forbid. If they disable browsers, that is every operation on a
// browser. They can also forbid scripts of the caller.
func (s *Service) permit(ctx context.Context, o *op.Op, args op.Args) error {
	c := s.Config.Current()
	if err := enabled(c); err != nil {
		s.stopDisabled(ctx)
		if !o.WhenDisabled() || op.SurfaceOf(ctx) == op.AgentTool {
			return err // as in OpenClaw, the agent tool then does nothing at all
		}
	}
	return s.Allow(ctx, o, args)
}

// Allow refuses what the limits of the session and the settings forbid. It checks a call and, for a
// batch, each of its actions.
func (s *Service) Allow(ctx context.Context, o *op.Op, args op.Args) error {
	if err := s.confine(ctx, o, args); err != nil {
		return err
	}
	return permitScripts(s.Config.Current(), o, args)
}

// enabled returns an error if the settings have disabled browsers.
func enabled(c *config.Config) error {
	if c.Browser.Enabled {
		return nil
	}
	return disabled(c.File)
}

// stopDisabled stops the browsers that were started before the settings disabled browsers. No call
// could stop them afterwards.
func (s *Service) stopDisabled(ctx context.Context) {
	if len(s.Profiles.Running()) == 0 {
		return
	}
	if err := s.Profiles.Stop(ctx); err != nil {
		slog.Warn("browsers were switched off, but one could not be stopped", "error", err)
	}
}

// permitScripts refuses scripts of the caller where the settings forbid them. It does so for all
// operations, since the rows of the table say which parameters are scripts. The arguments are
// checked first: OpenClaw reports what is wrong with a request before what is forbidden in it.
func permitScripts(c *config.Config, o *op.Op, args op.Args) error {
	if c.Browser.EvaluateEnabled {
		return nil
	}
	if err := o.Check(args); err != nil {
		return err
	}
	off := func(what string) error {
		return op.Errorf(op.ActEvaluateDisabled, "%s is disabled by config (browser.evaluateEnabled=false).", what).
			Hinted("use snapshot, click, type and the other operations, or allow scripts in %s", c.File)
	}
	if o.RunsScript() {
		return off("act:" + o.Name())
	}
	if p, ok := o.Script(args); ok {
		return off(o.Name() + " --" + p.Flags[0])
	}
	return nil
}
