package wire

import (
	"context"
	"errors"
)

var (
	// ErrNoStore means that NATS keeps no values: it runs without JetStream, or does not let this
	// machine use it.
	ErrNoStore = errors.New("NATS keeps no profiles, as it has no JetStream")

	// ErrNoValue means that a store has no value for a key.
	ErrNoValue = errors.New("there is no such value")

	// ErrChanged means that the value is not the one that was to be replaced.
	ErrChanged = errors.New("the value was changed by another")
)

// A Store keeps values by their keys, for all machines of a tenant. A key has parts with dots
// between them. Each write gives the value a new revision, which no earlier value of the key has had.
type Store interface {
	// Get returns a value and its revision. The error is [ErrNoValue] if there is none.
	Get(ctx context.Context, key string) (value []byte, revision uint64, err error)

	// Put stores a value in place of the one whose revision the parameter last gives; 0 means that
	// there is no value yet. The error is [ErrChanged] if the stored value has another revision.
	// After any other error, the value may have been stored or not.
	Put(ctx context.Context, key string, value []byte, last uint64) (revision uint64, err error)

	// Drop removes all values whose keys begin with these parts.
	Drop(ctx context.Context, parts string) error
}
