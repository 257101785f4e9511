package page

import (
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"chela/internal/cdp"
)

// A Viewport is the size of a tab's viewport in CSS pixels. The zero Viewport is
// as large as the window.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

var viewportPart = part{
	name: "Viewport",
	of:   func(s Settings) any { return s.Viewport },
	on:   []targetKind{tabTarget}, // Chromium refuses to resize anything else
	send: func(session *cdp.Session, _ targetKind, s Settings) []confirm {
		if s.Viewport == (Viewport{}) {
			return []confirm{send(session, emulation.ClearDeviceMetricsOverride, protocol.Empty{})}
		}
		return []confirm{send(session, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: int64(s.Viewport.Width), Height: int64(s.Viewport.Height),
		})}
	},
}

// The time zone belongs to a renderer process. Of the sessions with targets in one
// process, the first sets it for all, and Chromium refuses the others.
var timezonePart = part{
	name: "Timezone",
	of:   func(s Settings) any { return s.Timezone },
	on:   []targetKind{tabTarget, frameTarget},
	send: func(session *cdp.Session, _ targetKind, s Settings) []confirm {
		return []confirm{send(session, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: s.Timezone})}
	},
	met: inEffect,
}

// inEffect reports whether Chromium refuses a setting because another session has
// set it for the whole process.
func inEffect(refusal *cdp.Error) bool { return strings.Contains(refusal.Message, "already in effect") }
