package pagejs

import (
	"regexp"
	"strings"
	"testing"
)

var (
	declaration = regexp.MustCompile(`^(?:(?:async )?function\*?|class|const|let) (\w+)`)
	furtherName = regexp.MustCompile(`, (\w+) = `) // const ONE = 1, TWO = 2;
)

// declaredIn returns the names that a file declares at its top level.
func declaredIn(text string) (names []string) {
	for line := range strings.Lines(text) {
		first := declaration.FindStringSubmatch(line)
		if first == nil {
			continue
		}
		names = append(names, first[1])
		if strings.HasPrefix(line, "const ") || strings.HasPrefix(line, "let ") {
			for _, further := range furtherName.FindAllStringSubmatch(line, -1) {
				names = append(names, further[1])
			}
		}
	}
	return names
}

// The files share one scope. If two of them declare the same name, the whole script has an error.
// If both names are functions, one silently replaces the other.
func TestNamesAreDeclaredOnce(t *testing.T) {
	declaredBy := map[string]string{}
	check := func(file, text string) {
		for _, name := range declaredIn(text) {
			if first := declaredBy[name]; first != "" {
				t.Errorf("%s and %s both declare %s", first, file, name)
			}
			declaredBy[name] = file
		}
	}
	check("own.go", ownFunctions)
	for _, file := range order {
		check(file, read(file))
	}
}
