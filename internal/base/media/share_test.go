package media

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// A copy has a name of its own. Old copies are removed, but no files of others.
func TestShare(t *testing.T) {
	media := t.TempDir()
	old, err := Share(media, "/x/SHOT.png", []byte("old"))
	if err != nil {
		t.Fatal(err)
	}
	chat := filepath.Join(media, "outbound", "of-a-chat.png")
	if err := os.WriteFile(chat, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * fetchedBounds.MaxAge)
	for _, path := range []string{old, chat} {
		os.Chtimes(path, long, long)
	}
	path, err := Share(media, "/x/SHOT.png", []byte("new"))
	if err != nil || !regexp.MustCompile(`/outbound/chela---[0-9a-f-]{36}\.png$`).MatchString(filepath.ToSlash(path)) {
		t.Errorf("got %s, %v", path, err)
	}
	if content, err := os.ReadFile(path); string(content) != "new" || err != nil {
		t.Errorf("got %q, %v", content, err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("an old copy is kept")
	}
	if _, err := os.Stat(chat); err != nil {
		t.Error(err)
	}
}
