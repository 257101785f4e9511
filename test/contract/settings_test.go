package contract

import (
	"context"
	_ "embed"
	"strings"
	"testing"
)

// The calls on settings, as they were recorded of OpenClaw's server, in their order.
//
//go:embed testdata/settings.json
var recordedSettings string

func TestSettingsAsRecorded(t *testing.T) {
	tab := shared.open(t, site.URL+"/text.html")
	t.Cleanup(func() {
		shared.TryText(context.Background(), "POST /set", `{"device": "none", "timezoneId": "none", "locale": "none", "colorScheme": "none"}`)
	})
	shared.answersAsRecorded(t, tab, recordedSettings)
	set := shared.ok(t, "GET /set", "")
	for name, want := range map[string]string{
		"timezoneId": "Asia/Tokyo", "locale": "de-DE", "device": "iPhone 14", "offline": "", "geolocation": "", "media": "",
	} {
		set.Has(t, name, want)
	}
}

// Settings that cannot be valid change nothing, and the error says what is wrong.
func TestBadSettings(t *testing.T) {
	tab := shared.open(t, site.URL+"/text.html")
	before := shared.ok(t, "GET /set", "").Raw
	for _, c := range []struct{ request, body, message, hint string }{
		{"POST /set/network", `{}`, "network is required", ""},
		{"POST /set/network", `{"network": "5g"}`, "network must be slow-3g|fast-3g|4g|none", ""},
		{"POST /set/cpu", `{"rate": 0.5}`, "rate must be a number from 1 to 100", ""},
		{"POST /set/offline", `{"offline": "perhaps"}`, "offline must be true or false", ""},
		{"POST /set/geolocation", `{"latitude": 1, "longitude": 181}`, "longitude must be between -180 and 180.", ""},
		{"POST /set/geolocation", `{"latitude": "north", "longitude": 1}`, "latitude must be between -90 and 90.", ""},
		{"POST /set/geolocation", `{"latitude": 1}`, "latitude and longitude are required (or set clear=true)", ""},
		{"POST /set/geolocation", `{"latitude": 1, "longitude": 1, "origin": "file:///etc"}`, "origin must be an http(s) origin", "https://"},
		{"POST /set/media", `{"reducedMotion": "slow"}`, "reducedMotion must be reduce|no-preference|none", ""},
		{"POST /set/device", `{"name": "iPhone 41"}`, `Error: Unknown device "iPhone 41".`, "iPhone 11"},
		{"POST /set/timezone", `{"timezoneId": "Europe/Atlantis"}`, "Error: Invalid timezone ID: Europe/Atlantis", "IANA"},
		{"POST /set", `{}`, "emulate requires at least one of device, colorScheme, timezoneId, or locale.", ""},
		{"POST /set", `{"colorScheme": "pink"}`, "colorScheme must be dark|light|no-preference|none.", ""},
		{"POST /set", `{"latitude": 1}`, "latitude and longitude are required", ""},
		{"POST /set", `{"colorScheme": "dark", "locale": "de-DE", "timezoneId": "Mars/X"}`, "Error: Invalid timezone ID: Mars/X", ""},
		{"POST /set", `{"colorScheme": "dark", "device": "Nokia 9999"}`, `Error: Unknown device "Nokia 9999".`, "Nokia Lumia 520"},
	} {
		a := shared.do(t, c.request, strings.Replace(c.body, "{", `{"targetId": "`+tab+`", `, 1))
		if c.body == "{}" {
			a = shared.do(t, c.request, `{"targetId": "`+tab+`"}`)
		}
		if a.Status != 400 || a.Text("error") != c.message || !strings.Contains(a.Text("hint"), c.hint) {
			t.Errorf("%s %s: %d %s, want %q", c.request, c.body, a.Status, a.Raw, c.message)
		}
	}
	if after := shared.ok(t, "GET /set", "").Raw; after != before {
		t.Errorf("they have changed %s to %s", before, after)
	}
}
