package natsline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrNoObjects means that NATS keeps no files: it runs without JetStream, or does not let this
// machine use it.
var ErrNoObjects = errors.New("NATS keeps no files, as it has no JetStream")

// Limits of the object store. A file is removed when the other machine has fetched it, and after
// objectLife at the latest. All files together may have maxObjects bytes. A request to JetStream may
// take askTime.
const (
	objectLife = 15 * time.Minute
	maxObjects = 4 << 30
	askTime    = 5 * time.Second
)

// objects returns the NATS object store of the tenant, and makes it if need be. It asks NATS each
// time: NATS may have been started again without the store, and a file can be sent only once.
func (l *Line) objects(ctx context.Context) (jetstream.ObjectStore, error) {
	js, err := jetstream.New(l.conn)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	bucket := "chela-" + l.tenant
	store, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: bucket, TTL: objectLife, MaxBytes: maxObjects, Description: "files on their way between machines with chela",
	})
	if isNoJetStream(err) {
		return nil, ErrNoObjects
	}
	if err != nil {
		return nil, fmt.Errorf("open the object store %s: %w", bucket, err)
	}
	return store, nil
}

// KeepsFiles returns why NATS keeps no files; nil if it does.
func (l *Line) KeepsFiles(ctx context.Context) error {
	_, err := l.objects(ctx)
	return err
}

// Put implements [wire.Objects].
func (l *Line) Put(ctx context.Context, name string, content io.Reader) error {
	store, err := l.objects(ctx)
	if err != nil {
		return err
	}
	_, err = store.Put(ctx, jetstream.ObjectMeta{Name: name}, content)
	return err
}

// Get implements [wire.Objects].
func (l *Line) Get(ctx context.Context, name string, content io.Writer) error {
	store, err := l.objects(ctx)
	if err != nil {
		return err
	}
	object, err := store.Get(ctx, name)
	if err != nil {
		return err
	}
	defer object.Close()
	if _, err = io.Copy(content, object); err != nil {
		return err
	}
	store.Delete(ctx, name) // if this fails, NATS removes the file after objectLife
	return nil
}
