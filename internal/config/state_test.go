package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMakeIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := (State{dir}).Make(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode().Perm(), err)
	}
}

func TestSocketPathIsShort(t *testing.T) {
	short := State{"/home/ada/.chela"}
	if got := short.Socket(); got != "/home/ada/.chela/chela.sock" {
		t.Errorf("got %s", got)
	}
	long := State{"/" + strings.Repeat("long/", 30)}
	other := State{"/" + strings.Repeat("long/", 31)}
	if got := long.Socket(); len(got) > maxSocketPath || got == other.Socket() || got != long.Socket() {
		t.Errorf("got %s, and %s for another directory", got, other.Socket())
	}
}

func TestOneLock(t *testing.T) {
	s := State{t.TempDir()}
	release, err := s.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if second, err := s.TryLock(); second != nil || err != nil {
		t.Errorf("a lock that is taken: %v, %v", second != nil, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Lock(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a second lock: got %v, want to wait until the context ends", err)
	}
	got := make(chan error)
	go func() {
		again, err := s.Lock(context.Background())
		if err == nil {
			again()
		}
		got <- err
	}()
	release()
	if err := <-got; err != nil {
		t.Errorf("after the release: %v", err)
	}
}

func TestServerFile(t *testing.T) {
	s := State{t.TempDir()}
	want := Server{PID: 12, Port: 18791, Version: "0.1"}
	if err := s.Announce(want); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Server(); got != want || err != nil {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}
