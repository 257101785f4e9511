package setting

import (
	"slices"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"chela/internal/engine/cdp"
)

// Geolocation is the device's position as pages see it.
type Geolocation struct {
	Latitude  float64  `json:"latitude"`
	Longitude float64  `json:"longitude"`
	Accuracy  float64  `json:"accuracy"`          // in metres
	Origins   []string `json:"origins,omitempty"` // origins that may ask for the position; "*" is all
}

// locationPart sets the position that a tab with all its frames reports. Chromium reports it only
// to documents that have the permission to ask.
var locationPart = part{
	name: "Geolocation",
	of:   func(s Settings) any { return s.Geolocation },
	on:   []Kind{Tab},
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		at := s.Geolocation
		if at == nil {
			return []confirm{send(session, emulation.ClearGeolocationOverride, empty)}
		}
		return []confirm{send(session, emulation.SetGeolocationOverride, emulation.SetGeolocationOverrideParams{
			Latitude: &at.Latitude, Longitude: &at.Longitude, Accuracy: &at.Accuracy,
		})}
	},
}

// locationGrants grants origins the permission to ask for the position. The permission belongs to
// the browser, not to a tab. When it is withdrawn, Chromium asks the user again, as before.
var locationGrants = part{
	name: "Geolocation",
	of:   func(s Settings) any { return s.Geolocation.origins() },
	on:   []Kind{Browser},
	send: func(session *cdp.Session, s, before Settings) (confirms []confirm) {
		now, former := s.Geolocation.origins(), before.Geolocation.origins()
		for _, origin := range former {
			if !slices.Contains(now, origin) {
				confirms = append(confirms, permit(session, s.context, origin, protobrowser.PermissionSettingPrompt))
			}
		}
		for _, origin := range now {
			if !slices.Contains(former, origin) {
				confirms = append(confirms, permit(session, s.context, origin, protobrowser.PermissionSettingGranted))
			}
		}
		return confirms
	},
}

// origins returns the origins that may ask for the position; g may be nil.
func (g *Geolocation) origins() []string {
	if g == nil {
		return nil
	}
	return g.Origins
}

// permit sets whether the pages of an origin get the position without a prompt to the user, which a
// browser without windows cannot show.
func permit(session *cdp.Session, context protocol.BrowserContextID, origin string, setting protobrowser.PermissionSetting) confirm {
	params := protobrowser.SetPermissionParams{
		Permission: &protobrowser.PermissionDescriptor{Name: "geolocation"}, Setting: setting, Origin: origin, BrowserContextID: context,
	}
	if origin == "*" {
		params.Origin = "" // an empty origin stands for all
	}
	return send(session, protobrowser.SetPermission, params)
}
