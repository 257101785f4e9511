package api

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/wall/guard"
)

// An openRequest opens an address in a tab of its own.
type openRequest struct {
	call.InProfile
	op.Timeout
	op.To
	call.Showing
	Label      string   `json:"label,omitempty" doc:"name for the tab"`
	AllowHosts []string `json:"allowHosts,omitempty" doc:"with isolated: hosts that tabs of the session may connect to, if the network policy allows them as well; *.example.com means all below it" tool:"-"`
	Isolated   bool     `json:"isolated,omitempty" doc:"give the session its own cookies, storage and permissions, in memory only; they are for this tab and later ones of the session" tool:"-"`
}

// Check checks the address, as navigate does, and also the hosts and the label. A tab whose label
// turned out to be wrong would have to be closed again.
func (r openRequest) Check() error {
	if _, err := address(string(r.URL)); err != nil {
		return err
	}
	if r.AllowHosts != nil {
		if err := r.checkHosts(); err != nil {
			return err
		}
	}
	return checkLabel(r.Label)
}

// LimitsTo implements [op.Limiter]. One text may have several hosts, separated by commas.
func (r openRequest) LimitsTo() (all []string) {
	for _, text := range r.AllowHosts {
		for host := range strings.SplitSeq(text, ",") {
			all = append(all, strings.TrimSpace(host))
		}
	}
	return all
}

// checkHosts returns what is wrong with the hosts of a session. Only isolated sessions can have
// such a limit: all others share the connections of the browser.
func (r openRequest) checkHosts() error {
	if !r.Isolated {
		return op.Errorf(op.Invalid, "allowHosts is for an isolated session").
			Hinted("give isolated, too, in a session: all others share the browser's connections, to which only the user's network policy applies")
	}
	_, err := new(guard.Policy).Narrow(r.LimitsTo())
	if err != nil {
		return op.Errorf(op.Invalid, "%v", err).Hinted("give names such as example.com or *.example.com, or IP addresses")
	}
	return nil
}

// openResult is a new tab.
type openResult struct {
	call.TabInfo
	call.Blocked
	destination
	Profile string `json:"resolvedProfile" doc:"profile of the tab" tool:"-"`
	call.Restored
	call.Emptied
}

// Terminal returns the text for the command line.
func (o openResult) Terminal() string {
	return words.Lines(
		"opened: "+string(o.URL),
		"tab: "+string(o.TabID),
		words.Prefixed("label: ", o.LabelText()),
		"id: "+string(o.TabInfo.TargetID),
		o.destination.Terminal(),
		o.Restored.InWords(),
		o.Emptied.InWords(),
	)
}

// openTab opens a tab at an address. If nothing can be opened there it closes the tab, so that
// failed attempts leave no empty tabs behind. A dialog that opens is no failure: the tab stays.
func openTab(ctx context.Context, s *call.Service, r openRequest) (openResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return openResult{}, err
	}
	if r.Isolated && op.Session(ctx) == "" {
		return openResult{}, op.Errorf(op.Invalid, "isolated is for a session, and this call is in none").
			Hinted("give --session, or the header %s", op.SessionHeader)
	}
	if hosts := r.LimitsTo(); hosts != nil {
		if err := p.CheckLimited(); err != nil {
			return openResult{}, err
		}
		if err := s.Confine(ctx, hosts); err != nil {
			return openResult{}, err
		}
	}
	tab, err := s.EmptyTab(ctx, r.InProfile, r.Isolated)
	if err != nil {
		return openResult{}, err
	}
	t := s.TurnOf(tab)
	to, err := openIn(ctx, t, r)
	answer, err := t.End(ctx, nil, err)
	if err != nil {
		discard(ctx, tab)
		return openResult{}, inClosedTab(err)
	}
	before := ""
	if r.Label != "" {
		before = tab.SetLabel(r.Label)
	}
	return openResult{call.TabOf(ctx, tab.AskInfo(ctx)).LabelFrom(before), answer.Blocked, to, p.Name, s.TakeRestored(ctx, r.InProfile), call.TakeEmptied(ctx, tab)}, nil
}

// inClosedTab changes the hint of a page that did not load in time, or has crashed. Its tab is closed
// again, so no call can look at it or revive it. Other errors stay.
func inClosedTab(err error) error {
	e := op.AsError(call.Explain(err))
	switch e.Code {
	case op.Deadline:
		return e.Hinted("the tab was closed again: open the address with a larger timeoutMs")
	case op.TabCrashed:
		return e.Hinted("the new tab was closed again, and calls that name no tab use the one of before; this page may crash each time")
	}
	return err
}

// openIn opens an address in an empty tab. It waits only a moment for images and the like, since
// the next call waits for what it needs. For about:blank it does nothing.
func openIn(ctx context.Context, t *call.Turn, r openRequest) (d destination, err error) {
	if url, err := address(string(r.URL)); err != nil || url == guard.Blank {
		return d, err
	}
	err = t.Page.Turn(ctx, func(ctx context.Context) (err error) {
		d, err = navigateAndShow(ctx, t, r.Showing, func(ctx context.Context) (destination, error) {
			return goTo(ctx, t, page.Destination{URL: string(r.URL), OrHTTP: r.OrHTTP, Brief: true})
		})
		return err
	})
	return d, err
}

// discard closes a tab in which nothing could be opened. It waits until the tab is closed, at most
// for the rest of the call's time or for 200 ms, whichever is longer. A call may be answered up to
// 250 ms after its deadline, so discard has that time.
func discard(ctx context.Context, tab *browser.Tab) {
	end := time.Now().Add(200 * time.Millisecond)
	if deadline, limited := ctx.Deadline(); limited && deadline.After(end) {
		end = deadline
	}
	brief, cancel := context.WithDeadline(context.WithoutCancel(ctx), end)
	defer cancel()
	call.Session(ctx, tab.Browser()).Discard(brief, tab)
}

// A newTabRequest opens an empty tab.
type newTabRequest struct {
	call.InProfile
	Label string `json:"label,omitempty" doc:"name for the tab"`
}

// newTabResult is a tab that was opened.
type newTabResult struct{ oneTab }

// Terminal returns the text for the command line.
func (o newTabResult) Terminal() string {
	if o.Tab.Label != "" {
		return fmt.Sprintf("opened new tab %s (%s)", o.Tab.TabID, o.Tab.LabelText())
	}
	return "opened new tab " + string(o.Tab.TabID)
}

// Check runs before the tab is opened: a tab whose label is refused would have to be closed again.
func (r newTabRequest) Check() error { return checkLabel(r.Label) }

// newTab opens an empty tab. It takes the spare tab if there is one, which is fast.
func newTab(ctx context.Context, s *call.Service, r newTabRequest) (newTabResult, error) {
	tab, err := s.EmptyTab(ctx, r.InProfile, false)
	if err != nil {
		return newTabResult{}, err
	}
	before := ""
	if r.Label != "" {
		before = tab.SetLabel(r.Label)
	}
	return newTabResult{oneTab{true, call.TabOf(ctx, tab.Info()).LabelFrom(before)}}, nil
}
