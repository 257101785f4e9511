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

// A store is a NATS bucket (a key-value store) of a tenant. It is made when it is first needed, and
// again when NATS has lost it. NATS loses it if it is started again without what it had on its disk.
type store struct {
	conn   *nats.Conn
	config jetstream.KeyValueConfig

	mu   sync.Mutex // guards the rest
	made *bucket    // nil: not needed yet
}

// A bucket is a key-value store, with the stream that holds its values.
type bucket struct {
	jetstream.KeyValue
	stream jetstream.Stream
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

// open returns the bucket, and makes it if need be. The bucket lost is one that NATS does not have
// any more; nil: none.
func (s *store) open(ctx context.Context, lost *bucket) (*bucket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made != lost {
		return s.made, nil
	}
	js, err := jetstream.New(s.conn)
	if err != nil {
		return nil, err
	}
	made := new(bucket)
	if made.KeyValue, err = js.CreateOrUpdateKeyValue(ctx, s.config); err == nil {
		made.stream, err = js.Stream(ctx, "KV_"+s.config.Bucket)
	}
	switch {
	case isNoJetStream(err):
		return nil, wire.ErrNoStore
	case err != nil:
		return nil, fmt.Errorf("open the bucket %s: %w", s.config.Bucket, err)
	}
	s.made = made
	return made, nil
}

// within runs a command on the bucket, for askTime at most, because the connection may be down. If
// NATS has lost the bucket, within makes it again, and repeats the command.
func (s *store) within(ctx context.Context, do func(context.Context, *bucket) error) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var lost *bucket
	for {
		b, err := s.open(ctx, lost)
		if err != nil {
			return err
		}
		if err = do(ctx, b); lost != nil || !isLost(err) {
			return err
		}
		lost = b
	}
}

// isLost reports whether an error says that NATS does not have a bucket any more.
func isLost(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound)
}

// Get implements [wire.Store].
func (s *store) Get(ctx context.Context, key string) (value []byte, revision uint64, err error) {
	err = s.within(ctx, func(ctx context.Context, values *bucket) error {
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
	err = s.within(ctx, func(ctx context.Context, values *bucket) (err error) {
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
	return s.within(ctx, func(ctx context.Context, values *bucket) error {
		subject := "$KV." + values.Bucket() + "." + parts
		return errors.Join(values.stream.Purge(ctx, jetstream.WithPurgeSubject(subject)), values.stream.Purge(ctx, jetstream.WithPurgeSubject(subject+".>")))
	})
}

// isNoJetStream reports whether an error says that there is no JetStream.
func isNoJetStream(err error) bool {
	return errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) || errors.Is(err, nats.ErrNoResponders)
}
