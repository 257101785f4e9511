package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestVersionReport(t *testing.T) {
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "chromium")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho 'Chromium 156.0.8078.108 built on Debian'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		built time.Time
		want  string
	}{
		{"new", now.AddDate(0, 0, -44), "browser: custom 156.0.8078.108 of 2026-10-13, " + path + "\n"},
		{"old", now.AddDate(0, 0, -46), "browser: custom 156.0.8078.108 of 2026-10-11, " + path + "\ntry: update the browser"},
		{"of unknown age", time.Unix(1, 0), "browser: custom 156.0.8078.108, " + path + "\n"},
	} {
		if err := os.Chtimes(path, test.built, test.built); err != nil {
			t.Fatal(err)
		}
		p := &Program{Version: "1.2.3", Build: Build{Commit: "0123", Time: "2026-11-20T10:00:00Z", Modified: true}}
		if got := p.version(t.Context(), path, now).text(); !strings.HasPrefix(got, "chela 1.2.3\ncommit:  0123 of 2026-11-20T10:00:00Z, with changes\ngo:      1.") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s", test.name, got)
		}
	}
	p := &Program{Version: "devel"}
	if r := p.version(t.Context(), "/gone", now); r.Browser != nil || !strings.HasSuffix(r.text(), "browser: browser.executablePath not found: /gone\ntry: chela install --path FILE; or, to have one looked for: chela config set browser.executablePath null\n") {
		t.Errorf("with a browser that is not there: %s", r.text())
	}
}
