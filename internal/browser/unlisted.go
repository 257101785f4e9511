package browser

import (
	"slices"
	"time"

	"chela/internal/page"
)

// unlisted are the tabs that no caller can name: those that we have asked
// Chromium for, the spare tab, and those that we are closing. It is guarded by
// the browser's mu.
type unlisted struct {
	list    []*Tab
	pending int // Target.createTarget commands whose tab is not attached yet

	spare     *Tab        // an empty one for the next Open, or nil
	refill    *time.Timer // makes the spare tab; nil where none is kept
	refilling bool        // the spare tab is being made
}

// admit takes a new tab without an opener if it may be one that we have asked
// for: one is pending, and the tab is empty. It may also be a popup that came
// at the same time: Chromium attaches a tab before it answers the
// Target.createTarget that made it, so only [unlisted.answered] can tell.
func (u *unlisted) admit(t *Tab) bool {
	if !u.mayBe(t.url) {
		return false
	}
	u.list = append(u.list, t)
	return true
}

// mayBe reports whether a new tab that shows this may be one that we have asked for.
func (u *unlisted) mayBe(url string) bool { return u.pending > 0 && (url == "" || url == page.Blank) }

// answered is called when a Target.createTarget has its answer and, if it has
// made a tab, that is marked as requested. When nothing is pending any more, the
// tabs that are not requested came by themselves: they are taken out and
// returned, to be listed.
func (u *unlisted) answered() (others []*Tab) {
	if u.pending--; u.pending > 0 {
		return nil
	}
	for _, t := range u.list {
		if !t.requested {
			others = append(others, t)
		}
	}
	for _, t := range others {
		u.drop(t)
	}
	return others
}

func (u *unlisted) drop(t *Tab) {
	u.list = slices.DeleteFunc(u.list, func(x *Tab) bool { return x == t })
	if u.spare == t {
		u.spare = nil
	}
}
