package repo

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/base/config"
	"chela/internal/surface/cli"
	"chela/internal/surface/server"
)

//go:generate go test . -run TestDocumentsAreFresh -update

var update = flag.Bool("update", false, "write the documents made from the table anew")

func TestDocumentsAreFresh(t *testing.T) {
	var reference bytes.Buffer
	cli.Reference(&reference, api.Table())
	openAPI, err := json.MarshalIndent(server.OpenAPI(api.Table(), "1"), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]byte{
		"docs/reference.md": reference.Bytes(),
		"docs/openapi.json": append(openAPI, '\n'),
		"docs/security.md":  withSettings(t, "docs/security.md"),
	} {
		if *update {
			if err := os.MkdirAll("docs", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the table says (%v); run: go generate ./test/repo", path, err)
		}
	}
}

// withSettings is a document with the settings that weaken what it promises.
func withSettings(t *testing.T, path string) []byte {
	t.Helper()
	text := read(t, path)
	before, rest, ok := strings.Cut(text, "by go generate -->\n")
	_, after, ended := strings.Cut(rest, "<!-- end of settings")
	if !ok || !ended {
		t.Fatalf("%s has no place for the settings", path)
	}
	var list strings.Builder
	for _, w := range config.Weakening {
		fmt.Fprintf(&list, "- `%s`: %s.\n", w.Name, w.Effect)
	}
	return []byte(before + "by go generate -->\n" + list.String() + "<!-- end of settings" + after)
}
