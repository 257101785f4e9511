package vault

import (
	"errors"
	"fmt"
)

var (
	// ErrUnknown says that there is no secret with the given name. It is in a [*NameError].
	ErrUnknown = errors.New("there is no such secret")
	// ErrConfigured says that the configuration has this secret, so it can be changed only there.
	// It is in a [*NameError].
	ErrConfigured = errors.New("browser.secrets of the configuration has it")
	// ErrNoAnswer says that the keyring has not answered in time.
	ErrNoAnswer = fmt.Errorf("it did not answer within %s; it may be locked", answerTime)
	// ErrMissing says that the store lacks the value of a secret that the index lists.
	ErrMissing = errors.New("it does not have the value any more")
)

// A NameError is ErrUnknown or ErrConfigured together with the name of the secret.
type NameError struct {
	Name string
	Err  error
}

func (e *NameError) Error() string { return fmt.Sprintf("secret %s: %v", e.Name, e.Err) }

// Unwrap returns ErrUnknown or ErrConfigured.
func (e *NameError) Unwrap() error { return e.Err }

// An EntryError says what is wrong with a secret, or with the call that sets it.
type EntryError struct {
	Name string
	Err  error
}

func (e *EntryError) Error() string { return fmt.Sprintf("secret %s: %v", e.Name, e.Err) }

// Unwrap returns what is wrong.
func (e *EntryError) Unwrap() error { return e.Err }

// A StoreError says that the store has failed. No other store is used instead.
type StoreError struct {
	Kind Kind
	Err  error
}

func (e *StoreError) Error() string {
	return fmt.Sprintf("%s of the secrets: %v", e.Kind.words(), e.Err)
}

// Unwrap returns the error of the keyring, of the file system or of package age.
func (e *StoreError) Unwrap() error { return e.Err }

// An IndexError says that the index of secrets is damaged, or cannot be read.
type IndexError struct {
	File string
	Err  error
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("the index of secrets cannot be read: %s: %v", e.File, e.Err)
}

// Unwrap returns what is wrong with the file, or the error of the file system.
func (e *IndexError) Unwrap() error { return e.Err }

// A KindError says that the secrets are already kept in another store than the one wanted.
type KindError struct{ Used, Wanted Kind }

func (e *KindError) Error() string {
	return fmt.Sprintf("the secrets are kept in %s, and not in %s", e.Used.words(), e.Wanted.words())
}

// A SourceError says that the value of a secret of the configuration cannot be read.
type SourceError struct {
	Name, From string
	Err        error
}

func (e *SourceError) Error() string {
	return fmt.Sprintf("secret %s: %s: %v", e.Name, e.From, e.Err)
}

// Unwrap returns why it cannot be read.
func (e *SourceError) Unwrap() error { return e.Err }
