package api

import (
	"cmp"
	"context"
	"errors"

	"chela/internal/op"
	"chela/internal/page"
)

// settingRows read the settings of all tabs.
var settingRows = []*op.Op{
	op.Define("GET /set", "set", "Show what the browser is set to.", showSettings, op.Rare),
}

// setRows change the settings of all tabs: of those that are open, and of those that
// come later, until the browser is stopped. Each is about a tab all the same, which is
// the first to get the setting: what Chromium refuses there is changed nowhere.
var setRows = []*op.Op{
	op.Define("POST /set/timezone", "set timezone {timezoneId}", "Set the time zone of all tabs.",
		setTimezone, brief, op.Says("timezone: {arg.timezoneId}"), op.Example("America/New_York"), op.Rare),
}

// inForce is what the browser is set to; what was not set is left out.
type inForce struct {
	OK       bool   `json:"ok" doc:"always true"`
	Timezone string `json:"timezoneId,omitempty" doc:"time zone"`
}

// Terminal is what a person reads of it.
func (f inForce) Terminal() string {
	text := lines(
		prefixed("timezone: ", f.Timezone),
	)
	return cmp.Or(text, "nothing is set")
}

// showSettings starts no browser: one that was stopped has no settings.
func showSettings(ctx context.Context, s *Service, r profileRequest) (inForce, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return inForce{}, err
	}
	c, err := p.Settings(ctx)
	return inForce{OK: true, Timezone: c.Timezone}, err
}

// set changes the settings of all tabs, see [browser.Tab.Set].
func (t *Turn) set(ctx context.Context, change func(*page.Common)) (noResult, error) {
	return noResult{}, t.tab.Set(ctx, func(c *page.Common) error { change(c); return nil })
}

type timezoneRequest struct {
	On
	Timezone string `json:"timezoneId" doc:"IANA name of the time zone" tool:"-"`
}

func setTimezone(ctx context.Context, t *Turn, r timezoneRequest) (noResult, error) {
	return t.set(ctx, func(c *page.Common) { c.Timezone = r.Timezone })
}

// explainSetting words that Chromium refuses a setting; nil is any other failure. The
// messages are those of the contract.
func explainSetting(err error) *op.Error {
	refused, ok := errors.AsType[*page.RefusedError](err)
	if !ok {
		return nil
	}
	switch refused.Setting {
	case "Timezone":
		return op.Errorf(op.Invalid, "Error: Invalid timezone ID: %s", refused.Value).Hinted("give an IANA name, such as Europe/Berlin")
	}
	return op.Errorf(op.Invalid, "%s can not be set: %s", refused.Setting, refused.Err.Message)
}
