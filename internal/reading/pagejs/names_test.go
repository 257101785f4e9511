package pagejs

import (
	"regexp"
	"testing"
)

// The files share one scope. If two of them declare the same name, the whole script has an error.
// If both names are functions, one silently replaces the other.
func TestNamesAreDeclaredOnce(t *testing.T) {
	declared := map[string]string{}
	declaration := regexp.MustCompile(`(?m)^(?:async )?(?:function\*?|class|const|let) (\w+)`)
	for _, name := range order {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declaration.FindAllStringSubmatch(string(text), -1) {
			if first := declared[found[1]]; first != "" {
				t.Errorf("%s and %s both declare %s", first, name, found[1])
			}
			declared[found[1]] = name
		}
	}
}
