package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"chela/internal/base/config"
	"chela/internal/wall/secret"
)

// The files of the state directory.
const (
	indexFile  = "secrets.json" // names and places, without values
	sealedFile = "secrets.age"  // values, encrypted, if they are not kept in the keyring
	keyFile    = "secrets.key"  // the key that decrypts sealedFile
	logFile    = "secrets.log"  // when each secret was used, see Use
)

// An index says which secrets are in the store.
type index struct {
	Version int             `json:"version"` // see [config.StateVersion]
	Store   Kind            `json:"store"`
	ID      string          `json:"id"` // a part of the name in the keyring that distinguishes these secrets from those of other state directories
	Secrets map[string]item `json:"secrets"`
}

// An item is a secret in the index.
type item struct {
	For  []secret.Place `json:"for"`
	TOTP bool           `json:"totp,omitempty"`
	Ask  Ask            `json:"ask"`
	Key  string         `json:"key"` // the key of its value in the store
}

func (i item) entry(name string, store Kind) Entry {
	return Entry{Name: name, For: i.For, TOTP: i.TOTP, Ask: i.Ask, From: string(store)}
}

// index reads the index. A missing one is empty. The error is a [*config.NewerError] or an
// [*IndexError].
func (v *Vault) index() (x index, err error) {
	file := v.state.SecretFile(indexFile)
	raw, err := config.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return index{Secrets: map[string]item{}}, nil
	}
	if err != nil {
		return index{}, &IndexError{file, err}
	}
	err = json.Unmarshal(raw, &x)
	switch {
	case err != nil:
	case x.Secrets == nil:
		err = errors.New("it has no secrets")
	case len(x.Secrets) > 0 && x.Store != Keyring && x.Store != File:
		err = fmt.Errorf("it has no store %q", x.Store)
	}
	if newer := config.CheckVersion(file, x.Version); newer != nil {
		return index{}, newer
	}
	if err != nil {
		return index{}, &IndexError{file, err}
	}
	return x, nil
}

// writeIndex replaces the index.
func (v *Vault) writeIndex(x index) error {
	x.Version = config.StateVersion
	raw, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return err
	}
	return v.state.WriteSecretFile(indexFile, append(raw, '\n'))
}
