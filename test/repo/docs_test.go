package repo

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/base/config"
	"chela/internal/surface/cli"
	"chela/internal/surface/gocode"
	"chela/internal/surface/server"
)

//go:generate go test . -run TestDocumentsAreFresh -update

var update = flag.Bool("update", false, "write the documents made from the table anew")

func TestDocumentsAreFresh(t *testing.T) {
	t.Chdir(root)
	var reference bytes.Buffer
	cli.Reference(&reference, api.Table())
	openAPI := inLines(t, server.OpenAPI(api.Table(), "1", "http://127.0.0.1:18791"))
	for path, want := range map[string][]byte{
		"docs/reference.md": reference.Bytes(),
		"docs/openapi.json": []byte(openAPI + "\n"),
		"docs/security.md":  withSettings(t, "docs/security.md"),

		"client/operations.go": gocode.Write(api.Table()),
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

// inLines writes a value as JSON that people can read and compare. Each parameter has one line,
// with its type and description.
func inLines(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var general any
	if err := json.Unmarshal(raw, &general); err != nil {
		t.Fatal(err)
	}
	text, _ := lines(general, "\n")
	return text
}

// lines returns the text of a JSON value, and whether it is or has an object. The text has one line
// if it is short, or if it has at most one object, which is short. The parameter newline is the
// text that begins a line.
func lines(value any, newline string) (text string, hasObject bool) {
	const short = 80
	var parts []string
	brackets, objects, long := "[]", 0, false
	add := func(name string, value any) {
		part, hasObject := lines(value, newline+"  ")
		parts = append(parts, name+part)
		if hasObject {
			objects++
			long = long || len(part) > short
		}
	}
	switch v := value.(type) {
	case map[string]any:
		brackets, hasObject = "{}", true
		for _, name := range slices.Sorted(maps.Keys(v)) {
			add(strconv.Quote(name)+": ", v[name])
		}
	case []any:
		for _, item := range v {
			add("", item)
		}
	default:
		raw, _ := json.Marshal(v)
		return string(raw), false
	}
	text = brackets[:1] + strings.Join(parts, ", ") + brackets[1:]
	if len(text) > short && (long || objects > 1) {
		text = brackets[:1] + newline + "  " + strings.Join(parts, ","+newline+"  ") + newline + brackets[1:]
	}
	return text, hasObject || objects > 0
}

// withSettings returns a document after filling in the settings that weaken what the document
// promises.
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
