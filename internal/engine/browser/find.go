package browser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A NoTabError says that a name stands for no tab that the session can use.
type NoTabError struct {
	Name            string
	OtherTab, Owner string // if another session's tab has the name as its label: that tab's handle, and the session's key
	Swept           bool   // a sweep has closed the tab, see [Cleanup]
	Opener          string // if the session's current tab has closed: the handle of the tab that had opened it
	Left            string // if the session's current tab has closed: the handle of its tab that was used last before
	Closed          bool   // the name is the handle of a tab that was closed, perhaps with an earlier browser
}

func (e *NoTabError) Error() string { return fmt.Sprintf("no tab is known as %q", e.Name) }

// IsNumber reports whether the name is a number. The caller may have meant a position in the list
// of tabs, but positions are not names.
func (e *NoTabError) IsNumber() bool { return isNumber(e.Name) }

// An AmbiguousTabError says that a name is the beginning of several target ids.
type AmbiguousTabError struct {
	Name  string
	Fits  int    // how many tabs have such an id
	First string // handle of one of the tabs
}

func (e *AmbiguousTabError) Error() string {
	return fmt.Sprintf("%q may be any of %d tabs", e.Name, e.Fits)
}

// find returns the tab that a session means by a name, see [Session.Tab]. It is nil if name is ""
// and the session has no tab.
func (l *tabList) find(key, name string) (*Tab, error) {
	current := l.current(key)
	switch {
	case name != "":
		return l.byName(key, name)
	case current != "":
		if t := l.byID(current); t != nil && !l.uses[key].taken {
			return t, nil
		}
		none := l.noTab(current)
		if opener := l.openerLeft(key); opener != nil {
			none.Opener = opener.ID
		}
		if left := l.lastOf(key); left != nil {
			none.Left = left.ID
		}
		return nil, none
	}
	return l.lastOf(key), nil
}

// lastOf returns the tab of a session that was used last of those that are open; nil if it has none.
func (l *tabList) lastOf(key string) *Tab {
	i := slices.IndexFunc(l.list, func(t *Tab) bool { return t.belongsTo(key) && !t.closing && !internal(t.url) })
	if i < 0 {
		return nil
	}
	return l.list[i]
}

// byName looks for a tab by each kind of name, in a fixed order that begins with the least
// ambiguous kind. So the prefix of one tab's target id never hides another tab's label.
//
// A label is a name that a caller has chosen, and two sessions may choose the same. So a label
// counts only in the session that the tab belongs to, and neither session gets the other's tab. The
// label of a tab that belongs to no session counts for all.
func (l *tabList) byName(key, name string) (*Tab, error) {
	for _, fits := range []func(*Tab) bool{
		func(t *Tab) bool { return t.page.ID == name || t.ID == name || t.label == name && t.owner == key },
		func(t *Tab) bool { return t.label == name && t.owner == "" },
		func(t *Tab) bool { return slices.Contains(t.former, name) },
		func(t *Tab) bool {
			return len(name) >= leastBeginning && strings.HasPrefix(strings.ToLower(t.page.ID), strings.ToLower(name))
		},
	} {
		var found []*Tab
		for _, t := range l.list {
			if fits(t) {
				found = append(found, t)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return nil, &AmbiguousTabError{Name: name, Fits: len(found), First: found[0].ID}
		}
	}
	return nil, l.noTab(name)
}

// leastBeginning is how many characters of a target id stand for its tab. Fewer would find a tab by
// chance. A small number may mean a position in the list, and "f" may be the label of a closed tab.
const leastBeginning = 4

// noTab is the error for a name that no tab has.
func (l *tabList) noTab(name string) *NoTabError {
	none := &NoTabError{Name: name, Swept: l.isSwept(name), Closed: l.isClosed(name)}
	if i := slices.IndexFunc(l.list, func(t *Tab) bool { return t.label == name }); i >= 0 {
		none.OtherTab, none.Owner = l.list[i].ID, l.list[i].owner
	}
	return none
}

// isClosed reports whether the name is the handle of a tab that is not open any more. In the list of
// a limited session, that is also said of tabs that it does not see.
func (l *tabList) isClosed(name string) bool {
	digits, isHandle := strings.CutPrefix(name, "t")
	n, err := strconv.Atoi(digits)
	return isHandle && err == nil && 0 < n && n <= l.last && l.byID(name) == nil
}

func isNumber(name string) bool { return strings.Trim(name, "0123456789") == "" }
