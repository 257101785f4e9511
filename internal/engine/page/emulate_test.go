package page

import (
	"chela/internal/engine/setting"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each kind of target gets the settings that it supports, before it runs, and no others.
func TestSettingsOfEachTarget(t *testing.T) {
	const (
		tab       = "setDeviceMetricsOverride setTouchEmulationEnabled setUserAgentOverride setLocaleOverride setTimezoneOverride"
		frame     = "setTouchEmulationEnabled setUserAgentOverride setLocaleOverride setTimezoneOverride"
		documents = " setEmulatedMedia setCPUThrottlingRate emulateNetworkConditionsByRule overrideNetworkState"
	)
	all := setting.Settings{Common: setting.Common{
		Offline: true, CPU: 2, Geolocation: &setting.Geolocation{Latitude: 1}, Media: setting.Media{Type: "print"},
		Timezone: "Asia/Tokyo", Locale: "de-DE", Device: "Pixel 7",
	}}
	for _, c := range []struct {
		name               string
		settings           setting.Settings
		tab, frame, worker string
	}{
		{"none", setting.Settings{}, "", "", ""},
		{"all", all, tab + documents + " setGeolocationOverride", frame + documents, "setUserAgentOverride emulateNetworkConditionsByRule"},
		{"a slow network", setting.Settings{Common: setting.Common{Network: "4g"}},
			"emulateNetworkConditionsByRule overrideNetworkState", "emulateNetworkConditionsByRule overrideNetworkState", "emulateNetworkConditionsByRule"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, r := record(t, c.settings)
			r.attached("TAB", "FRAME", "iframe")
			r.attached("FRAME", "WORKER", "worker")
			if err := p.await(t.Context(), func() bool { return len(p.sessions) == 3 }); err != nil {
				t.Fatal(err)
			}
			written(t, p)
			for session, want := range map[string]string{"TAB": c.tab, "FRAME": c.frame, "WORKER": c.worker} {
				if diff := cmp.Diff(want, emulating(r.take(session))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", session, diff)
				}
			}
		})
	}
}

// emulating selects the methods that set how a target appears to its pages, and that are sent
// before it runs.
func emulating(methods []string) string {
	var found []string
	for _, method := range methods[:max(0, slices.Index(methods, run))] {
		domain, name, _ := strings.Cut(method, ".")
		if domain == "Emulation" && name != "setFocusEmulationEnabled" || strings.HasPrefix(name, "emulate") || strings.HasPrefix(name, "override") {
			found = append(found, name)
		}
	}
	return strings.Join(found, " ")
}

// Settings of a process are sent again, because another page's session may have set them and ended.
// Other settings are not.
func TestRenew(t *testing.T) {
	p, r := record(t, setting.Settings{Common: setting.Common{Timezone: "Asia/Tokyo", Locale: "de-DE", Device: "Pixel 7"}})
	written(t, p)
	r.take("TAB")
	p.Renew()
	written(t, p)
	if got := emulating(append(r.take("TAB"), run)); got != "setLocaleOverride setTimezoneOverride" {
		t.Errorf("sent %s", got)
	}
}
