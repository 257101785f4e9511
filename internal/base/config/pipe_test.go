//go:build unix

package config

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"chela/internal/base/regular"
)

// If a pipe has got to the path of a file, no function waits for the other end of the pipe.
func TestPipeIsNoFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() error{
		"ReadFile":   func() error { _, err := ReadFile(pipe); return err },
		"Append":     func() error { return Append(pipe, []byte("text")) },
		"AppendLine": func() error { return AppendLine(pipe, []byte("text")) },
		"tryLock":    func() error { _, err := tryLock(pipe); return err },
	} {
		err := open()
		if !errors.Is(err, regular.ErrOther) && !errors.Is(err, syscall.ENXIO) { // ENXIO: it would have waited for a reader
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := ReplaceFile(pipe, []byte("text"), PastKill); err != nil {
		t.Error(err)
	}
	if text, err := ReadFile(pipe); string(text) != "text" {
		t.Errorf("after it was replaced: %q, %v", text, err)
	}
}
