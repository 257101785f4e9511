package repo

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors lists the packages from the top down. A package may import those of
// lower floors only, and none of its own.
var floors = []string{
	"cmd/chela",
	"internal/cli",
	"internal/server",
	"internal/client internal/mcp",
	"internal/api",
	"internal/op",
	"internal/render",
	"internal/profile internal/trace",
	"internal/browser",
	"internal/page internal/parser",
	"internal/fetch",
	"internal/frame internal/har internal/proxy internal/limits internal/document internal/endpoint",
	"internal/journal internal/snapshot internal/pagejs internal/keys internal/chrome internal/cdp internal/config internal/media internal/shop internal/skill internal/device internal/extract internal/attack internal/schema internal/autostart",
	"internal/vision",
	"internal/guard internal/certificate internal/picture internal/spelling internal/hidden internal/inputvalue internal/sitedata internal/curl internal/excerpt internal/pdftext internal/child",
	"internal/lazyregexp internal/node",
}

func TestImportsGoDown(t *testing.T) {
	floor := map[string]int{}
	for i, names := range floors {
		for name := range strings.FieldsSeq(names) {
			floor["chela/"+name] = i
		}
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		pkg, imports := names[0], names[1:]
		if !strings.HasPrefix(pkg, "chela/internal/") && !strings.HasPrefix(pkg, "chela/cmd/") {
			continue // tests and measurements
		}
		from, ok := floor[pkg]
		if !ok {
			t.Errorf("%s is on no floor", pkg)
		}
		for _, imported := range slices.DeleteFunc(imports, func(name string) bool { return !strings.HasPrefix(name, "chela/") }) {
			if to, ok := floor[imported]; !ok || to <= from {
				t.Errorf("%s imports %s, which is not below it", pkg, imported)
			}
		}
	}
}
