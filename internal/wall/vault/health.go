package vault

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"chela/internal/base/config"
)

// A Health says which secrets the vault has, and what is wrong with it.
type Health struct {
	Store  Kind  // "": no secret was ever set
	Stored int   // how many secrets the store has
	Failed error // why the index or the store does not work, or which values are gone; nil: both work

	Configured int           // how many secrets the configuration has
	Wrong      []*EntryError // the secrets of the configuration that cannot be used, by name
	Open       []string      // files of the vault that other users can read
}

// Health looks at the index, the store and the files. It returns no value.
func (v *Vault) Health() Health {
	v.mu.Lock()
	defer v.mu.Unlock()
	h := Health{Open: v.openFiles()}
	sources := v.configured()
	h.Configured = len(sources)
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		_, err := entryOf(name, sources[name])
		if wrong, ok := errors.AsType[*EntryError](err); ok {
			h.Wrong = append(h.Wrong, wrong)
		}
	}
	x, err := v.index()
	if err != nil {
		h.Failed = err
		return h
	}
	h.Store, h.Stored = x.Store, len(x.Secrets)
	if h.Stored > 0 || h.Store == File { // a file that cannot be read takes no secrets
		h.Failed = v.store(x).check(x.Secrets)
	}
	return h
}

// openFiles lists the files of the vault that other users can read.
func (v *Vault) openFiles() (open []string) {
	for _, name := range []string{indexFile, sealedFile, keyFile, logFile} {
		info, err := os.Stat(v.state.SecretFile(name))
		if err == nil && !config.IsPrivate(info) {
			open = append(open, v.state.SecretFile(name))
		}
	}
	return open
}

// CloseFiles makes the files of the vault unreadable for other users, who may have read them
// before.
func (v *Vault) CloseFiles() (err error) {
	for _, file := range v.openFiles() {
		if failed := os.Chmod(file, 0o600); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
