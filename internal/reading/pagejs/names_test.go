package pagejs

import (
	"regexp"
	"testing"
)

// The files share one scope: a name that two of them declare is an error of the
// whole script, or, of two functions, one in place of the other.
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
