package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// LockedError says that another browser uses a user data directory. PID is that browser's process
// on Host, which may be another machine that shares the directory.
type LockedError struct {
	Dir  string
	Host string
	PID  int
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("user data directory %s is in use by process %d on %s", e.Dir, e.PID, e.Host)
}

// singletonLock is Chromium's mark on a directory that it uses: a symbolic link to HOST-PID. Two
// further links, SingletonSocket and SingletonCookie, lead to a temporary directory with Chromium's
// socket.
//
// The target HOST-PID does not exist. But making a link fails if its name is taken, so the link is
// a lock. A second Chromium that finds the mark sends its command line through the socket to the
// first, which opens a window. The second one then exits with status 0. If the first does not
// answer, or is on another host, the second exits with an error. To chela, both would look like a
// browser that does not start, so claim looks at the mark first.
const singletonLock = "SingletonLock"

var singletonFiles = []string{"SingletonSocket", "SingletonCookie", singletonLock}

// claim makes sure that no browser uses dir, and removes the mark (singletonLock) of a dead one.
// The error is a [*LockedError], or comes from the file system.
//
// Whether the process of a mark runs can only be seen on this host. The mark of another host is an
// error, unless the caller holds the lock on dir. In that case an earlier holder of the lock
// started the browser, and the browser has ended with that holder. The other host may be this one
// under its earlier name: a restarted container has a new name.
//
// Two callers at the same time could both find the mark of a dead browser. The slower one could
// then remove the new mark that the other's browser has made. A lock on dir prevents that.
func claim(dir string, lockHeld bool) error {
	host, pid, err := holder(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	uses := !lockHeld
	if isThisHost(host) {
		uses, _ = usesProfile(pid, dir)
	}
	if uses {
		return &LockedError{Dir: dir, Host: host, PID: pid}
	}
	return removeMark(dir)
}

func isThisHost(host string) bool {
	here, err := os.Hostname()
	return err == nil && host == here
}

// Holder returns a [*LockedError] if a browser on this host uses a user data directory, and changes
// nothing. Other errors come from the file system.
func Holder(dir string) error {
	host, pid, err := holder(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if uses, _ := usesProfile(pid, dir); uses && isThisHost(host) {
		return &LockedError{Dir: dir, Host: host, PID: pid}
	}
	return nil
}

// EndHolder ends the browser that uses a user data directory, if there is one, and returns its
// process id. Somebody else may have started it, or a chela that was killed may have left it. The
// browser is ended only if its command line proves that it uses the directory. Otherwise the error
// is a [*LockedError], and nothing is ended. Other errors come from the file system and from ending
// the process.
//
// The caller must hold the lock without which nobody starts a browser on the directory. So a mark
// of another host is an old one, see claim.
func EndHolder(ctx context.Context, dir string) (ended int, err error) {
	host, pid, err := holder(dir)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil || !isThisHost(host) {
		return 0, err
	}
	// The process is opened before its command line is checked. On Linux the handle stays with that
	// process, even if its id is used again before the signal.
	process, err := os.FindProcess(pid)
	if err != nil {
		return 0, err
	}
	defer process.Release()
	uses, certain := usesProfile(pid, dir)
	switch {
	case uses && !certain:
		return 0, &LockedError{Dir: dir, Host: host, PID: pid}
	case !uses:
		return 0, nil
	}
	return pid, endOther(ctx, process)
}

// unlock removes the mark (singletonLock) on dir if it belongs to pid: a killed browser leaves it.
// A mark that stayed could block a later start, for example if the host has got another name
// meanwhile.
func unlock(dir string, pid int) {
	if _, by, err := holder(dir); err == nil && by == pid {
		removeMark(dir)
	}
}

// holder returns the host and process id in the mark (singletonLock) on dir. The error is
// [os.ErrNotExist] if there is none. A host name may have dashes, so the process id is what follows
// the last dash.
func holder(dir string) (host string, pid int, err error) {
	mark, err := os.Readlink(filepath.Join(dir, singletonLock))
	if err != nil {
		return "", 0, err
	}
	dash := strings.LastIndexByte(mark, '-')
	pid, err = strconv.Atoi(mark[dash+1:])
	if dash < 0 || err != nil || pid <= 0 {
		return "", 0, fmt.Errorf("%s in %s names no process: %q", singletonLock, dir, mark)
	}
	return mark[:dash], pid, nil
}

// removeMark removes the files of the mark, and singletonLock last. If it is interrupted, the next
// start finds the mark and removes the rest.
func removeMark(dir string) error {
	if socket, err := os.Readlink(filepath.Join(dir, "SingletonSocket")); err == nil {
		removeSocket(socket)
	}
	for _, name := range singletonFiles {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// removeSocket removes the temporary directory of the socket. It does so only if the directory has
// one of Chromium's names and nothing else is in it.
func removeSocket(socket string) {
	dir := filepath.Dir(socket)
	name := strings.TrimPrefix(filepath.Base(dir), ".")
	if !strings.HasPrefix(name, "org.chromium.") && !strings.HasPrefix(name, "com.google.Chrome.") {
		return
	}
	os.Remove(socket)
	os.Remove(filepath.Join(dir, "SingletonCookie"))
	os.Remove(dir)
}
