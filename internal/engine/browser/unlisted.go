package browser

import (
	"slices"
	"time"

	"chela/internal/engine/page"
)

// unlisted holds the tabs that no caller can name. These are tabs that chela has requested, the
// spare tabs, tabs that it is closing, and tabs whose opener is not known yet. The browser's mu
// guards them.
type unlisted struct {
	list      []*Tab
	creations []*creation // Target.createTarget commands under way

	spares    []*Tab      // empty tabs for the next calls
	keep      int         // how many spare tabs there should be
	refill    *time.Timer // makes a spare tab when it fires; nil: this browser has no spare tabs
	refilling bool        // a spare tab is being made
}

// A creation is a Target.createTarget command whose tab is not known yet.
type creation struct{ context *BrowserContext }

// creationsOf returns the Target.createTarget commands that may have made a new page without an
// opener.
func (u *unlisted) creationsOf(n openerClues) (list []*creation) {
	for _, c := range u.creations {
		if c.context == n.context && (n.url == "" || n.url == page.Blank) {
			list = append(list, c)
		}
	}
	return list
}

// underWay reports whether any of the given commands is still under way.
func (u *unlisted) underWay(list []*creation) bool {
	return slices.ContainsFunc(list, func(c *creation) bool { return slices.Contains(u.creations, c) })
}

func (u *unlisted) end(c *creation) {
	u.creations = slices.DeleteFunc(u.creations, func(x *creation) bool { return x == c })
}

func (u *unlisted) drop(t *Tab) {
	u.list = slices.DeleteFunc(u.list, func(x *Tab) bool { return x == t })
	u.spares = slices.DeleteFunc(u.spares, func(x *Tab) bool { return x == t })
}
