package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Lock takes the lock that a server holds for its life, so that there is one
// for a state directory. The system frees it when the process ends, however it
// ends.
func (s State) Lock(ctx context.Context) (release func(), err error) {
	return lock(ctx, filepath.Join(s.Dir, "lock"))
}

// LockStart takes the lock of the one process that may start a server.
func (s State) LockStart(ctx context.Context) (release func(), err error) {
	return lock(ctx, filepath.Join(s.Dir, "starting.lock"))
}

func lock(ctx context.Context, path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
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
		// The system cannot be told to stop waiting; whoever holds the lock ends
		// that, and then the lock must not stay ours.
		go func() {
			<-locked
			f.Close()
		}()
		return nil, context.Cause(ctx)
	}
}
