package extension

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"chela/internal/base/config"
)

// A Key is the shared secret of a server and the extension in one paired profile of a browser.
type Key struct {
	Version int `json:"version"` // version of the file's format, see [config.StateVersion]

	ID     string    `json:"id"`     // 16 hexadecimal digits, random
	Secret string    `json:"secret"` // 32 bytes, in hex
	Name   string    `json:"name"`   // name of the browser, as the extension reports it
	Paired time.Time `json:"paired"`

	Drove map[string]time.Time `json:"drove,omitempty"` // when each profile last began to drive the browser
}

func (k Key) secret() []byte {
	b, _ := hex.DecodeString(k.Secret)
	return b
}

// keys reads and writes the key files (ID.key) in the folder dir, which only the user can read. Writes
// may take long, since they wait for the disk: no mutex of the relay is held during one.
type keys struct {
	dir string

	changing sync.Mutex // held while a key is changed or removed, so that no change brings a removed key back
}

// get returns the key with an id; ok is false if there is none. A key file that others can read, or
// that a newer chela wrote, is ignored.
func (k *keys) get(id string) (key Key, ok bool) {
	if !isHex(id, 16) {
		return Key{}, false
	}
	raw, err := config.ReadPrivate(k.file(id))
	if err != nil {
		return Key{}, false
	}
	wrong := json.Unmarshal(raw, &key)
	if err := config.CheckVersion(k.file(id), key.Version); err != nil {
		slog.Warn("the pairing of a browser is ignored", "error", err)
		return Key{}, false
	}
	if wrong != nil || key.ID != id || !isHex(key.Secret, 64) {
		return Key{}, false
	}
	return key, true
}

// list returns all keys, sorted by their ids.
func (k *keys) list() (all []Key) {
	entries, _ := os.ReadDir(k.dir)
	for _, entry := range entries {
		id, isKey := strings.CutSuffix(entry.Name(), ".key")
		if key, ok := k.get(id); isKey && ok {
			all = append(all, key)
		}
	}
	return all
}

// add writes the file of a key.
func (k *keys) add(key Key) error {
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return err
	}
	key.Version = config.StateVersion
	raw, err := json.Marshal(key)
	if err != nil {
		return err
	}
	return config.ReplaceFile(k.file(key.ID), raw, config.PastPowerLoss)
}

// drove notes that a profile drives a browser from now on. It does nothing if the key was removed.
func (k *keys) drove(id, profile string) error {
	k.changing.Lock()
	defer k.changing.Unlock()
	key, ok := k.get(id)
	if !ok {
		return nil
	}
	if key.Drove == nil {
		key.Drove = map[string]time.Time{}
	}
	key.Drove[profile] = time.Now()
	return k.add(key)
}

// remove removes a key; it returns false if there is none.
func (k *keys) remove(id string) (bool, error) {
	if !isHex(id, 16) {
		return false, nil
	}
	k.changing.Lock()
	defer k.changing.Unlock()
	err := os.Remove(k.file(id))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (k *keys) file(id string) string { return filepath.Join(k.dir, id+".key") }
