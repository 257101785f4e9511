package keys

import (
	"fmt"
	"maps"
	"slices"

	"chela/internal/base/spelling"
)

// An UnknownKey is the error for a name that no key has. Its text is Playwright's, which OpenClaw
// passes on.
type UnknownKey struct {
	Name string
	Near []string // similar names of keys, the most similar first
}

func (u *UnknownKey) Error() string { return fmt.Sprintf("keyboard.press: Unknown key: %q", u.Name) }

// unknown returns the error for a name. It does not suggest names of one character: each would be
// similar to any short mistake.
func unknown(name string) *UnknownKey {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(known().exact)), func(key string) bool { return len(key) == 1 })
	return &UnknownKey{Name: name, Near: spelling.Nearest(name, names)}
}
