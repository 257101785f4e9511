package api

import (
	"context"
	"slices"

	"chela/internal/api/call"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// An emulateRequest has several settings, each as in the operation of its own. A field that is left
// out leaves its setting as it is. A field is a pointer if false or 0 is a setting. A position can
// be set here, but not cleared: the command set geo clears it.
type emulateRequest struct {
	call.On
	Device string `json:"device,omitempty" doc:"name of a device in Playwright's list; none: no device" tool:"-"`
	mediaFields
	Timezone  string   `json:"timezoneId,omitempty" doc:"IANA name of the time zone; none: this machine's time zone" tool:"-"`
	Locale    string   `json:"locale,omitempty" doc:"language tag, such as de-DE; none: this machine's language" tool:"-"`
	Offline   *bool    `json:"offline,omitempty" doc:"true: no request gets through" tool:"-"`
	Network   string   `json:"network,omitempty" enum:"slow-3g,fast-3g,4g,none" doc:"how slow the network is; none: not slowed down" tool:"-"`
	Rate      *float64 `json:"rate,omitempty" min:"1" max:"100" doc:"how many times slower the processor is; 1: not slowed down" tool:"-"`
	Latitude  *float64 `json:"latitude,omitempty" min:"-90" max:"90" wrong:"latitude must be between -90 and 90." doc:"degrees north" tool:"-"`
	Longitude *float64 `json:"longitude,omitempty" min:"-180" max:"180" wrong:"longitude must be between -180 and 180." doc:"degrees east" tool:"-"`
}

// Check returns errors with OpenClaw's texts for what OpenClaw's agent tool also has: a wrong color
// scheme, and a request without any setting. The other enums are checked after this, by the enum
// tags of their fields. Wrong names of devices, zones and languages are found when they are set.
func (r emulateRequest) Check() error {
	switch {
	case !slices.Contains([]string{"", "dark", "light", "no-preference", "none"}, r.Scheme):
		return op.Errorf(op.Invalid, "colorScheme must be dark|light|no-preference|none.")
	case (r.Latitude == nil) != (r.Longitude == nil):
		return op.Errorf(op.Invalid, "latitude and longitude are required")
	case len(r.given()) == 0:
		return op.Errorf(op.Invalid, "emulate requires at least one of device, colorScheme, timezoneId, or locale.").
			Hinted("or of offline, network, rate, latitude and longitude, media, reducedMotion, contrast, forcedColors")
	}
	return nil
}

// given lists the settings that the request has. The settings that OpenClaw also has come first.
// The answer has the same list. The latitude stands for the whole position: Check refuses one
// coordinate alone.
func (r emulateRequest) given() (names []string) {
	for _, s := range []struct {
		name  string
		given bool
	}{
		{"device", r.Device != ""},
		{"colorScheme", r.Scheme != ""},
		{"timezoneId", r.Timezone != ""},
		{"locale", r.Locale != ""},
		{"media", r.Type != ""},
		{"reducedMotion", r.Motion != ""},
		{"contrast", r.Contrast != ""},
		{"forcedColors", r.Forced != ""},
		{"offline", r.Offline != nil},
		{"network", r.Network != ""},
		{"rate", r.Rate != nil},
		{"geolocation", r.Latitude != nil},
	} {
		if s.given {
			names = append(names, s.name)
		}
	}
	return names
}

// emulated says what was set. The field has OpenClaw's name, because agents made for OpenClaw read
// it.
type emulated struct {
	Applied []string `json:"applied" doc:"the settings that were given"`
}

// emulate changes all settings, or none if one of them is refused. An unknown device is an error
// before anything is sent. If Chromium refuses a setting, all settings of the call are undone. A
// position is shown to the origin of the tab; if the tab shows no page of the web, it is shown to
// all origins. The accuracy is 0 m.
func emulate(ctx context.Context, t *call.Turn, r emulateRequest) (emulated, error) {
	err := t.Tab.Set(ctx, func(c *setting.Common) error {
		r.applyTo(c)
		c.Timezone, c.Locale = unlessNone(r.Timezone, c.Timezone), unlessNone(languageTag(r.Locale), c.Locale)
		c.Network = unlessNone(r.Network, c.Network)
		if r.Offline != nil {
			c.Offline = *r.Offline
		}
		if r.Rate != nil {
			c.CPU = throttle(*r.Rate)
		}
		if r.Latitude != nil {
			c.Geolocation = at(c.Geolocation, *r.Latitude, *r.Longitude, 0, foundOrigin(t, ""))
		}
		return setDeviceOf(c, r.Device)
	})
	if err != nil {
		return emulated{}, err
	}
	return emulated{r.given()}, takeSizeOf(ctx, t, r.Device)
}
