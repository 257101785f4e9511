package broker

import (
	"context"
	"slices"
)

// attachBelow passes Target.setAutoAttach, which attaches the client to frames and workers of the
// page. It excludes service and shared workers, since they also serve tabs of other sessions.
func attachBelow(cmd *command) error {
	p, err := read[autoAttach](cmd.request)
	if err == nil {
		err = p.check()
	}
	if err != nil || !p.AutoAttach {
		return err
	}
	shared := filter{{"service_worker", true}, {"shared_worker", true}}
	return cmd.set("filter", slices.Concat(shared, p.Filter.orUsual()))
}

// detachBelow passes Target.detachFromTarget for a session that was attached below the command's
// session.
func detachBelow(cmd *command) error {
	p, err := read[struct {
		ID string `json:"sessionId"`
	}](cmd.request)
	if err != nil {
		return err
	}
	if s := cmd.client.session(p.ID); p.ID == "" || s == nil || s.parent != cmd.session {
		return &failure{invalidParams, "No session with given id"}
	}
	return nil
}

// targetInfoOfTab answers Target.getTargetInfo for a tab of the client that the command names. A
// command that names none is passed on, and Chromium describes the target of the session.
func targetInfoOfTab(cmd *command) error {
	p, err := read[struct {
		ID string `json:"targetId"`
	}](cmd.request)
	if err != nil || p.ID == "" {
		return err
	}
	t, err := cmd.target(p.ID)
	if err != nil {
		return err
	}
	info, _ := infosOf(t)
	return cmd.reply(map[string]any{"targetInfo": info})
}

// windowOfTab answers Browser.getWindowForTarget with the window of the session's tab, whichever
// target the client names.
func windowOfTab(cmd *command) error {
	root := cmd.all(func(s *session) bool { return s.parent == nil })
	cmd.background(cmd.request, func(ctx context.Context) (any, error) {
		return call(ctx, root[0].Session, cmd.Method, map[string]string{"targetId": cmd.page().ID})
	})
	return errAnswered
}
