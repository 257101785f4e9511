// Package device describes the devices that a browser can emulate: their screens, their touch, and
// their user agents. It sends no commands: package setting sends those of Chromium's Emulation
// domain.
package device

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"chela/internal/base/spelling"
)

// A Device is what a page can find out about the machine on which it is shown.
type Device struct {
	UserAgent string  `json:"userAgent"`
	Viewport  Size    `json:"viewport"`
	Screen    Size    `json:"screen"` // size of the screen; zero: the size of the viewport
	Scale     float64 `json:"deviceScaleFactor"`
	Mobile    bool    `json:"isMobile"` // the page's meta viewport tag decides the layout, and the page is zoomed to fit
	Touch     bool    `json:"hasTouch"`
}

// A Size is in CSS pixels.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// The table is deviceDescriptorsSource.json of Playwright 1.63 (Apache-2.0), one device a line, so
// that callers can use the names that they know. The user agents in the table name the browser
// versions of that release, not the Chromium that runs here. The field defaultBrowserType is not
// read, because chela always drives Chromium.
//
//go:embed devices.json
var table []byte

// devices reads the table when it is first needed. The table is embedded in the program, so an
// error in it is a bug: devices panics.
var devices = sync.OnceValue(func() (all map[string]Device) {
	if err := json.Unmarshal(table, &all); err != nil {
		panic("the table of devices: " + err.Error())
	}
	return all
})

// An UnknownError says that no device has the name Name.
type UnknownError struct {
	Name string
	Near []string // similar names, the most similar first; may be empty
}

func (e *UnknownError) Error() string { return fmt.Sprintf("no device is called %q", e.Name) }

// Named returns a device and its name in the table. Upper and lower case and spaces do not matter,
// but an exact name wins. The error is an [*UnknownError].
func Named(name string) (string, Device, error) {
	all := devices()
	if d, ok := all[name]; ok {
		return name, d, nil
	}
	for _, known := range names() {
		if plain(known) == plain(name) {
			return known, all[known], nil
		}
	}
	return "", Device{}, &UnknownError{name, near(name)}
}

// plain returns a name in the form in which names are compared.
func plain(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), "")) }

// names lists the names in alphabetical order.
func names() []string {
	all := devices()
	list := make([]string, 0, len(all))
	for name := range all {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// near returns up to three names that may be meant: names with nearly the same spelling. If there
// are none, it returns those that contain the longest word of the given name, such as iPhone.
func near(name string) []string {
	if list := spelling.Nearest(name, names()); len(list) > 0 {
		return list
	}
	words := strings.Fields(strings.ToLower(name))
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	for _, word := range words {
		list := slices.DeleteFunc(names(), func(known string) bool {
			return !slices.Contains(strings.Fields(strings.ToLower(known)), word)
		})
		if len(list) > 0 {
			return list[:min(len(list), 3)]
		}
	}
	return nil
}
