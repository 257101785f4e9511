package chela

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"chela/internal/api"
	"chela/internal/cli"
	"chela/internal/server"
)

//go:generate go test . -run TestDocumentsAreFresh -update

var update = flag.Bool("update", false, "write the documents made from the table anew")

func TestDocumentsAreFresh(t *testing.T) {
	var reference bytes.Buffer
	cli.Reference(&reference, api.Table)
	openAPI, err := json.MarshalIndent(server.OpenAPI(api.Table, "1"), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]byte{
		"docs/reference.md": reference.Bytes(),
		"docs/openapi.json": append(openAPI, '\n'),
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
			t.Errorf("%s is not what the table says (%v); run: go test . -update", path, err)
		}
	}
}
