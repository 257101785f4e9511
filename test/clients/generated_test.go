package clients

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/service"
)

// saveDocument writes the OpenAPI document of the server to a folder.
func saveDocument(t *testing.T, folder string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, shared.URL+"/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+service.Token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %v", resp.Status, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "openapi.json"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs a program in a folder and returns what it wrote. Its failure ends the test.
func run(t *testing.T, folder, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	program := exec.CommandContext(t.Context(), name, args...)
	program.Dir = folder
	var out, failed strings.Builder
	program.Stdout, program.Stderr = &out, &failed
	if err := program.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", name, err, out.String(), failed.String())
	}
	return out.String(), failed.String()
}

// folderOf returns a folder of the packages, with the programs of npm's packages. The tests of it are
// about the document, so one kind of browser is enough.
func folderOf(t *testing.T, name string) (folder, bin string) {
	t.Helper()
	if os.Getenv("CHELA_TEST_RELAY") != "" {
		t.Skip("the browser makes no difference")
	}
	folder, err := filepath.Abs(filepath.Join(packages, name))
	if err != nil {
		t.Fatal(err)
	}
	saveDocument(t, folder)
	return folder, filepath.Join(filepath.Dir(folder), "node_modules", ".bin")
}

// openapi-typescript makes types of the document without a warning. They are valid, and a program
// with them drives the server.
func TestOpenAPITypeScript(t *testing.T) {
	folder, bin := folderOf(t, "openapi")
	out, failed := run(t, folder, filepath.Join(bin, "openapi-typescript"), "openapi.json", "-o", "api.d.ts")
	if said := out + failed; strings.ContainsAny(said, "⚠✘") || strings.Contains(strings.ToLower(said), "warn") {
		t.Errorf("openapi-typescript says %s", said)
	}
	run(t, folder, filepath.Join(bin, "tsc"), "-p", ".")
	run(t, folder, "node", filepath.Join("out", "main.mjs"), shared.URL, service.Token, site.URL)
}

// oapi-codegen makes a client of the document without a warning, and a program with it drives the
// server.
func TestOAPICodegen(t *testing.T) {
	folder, _ := folderOf(t, "oapi")
	run(t, folder, "go", "mod", "download") // else go tool writes what it downloads among the warnings
	out, failed := run(t, folder, "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "main", "-o", "generated.go", "openapi.json")
	if out != "" || failed != "" {
		t.Errorf("oapi-codegen says %s%s", out, failed)
	}
	run(t, folder, "go", "vet", ".")
	run(t, folder, "go", "build", "-o", "oapi", ".")
	run(t, folder, filepath.Join(folder, "oapi"), shared.URL, service.Token, site.URL)
}

// The linter of Redocly finds nothing by its recommended rules. One of them is left out: a WebSocket
// has no answer of the 200s.
func TestRedocly(t *testing.T) {
	folder, bin := folderOf(t, "openapi")
	out, _ := run(t, folder, filepath.Join(bin, "redocly"), "lint", "--extends=recommended", "--skip-rule=operation-2xx-response", "--format=json", "openapi.json")
	var found struct {
		Problems []struct{ RuleID, Message string }
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, p := range found.Problems {
		t.Errorf("%s: %s", p.RuleID, p.Message)
	}
}
