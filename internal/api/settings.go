package api

import (
	"cmp"
	"context"
	"strings"

	"chela/internal/api/call"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// setForAll changes the settings of all tabs, see [browser.Tab.Set].
func setForAll(ctx context.Context, t *call.Turn, change func(*setting.Common)) error {
	return t.Tab.Set(ctx, func(c *setting.Common) error { change(c); return nil })
}

// changed says whether a setting was set or cleared. For most settings, State is empty after the
// setting was set, because the command prints a sentence with the new value.
type changed struct {
	State string `json:"state,omitempty" doc:"cleared: the value was removed; set: a position was set; otherwise absent"`
}

// clearable is embedded in requests for settings that can be cleared. If Clear is set, a value in
// the same request is ignored.
type clearable struct {
	call.On
	Clear bool `json:"clear,omitempty" doc:"restore the browser's own value" tool:"-"`
}

// changed returns the state "cleared" if the request clears the setting, and otherwise the given
// state.
func (c clearable) changed(otherwise string) changed {
	if c.Clear {
		return changed{"cleared"}
	}
	return changed{otherwise}
}

// needs returns OpenClaw's error for a request without a value.
func (c clearable) needs(name, value string) error {
	if value == "" && !c.Clear {
		return op.Errorf(op.Invalid, "%s is required", name)
	}
	return nil
}

// An offlineRequest switches the network of all tabs off or on. A service worker can still answer
// from its own cache.
type offlineRequest struct {
	call.On
	Offline bool `json:"offline" unknown:"Expected on|off" doc:"on: no request gets through" tool:"-"`
}

// setOffline cuts all tabs off from the network, or connects them again. It also changes
// navigator.onLine in pages.
func setOffline(ctx context.Context, t *call.Turn, r offlineRequest) (call.Done, error) {
	return call.Done{}, setForAll(ctx, t, func(c *setting.Common) { c.Offline = r.Offline })
}

// A networkRequest limits the speed of the network; see [setting.Networks] for the figures.
type networkRequest struct {
	call.On
	Network string `json:"network" enum:"slow-3g,fast-3g,4g,none" doc:"how slow the network is; none: not slowed down" tool:"-"`
}

// setNetwork slows down the requests of pages and workers by a latency in milliseconds and a rate
// in bytes per second. Both come on top of what requests take by themselves.
func setNetwork(ctx context.Context, t *call.Turn, r networkRequest) (call.Done, error) {
	return call.Done{}, setForAll(ctx, t, func(c *setting.Common) { c.Network = unlessNone(r.Network, "") })
}

// A cpuRequest slows down scripts and layout by a factor. The factor is relative to this machine,
// so the resulting speed depends on the machine.
type cpuRequest struct {
	call.On
	Rate float64 `json:"rate" min:"1" max:"100" wrong:"rate must be a number from 1 to 100" doc:"how many times slower; 1: not slowed down" tool:"-"`
}

// setCPU lets Chromium pause the main threads of pages for a part of the time. Scripts that calls
// run in a page also become slower; the browser process does not.
func setCPU(ctx context.Context, t *call.Turn, r cpuRequest) (call.Done, error) {
	return call.Done{}, setForAll(ctx, t, func(c *setting.Common) { c.CPU = throttle(r.Rate) })
}

// throttle returns the factor for the settings, where 0 means not slowed down. So GET /set lists no
// rate of 1.
func throttle(rate float64) float64 {
	if rate == 1 {
		return 0
	}
	return rate
}

// unlessNone returns the new value of a setting: the word none clears it, and an empty value leaves
// it as it was.
func unlessNone(asked, before string) string {
	if asked == "none" {
		return ""
	}
	return cmp.Or(asked, before)
}

// A timezoneRequest sets the time zone that scripts see. It is not sent to servers.
type timezoneRequest struct {
	clearable
	Timezone string `json:"timezoneId,omitempty" doc:"IANA name of the time zone; none: this machine's time zone" tool:"-"`
}

// Check returns errors with OpenClaw's texts. Only Chromium knows whether the zone exists.
func (r timezoneRequest) Check() error { return r.needs("timezoneId", r.Timezone) }

// setTimezone changes the time zone, also in all documents that are open. The error is a
// [setting.RefusedError] for a name that Chromium does not know; explainSetting gives it a code.
func setTimezone(ctx context.Context, t *call.Turn, r timezoneRequest) (changed, error) {
	return r.changed(""), setForAll(ctx, t, func(c *setting.Common) { c.Timezone = unlessNone(r.unlessCleared(r.Timezone), "") })
}

// unlessCleared returns the new value of a setting; "" means Chromium's own value.
func (c clearable) unlessCleared(value string) string {
	if c.Clear {
		return ""
	}
	return value
}

// A localeRequest sets the language in which scripts format numbers and dates, and the one in
// Accept-Language.
type localeRequest struct {
	clearable
	Locale string `json:"locale,omitempty" doc:"language tag, such as de-DE; none: the browser's own language" tool:"-"`
}

// Check returns errors with OpenClaw's texts.
func (r localeRequest) Check() error { return r.needs("locale", r.Locale) }

// setLocale changes the language. OpenClaw changes only how scripts format numbers and dates; chela
// also sends the language to servers. It returns the same errors as setTimezone.
func setLocale(ctx context.Context, t *call.Turn, r localeRequest) (changed, error) {
	return r.changed(""), setForAll(ctx, t, func(c *setting.Common) {
		c.Locale = unlessNone(r.unlessCleared(languageTag(r.Locale)), "")
	})
}

// languageTag writes a language as the web does: with a hyphen, where other systems have
// an underscore.
func languageTag(locale string) string { return strings.ReplaceAll(locale, "_", "-") }
