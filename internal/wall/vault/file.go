package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"filippo.io/age"

	"chela/internal/base/config"
)

// A fileStore keeps values in a file that is encrypted with a key in another file. Somebody who
// gets only one of the files, such as in a backup, cannot read the values, and searches for
// passwords do not find them. The user's own programs can read both files, and so the values.
type fileStore struct{ state config.State }

// A content is the text of the file before it is encrypted.
type content struct {
	Version int               `json:"version"` // see [config.StateVersion]
	Values  map[string]string `json:"values"`
}

var errKeyGone = errors.New("its key is gone: without that, nobody can read it")

func (s *fileStore) put(_ context.Context, values map[string]string) error {
	return s.change(func(kept map[string]string) { maps.Copy(kept, values) })
}

func (s *fileStore) get(key string) (string, error) {
	kept, _, err := s.open()
	if err != nil {
		return "", &StoreError{File, err}
	}
	value, ok := kept[key]
	if !ok {
		return "", &StoreError{File, ErrMissing}
	}
	return value, nil
}

func (s *fileStore) remove(keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	return s.change(func(kept map[string]string) {
		for _, key := range keys {
			delete(kept, key)
		}
	})
}

func (s *fileStore) check(secrets map[string]item) error {
	kept, _, err := s.open()
	if err != nil {
		return &StoreError{File, err}
	}
	var gone []string
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		if _, ok := kept[secrets[name].Key]; !ok {
			gone = append(gone, name)
		}
	}
	return missing(File, gone)
}

// change reads the values, lets the function change them, and replaces the file.
func (s *fileStore) change(change func(kept map[string]string)) error {
	kept, key, err := s.open()
	if err == nil && key == nil {
		key, err = s.newKey()
	}
	if err == nil {
		change(kept)
		err = s.write(kept, key)
	}
	if err != nil {
		return &StoreError{File, err}
	}
	return nil
}

// open returns the values in the file, and its key; the key is nil if there is neither yet.
func (s *fileStore) open() (map[string]string, *age.X25519Identity, error) {
	sealed, err := config.ReadFile(s.state.SecretFile(sealedFile))
	none := errors.Is(err, fs.ErrNotExist)
	if err != nil && !none {
		return nil, nil, err
	}
	key, err := s.key()
	if none {
		return map[string]string{}, key, err
	}
	if err == nil && key == nil {
		err = errKeyGone
	}
	if err != nil {
		return nil, nil, err
	}
	plain, err := age.Decrypt(bytes.NewReader(sealed), key)
	if err != nil {
		return nil, nil, err
	}
	var c content
	if err := json.NewDecoder(plain).Decode(&c); err != nil {
		return nil, nil, err
	}
	// Read the rest: package age notices only at the end of the data that it was cut off, and the
	// decoder stops before the end.
	if _, err := io.Copy(io.Discard, plain); err != nil {
		return nil, nil, err
	}
	if err := config.CheckVersion(s.state.SecretFile(sealedFile), c.Version); err != nil {
		return nil, nil, err
	}
	if c.Values == nil {
		c.Values = map[string]string{}
	}
	return c.Values, key, nil
}

// key reads the key; nil if there is none.
func (s *fileStore) key() (*age.X25519Identity, error) {
	raw, err := config.ReadPrivate(s.state.SecretFile(keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := age.ParseIdentities(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.state.SecretFile(keyFile), err)
	}
	key, ok := all[0].(*age.X25519Identity)
	if !ok {
		return nil, fmt.Errorf("%s has a key of another kind", s.state.SecretFile(keyFile))
	}
	return key, nil
}

// newKey makes the key.
func (s *fileStore) newKey() (*age.X25519Identity, error) {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	return key, s.state.WriteSecretFile(keyFile, []byte(key.String()+"\n"))
}

// write encrypts the values into the file.
func (s *fileStore) write(values map[string]string, key *age.X25519Identity) error {
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, key.Recipient())
	if err != nil {
		return err
	}
	if err := json.NewEncoder(w).Encode(content{config.StateVersion, values}); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return s.state.WriteSecretFile(sealedFile, sealed.Bytes())
}
