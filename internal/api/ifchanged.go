package api

import (
	"bytes"
	"fmt"

	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/reading/picture"
)

// ifChanged has the parameters by which a caller gets a new picture only if the page looks
// different than before.
type ifChanged struct {
	IfChanged bool     `json:"ifChanged,omitempty" doc:"if the page looks the same as in the tab's last such picture, answer unchanged and the path of that picture"`
	Threshold *float64 `json:"threshold,omitempty" min:"0" max:"100" default:"0.1" doc:"with ifChanged: percentage of pixels that may differ" tool:"+"`
}

// allows reports whether a picture differs from the earlier one in no more pixels than allowed. It
// returns false if the earlier picture has gone, or cannot be read.
func (r ifChanged) allows(earlier string, data []byte) bool {
	before, err := config.ReadFile(earlier)
	if err != nil {
		return false
	}
	if bytes.Equal(before, data) {
		return true
	}
	threshold := 0.1
	if r.Threshold != nil {
		threshold = *r.Threshold
	}
	one, err := picture.Decode(before)
	if err != nil {
		return false
	}
	other, err := picture.Decode(data)
	return err == nil && one.Bounds().Size() == other.Bounds().Size() && 100*picture.Compare(one, other).Share <= threshold
}

// pictureOf returns the key under which a picture is kept: its profile, its tab and what it shows.
func pictureOf(t *call.Turn, on call.On, view string) (call.PictureOf, error) {
	p, err := t.Service.Profiles.Named(on.Profile)
	if err != nil {
		return call.PictureOf{}, err
	}
	return call.PictureOf{Profile: p.Name, Tab: t.Tab.Info().ID, View: view}, nil
}

// view names what a screenshot shows. Only pictures of the same view are compared.
func (r screenshotRequest) view() string {
	return fmt.Sprint(r.FullPage, r.Ref, " ", r.Element, " ", r.Labels, r.Type)
}
