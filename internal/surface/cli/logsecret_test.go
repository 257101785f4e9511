package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/base/config"
	"chela/internal/wall/secret"
)

// Secrets are masked in the log of the server, and each record is written at once.
func TestLogHasNoSecrets(t *testing.T) {
	secret.Know("log/password", "logged \"secret\" é")
	path := filepath.Join(t.TempDir(), "log")
	log, closeLog, err := (&Program{}).log(&config.Config{}, path)
	if err != nil {
		t.Fatal(err)
	}
	defer closeLog()
	log.With("by", "logged \"secret\" é").Warn("it is logged \"secret\" é")
	raw, err := os.ReadFile(path)
	if got := string(raw); err != nil || strings.Count(got, "«secret:log/password»") != 2 || strings.Contains(got, "logged") {
		t.Errorf("got %s, %v", got, err)
	}
}
