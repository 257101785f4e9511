package extension

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

//go:generate go test . -run TestDocumentHasTheLimits -update

var update = flag.Bool("update", false, "write the table into docs/extension.md")

// The document has tables of the commands that have another effect, and of those that are refused.
func TestDocumentHasTheLimits(t *testing.T) {
	path := "../../../docs/extension.md"
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(content), tableHead)
	_, tail, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatal("the document has no table of commands, or nothing after it")
	}
	want := head + tableHead + strings.Join(limitRows(), "\n") + "\n\n" + tail
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(content) != want {
		t.Error("the table in docs/extension.md is stale: run make docs")
	}
}

const tableHead = "| command or domain | of | with the extension it |\n|---|---|---|\n"

func limitRows() (rows []string) {
	add := func(table map[string]string, of string) {
		for name, reason := range table {
			reason = strings.Replace(reason, " with the extension", "", 1)
			rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", name, of, reason))
		}
	}
	ways := maps.Clone(otherWays)
	tabWays := map[string]string{}
	for name, way := range ways {
		if answers[name] == nil {
			tabWays[name] = way
			delete(ways, name)
		}
	}
	add(ways, "the browser")
	add(wholeRefusals, "the browser")
	add(tabWays, "a tab")
	add(tabRefusals, "a tab")
	slices.Sort(rows)
	return rows
}

// This package handles each command for which the document lists another effect.
func TestOtherWaysAreCommands(t *testing.T) {
	for name := range otherWays {
		if answers[name] == nil && handlers[name] == nil && handlers[name+".enable"] == nil {
			t.Errorf("%s has no function", name)
		}
		if reason := cmp.Or(wholeRefusals[name], tabRefusals[name]); reason != "" {
			t.Errorf("%s %s", name, reason)
		}
	}
}
