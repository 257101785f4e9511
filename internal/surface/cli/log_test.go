package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log whose file cannot be renamed goes on in that file. When the file can be renamed, a new one is
// begun.
func TestLogThatCannotBeRotated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "server.log")
	inTheWay := filepath.Join(path+".old", "file")
	if err := os.MkdirAll(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	log, err := openBoundedLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	write := func(entry string) {
		t.Helper()
		if _, err := log.Write([]byte(entry + "\n")); err != nil {
			t.Errorf("%.20s: %v", entry, err)
		}
	}
	has := func(file, entry string) {
		t.Helper()
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), entry) {
			t.Errorf("%s has no %q: %v", filepath.Base(file), entry, err)
		}
	}
	write(strings.Repeat("x", maxLog))
	write("second")
	write("third")
	has(path, "second\nthird\n")
	if err := os.RemoveAll(path + ".old"); err != nil {
		t.Fatal(err)
	}
	write("fourth")
	has(path+".old", "third\n")
	if text, err := os.ReadFile(path); err != nil || string(text) != "fourth\n" {
		t.Errorf("the new file has %.40q, %v", text, err)
	}
}
