package api

import (
	"cmp"
	"context"
	"fmt"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// inForce lists the settings of the browser that were changed. The zero value of each setting is
// Chromium's own behaviour, so an answer with ok alone says that nothing was changed.
type inForce struct {
	OK          bool         `json:"ok" doc:"always true"`
	Offline     bool         `json:"offline,omitempty" doc:"the browser is cut off from the network"`
	Network     string       `json:"network,omitempty" doc:"how slow the network is: slow-3g, fast-3g or 4g; absent: not slowed down"`
	CPU         float64      `json:"cpu,omitempty" doc:"how many times slower the processor is"`
	Geolocation *geoposition `json:"geolocation,omitempty" doc:"position that pages get"`
	Media       *mediaSet    `json:"media,omitempty" doc:"media type and media features for style sheets"`
	Timezone    string       `json:"timezoneId,omitempty" doc:"IANA name of the time zone"`
	Locale      string       `json:"locale,omitempty" doc:"language tag, such as de-DE"`
	Device      string       `json:"device,omitempty" doc:"name of the device that is emulated"`
	requestsInForce
}

// geoposition is a [setting.Geolocation]. Chromium gives the position only to origins that have the
// permission, so these are listed with it.
type geoposition struct {
	Latitude  float64       `json:"latitude" doc:"degrees north"`
	Longitude float64       `json:"longitude" doc:"degrees east"`
	Accuracy  float64       `json:"accuracy" doc:"accuracy of the position, in metres"`
	Origins   []op.PageText `json:"origins,omitempty" doc:"origins whose pages may ask for the position; * is all"`
}

// mediaSet has the values of a [setting.Media], by the names of Playwright's emulateMedia. An
// absent value leaves its feature to the browser.
type mediaSet struct {
	Scheme   string `json:"colorScheme,omitempty" doc:"prefers-color-scheme"`
	Type     string `json:"media,omitempty" doc:"media type"`
	Motion   string `json:"reducedMotion,omitempty" doc:"prefers-reduced-motion"`
	Contrast string `json:"contrast,omitempty" doc:"prefers-contrast"`
	Forced   string `json:"forcedColors,omitempty" doc:"forced-colors"`
}

// Terminal returns a line for each setting. If no setting is in force, it returns a sentence that
// says so, since an empty output would look like a command that did nothing.
func (f inForce) Terminal() string {
	var at, offline, cpu, look string
	if f.Offline {
		offline = "offline: true"
	}
	if f.CPU != 0 {
		cpu = fmt.Sprintf("cpu: %v times slower", f.CPU)
	}
	if g := f.Geolocation; g != nil {
		at = fmt.Sprintf("geolocation: %v %v, to %v m", g.Latitude, g.Longitude, g.Accuracy)
		for _, origin := range g.Origins {
			at += " " + string(origin)
		}
	}
	if m := f.Media; m != nil {
		look = words.Lines(words.Prefixed("colorScheme: ", m.Scheme), words.Prefixed("media: ", m.Type), words.Prefixed("reducedMotion: ", m.Motion),
			words.Prefixed("contrast: ", m.Contrast), words.Prefixed("forcedColors: ", m.Forced))
	}
	return cmp.Or(words.Lines(
		offline, words.Prefixed("network: ", f.Network), cpu, at, look,
		words.Prefixed("timezone: ", f.Timezone), words.Prefixed("locale: ", f.Locale), words.Prefixed("device: ", f.Device), f.requestsInForce.text(),
	), "nothing is set")
}

// showSettings lists the settings without starting a browser: a browser that was stopped has none.
// For a browser that was lost, they are the settings with which the next one begins. It returns an
// error if there is no such profile, or if ctx ends.
func showSettings(ctx context.Context, s *call.Service, r profileRequest) (inForce, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return inForce{}, err
	}
	c, err := p.Settings(ctx)
	f := inForce{
		OK: true, Offline: c.Offline, Network: c.Network, CPU: c.CPU, Timezone: c.Timezone, Locale: c.Locale, Device: c.Device,
		requestsInForce: requestsOf(c),
	}
	if g := c.Geolocation; g != nil {
		f.Geolocation = &geoposition{Latitude: g.Latitude, Longitude: g.Longitude, Accuracy: g.Accuracy}
		for _, origin := range g.Origins {
			f.Geolocation.Origins = append(f.Geolocation.Origins, op.PageText(origin))
		}
	}
	if m := c.Media; m != (setting.Media{}) {
		f.Media = &mediaSet{Scheme: m.ColorScheme, Type: m.Type, Motion: m.ReducedMotion, Contrast: m.Contrast, Forced: m.ForcedColors}
	}
	return f, err
}
