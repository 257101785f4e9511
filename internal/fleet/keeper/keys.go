package keeper

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"filippo.io/age"

	"chela/internal/base/config"
)

// A KeyError says why the file of keys cannot be used.
type KeyError struct {
	File string // "" if fleet.keyFile is not set
	Err  error
}

func (e *KeyError) Error() string {
	if e.File == "" {
		return "fleet.keyFile is not set"
	}
	return fmt.Sprintf("fleet.keyFile is %s: %v", e.File, e.Err)
}

// Unwrap returns the error of the file system or of package age.
func (e *KeyError) Unwrap() error { return e.Err }

// errOpenToOthers says that other users can read the file of keys.
var errOpenToOthers = errors.New("other users can read it: its mode must be 0600")

// keys are the keys with which profiles are encrypted. Each can decrypt, and the first one also
// encrypts.
type keys []age.Identity

// readKeys reads the keys from a file in the format of age-keygen. The error is a [*KeyError].
func readKeys(file string) (keys, error) {
	if file == "" {
		return nil, &KeyError{}
	}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &KeyError{file, errors.New("there is no such file")}
	}
	if err != nil {
		return nil, &KeyError{file, err}
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, &KeyError{file, err}
	case !config.IsPrivate(info):
		return nil, &KeyError{file, errOpenToOthers}
	}
	all, err := age.ParseIdentities(f)
	if err != nil {
		return nil, &KeyError{file, err}
	}
	if _, err := recipientOf(all[0]); err != nil {
		return nil, &KeyError{file, err}
	}
	return all, nil
}

// NewKey writes a new key into a new file, as age-keygen does. It returns the public part. The
// error comes from the file system, for example because the file exists already.
func NewKey(file string) (public string, err error) {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	public = key.Recipient().String()
	_, err = fmt.Fprintf(f, "# public key: %s\n%s\n", public, key)
	return public, errors.Join(err, f.Close())
}

// recipientOf returns the public half of a key, which encrypts.
func recipientOf(key age.Identity) (age.Recipient, error) {
	switch key := key.(type) {
	case *age.X25519Identity:
		return key.Recipient(), nil
	case *age.HybridIdentity:
		return key.Recipient(), nil
	}
	return nil, errors.New("its first key is of a kind that cannot encrypt")
}

// seal encrypts a text with the first key.
func (k keys) seal(plain []byte) ([]byte, error) {
	to, err := recipientOf(k[0])
	if err != nil {
		return nil, err
	}
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, to)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err = w.Close() // writes the last chunk of the encrypted text
	return sealed.Bytes(), err
}

// open begins to decrypt the content of a profile with the key that fits. The beginning of the
// encrypted text is enough to find that key. The error is a [*SealedError] if no key fits.
func (k keys) open(profile string, sealed []byte) (plain io.Reader, err error) {
	plain, err = age.Decrypt(bytes.NewReader(sealed), k...)
	if _, ok := errors.AsType[*age.NoIdentityMatchError](err); ok {
		return nil, &SealedError{profile}
	}
	if err != nil {
		return nil, fmt.Errorf("decrypt profile %s: %w", profile, err)
	}
	return plain, nil
}
