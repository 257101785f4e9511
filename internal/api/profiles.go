package api

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// profileList lists the profiles.
type profileList struct {
	Profiles []profileInfo `json:"profiles" doc:"the profiles"`
}

// profileInfo is a profile in the list of profiles. As in the status, fields that have nothing to
// say are null and not absent. The names are OpenClaw's.
type profileInfo struct {
	Name      string  `json:"name" doc:"name of the profile"`
	Transport string  `json:"transport" doc:"how chela drives the browser: cdp, chrome-mcp or extension"`
	CDPPort   *int    `json:"cdpPort" doc:"debugging port of the browser, if there is one; it is open only with exposeCdp"`
	CDPURL    *string `json:"cdpUrl" doc:"address of the debugging port, if it is open, or of a browser that chela connects to"`
	Color     string  `json:"color" doc:"color of the window frames"`
	Driver    string  `json:"driver" doc:"kind of the profile, as in the status"`
	Running   bool    `json:"running" doc:"the profile's browser runs"`
	Connected *bool   `json:"connected,omitempty" doc:"for a browser that chela does not start: true if chela is connected to it; only then is tabCount known"`
	TabCount  int     `json:"tabCount" doc:"how many tabs the profile's browser has"`
	IsDefault bool    `json:"isDefault" doc:"the profile is used when none is named"`
	IsRemote  bool    `json:"isRemote" doc:"the profile's browser is on another machine"`
	Missing   bool    `json:"missingFromConfig,omitempty" doc:"the profile is no longer in the configuration, but its browser still runs"`
	Reconcile *string `json:"reconcileReason" doc:"settings of the profile that take effect only when its browser is started again"`
}

// Text returns the list as a person reads it, in OpenClaw's form.
func (l profileList) Text() string {
	var all []string
	for _, p := range l.Profiles {
		all = append(all, p.title(), "  "+p.reachedBy()+", color: "+p.Color, words.Prefixed("  ", words.Or(p.Reconcile, "")))
	}
	return words.Lines(all...)
}

// title returns the name and the state of the profile.
func (p profileInfo) title() string {
	text := p.Name + ": stopped"
	if p.Running {
		text = fmt.Sprintf("%s: running (%d tabs)", p.Name, p.TabCount)
	}
	if p.Running && p.Connected != nil && !*p.Connected {
		text = p.Name + ": running (not connected)"
	}
	if p.IsDefault {
		text += " [default]"
	}
	switch {
	case p.IsRemote:
		text += " [remote]"
	case p.Driver != profile.Managed.Name():
		text += " [" + p.Driver + "]"
	}
	if p.Missing {
		text += " [not in the configuration any more]"
	}
	return text
}

// reachedBy says how chela reaches the browser of a profile: by a port, or by a pipe.
func (p profileInfo) reachedBy() string {
	switch {
	case p.Driver != profile.Managed.Name():
		return "transport: " + p.Transport
	case p.IsRemote:
		return "cdpUrl: " + words.Or(p.CDPURL, "none")
	case p.CDPPort == nil:
		return "port: none"
	}
	return "port: " + strconv.Itoa(*p.CDPPort)
}

// profiles lists the profiles. It starts no browser. Browsers that chela does not start are asked
// whether they run, all at once.
func profiles(ctx context.Context, s *call.Service, _ nothing) (profileList, error) {
	l := profileList{[]profileInfo{}}
	for _, p := range s.Profiles.List() {
		if op.Sees(ctx, p.Name) {
			l.Profiles = append(l.Profiles, infoOfProfile(ctx, p))
		}
	}
	var asked sync.WaitGroup
	for i := range l.Profiles {
		info := &l.Profiles[i]
		if p, err := s.Profiles.Named(info.Name); err == nil && !info.Running {
			asked.Go(func() { info.ask(ctx, p) })
		}
	}
	asked.Wait()
	return l, nil
}

// ask finds out whether a browser runs that chela would connect to. It may also run at the cdpUrl of
// a profile for which chela would otherwise start one.
func (p *profileInfo) ask(ctx context.Context, of *profile.Profile) {
	if is := of.AskedSetup(ctx); is.Found {
		p.Running, p.Connected, p.CDPURL = true, new(false), op.OrNull(is.CDPURL())
	} else if p.Connected != nil {
		_, err := of.Ask(ctx)
		p.Running = err == nil
	}
}

func infoOfProfile(ctx context.Context, p profile.Listed) profileInfo {
	info := profileInfo{
		Name: p.Name, Transport: p.Driver.Transport(), CDPPort: op.OrNull(p.Port), CDPURL: call.Endpoint(p.Setup, p.Browser), Color: p.Color,
		Driver: p.Driver.Name(), IsDefault: p.IsDefault, IsRemote: p.Remote(), Missing: p.Missing,
	}
	if p.Setup.Connected() {
		info.Connected = new(p.Browser != nil)
	}
	if p.Browser != nil {
		info.Running, info.TabCount = true, call.Session(ctx, p.Browser).Count()
	}
	info.Reconcile = op.OrNull(call.NotYet(p.Pending))
	return info
}
