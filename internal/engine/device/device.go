// Package device is the devices that a browser can pretend to be: their screens, their touch, and
// their names for themselves. It only describes them. Package page sends the commands of Chromium's
// Emulation domain that make a tab look so.
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

// A Device is what a page can tell of the machine that it is shown on.
type Device struct {
	UserAgent string  `json:"userAgent"`
	Viewport  Size    `json:"viewport"`
	Screen    Size    `json:"screen"` // as large as the viewport if it is not given
	Scale     float64 `json:"deviceScaleFactor"`
	Mobile    bool    `json:"isMobile"` // pages are laid out by their meta viewport, and zoomed to fit
	Touch     bool    `json:"hasTouch"`
}

// A Size is in CSS pixels.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// The table is deviceDescriptorsSource.json of Playwright 1.63 (Apache-2.0), one device a line,
// so that callers can use the names that they know. Its user agents name browser versions of
// that release, whatever Chromium runs here. Its defaultBrowserType is not read: the browser is
// always Chromium, also for a device that has another.
//
//go:embed devices.json
var table []byte

// devices reads the table when it is first needed. It is part of the program, so one that
// cannot be read is a mistake in the program.
var devices = sync.OnceValue(func() (all map[string]Device) {
	if err := json.Unmarshal(table, &all); err != nil {
		panic("the table of devices: " + err.Error())
	}
	return all
})

// An UnknownError says that there is no device of a name.
type UnknownError struct {
	Name string
	Near []string // names that may be meant, the most similar first; perhaps none
}

func (e *UnknownError) Error() string { return fmt.Sprintf("no device is called %q", e.Name) }

// Named returns a device and its name as the table has it: upper case and spaces in
// the name that is given do not count. An exact name wins. The error is an [*UnknownError].
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

// plain is a name in the form in which names are compared.
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

// near returns up to three names that may be meant: those with nearly the same spelling. If there
// are none, it returns those that have its longest word, such as iPhone.
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
