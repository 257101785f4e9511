package natsline

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"chela/internal/fleet/wire"
)

// A store is a NATS bucket (a key-value store) of a tenant. It is created when it is first needed.
type store struct {
	conn   *nats.Conn
	config jetstream.KeyValueConfig

	mu     sync.Mutex // guards the rest
	values jetstream.KeyValue
	stream jetstream.Stream // stream that holds the values
}

// Profiles returns the store of the profiles that may move between machines.
func (l *Line) Profiles() wire.Store {
	return &store{conn: l.conn, config: jetstream.KeyValueConfig{
		Bucket: "chela-" + l.tenant + "-profiles", Description: "profiles that may move between machines with chela", MaxBytes: maxObjects,
	}}
}

// Leases returns the store of leases. NATS removes a value that is not renewed within the given
// time. NATS keeps the store on disk. Otherwise all leases would be lost when NATS is restarted.
func (l *Line) Leases(life time.Duration) wire.Store {
	return &store{conn: l.conn, config: jetstream.KeyValueConfig{
		Bucket: "chela-" + l.tenant + "-leases", Description: "which machine with chela has which profile", TTL: life,
	}}
}

// open returns the bucket, and makes it if need be. It also sets s.stream.
func (s *store) open(ctx context.Context) (jetstream.KeyValue, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values != nil {
		return s.values, nil
	}
	js, err := jetstream.New(s.conn)
	if err != nil {
		return nil, err
	}
	values, err := js.CreateOrUpdateKeyValue(ctx, s.config)
	if err == nil {
		s.stream, err = js.Stream(ctx, "KV_"+s.config.Bucket)
	}
	switch {
	case isNoJetStream(err):
		return nil, wire.ErrNoStore
	case err != nil:
		return nil, fmt.Errorf("open the bucket %s: %w", s.config.Bucket, err)
	}
	s.values = values
	return values, nil
}

// within runs a command on the bucket, for askTime at most, because the connection may be down.
func (s *store) within(ctx context.Context, do func(context.Context, jetstream.KeyValue) error) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	values, err := s.open(ctx)
	if err != nil {
		return err
	}
	return do(ctx, values)
}

// Get implements [wire.Store].
func (s *store) Get(ctx context.Context, key string) (value []byte, revision uint64, err error) {
	err = s.within(ctx, func(ctx context.Context, values jetstream.KeyValue) error {
		entry, err := values.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return wire.ErrNoValue
		}
		if err == nil {
			value, revision = entry.Value(), entry.Revision()
		}
		return err
	})
	return value, revision, err
}

// Put implements [wire.Store].
func (s *store) Put(ctx context.Context, key string, value []byte, last uint64) (revision uint64, err error) {
	err = s.within(ctx, func(ctx context.Context, values jetstream.KeyValue) (err error) {
		revision, err = values.Update(ctx, key, value, last)
		if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return wire.ErrChanged
		}
		return err
	})
	return revision, err
}

// Drop implements [wire.Store]. The values are removed from the stream at once, and no markers are
// left in their place.
func (s *store) Drop(ctx context.Context, parts string) error {
	return s.within(ctx, func(ctx context.Context, values jetstream.KeyValue) error {
		subject := "$KV." + values.Bucket() + "." + parts
		return errors.Join(s.stream.Purge(ctx, jetstream.WithPurgeSubject(subject)), s.stream.Purge(ctx, jetstream.WithPurgeSubject(subject+".>")))
	})
}

// isNoJetStream reports whether an error says that there is no JetStream.
func isNoJetStream(err error) bool {
	return errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) || errors.Is(err, nats.ErrNoResponders)
}
