package device

import (
	"strings"

	"chela/internal/base/lazyregexp"
)

// Hints are the user agent client hints, by which Chromium describes itself to servers and pages in
// addition to the user agent. Servers get them in Sec-CH-UA headers, and pages in
// navigator.userAgentData. The field names come from https://wicg.github.io/ua-client-hints/. The
// hints must agree with the user agent, since sites compare the two.
type Hints struct {
	Brands          []Brand
	Platform        string
	PlatformVersion string
	Architecture    string
	Bitness         string
	Model           string
	Mobile          bool
	FormFactor      string
}

// A Brand is the name of a browser, with its complete version.
type Brand struct{ Name, Version string }

var (
	chromeVersion  = lazyregexp.New(`Chrome/([\d.]+)`)
	edgeVersion    = lazyregexp.New(`Edg/([\d.]+)`)
	androidVersion = lazyregexp.New(`Android ([\d.]+); ((?:[^()]|\([^()]*\))*)`)
)

// Hints returns the hints that belong to the device's user agent. Only browsers based on Chromium
// have some: for others, such as Safari, it reports false. What the user agent does not say gets a
// common value: for a desktop, Windows 10 on x86 with 64 bits.
func (d Device) Hints() (Hints, bool) {
	chrome := chromeVersion().FindStringSubmatch(d.UserAgent)
	if chrome == nil || strings.Contains(d.UserAgent, "Edge/") { // Edge/ is the Edge that was not built from Chromium; its user agent also contains Chrome
		return Hints{}, false
	}
	h := Hints{
		// This is an invented brand. Browsers send one so that servers do not rely on the list.
		Brands: []Brand{{"Not.A/Brand", "99.0.0.0"}, {"Chromium", chrome[1]}, {"Google Chrome", chrome[1]}},
		Mobile: strings.Contains(d.UserAgent, " Mobile "),
	}
	if edge := edgeVersion().FindStringSubmatch(d.UserAgent); edge != nil {
		h.Brands[2] = Brand{"Microsoft Edge", edge[1]}
	}
	if android := androidVersion().FindStringSubmatch(d.UserAgent); android != nil {
		h.Platform, h.PlatformVersion = "Android", android[1]
		h.Model, _, _ = strings.Cut(strings.TrimPrefix(android[2], "en-us; "), " Build/")
	} else {
		h.Platform, h.PlatformVersion, h.Architecture, h.Bitness = "Windows", "10.0.0", "x86", "64"
	}
	switch {
	case h.Mobile:
		h.FormFactor = "Mobile"
	case h.Platform == "Android":
		h.FormFactor = "Tablet"
	default:
		h.FormFactor = "Desktop"
	}
	return h, true
}

// Platform returns navigator.platform of the device; "" means the value of this machine. Chromium
// has one value on all of Android, whatever the processor, and one on all of Windows. All Macs have
// MacIntel, even those with Apple's processors.
func (d Device) Platform() string {
	for _, p := range []struct{ mark, platform string }{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Windows Phone", ""}, // checked before Android: the user agent of Windows Phone also contains that word
		{"Android", "Linux armv81"},
		{"Macintosh", "MacIntel"},
		{"Windows", "Win32"},
	} {
		if strings.Contains(d.UserAgent, p.mark) {
			return p.platform
		}
	}
	return ""
}

// Major returns the version up to the first dot.
func (b Brand) Major() string {
	major, _, _ := strings.Cut(b.Version, ".")
	return major
}
