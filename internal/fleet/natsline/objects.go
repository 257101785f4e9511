package natsline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
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

// objects is the NATS object store of a tenant. It is created when it is first needed.
type objects struct {
	conn   *nats.Conn
	bucket string

	mu    sync.Mutex // guards the rest
	store jetstream.ObjectStore
}

func (o *objects) open(ctx context.Context) (jetstream.ObjectStore, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.store != nil {
		return o.store, nil
	}
	js, err := jetstream.New(o.conn)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	o.store, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: o.bucket, TTL: objectLife, MaxBytes: maxObjects, Description: "files on their way between machines with chela",
	})
	if isNoJetStream(err) {
		return nil, ErrNoObjects
	}
	if err != nil {
		return nil, fmt.Errorf("open the object store %s: %w", o.bucket, err)
	}
	return o.store, nil
}

// KeepsFiles returns why NATS keeps no files; nil if it does.
func (l *Line) KeepsFiles(ctx context.Context) error {
	_, err := l.objects.open(ctx)
	return err
}

// Put implements [wire.Objects].
func (l *Line) Put(ctx context.Context, name string, content io.Reader) error {
	store, err := l.objects.open(ctx)
	if err != nil {
		return err
	}
	_, err = store.Put(ctx, jetstream.ObjectMeta{Name: name}, content)
	return err
}

// Get implements [wire.Objects].
func (l *Line) Get(ctx context.Context, name string, content io.Writer) error {
	store, err := l.objects.open(ctx)
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
	return store.Delete(ctx, name) // if this fails, NATS removes the file after objectLife
}
