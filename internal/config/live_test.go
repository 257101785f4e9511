package config

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server follows its file, but for what only a start can change, and is not
// disturbed by a file that is wrong.
func TestLive(t *testing.T) {
	noEnvironment(t)
	log := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(log) })
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	l, err := Open(Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if c := l.Current(); !c.Browser.EvaluateEnabled || c != l.Current() {
		t.Errorf("without a file: %+v", c)
	}
	for _, step := range []struct {
		text     string
		evaluate bool
		warning  string
	}{
		{`{browser: {evaluateEnabled: false}, gateway: {port: 20000}}`, false, "when the server is started again"},
		{`{browser: {evaluateEnabled: true}}`, true, ""},
		{`{browser: {evaluateEnabled: 12}}`, true, "before it was changed is in force"},
		{`{browser: {evaluateEnabled: true}}`, true, ""},
		{`{browser: {evaluateEnabled: false}}`, false, ""},
	} {
		write(t, file, step.text)
		c := l.Current()
		if got := strings.Join(c.Warnings, " "); c.Browser.EvaluateEnabled != step.evaluate || !strings.Contains(got, step.warning) || step.warning == "" && got != "" {
			t.Errorf("%s: evaluate %v, warnings %q", step.text, c.Browser.EvaluateEnabled, got)
		}
		if c.Port != 18791 || c.Gateway.Port != 18789 {
			t.Errorf("%s: the port has changed to %d", step.text, c.Port)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if c := l.Current(); !c.Browser.EvaluateEnabled {
		t.Error("the file was removed, but is in force")
	}
	write(t, filepath.Join(dir, "openclaw.json"), `{"browser": {"evaluateEnabled": false}}`)
	if c := l.Current(); c.Browser.EvaluateEnabled {
		t.Error("OpenClaw's file has come, and has no effect")
	}
}
