package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A NoTabError says that no tab is known by a name.
type NoTabError struct{ Name string }

func (e *NoTabError) Error() string { return fmt.Sprintf("no tab is known as %q", e.Name) }

// IsNumber reports whether the name is a number: its caller may have meant a
// place in the list of tabs, which is no name.
func (e *NoTabError) IsNumber() bool { return isNumber(e.Name) }

// An AmbiguousTabError says that a name is the beginning of several target ids.
type AmbiguousTabError struct {
	Name  string
	Fits  int    // how many tabs
	First string // handle of one of them
}

func (e *AmbiguousTabError) Error() string {
	return fmt.Sprintf("%q may be any of %d tabs", e.Name, e.Fits)
}

// Tab finds the tab that a name means and makes it the current one. A name is a
// handle, a label, a target id (also one that the tab had before), or the
// beginning of a target id. No name means the current tab, which is the one
// that was used last; if no tab was used yet, the first, which is opened if
// there is none. Errors are [*NoTabError], [*AmbiguousTabError], and those of
// [Browser.Open].
func (b *Browser) Tab(ctx context.Context, name string) (*Tab, error) {
	t, err := b.Find(name)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return b.Open(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tabs.use(t)
	return t, nil
}

// Find is [Browser.Tab] that changes nothing: it returns nil if none was named
// and there is none.
func (b *Browser) Find(name string) (*Tab, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.followLocked()
	return b.tabs.find(name)
}

func (l *tabList) find(name string) (*Tab, error) {
	switch {
	case name != "":
		return l.named(name)
	case l.current != nil && !slices.Contains(l.list, l.current):
		return nil, &NoTabError{l.current.ID}
	case l.current != nil:
		return l.current, nil
	}
	for _, t := range l.list {
		if !internal(t.url) {
			return t, nil
		}
	}
	return nil, nil
}

// named tries the ways in which a tab can be named, the surest first, so that
// the beginning of one tab's target id never hides another tab's label.
func (l *tabList) named(name string) (*Tab, error) {
	for _, fits := range []func(*Tab) bool{
		func(t *Tab) bool { return t.page.ID == name || t.ID == name || t.label == name },
		func(t *Tab) bool { return slices.Contains(t.former, name) },
		// A small number is meant as a place in the list. As the beginning of a
		// target id it would find a tab by chance.
		func(t *Tab) bool {
			return !(isNumber(name) && len(name) < 4) && strings.HasPrefix(strings.ToLower(t.page.ID), strings.ToLower(name))
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
	return nil, &NoTabError{name}
}

func isNumber(name string) bool { return strings.Trim(name, "0123456789") == "" }
