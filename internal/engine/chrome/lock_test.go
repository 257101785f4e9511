package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// marked makes a user data directory with the mark that a killed browser leaves.
func marked(t *testing.T, mark string) (dir, socketDir string) {
	t.Helper()
	dir = t.TempDir()
	socketDir = filepath.Join(t.TempDir(), "org.chromium.Chromium.abc123")
	if err := os.Mkdir(socketDir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		filepath.Join(dir, singletonLock):           mark,
		filepath.Join(dir, "SingletonCookie"):       "1234",
		filepath.Join(dir, "SingletonSocket"):       filepath.Join(socketDir, "SingletonSocket"),
		filepath.Join(socketDir, "SingletonCookie"): "1234",
		filepath.Join(socketDir, "SingletonSocket"): "stands for a socket",
	} {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	return dir, socketDir
}

// waiting starts a shell that waits until the test ends, with these words on its command line. It
// returns when the shell runs: exec.Cmd.Start returns a moment earlier, while Linux still shows an
// empty command line.
func waiting(t *testing.T, words ...string) (pid int) {
	t.Helper()
	return running(t, "echo runs; read line", words...)
}

// running does what waiting does, with a script that says when it runs.
func running(t *testing.T, script string, words ...string) (pid int) {
	t.Helper()
	cmd := exec.Command("/bin/sh", append([]string{"-c", script}, words...)...)
	if _, err := cmd.StdinPipe(); err != nil { // nothing is ever written to the pipe
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// ended returns the id of a process that has ended.
func ended(t *testing.T) (pid int) {
	t.Helper()
	cmd := exec.Command("/bin/true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func TestClaim(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dead := ended(t)
	for _, test := range []struct {
		name string
		mark func(dir string) string
		free bool // the folder is free for a caller that holds no lock
		held bool // the folder is free for a caller that holds the lock
	}{
		{"of a dead process", func(string) string { return fmt.Sprintf("%s-%d", host, dead) }, true, true},
		{"of an id that is used again", func(string) string { return fmt.Sprintf("%s-%d", host, waiting(t)) }, true, true},
		{"of an id that is another browser's", func(dir string) string {
			return fmt.Sprintf("%s-%d", host, waiting(t, "chromium", "--user-data-dir="+dir+"-other"))
		}, true, true},
		{"of a process that only names the directory", func(dir string) string {
			return fmt.Sprintf("%s-%d", host, waiting(t, "ls", dir))
		}, true, true},
		{"of a living browser", func(dir string) string { return fmt.Sprintf("%s-%d", host, waiting(t, "--user-data-dir="+dir)) }, false, false},
		{"of a living browser, by another path", func(dir string) string {
			return fmt.Sprintf("%s-%d", host, waiting(t, "--user-data-dir="+filepath.Dir(dir)+"/./"+filepath.Base(dir)+"/"))
		}, false, false},
		{"of another host", func(string) string { return fmt.Sprintf("not-%s-%d", host, dead) }, false, true},
		{"that says nothing", func(string) string { return "?" }, false, false},
	} {
		for lockHeld, free := range map[bool]bool{false: test.free, true: test.held} {
			t.Run(fmt.Sprintf("%s, lock held %v", test.name, lockHeld), func(t *testing.T) {
				dir, socketDir := marked(t, "to be replaced")
				os.Remove(filepath.Join(dir, singletonLock))
				if err := os.Symlink(test.mark(dir), filepath.Join(dir, singletonLock)); err != nil {
					t.Fatal(err)
				}
				if err := claim(dir, lockHeld); (err == nil) != free {
					t.Fatalf("claim = %v, want free: %v", err, free)
				}
				left, err := os.ReadDir(dir)
				_, socketErr := os.Stat(socketDir)
				if err != nil || (len(left) == 0) != free || errors.Is(socketErr, os.ErrNotExist) != free {
					t.Errorf("left: %v %v, socket: %v", left, err, socketErr)
				}
			})
		}
	}
}

func TestClaimNamesTheHolder(t *testing.T) {
	dir, _ := marked(t, "far-away-host-77")
	var locked *LockedError
	if err := claim(dir, false); !errors.As(err, &locked) || *locked != (LockedError{Dir: dir, Host: "far-away-host", PID: 77}) {
		t.Errorf("claim = %#v", err)
	}
}

func TestOnlyTheOwnMarkIsRemoved(t *testing.T) {
	dir, _ := marked(t, "host-77")
	unlock(dir, 78)
	if _, _, err := holder(dir); err != nil {
		t.Errorf("the mark of another process went: %v", err)
	}
	unlock(dir, 77)
	if _, _, err := holder(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the own mark is left: %v", err)
	}
}

func TestSocketElsewhereIsLeft(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "SingletonSocket")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	removeSocket(file)
	if _, err := os.Stat(file); err != nil {
		t.Errorf("a file in %s went: %v", dir, err)
	}
}

// Only a process that certainly uses the directory is ended.
func TestEndHolder(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	mark := func(host string, pid int) string { return fmt.Sprintf("%s-%d", host, pid) }
	for _, test := range []struct {
		name  string
		words []string // command line of the process that the mark names; nil: none lives
		host  string
		ends  bool // command line of the process that the mark names; nil: that process has ended
	}{
		{"no process", nil, host, false},
		{"a process that uses it", []string{"--user-data-dir=DIR"}, host, true},
		{"a process that uses another directory", []string{"--user-data-dir=DIR-other"}, host, false},
		{"a process that only names it", []string{"ls", "DIR"}, host, false},
		{"one of another host", []string{"--user-data-dir=DIR"}, "far-" + host, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, _ := marked(t, "to be replaced")
			pid := ended(t)
			var gone <-chan struct{}
			if test.words != nil {
				words := []string{}
				for _, w := range test.words {
					words = append(words, strings.ReplaceAll(w, "DIR", dir))
				}
				pid = waiting(t, words...)
				gone = reaped(pid)
			}
			os.Remove(filepath.Join(dir, singletonLock))
			if err := os.Symlink(mark(test.host, pid), filepath.Join(dir, singletonLock)); err != nil {
				t.Fatal(err)
			}
			got, err := EndHolder(t.Context(), dir)
			if err != nil || (got != 0) != test.ends || test.ends && got != pid {
				t.Fatalf("EndHolder = %d, %v; the process is %d", got, err, pid)
			}
			if test.ends {
				<-gone
			} else if p, _ := os.FindProcess(pid); test.words != nil && p.Signal(syscall.Signal(0)) != nil {
				t.Error("the process was ended")
			}
		})
	}
}

// A browser that does not exit is killed, even if it has no process group of its own.
func TestEndHolderThatDoesNotExit(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dir, _ := marked(t, "to be replaced")
	pid := running(t, "trap '' TERM; echo runs; read line", "--user-data-dir="+dir)
	reaped(pid)
	os.Remove(filepath.Join(dir, singletonLock))
	if err := os.Symlink(fmt.Sprintf("%s-%d", host, pid), filepath.Join(dir, singletonLock)); err != nil {
		t.Fatal(err)
	}
	hurried, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := EndHolder(hurried, dir); got != pid || err != nil {
		t.Errorf("EndHolder = %d, %v", got, err)
	}
	if uses, _ := usesProfile(pid, dir); uses {
		t.Error("the browser runs")
	}
}

// reaped waits for a child in the background, as the parent of a real browser does. Until somebody
// waits for it, an ended child still has its process id.
func reaped(pid int) <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		p, err := os.FindProcess(pid)
		if err == nil {
			p.Wait()
		}
	}()
	return gone
}

func TestNobodyHoldsIt(t *testing.T) {
	if pid, err := EndHolder(t.Context(), t.TempDir()); pid != 0 || err != nil {
		t.Errorf("EndHolder = %d, %v", pid, err)
	}
}
