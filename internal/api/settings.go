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

// changed says whether a setting that can be cleared was set or cleared. It is empty for most
// settings that were set, as the sentence of the command has the value.
type changed struct {
	State string `json:"state,omitempty" doc:"cleared, or for some settings: set"`
}

// clearable is embedded in requests for settings that can be cleared. With clear, a value
// beside it is not looked at.
type clearable struct {
	call.On
	Clear bool `json:"clear,omitempty" doc:"go back to what the browser has by itself" tool:"-"`
}

// changed is the result, with another word than cleared if that is given.
func (c clearable) changed(otherwise string) changed {
	if c.Clear {
		return changed{"cleared"}
	}
	return changed{otherwise}
}

// needs returns OpenClaw's error for a setting without a value.
func (c clearable) needs(name, value string) error {
	if value == "" && !c.Clear {
		return op.Errorf(op.Invalid, "%s is required", name)
	}
	return nil
}

// An offlineRequest is for the network of all tabs. What a service worker answers from its
// own cache, pages get also offline.
type offlineRequest struct {
	call.On
	Offline bool `json:"offline" unknown:"Expected on|off" doc:"on: no request gets through" tool:"-"`
}

// setOffline also changes what pages read of it, such as navigator.onLine.
func setOffline(ctx context.Context, t *call.Turn, r offlineRequest) (call.Done, error) {
	return call.Done{}, setForAll(ctx, t, func(c *setting.Common) { c.Offline = r.Offline })
}

// A networkRequest slows down what is sent and received; see page.Networks for the
// figures.
type networkRequest struct {
	call.On
	Network string `json:"network" enum:"slow-3g,fast-3g,4g,none" doc:"how slow; none: not slowed down" tool:"-"`
}

// setNetwork slows down the requests of pages and workers by a latency in milliseconds and a rate
// in bytes per second. Both come on top of what requests take by themselves.
func setNetwork(ctx context.Context, t *call.Turn, r networkRequest) (call.Done, error) {
	return call.Done{}, setForAll(ctx, t, func(c *setting.Common) { c.Network = unlessNone(r.Network, "") })
}

// A cpuRequest is how many times slower scripts and layout are than on this machine, so
// the same rate is another speed on another one.
type cpuRequest struct {
	call.On
	Rate float64 `json:"rate" min:"1" max:"100" wrong:"rate must be a number from 1 to 100" doc:"how many times slower; 1: not slowed down" tool:"-"`
}

// setCPU has Chromium stop the main threads of pages for a part of the time. So what calls do by
// scripts in a page also becomes slower; the browser process does not.
func setCPU(ctx context.Context, t *call.Turn, r cpuRequest) (call.Done, error) {
	return call.Done{}, setForAll(ctx, t, func(c *setting.Common) { c.CPU = throttle(r.Rate) })
}

// throttle is how many times slower the processor is; 0 is as fast as it is by itself. So GET
// /set does not list a rate of 1.
func throttle(rate float64) float64 {
	if rate == 1 {
		return 0
	}
	return rate
}

// unlessNone is what a setting is after a request: none clears it, and nothing leaves
// it as it was.
func unlessNone(asked, before string) string {
	if asked == "none" {
		return ""
	}
	return cmp.Or(asked, before)
}

// A timezoneRequest is for what scripts know of the time zone. Servers are not sent it.
type timezoneRequest struct {
	clearable
	Timezone string `json:"timezoneId,omitempty" doc:"IANA name of the time zone" tool:"-"`
}

// Check answers in OpenClaw's words. Whether there is such a zone is known to Chromium alone.
func (r timezoneRequest) Check() error { return r.needs("timezoneId", r.Timezone) }

// setTimezone changes the time zone, also in all documents that are open. The error is a
// [page.RefusedError] for a name that Chromium does not know: see explainSetting.
func setTimezone(ctx context.Context, t *call.Turn, r timezoneRequest) (changed, error) {
	return r.changed(""), setForAll(ctx, t, func(c *setting.Common) { c.Timezone = r.unlessCleared(r.Timezone) })
}

// unlessCleared is what the setting is after a request: "" is what the browser has by itself.
func (c clearable) unlessCleared(value string) string {
	if c.Clear {
		return ""
	}
	return value
}

// A localeRequest is for the language in which scripts write numbers and dates, and for that
// which servers are asked for.
type localeRequest struct {
	clearable
	Locale string `json:"locale,omitempty" doc:"language tag, such as de-DE" tool:"-"`
}

// Check answers in OpenClaw's words.
func (r localeRequest) Check() error { return r.needs("locale", r.Locale) }

// setLocale has the same errors as setTimezone. OpenClaw changes only what scripts write; here
// servers are also asked for the language.
func setLocale(ctx context.Context, t *call.Turn, r localeRequest) (changed, error) {
	return r.changed(""), setForAll(ctx, t, func(c *setting.Common) { c.Locale = r.unlessCleared(languageTag(r.Locale)) })
}

// languageTag writes a language as the web does: with a hyphen, where other systems have
// an underscore.
func languageTag(locale string) string { return strings.ReplaceAll(locale, "_", "-") }
