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
	long := State{filepath.Join(t.TempDir(), strings.Repeat("long/", 30))}
	if got := long.Socket(); len(got) > maxSocketPath || long.Trust() != nil {
		t.Errorf("before it is made: %s, %v", got, long.Trust())
	}
	if _, err := os.Stat(long.Socket()); err == nil {
		t.Errorf("there is a %s", long.Socket())
	}
	if err := long.Make(); err != nil {
		t.Fatal(err)
	}
	made := long.Socket()
	defer os.RemoveAll(filepath.Dir(made))
	if err := long.Make(); err != nil || long.Socket() != made || len(made) > maxSocketPath || long.Trust() != nil {
		t.Errorf("got %s, then %s, %v", made, long.Socket(), err)
	}
	if os.Getuid() != 0 {
		return // only root can give a directory away
	}
	if err := os.Chown(filepath.Dir(made), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if long.Socket() == made {
		t.Error("the socket is in a directory of another user")
	}
	if err := long.Make(); err != nil || long.Socket() == made {
		t.Errorf("a directory that another user has taken: %s, %v", long.Socket(), err)
	}
	os.RemoveAll(filepath.Dir(long.Socket()))
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
