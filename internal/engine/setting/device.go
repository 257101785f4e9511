package setting

import (
	"cmp"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"chela/internal/engine/cdp"
	"chela/internal/engine/device"
)

// empty are the parameters of commands without parameters.
var empty protocol.Empty

// A Viewport is the size of a tab's viewport in CSS pixels. The zero Viewport stands for the size
// of the device, or else of the window.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// EmulatedDevice returns the device that the browser emulates, or the zero Device if there is none.
func (s Settings) EmulatedDevice() device.Device {
	if s.Device == "" {
		return device.Device{}
	}
	_, d, _ := device.Named(s.Device)
	return d
}

// screenPart sets the size of the viewport and, for a device, the size and orientation of its
// screen. A viewport that was set for the tab has precedence over the device's viewport.
var screenPart = part{
	name: "Viewport",
	of: func(s Settings) any {
		return struct {
			viewport Viewport
			device   string
		}{s.Viewport, s.Device}
	},
	on: []Kind{Tab}, // Chromium refuses to resize other targets
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		d := s.EmulatedDevice()
		width, height := cmp.Or(s.Viewport.Width, d.Viewport.Width), cmp.Or(s.Viewport.Height, d.Viewport.Height)
		if width == 0 {
			return []confirm{send(session, emulation.ClearDeviceMetricsOverride, empty)}
		}
		params := emulation.SetDeviceMetricsOverrideParams{
			Width: int64(width), Height: int64(height), DeviceScaleFactor: d.Scale, Mobile: d.Mobile,
		}
		if s.Device != "" {
			params.ScreenWidth, params.ScreenHeight = int64(max(d.Screen.Width, width)), int64(max(d.Screen.Height, height))
			params.ScreenOrientation = orientation(d, width > height)
		}
		return []confirm{send(session, emulation.SetDeviceMetricsOverride, params)}
	},
}

// orientation returns the orientation of the screen. A device that is not mobile cannot be turned.
func orientation(d device.Device, wide bool) *emulation.ScreenOrientation {
	switch {
	case !d.Mobile:
		return &emulation.ScreenOrientation{Type: emulation.ScreenOrientationTypeLandscapePrimary}
	case wide:
		return &emulation.ScreenOrientation{Type: emulation.ScreenOrientationTypeLandscapePrimary, Angle: 90}
	}
	return &emulation.ScreenOrientation{Type: emulation.ScreenOrientationTypePortraitPrimary}
}

// touchPoints is how many fingers the emulated touch screen can tell apart.
const touchPoints = 5

// touchPart emulates a touch screen: documents have touch events, and style sheets a coarse
// pointer. Clicks are still mouse clicks: pages for touch screens accept these as well.
var touchPart = part{
	name: "Device",
	of:   func(s Settings) any { return s.EmulatedDevice().Touch },
	on:   documents,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		params := emulation.SetTouchEmulationEnabledParams{Enabled: s.EmulatedDevice().Touch}
		if params.Enabled {
			params.MaxTouchPoints = touchPoints
		}
		return []confirm{send(session, emulation.SetTouchEmulationEnabled, params)}
	},
}

// userAgentPart sets the user agent and the languages of requests, by one command. An empty user
// agent is the browser's own, with its own client hints. If the user agent of a device is set
// without metadata, Chromium sends no hints. That is right for devices whose browser is not based
// on Chromium.
//
// Chromium also accepts the command in shared and service workers, and sends the user agent with
// their requests. But their navigator.userAgent stays the browser's own.
var userAgentPart = part{
	name: "Device",
	of: func(s Settings) any {
		return struct{ device, locale string }{s.Device, s.Locale}
	},
	on: scripts,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		d := s.EmulatedDevice()
		return []confirm{send(session, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent: d.UserAgent, Platform: d.Platform(), AcceptLanguage: languages(s.Locale), UserAgentMetadata: metadata(d),
		})}
	},
}

// languages returns the languages that a browser with this locale requests, for example "de-DE,de"
// for de-DE.
func languages(locale string) string {
	language, _, regional := strings.Cut(locale, "-")
	if !regional {
		return locale
	}
	return locale + "," + language
}

// metadata returns the client hints of a device (User-Agent Client Hints), or nil if it sends none.
func metadata(d device.Device) *emulation.UserAgentMetadata {
	h, ok := d.Hints()
	if !ok {
		return nil
	}
	m := &emulation.UserAgentMetadata{
		Platform: h.Platform, PlatformVersion: h.PlatformVersion, Architecture: h.Architecture, Bitness: h.Bitness,
		Model: h.Model, Mobile: h.Mobile, FormFactors: []string{h.FormFactor},
	}
	for _, b := range h.Brands {
		m.Brands = append(m.Brands, &emulation.UserAgentBrandVersion{Brand: b.Name, Version: b.Major()})
		m.FullVersionList = append(m.FullVersionList, &emulation.UserAgentBrandVersion{Brand: b.Name, Version: b.Version})
	}
	return m
}
