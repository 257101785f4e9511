package api

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"chela/internal/engine/device"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// settingRows read the settings of all tabs.
func settingRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /set", "set", "Show what the browser is set to, in all its tabs.", showSettings, op.Rare),
	}
}

// setRows change the settings of all tabs: of those that are open, and of those that
// come later, until the browser is stopped. Each is about a tab all the same, which is
// the first to get the setting: what Chromium refuses there is changed nowhere. Agents
// have one action for all of them, as each costs the definition of their tool its name.
func setRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /set", "emulate", "Show pages as on another device, or in other surroundings: several settings in one call.",
			emulate, brief, op.Says("emulated {applied}"), op.Example(`--device "iPhone 14" --color-scheme dark`), op.Rare),
		op.Define("POST /set/offline", "set offline {offline}", "Cut the browser off from the network, or connect it again.",
			setOffline, brief, op.Says("offline: {arg.offline}"), op.Example("on"), op.NotForAgents),
		op.Define("POST /set/network", "set network {network}", "Slow the network down, or not any more.",
			setNetwork, brief, op.Says("network: {arg.network}"), op.Example("slow-3g"), op.NotForAgents),
		op.Define("POST /set/cpu", "set cpu {rate}", "Slow the processor down for pages.",
			setCPU, brief, op.Says("cpu: {arg.rate} times slower"), op.Example("4"), op.NotForAgents),
		op.Define("POST /set/geolocation", "set geo {latitude?} {longitude?}",
			"Set where pages are told that they are, and let those of an origin ask for it.",
			setGeolocation, brief, op.Says("geolocation {state}"), op.Example("37.7749 -122.4194 --origin https://example.com"), op.NotForAgents),
		op.Define("POST /set/media", "set media {colorScheme?}",
			"Set what style sheets find by media queries. What is left out stays as it is; none is what the browser has by itself.",
			setMedia, brief, op.Says("media[ colorScheme: {arg.colorScheme}][ media: {arg.media}][ reducedMotion: {arg.reducedMotion}]"+
				"[ contrast: {arg.contrast}][ forcedColors: {arg.forcedColors}]"),
			op.Example("dark --reduced-motion"), op.NotForAgents),
		op.Define("POST /set/timezone", "set timezone {timezoneId?}", "Set the time zone.",
			setTimezone, brief, op.Says("timezone[: {arg.timezoneId}][ {state}]"), op.Example("America/New_York"), op.NotForAgents),
		op.Define("POST /set/locale", "set locale {locale?}", "Set the language that pages are asked for, and how they write numbers and dates.",
			setLocale, brief, op.Says("locale[: {arg.locale}][ {state}]"), op.Example("de-DE"), op.NotForAgents),
		op.Define("POST /set/device", "set device {name?}",
			"Show pages as on a device of this name: its viewport, pixel ratio, touch and user agent. A tab that was resized keeps its size.",
			setDevice, brief, op.Says("device[: {device}][ {state}]"), op.Example(`"iPhone 14"`), op.NotForAgents),
	}
}

// set changes the settings of all tabs, see [browser.Tab.Set].
func (t *Turn) set(ctx context.Context, change func(*setting.Common)) error {
	return t.tab.Set(ctx, func(c *setting.Common) error { change(c); return nil })
}

// changed says whether a setting that can be cleared was set or cleared. It is empty for most
// settings that were set, as the sentence of the command has the value.
type changed struct {
	State string `json:"state,omitempty" doc:"cleared, or for some settings: set"`
}

// clearable is embedded in requests for settings that can be cleared. With clear, a value
// beside it is not looked at.
type clearable struct {
	On
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
	On
	Offline bool `json:"offline" unknown:"Expected on|off" doc:"on: no request gets through" tool:"-"`
}

// setOffline also changes what pages read of it, such as navigator.onLine.
func setOffline(ctx context.Context, t *Turn, r offlineRequest) (noResult, error) {
	return noResult{}, t.set(ctx, func(c *setting.Common) { c.Offline = r.Offline })
}

// A networkRequest slows down what is sent and received; see page.Networks for the
// figures.
type networkRequest struct {
	On
	Network string `json:"network" enum:"slow-3g,fast-3g,4g,none" doc:"how slow; none: not slowed down" tool:"-"`
}

// setNetwork slows down the requests of pages and workers by a latency in milliseconds and a rate
// in bytes per second. Both come on top of what requests take by themselves.
func setNetwork(ctx context.Context, t *Turn, r networkRequest) (noResult, error) {
	return noResult{}, t.set(ctx, func(c *setting.Common) { c.Network = unlessNone(r.Network, "") })
}

// A cpuRequest is how many times slower scripts and layout are than on this machine, so
// the same rate is another speed on another one.
type cpuRequest struct {
	On
	Rate float64 `json:"rate" min:"1" max:"100" wrong:"rate must be a number from 1 to 100" doc:"how many times slower; 1: not slowed down" tool:"-"`
}

// setCPU has Chromium stop the main threads of pages for a part of the time. So what calls do by
// scripts in a page also becomes slower; the browser process does not.
func setCPU(ctx context.Context, t *Turn, r cpuRequest) (noResult, error) {
	return noResult{}, t.set(ctx, func(c *setting.Common) { c.CPU = throttle(r.Rate) })
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
func setTimezone(ctx context.Context, t *Turn, r timezoneRequest) (changed, error) {
	return r.changed(""), t.set(ctx, func(c *setting.Common) { c.Timezone = r.unlessCleared(r.Timezone) })
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
func setLocale(ctx context.Context, t *Turn, r localeRequest) (changed, error) {
	return r.changed(""), t.set(ctx, func(c *setting.Common) { c.Locale = r.unlessCleared(languageTag(r.Locale)) })
}

// explainSetting words that a setting is refused; nil is any other failure. The messages
// are OpenClaw's.
func explainSetting(err error) *op.Error {
	if unknown, ok := errors.AsType[*device.UnknownError](err); ok {
		e := op.Errorf(op.Invalid, "Error: Unknown device %q.", unknown.Name).Hinted("such as iPhone 14, Pixel 7 or Desktop Chrome")
		if len(unknown.Near) > 0 {
			e.Hinted("did you mean %s?", strings.Join(unknown.Near, ", "))
		}
		return e
	}
	refused, ok := errors.AsType[*setting.RefusedError](err)
	if !ok {
		return nil
	}
	switch refused.Setting {
	case "Timezone":
		return op.Errorf(op.Invalid, "Error: Invalid timezone ID: %s", refused.Value).Hinted("give an IANA name, such as Europe/Berlin")
	case "Locale":
		return op.Errorf(op.Invalid, "Error: cdpSession.send: Protocol error (Emulation.setLocaleOverride): Invalid locale name").
			Hinted("give a language tag, such as de-DE")
	}
	// The words are Chromium's: why it may refuse other settings is not known.
	return op.Errorf(op.Invalid, "%s cannot be set: %s", refused.Setting, refused.Err.Message)
}
