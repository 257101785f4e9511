package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"chela/internal/op"
)

// In the user's own browser, the user works while agents drive it. So the user may close tabs that
// an agent knows. The browser may also ask the user whether it may be driven. The errors in this
// file have OpenClaw's texts.

// allowedWithin is the time limit of calls that manage the user's own browser, such as open, if the
// call sets none. It gives the user time to answer when the browser asks.
const allowedWithin = 45 * time.Second

// isOwnProfile reports whether a profile is the user's own browser, which chela has not started.
func (p Places) isOwnProfile(profile string) bool { return p.OnlyHost != nil && p.OnlyHost(profile) }

// isOwn reports whether a call is for the user's own browser.
func (p Places) isOwn(args op.Args) bool { return p.isOwnProfile(text(args["profile"])) }

// allowTime sets the time limit of a call to allowedWithin, if the call manages the user's own browser
// and sets no limit.
func (p Places) allowTime(o *op.Op, args op.Args) {
	const timeout = "timeoutMs"
	if _, takes := o.Param(timeout); takes && o.Manages() && args[timeout] == nil && p.isOwn(args) && o.Budget(args) < allowedWithin {
		args[timeout] = json.RawMessage(strconv.FormatInt(allowedWithin.Milliseconds(), 10))
	}
}

// staleTab handles the error of a call in the user's own browser whose tab does not exist any more.
// It returns an error that says what the agent should do. If the call only waits for some time and
// there is exactly one tab, staleTab makes the call on that tab. Such a call works on any tab. Other
// errors are returned unchanged.
func (t Tool) staleTab(ctx context.Context, o *op.Op, args op.Args, err error) (json.RawMessage, error) {
	stale, ok := errors.AsType[*op.Error](err)
	if !ok || !stale.IsNoTab() || text(args["targetId"]) == "" || o.Manages() {
		return nil, err
	}
	profile := text(args["profile"])
	tabs, listed := t.tabsOf(ctx, args["profile"])
	switch {
	case !listed:
		return nil, op.Errorf(op.NotFound, "Browser tabs are unavailable for profile=%q. Reconnect or start that browser profile, "+
			"then run action=tabs and retry.", profile)
	case len(tabs) == 0:
		return nil, op.Errorf(op.NotFound, "No browser tabs found for profile=%q. Make sure the configured Chromium-based browser (v144+) "+
			"is running and has open tabs, then retry.", profile)
	case len(tabs) == 1 && onlyWaits(args):
		again := maps.Clone(args)
		again["targetId"], _ = json.Marshal(tabs[0])
		return t.Runner.Run(ctx, o, again)
	}
	return nil, op.Errorf(op.NotFound, "Chrome tab not found (stale targetId?). Run action=tabs profile=%q and use one of the returned targetIds.", profile)
}

// tabsOf lists the target ids of the tabs of a profile; false if that fails.
func (t Tool) tabsOf(ctx context.Context, profile json.RawMessage) (ids []string, ok bool) {
	lists := t.Table.At("GET", "/tabs")
	if len(lists) == 0 {
		return nil, false
	}
	raw, err := t.Runner.Run(ctx, lists[0], op.Args{"profile": profile})
	var list struct {
		Running bool
		Tabs    []struct{ TargetID string }
	}
	if err != nil || json.Unmarshal(raw, &list) != nil || !list.Running {
		return nil, false
	}
	for _, tab := range list.Tabs {
		ids = append(ids, tab.TargetID)
	}
	return ids, true
}

// onlyWaits reports whether a call does nothing but wait for some time.
func onlyWaits(args op.Args) bool {
	for name, value := range args {
		if !slices.Contains([]string{"profile", "targetId", "timeMs", "timeoutMs", "kind"}, name) && len(value) > 0 && string(value) != "null" {
			return false
		}
	}
	return args["timeMs"] != nil
}
