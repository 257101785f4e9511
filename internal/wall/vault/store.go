package vault

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"
)

// A Kind is a kind of store.
type Kind string

// The kinds of stores.
const (
	Keyring Kind = "keyring" // the keyring of the system
	File    Kind = "file"    // an encrypted file, with its key in a second file
)

// words names the store in a sentence.
func (k Kind) words() string {
	if k == Keyring {
		return "the keyring"
	}
	return "the file"
}

// A store keeps the values of secrets, each under a key. Its errors are a
// [*StoreError], and for put the cause of ctx.
type store interface {
	put(ctx context.Context, values map[string]string) error // writes all values, or none of them
	get(key string) (string, error)
	remove(keys []string) error // keys without a value are no error
	// check returns why the store does not answer, or which of the secrets have no value. It may look
	// at the first of them only, by name.
	check(secrets map[string]item) error
}

// missing returns the error for secrets without values; nil if there are none.
func missing(kind Kind, names []string) error {
	if len(names) == 0 {
		return nil
	}
	return &StoreError{kind, fmt.Errorf("%w: %s", ErrMissing, strings.Join(names, ", "))}
}

// answerTime is how long a keyring may take to answer.
const answerTime = 2 * time.Second

// store returns the store that the index names.
func (v *Vault) store(x index) store {
	if x.Store == Keyring {
		return &keyringStore{v.keyring, serviceName + " " + x.ID}
	}
	return &fileStore{v.state}
}

// choose sets the store of an index that has no secrets yet. This is the wanted store. If wanted is
// "", it is the keyring if the keyring answers, and otherwise the file. All later secrets are kept
// in the same store. The error is a [*KindError] or a [*StoreError].
func (v *Vault) choose(x *index, wanted Kind) error {
	if len(x.Secrets) > 0 {
		if wanted != "" && wanted != x.Store {
			return &KindError{x.Store, wanted}
		}
		return nil
	}
	x.Store, x.ID = wanted, rand.Text()[:8]
	if wanted == "" {
		x.Store = Keyring
		if v.store(*x).check(nil) != nil {
			x.Store = File
		}
	}
	return v.store(*x).check(nil)
}
