package repo

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/config"
)

// Each variable that the program reads is documented. Where OpenClaw's name of it also counts,
// config.Env reads it.
func TestVariablesAreDocumented(t *testing.T) {
	read := regexp.MustCompile(`(Getenv|LookupEnv|Env)\("((?:CHELA|OPENCLAW)_[A-Z_]+)"\)`)
	err := filepath.WalkDir("internal", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range read.FindAllStringSubmatch(string(source), -1) {
			if m[1] != "Env" || !slices.ContainsFunc(config.Environment, func(v config.Variable) bool { return v.Name == m[2] }) {
				t.Errorf("%s: %s, which config.Environment does not have", path, m[0])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
