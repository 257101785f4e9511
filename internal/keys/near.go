package keys

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An UnknownKey is a name that no key has.
type UnknownKey struct {
	Name string
	Near []string // names of keys that are like it, the nearest first
}

func (u *UnknownKey) Error() string { return fmt.Sprintf("keyboard.press: Unknown key: %q", u.Name) }

// maxNear is how many names are suggested.
const maxNear = 3

func unknown(name string) *UnknownKey {
	u := &UnknownKey{Name: name}
	lower := strings.ToLower(name)
	distances := map[string]int{}
	for key := range known().exact {
		d := distance(lower, strings.ToLower(key))
		begins := len(lower) > 1 && strings.HasPrefix(strings.ToLower(key), lower)
		if len(key) > 1 && (d <= len(name)/3 || begins) {
			distances[key] = d
		}
	}
	u.Near = slices.SortedFunc(maps.Keys(distances), func(a, b string) int {
		return cmp.Or(cmp.Compare(distances[a], distances[b]), cmp.Compare(a, b))
	})
	u.Near = u.Near[:min(maxNear, len(u.Near))]
	return u
}

// distance is how many characters have to be put in, taken out or replaced to
// make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
