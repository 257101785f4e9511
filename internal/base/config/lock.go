package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"chela/internal/base/regular"
)

// TryLock takes the lock that a server holds while it runs, so that there is one server
// for a state directory. It does not wait: release is nil if another process has the lock.
// The system releases it when the process ends, even when it is killed. The file stays when
// the lock is released: removing it would let two processes lock two files of the same
// name.
func (s State) TryLock() (release func(), err error) { return tryLock(s.lockFile()) }

// IsLocked reports whether a process has the lock of [State.TryLock].
func (s State) IsLocked() bool {
	release, err := s.TryLock()
	if release != nil {
		release()
	}
	return release == nil && err == nil
}

// Lock takes the lock of [State.TryLock]. It waits until the lock is free or ctx ends.
func (s State) Lock(ctx context.Context) (release func(), err error) {
	return lock(ctx, s.lockFile())
}

func (s State) lockFile() string { return filepath.Join(s.Dir, "lock") }

// LockStart takes the lock that a process holds while it starts a server, so that only one of
// several processes starts it. It waits until the lock is free or ctx ends.
func (s State) LockStart(ctx context.Context) (release func(), err error) {
	return lock(ctx, filepath.Join(s.Dir, "starting.lock"))
}

// tryLock locks a file, which it creates if need be, unless another process has locked it:
// then release is nil.
func tryLock(path string) (release func(), err error) {
	f, err := openLock(path)
	if err != nil {
		return nil, err
	}
	if ok, err := tryLockFile(f); !ok {
		return nil, errors.Join(err, f.Close())
	}
	return func() { f.Close() }, nil
}

// lock locks a file, which it creates if need be. The error is the cause of ctx, or one of the file
// system.
func lock(ctx context.Context, path string) (release func(), err error) {
	f, err := openLock(path)
	if err != nil {
		return nil, err
	}
	locked := make(chan error, 1)
	go func() { locked <- lockFile(f) }()
	select {
	case err := <-locked:
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return func() { f.Close() }, nil
	case <-ctx.Done():
		// flock cannot be interrupted. It returns when the other process releases the lock, and
		// this process must then release the lock at once.
		go func() {
			<-locked
			f.Close()
		}()
		return nil, context.Cause(ctx)
	}
}

func openLock(path string) (*os.File, error) {
	return regular.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
