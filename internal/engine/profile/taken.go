package profile

import (
	"context"
	"slices"

	"chela/internal/engine/browser"
)

// CheckTaken returns a [*page.TakenError] if a person has taken over a tab of the session, in any
// profile. The person keeps the tab if the browser is lost. Other errors are the cause of ctx.
func (m *Manager) CheckTaken(ctx context.Context, session string) error {
	for _, p := range m.all() {
		tabs, err := p.tabs(ctx)
		if err != nil {
			return err
		}
		others := func(t browser.Info) bool { return t.Owner != session || t.Unowned }
		if err := checkTakenIn(slices.DeleteFunc(tabs, others)); err != nil {
			return err
		}
	}
	return nil
}

// checkTakenIn returns a [*page.TakenError] if a person has taken over one of the tabs.
func checkTakenIn(tabs []browser.Info) error {
	for _, t := range tabs {
		if err := t.Person.Check(); err != nil {
			return err
		}
	}
	return nil
}

// tabs lists the tabs of the running browser or, if none runs, those that the next browser opens
// again. The error is the cause of ctx.
func (p *Profile) tabs(ctx context.Context) ([]browser.Info, error) {
	if b := p.Running(); b != nil {
		return b.Infos(), nil
	}
	memory, err := p.lastMemory(ctx)
	return memory.TabsOf("", false), err
}
