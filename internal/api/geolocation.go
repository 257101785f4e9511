package api

import (
	"cmp"
	"context"
	"slices"

	"chela/internal/api/call"
	"chela/internal/base/sitedata"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// A geolocationRequest sets a position and lets an origin's pages ask for it. Without this
// permission Chromium would ask the user, and in a headless browser nobody can answer.
type geolocationRequest struct {
	clearable
	Latitude  *float64 `json:"latitude,omitempty" min:"-90" max:"90" wrong:"latitude must be between -90 and 90." doc:"degrees north" tool:"-"`
	Longitude *float64 `json:"longitude,omitempty" min:"-180" max:"180" wrong:"longitude must be between -180 and 180." doc:"degrees east" tool:"-"`
	Accuracy  float64  `json:"accuracy,omitempty" min:"0" wrong:"accuracy must be non-negative." doc:"accuracy of the position, in metres" tool:"-"`
	Origin    string   `json:"origin,omitempty" doc:"origin whose pages may ask for the position; when left out, the origin of the tab, or any origin if the tab shows no site" tool:"-"`
}

// Check returns errors with OpenClaw's texts.
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

// setGeolocation sets the position for all tabs. From now on the given origin may ask for it, and
// so may the origins of earlier calls. If Clear is set, no origin may ask for it any more. The
// answer has OpenClaw's texts.
func setGeolocation(ctx context.Context, t *call.Turn, r geolocationRequest) (changed, error) {
	return r.changed("set"), setForAll(ctx, t, func(c *setting.Common) {
		if r.Clear {
			c.Geolocation = nil
			return
		}
		c.Geolocation = at(c.Geolocation, *r.Latitude, *r.Longitude, r.Accuracy, foundOrigin(t, r.Origin))
	})
}

// foundOrigin returns the origin of the given address or, without one, of the tab. If the tab shows
// no page of the web it returns "*", which stands for all origins.
func foundOrigin(t *call.Turn, address string) string {
	return cmp.Or(sitedata.OriginOf(cmp.Or(address, string(t.Found))), "*")
}

// at returns a position with the origins whose pages may ask for it: the parameter origin, and
// those that could ask for the position before. The accuracy is in metres, or 0 if the caller gives
// none. The list of origins is sorted and has each origin once, so setting the same position again
// changes nothing.
func at(before *setting.Geolocation, latitude, longitude, accuracy float64, origin string) *setting.Geolocation {
	origins := []string{origin}
	if before != nil {
		origins = slices.Compact(slices.Sorted(slices.Values(slices.Concat(before.Origins, origins))))
	}
	return &setting.Geolocation{Latitude: latitude, Longitude: longitude, Accuracy: accuracy, Origins: origins}
}
