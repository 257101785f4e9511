package device

import (
	"errors"
	"strings"
	"testing"
)

func TestNamed(t *testing.T) {
	for _, s := range []struct{ name, want, near string }{
		{"iPhone 14", "iPhone 14", ""},
		{"iphone14", "iPhone 14", ""},
		{" iPhone  14 landscape", "iPhone 14 landscape", ""},
		{"iPhone 41", "", "iPhone 11"},
		{"Nokia 9999", "", "Nokia Lumia 520"},
		{"xx", "", ""},
		{"", "", ""},
	} {
		got, d, err := Named(s.name)
		unknown, refused := errors.AsType[*UnknownError](err)
		if got != s.want || (s.want == "") != refused || (s.want != "") != (d.UserAgent != "") {
			t.Errorf("%q: %q, %v", s.name, got, err)
		}
		if refused && (unknown.Name != s.name || len(unknown.Near) > 3 || !strings.Contains(strings.Join(unknown.Near, ", "), s.near)) {
			t.Errorf("%q: near are %q", s.name, unknown.Near)
		}
	}
}

// Every line of the table can be used.
func TestTable(t *testing.T) {
	if n := len(devices()); n != 207 {
		t.Errorf("%d devices", n)
	}
	for name, d := range devices() {
		if d.UserAgent == "" || d.Viewport.Width < 200 || d.Viewport.Height < 200 || d.Scale < 1 {
			t.Errorf("%s: %+v", name, d)
		}
		if h, ok := d.Hints(); ok && (h.Platform == "" || h.Platform == "Android" && h.Model == "" || h.Mobile && h.FormFactor != "Mobile") {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

// Hints agree with the user agent. There are none if the user agent belongs to a browser that sends
// none.
func TestHints(t *testing.T) {
	for _, s := range []struct{ name, brand, platform, model, form, navigator string }{
		{"Pixel 7", "Google Chrome 153", "Android 14", "Pixel 7", "Mobile", "Linux armv81"},
		{"Galaxy S9+", "Google Chrome 153", "Android 8.0.0", "SM-G965U", "Mobile", "Linux armv81"},
		{"Moto G4", "Google Chrome 153", "Android 7.0", "Moto G (4)", "Mobile", "Linux armv81"},
		{"LG Optimus L70", "Google Chrome 153", "Android 4.4.2", "LGMS323", "Mobile", "Linux armv81"},
		{"Galaxy Tab S4", "Google Chrome 153", "Android 8.1.0", "SM-T837A", "Tablet", "Linux armv81"},
		{"Desktop Edge", "Microsoft Edge 153", "Windows 10.0.0", "", "Desktop", "Win32"},
		{"Desktop Chrome", "Google Chrome 153", "Windows 10.0.0", "", "Desktop", "Win32"},
		{"iPhone 14", "", "", "", "", "iPhone"},
		{"iPad Mini", "", "", "", "", "iPad"},
		{"Desktop Safari", "", "", "", "", "MacIntel"},
		{"Desktop Firefox", "", "", "", "", "Win32"},
		{"Microsoft Lumia 950", "", "", "", "", ""},
	} {
		_, d, err := Named(s.name)
		if err != nil {
			t.Error(err)
			continue
		}
		h, ok := d.Hints()
		if ok != (s.brand != "") || d.Platform() != s.navigator {
			t.Errorf("%s: hints %v, navigator.platform %s", s.name, ok, d.Platform())
		}
		if !ok {
			continue
		}
		brand := h.Brands[2].Name + " " + h.Brands[2].Major()
		if brand != s.brand || h.Platform+" "+h.PlatformVersion != s.platform || h.Model != s.model || h.FormFactor != s.form {
			t.Errorf("%s: %+v", s.name, h)
		}
	}
}
