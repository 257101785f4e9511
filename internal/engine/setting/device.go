package setting

import (
	"cmp"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"chela/internal/engine/cdp"
	"chela/internal/engine/device"
)

// empty are the parameters of a command that has none.
var empty protocol.Empty

// A Viewport is the size of a tab's viewport in CSS pixels. The zero Viewport is that
// of the device, or else as large as the window.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Pretended returns the device that the browser pretends to be; the zero Device if
// it is none.
func (s Settings) Pretended() device.Device {
	if s.Device == "" {
		return device.Device{}
	}
	_, d, _ := device.Named(s.Device)
	return d
}

// screenPart is the viewport and the screen around it. The size that a tab was given
// wins over that of the device.
var screenPart = part{
	name: "Viewport",
	of: func(s Settings) any {
		return struct {
			viewport Viewport
			device   string
		}{s.Viewport, s.Device}
	},
	on: []Kind{Tab}, // Chromium refuses to resize anything else
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		d := s.Pretended()
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

// orientation is that of the screen. A device that is no mobile one cannot be turned.
func orientation(d device.Device, wide bool) *emulation.ScreenOrientation {
	switch {
	case !d.Mobile:
		return &emulation.ScreenOrientation{Type: emulation.ScreenOrientationTypeLandscapePrimary}
	case wide:
		return &emulation.ScreenOrientation{Type: emulation.ScreenOrientationTypeLandscapePrimary, Angle: 90}
	}
	return &emulation.ScreenOrientation{Type: emulation.ScreenOrientationTypePortraitPrimary}
}

// touchPoints is how many fingers a screen with touch can tell apart.
const touchPoints = 5

// touchPart makes the screen one that can be touched: documents have touch events, and
// style sheets a coarse pointer. Clicks stay those of a mouse, which such pages take, too.
var touchPart = part{
	name: "Device",
	of:   func(s Settings) any { return s.Pretended().Touch },
	on:   documents,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		params := emulation.SetTouchEmulationEnabledParams{Enabled: s.Pretended().Touch}
		if params.Enabled {
			params.MaxTouchPoints = touchPoints
		}
		return []confirm{send(session, emulation.SetTouchEmulationEnabled, params)}
	},
}

// userAgentPart is what the browser calls itself, and the languages that it asks
// servers for, which one command sets. An empty user agent is the browser's own, with its
// own client hints. Without metadata a user agent that was set sends no hints at all,
// which is right for a browser that is not made of Chromium.
//
// Chromium takes the command in shared and service workers, too, and sends its user agent
// with their requests, but their navigator.userAgent stays the browser's own.
var userAgentPart = part{
	name: "Device",
	of: func(s Settings) any {
		return struct{ device, locale string }{s.Device, s.Locale}
	},
	on: scripts,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		d := s.Pretended()
		return []confirm{send(session, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent: d.UserAgent, Platform: d.Platform(), AcceptLanguage: languages(s.Locale), UserAgentMetadata: metadata(d),
		})}
	},
}

// languages are those that a browser of a locale asks for: de-DE and de for de-DE.
func languages(locale string) string {
	language, _, regional := strings.Cut(locale, "-")
	if !regional {
		return locale
	}
	return locale + "," + language
}

// metadata are the client hints of a device, nil if it sends none.
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
