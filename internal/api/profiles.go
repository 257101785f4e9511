package api

import (
	"context"
	"fmt"

	"chela/internal/profile"
)

// profileList lists the profiles.
type profileList struct {
	Profiles []profileInfo `json:"profiles" doc:"the profiles"`
}

// profileInfo is what is listed of a profile. As in the status, fields that have nothing to say
// are null and not absent. The names are the contract's. Those of what chela has not, such as a
// port, are there for its clients.
type profileInfo struct {
	Name      string  `json:"name" doc:"its name"`
	Transport string  `json:"transport" doc:"how it is driven"`
	CDPPort   *int    `json:"cdpPort" doc:"debugging port, if it has one"`
	CDPURL    *string `json:"cdpUrl" doc:"address of the debugging port, if it has one"`
	Color     string  `json:"color" doc:"its color"`
	Driver    string  `json:"driver" doc:"what drives it"`
	Running   bool    `json:"running" doc:"its browser runs"`
	TabCount  int     `json:"tabCount" doc:"how many tabs it has"`
	IsDefault bool    `json:"isDefault" doc:"it is used when none is named"`
	IsRemote  bool    `json:"isRemote" doc:"its browser is on another machine"`
	Reconcile *string `json:"reconcileReason" doc:"what of its settings is not in effect yet"`
}

// Text is the list as a person reads it. The form is the contract's, but for the port, which
// there is none of.
func (l profileList) Text() string {
	var all []string
	for _, p := range l.Profiles {
		state := "stopped"
		if p.Running {
			state = fmt.Sprintf("running (%d tabs)", p.TabCount)
		}
		if p.IsDefault {
			state += " [default]"
		}
		all = append(all, p.Name+": "+state, "  color: "+p.Color)
	}
	return lines(all...)
}

// profiles lists the one profile that there is, in the contract's form, which has room
// for more. It starts no browser.
func profiles(ctx context.Context, s *Service, _ nothing) (profileList, error) {
	_, b, err := s.running(InProfile{})
	if err != nil {
		return profileList{}, err
	}
	info := profileInfo{Name: profile.Default, Transport: "cdp", Driver: "chela", Color: s.config.Current().Browser.Color, IsDefault: true}
	if b != nil {
		info.Running, info.TabCount = true, b.Count()
	}
	return profileList{[]profileInfo{info}}, nil
}
