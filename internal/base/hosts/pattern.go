package hosts

import (
	"fmt"
	"slices"
	"strings"
)

// Patterns are hosts, and patterns for all names below a name.
type Patterns struct {
	exact map[Host]bool
	below []string // names with a dot in front: all hosts below the name match
}

// ParsePatterns reads the list that the configuration has at a key; errors name the key.
// *.example.com means all names below example.com, but not example.com itself. A bare * is ignored,
// see isIgnored, since a list that allows all hosts is most likely a mistake. The error is an
// [*EntryError].
func ParsePatterns(key string, list []string) (p Patterns, err error) {
	p.exact = map[Host]bool{}
	for i, entry := range list {
		if isIgnored(entry) {
			continue
		}
		name, wild := strings.CutPrefix(strings.TrimSpace(entry), "*.")
		h, ok := Parse(name)
		switch _, literal := h.Addr(); {
		case !ok, strings.Contains(name, "*"), wild && literal:
			return p, &EntryError{key, i, entry}
		case wild:
			p.below = append(p.below, "."+h.name)
		default:
			p.exact[h] = true
		}
	}
	return p, nil
}

// Ignored returns the entries of a list that stand for no host, see isIgnored.
func Ignored(key string, list []string) (all []EntryError) {
	for i, entry := range list {
		if isIgnored(entry) {
			all = append(all, EntryError{key, i, entry})
		}
	}
	return all
}

// isIgnored reports whether an entry stands for no host and is ignored, rather than refused.
func isIgnored(entry string) bool {
	return slices.Contains([]string{"", "*", "*."}, strings.TrimSpace(entry))
}

// IsEmpty reports whether the patterns match no host at all.
func (p Patterns) IsEmpty() bool { return len(p.exact) == 0 && len(p.below) == 0 }

// Has reports whether the host itself is listed.
func (p Patterns) Has(h Host) bool { return p.exact[h] }

// HasAddrs reports whether any of the patterns is an IP address.
func (p Patterns) HasAddrs() bool {
	for h := range p.exact {
		if _, is := h.Addr(); is {
			return true
		}
	}
	return false
}

// Match reports whether a host is listed, or is below a name that is listed as *.name.
func (p Patterns) Match(h Host) bool {
	return p.exact[h] || slices.ContainsFunc(p.below, func(suffix string) bool { return strings.HasSuffix(h.name, suffix) })
}

// An EntryError says that an entry of a list is not a host.
type EntryError struct {
	Key   string // key of the list in the configuration
	Index int    // index of the entry in the list
	Entry string
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("%s[%d] %s", e.Key, e.Index, e.Problem())
}

// Problem returns the message without the key and the index of the entry.
func (e *EntryError) Problem() string {
	return fmt.Sprintf("is %q: want a name without scheme and port, *.name for all below it, or an IP address", e.Entry)
}
