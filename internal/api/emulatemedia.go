package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// mediaFields are the media type and media features that style sheets query, as in Playwright's
// emulateMedia.
type mediaFields struct {
	Scheme   string `json:"colorScheme,omitempty" enum:"dark,light,no-preference,none" doc:"prefers-color-scheme" tool:"-"`
	Type     string `json:"media,omitempty" enum:"print,screen,none" flag:"print,media-type" bare:"print" doc:"media type" tool:"-"`
	Motion   string `json:"reducedMotion,omitempty" enum:"reduce,no-preference,none" bare:"reduce" doc:"prefers-reduced-motion" tool:"-"`
	Contrast string `json:"contrast,omitempty" enum:"more,less,no-preference,none" bare:"more" doc:"prefers-contrast" tool:"-"`
	Forced   string `json:"forcedColors,omitempty" enum:"active,inactive,none" bare:"active" doc:"forced-colors" tool:"-"`
}

// A mediaRequest changes the media features that it names. The value none gives a feature back to
// the browser. A feature that is left out stays as it was, as in Playwright.
type mediaRequest struct {
	call.On
	mediaFields
}

// Check returns an error with OpenClaw's text if the request has nothing in it. OpenClaw can set
// only the color scheme.
func (r mediaRequest) Check() error {
	if r.mediaFields == (mediaFields{}) {
		return op.Errorf(op.Invalid, "colorScheme must be dark|light|no-preference|none")
	}
	return nil
}

// setMedia changes the named features in all tabs; the others stay. It returns the error of
// [browser.Tab.Set].
func setMedia(ctx context.Context, t *call.Turn, r mediaRequest) (call.Done, error) {
	return call.Done{}, setForAll(ctx, t, r.applyTo)
}

// applyTo changes the settings that the request names.
func (f mediaFields) applyTo(c *setting.Common) {
	c.Media.ColorScheme = unlessNone(f.Scheme, c.Media.ColorScheme)
	c.Media.Type = unlessNone(f.Type, c.Media.Type)
	c.Media.ReducedMotion = unlessNone(f.Motion, c.Media.ReducedMotion)
	c.Media.Contrast = unlessNone(f.Contrast, c.Media.Contrast)
	c.Media.ForcedColors = unlessNone(f.Forced, c.Media.ForcedColors)
}
