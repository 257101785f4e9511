package setting

import (
	"strings"

	"github.com/chromedp/cdproto/emulation"

	"chela/internal/engine/cdp"
)

// timezonePart sets the time zone, which belongs to a renderer process. If several sessions have
// targets in one process, the first sets it for all, and Chromium refuses the command in the other
// sessions. Chromium validates a time zone only if none was set before, so the old one is removed
// first.
var timezonePart = part{
	name: "Timezone",
	of:   func(s Settings) any { return s.Timezone },
	on:   documents,
	send: func(session *cdp.Session, s, before Settings) (confirms []confirm) {
		set := func(zone string) {
			confirms = append(confirms, send(session, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone}))
		}
		if before.Timezone != "" {
			set("")
		}
		if s.Timezone != "" {
			set(s.Timezone)
		}
		return confirms
	},
	alreadySet: inEffect,
	process:    true,
}

// localePart sets how scripts format numbers and dates (Intl). Like the time zone, the locale
// belongs to a renderer process. The languages that requests ask for are set by userAgentPart.
var localePart = part{
	name: "Locale",
	of:   func(s Settings) any { return s.Locale },
	on:   documents,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		return []confirm{send(session, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: s.Locale})}
	},
	alreadySet: inEffect,
	process:    true,
}

// inEffect reports whether Chromium refuses a setting because another session has set it for the
// whole process.
func inEffect(refusal *cdp.Error) bool { return strings.Contains(refusal.Message, "already in effect") }

// Media has the values for media queries of style sheets, as CSS keywords. An empty field keeps
// Chromium's own value.
type Media struct {
	Type          string `json:"media,omitzero"` // screen or print
	ColorScheme   string `json:"colorScheme,omitzero"`
	ReducedMotion string `json:"reducedMotion,omitzero"`
	Contrast      string `json:"contrast,omitzero"`
	ForcedColors  string `json:"forcedColors,omitzero"`
}

// mediaPart sends all fields in each command, since Chromium resets a feature that a command leaves
// out. An empty value also resets it.
var mediaPart = part{
	name: "Media",
	of:   func(s Settings) any { return s.Media },
	on:   documents,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		return []confirm{send(session, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media: s.Media.Type,
			Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: s.Media.ColorScheme},
				{Name: "prefers-reduced-motion", Value: s.Media.ReducedMotion},
				{Name: "prefers-contrast", Value: s.Media.Contrast},
				{Name: "forced-colors", Value: s.Media.ForcedColors},
			},
		})}
	},
}

// cpuPart pauses the main thread of a renderer process for a fraction of the time. It slows down
// the whole process, with all its documents.
var cpuPart = part{
	name: "CPU",
	of:   func(s Settings) any { return s.CPU },
	on:   documents,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		return []confirm{send(session, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: max(s.CPU, 1)})}
	},
	process: true,
}
