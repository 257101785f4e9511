package keys

import (
	"fmt"
	"maps"
	"slices"

	"chela/internal/spelling"
)

// An UnknownKey is the error for a name that no key has.
type UnknownKey struct {
	Name string
	Near []string // similar names of keys, the most similar first
}

func (u *UnknownKey) Error() string { return fmt.Sprintf("keyboard.press: Unknown key: %q", u.Name) }

func unknown(name string) *UnknownKey {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(known().exact)), func(key string) bool { return len(key) == 1 })
	return &UnknownKey{Name: name, Near: spelling.Nearest(name, names)}
}
