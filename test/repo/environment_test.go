package repo

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/config"
)

// Each variable that the program reads is documented. If OpenClaw's name for a variable also
// counts, config.Env reads the variable.
func TestVariablesAreDocumented(t *testing.T) {
	t.Chdir(root)
	reads := regexp.MustCompile(`(Getenv|LookupEnv|Env)\("((?:CHELA|OPENCLAW)_[A-Z_]+)"\)`)
	for _, path := range files(t, "*.go") {
		if !strings.HasPrefix(path, "internal/") || strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, m := range reads.FindAllStringSubmatch(read(t, path), -1) {
			if m[1] != "Env" || !slices.ContainsFunc(config.Environment, func(v config.Variable) bool { return v.Name == m[2] }) {
				t.Errorf("%s: %s, which config.Environment does not have", path, m[0])
			}
		}
	}
}
