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

// Tab finds the tab that a name means (a handle, a label, a target id or the
// beginning of one) and makes it the current one. No name means the tab that
// was used last; if there never was one, the first, which is opened if need be.
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
	b.useLocked(t)
	return t, nil
}

// Find only finds the tab: nil if none was named and there is none.
func (b *Browser) Find(name string) (*Tab, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.followLocked()
	return b.findLocked(name)
}

func (b *Browser) findLocked(name string) (*Tab, error) {
	switch {
	case name != "":
		return b.namedLocked(name)
	case b.current != nil && !slices.Contains(b.tabs, b.current):
		return nil, &NoTabError{b.current.ID}
	case b.current != nil:
		return b.current, nil
	}
	for _, t := range b.tabs {
		if !internal(t.url) {
			return t, nil
		}
	}
	return nil, nil
}

func (b *Browser) namedLocked(name string) (*Tab, error) {
	for _, fits := range []func(*Tab) bool{
		func(t *Tab) bool { return t.page.ID == name || t.ID == name || t.label == name },
		func(t *Tab) bool { return slices.Contains(t.former, name) }, // before it crashed
		// A small number is meant as a place in the list, and would find a tab by chance.
		func(t *Tab) bool {
			return !(isNumber(name) && len(name) < 4) && strings.HasPrefix(strings.ToLower(t.page.ID), strings.ToLower(name))
		},
	} {
		var found []*Tab
		for _, t := range b.tabs {
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
