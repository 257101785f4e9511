package pagejs

import (
	"regexp"
	"strings"
	"testing"
)

// The names in ofElements become secret only after a variable called el. The function closest gives
// a test each element up to the root, forms among them. So such a test calls its parameter el if it
// reads one of these names.
func TestOwnNamesInTestsOfElements(t *testing.T) {
	tests := regexp.MustCompile(`\bclosest\([^;]*?, (\w+) => `)
	for _, file := range order {
		for line := range strings.Lines(read(file)) {
			for _, found := range tests.FindAllStringSubmatch(line, -1) {
				reads := regexp.MustCompile(`\b` + found[1] + `\??\.(?:` + strings.Join(ofElements, "|") + `)\b`)
				if found[1] != "el" && reads.MatchString(line) {
					t.Errorf("%s reads a name of ofElements from %s: %s", file, found[1], line)
				}
			}
		}
	}
}
