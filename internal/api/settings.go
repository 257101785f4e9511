package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chela/internal/device"
	"chela/internal/op"
	"chela/internal/page"
	"chela/internal/sitedata"
)

// settingRows read the settings of all tabs.
var settingRows = []*op.Op{
	op.Define("GET /set", "set", "Show what the browser is set to, in all its tabs.", showSettings, op.Rare),
}

// setRows change the settings of all tabs: of those that are open, and of those that
// come later, until the browser is stopped. Each is about a tab all the same, which is
// the first to get the setting: what Chromium refuses there is changed nowhere. Agents
// have one action for all of them, as each costs the definition of their tool its name.
var setRows = []*op.Op{
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

// inForce is what the browser is set to; what was not set is left out.
type inForce struct {
	OK          bool         `json:"ok" doc:"always true"`
	Offline     bool         `json:"offline,omitempty" doc:"it is cut off from the network"`
	Network     string       `json:"network,omitempty" doc:"how slow the network is"`
	CPU         float64      `json:"cpu,omitempty" doc:"how many times slower the processor is"`
	Geolocation *geoposition `json:"geolocation,omitempty" doc:"where pages are told that they are"`
	Media       *mediaSet    `json:"media,omitempty" doc:"what style sheets find by media queries"`
	Timezone    string       `json:"timezoneId,omitempty" doc:"time zone"`
	Locale      string       `json:"locale,omitempty" doc:"language"`
	Device      string       `json:"device,omitempty" doc:"device that pages are shown on"`
	requestsInForce
}

type geoposition struct {
	Latitude  float64      `json:"latitude" doc:"degrees north"`
	Longitude float64      `json:"longitude" doc:"degrees east"`
	Accuracy  float64      `json:"accuracy" doc:"metres"`
	Origins   []op.Foreign `json:"origins,omitempty" doc:"whose pages may ask for it; * is all"`
}

// mediaSet are the values of page.Media, by the names of Playwright's emulateMedia.
type mediaSet struct {
	Scheme   string `json:"colorScheme,omitempty" doc:"prefers-color-scheme"`
	Type     string `json:"media,omitempty" doc:"media type"`
	Motion   string `json:"reducedMotion,omitempty" doc:"prefers-reduced-motion"`
	Contrast string `json:"contrast,omitempty" doc:"prefers-contrast"`
	Forced   string `json:"forcedColors,omitempty" doc:"forced-colors"`
}

// Terminal is what a person reads of it.
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
		look = lines(prefixed("colorScheme: ", m.Scheme), prefixed("media: ", m.Type), prefixed("reducedMotion: ", m.Motion),
			prefixed("contrast: ", m.Contrast), prefixed("forcedColors: ", m.Forced))
	}
	return cmp.Or(lines(
		offline, prefixed("network: ", f.Network), cpu, at, look,
		prefixed("timezone: ", f.Timezone), prefixed("locale: ", f.Locale), prefixed("device: ", f.Device), f.requestsInForce.text(),
	), "nothing is set")
}

// showSettings starts no browser: one that was stopped has no settings.
func showSettings(ctx context.Context, s *Service, r profileRequest) (inForce, error) {
	p, err := s.profiles.Named(r.Profile)
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
			f.Geolocation.Origins = append(f.Geolocation.Origins, op.Foreign(origin))
		}
	}
	if m := c.Media; m != (page.Media{}) {
		f.Media = &mediaSet{Scheme: m.ColorScheme, Type: m.Type, Motion: m.ReducedMotion, Contrast: m.Contrast, Forced: m.ForcedColors}
	}
	return f, err
}

// set changes the settings of all tabs, see [browser.Tab.Set].
func (t *Turn) set(ctx context.Context, change func(*page.Common)) error {
	return t.tab.Set(ctx, func(c *page.Common) error { change(c); return nil })
}

// changed says what became of a setting that can be cleared.
type changed struct {
	State string `json:"state,omitempty" doc:"cleared, or for some settings: set"`
}

// clearable is embedded in requests for settings that can be cleared.
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

// needs returns the contract's error for a setting without a value.
func (c clearable) needs(name, value string) error {
	if value == "" && !c.Clear {
		return op.Errorf(op.Invalid, "%s is required", name)
	}
	return nil
}

type offlineRequest struct {
	On
	Offline bool `json:"offline" wrong:"Expected on|off" doc:"on: no request gets through" tool:"-"`
}

func setOffline(ctx context.Context, t *Turn, r offlineRequest) (noResult, error) {
	return noResult{}, t.set(ctx, func(c *page.Common) { c.Offline = r.Offline })
}

type networkRequest struct {
	On
	Network string `json:"network" enum:"slow-3g,fast-3g,4g,none" doc:"how slow; none: not slowed down" tool:"-"`
}

func setNetwork(ctx context.Context, t *Turn, r networkRequest) (noResult, error) {
	return noResult{}, t.set(ctx, func(c *page.Common) { c.Network = unlessNone(r.Network, "") })
}

type cpuRequest struct {
	On
	Rate float64 `json:"rate" min:"1" max:"100" wrong:"rate must be a number from 1 to 100" doc:"how many times slower; 1: not slowed down" tool:"-"`
}

func setCPU(ctx context.Context, t *Turn, r cpuRequest) (noResult, error) {
	return noResult{}, t.set(ctx, func(c *page.Common) { c.CPU = throttle(r.Rate) })
}

// throttle is how many times slower the processor is; 0 is as fast as it is by itself.
func throttle(rate float64) float64 {
	if rate == 1 {
		return 0
	}
	return rate
}

type geolocationRequest struct {
	clearable
	Latitude  *float64 `json:"latitude,omitempty" min:"-90" max:"90" wrong:"latitude must be between -90 and 90." doc:"degrees north" tool:"-"`
	Longitude *float64 `json:"longitude,omitempty" min:"-180" max:"180" wrong:"longitude must be between -180 and 180." doc:"degrees east" tool:"-"`
	Accuracy  float64  `json:"accuracy,omitempty" min:"0" wrong:"accuracy must be non-negative." doc:"metres" tool:"-"`
	Origin    string   `json:"origin,omitempty" doc:"whose pages may ask for it; that of the tab when left out, or any if the tab shows none" tool:"-"`
}

func (r geolocationRequest) Check() error {
	if r.Clear {
		return nil
	}
	if r.Latitude == nil || r.Longitude == nil {
		return op.Errorf(op.Invalid, "latitude and longitude are required (or set clear=true)")
	}
	if r.Origin != "" && sitedata.OriginOf(r.Origin) == "" {
		return op.Errorf(op.Invalid, "origin must be an http(s) origin").Hinted("such as https://example.com")
	}
	return nil
}

func setGeolocation(ctx context.Context, t *Turn, r geolocationRequest) (changed, error) {
	return r.changed("set"), t.set(ctx, func(c *page.Common) {
		if r.Clear {
			c.Geolocation = nil
			return
		}
		c.Geolocation = at(c.Geolocation, *r.Latitude, *r.Longitude, r.Accuracy, t.origin(r.Origin))
	})
}

// origin is that of an address, or else of the tab; "*", which stands for all, if the
// tab shows no page of the web.
func (t *Turn) origin(address string) string {
	return cmp.Or(sitedata.OriginOf(cmp.Or(address, string(t.found))), "*")
}

// at is a position that the pages of an origin may ask for, and those that could ask for
// the one before.
func at(before *page.Geolocation, latitude, longitude, accuracy float64, origin string) *page.Geolocation {
	origins := []string{origin}
	if before != nil {
		origins = slices.Compact(slices.Sorted(slices.Values(slices.Concat(before.Origins, origins))))
	}
	return &page.Geolocation{Latitude: latitude, Longitude: longitude, Accuracy: accuracy, Origins: origins}
}

// mediaFields are what a style sheet can ask by media queries, as Playwright's
// emulateMedia has it.
type mediaFields struct {
	Scheme   string `json:"colorScheme,omitempty" enum:"dark,light,no-preference,none" doc:"prefers-color-scheme" tool:"-"`
	Type     string `json:"media,omitempty" enum:"print,screen,none" flag:"print,media-type" bare:"print" doc:"media type" tool:"-"`
	Motion   string `json:"reducedMotion,omitempty" enum:"reduce,no-preference,none" bare:"reduce" doc:"prefers-reduced-motion" tool:"-"`
	Contrast string `json:"contrast,omitempty" enum:"more,less,no-preference,none" bare:"more" doc:"prefers-contrast" tool:"-"`
	Forced   string `json:"forcedColors,omitempty" enum:"active,inactive,none" bare:"active" doc:"forced-colors" tool:"-"`
}

type mediaRequest struct {
	On
	mediaFields
}

func (r mediaRequest) Check() error {
	if r.mediaFields == (mediaFields{}) {
		return op.Errorf(op.Invalid, "colorScheme must be dark|light|no-preference|none")
	}
	return nil
}

func setMedia(ctx context.Context, t *Turn, r mediaRequest) (noResult, error) {
	return noResult{}, t.set(ctx, r.applyTo)
}

func (f mediaFields) applyTo(c *page.Common) {
	c.Media.ColorScheme = unlessNone(f.Scheme, c.Media.ColorScheme)
	c.Media.Type = unlessNone(f.Type, c.Media.Type)
	c.Media.ReducedMotion = unlessNone(f.Motion, c.Media.ReducedMotion)
	c.Media.Contrast = unlessNone(f.Contrast, c.Media.Contrast)
	c.Media.ForcedColors = unlessNone(f.Forced, c.Media.ForcedColors)
}

// unlessNone is what a setting is after a request: none clears it, and nothing leaves
// it as it was.
func unlessNone(asked, before string) string {
	if asked == "none" {
		return ""
	}
	return cmp.Or(asked, before)
}

type timezoneRequest struct {
	clearable
	Timezone string `json:"timezoneId,omitempty" doc:"IANA name of the time zone" tool:"-"`
}

func (r timezoneRequest) Check() error { return r.needs("timezoneId", r.Timezone) }

func setTimezone(ctx context.Context, t *Turn, r timezoneRequest) (changed, error) {
	return r.changed(""), t.set(ctx, func(c *page.Common) { c.Timezone = r.unlessCleared(r.Timezone) })
}

func (c clearable) unlessCleared(value string) string {
	if c.Clear {
		return ""
	}
	return value
}

type localeRequest struct {
	clearable
	Locale string `json:"locale,omitempty" doc:"language tag, such as de-DE" tool:"-"`
}

func (r localeRequest) Check() error { return r.needs("locale", r.Locale) }

func setLocale(ctx context.Context, t *Turn, r localeRequest) (changed, error) {
	return r.changed(""), t.set(ctx, func(c *page.Common) { c.Locale = r.unlessCleared(languageTag(r.Locale)) })
}

type deviceRequest struct {
	clearable
	Name string `json:"name,omitempty" doc:"name of the device, as Playwright has it" tool:"-"`
}

func (r deviceRequest) Check() error { return r.needs("name", r.Name) }

type deviceSet struct {
	changed
	Device string `json:"device,omitempty" doc:"name of the device"`
}

func setDevice(ctx context.Context, t *Turn, r deviceRequest) (done deviceSet, err error) {
	name := r.Name
	if r.Clear = r.Clear || name == "none"; r.Clear {
		name = "none"
	}
	err = t.tab.Set(ctx, func(c *page.Common) error {
		err := setDeviceOf(c, name)
		done = deviceSet{r.changed(""), c.Device}
		return err
	})
	return done, err
}

// setDeviceOf sets the device of a name; none is no device, and "" leaves it as it was.
// The error is a [*device.UnknownError].
func setDeviceOf(c *page.Common, name string) error {
	if name == "" || name == "none" {
		c.Device = unlessNone(name, c.Device)
		return nil
	}
	known, _, err := device.Named(name)
	c.Device = known
	return err
}

// explainSetting words that a setting is refused; nil is any other failure. The messages
// are those of the contract.
func explainSetting(err error) *op.Error {
	if unknown, ok := errors.AsType[*device.UnknownError](err); ok {
		e := op.Errorf(op.Invalid, "Error: Unknown device %q.", unknown.Name).Hinted("such as iPhone 14, Pixel 7 or Desktop Chrome")
		if len(unknown.Near) > 0 {
			e.Hinted("did you mean %s?", strings.Join(unknown.Near, ", "))
		}
		return e
	}
	refused, ok := errors.AsType[*page.RefusedError](err)
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
	return op.Errorf(op.Invalid, "%s can not be set: %s", refused.Setting, refused.Err.Message)
}
