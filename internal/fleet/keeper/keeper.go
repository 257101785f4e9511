// Package keeper stores portable profiles, which are browser profiles that may move between the
// nodes of a fleet. When one node has stopped using a profile, another can continue with it.
//
// Each profile has a record in a NATS store (record.go). It names the nodes that have had the
// profile and the content that was saved last. The content is encrypted with age; only nodes have
// the key (keys.go). A machine uses a profile only while it holds the profile's lease, which it
// renews (lease.go). A machine that takes a profile raises the generation number in the record. It
// does so by compare-and-swap on the record's revision. After that, no save of an earlier machine
// can replace the record.
package keeper

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chela/internal/engine/profile"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
)

// ErrEnding says that this node is shutting down, and takes no more profiles.
var ErrEnding = errors.New("this node ends")

// Options of a keeper.
type Options struct {
	Node     string
	Profiles wire.Store
	Leases   wire.Store    // the store removes a lease that was not renewed for [LeaseTime]
	Most     func() int    // returns the largest size of a NATS message, in bytes
	KeyFile  func() string // returns the path of the key file, by the current settings
	Roster   *roster.Roster
	Default  func() string // returns the profile of calls that name none, by the current settings
}

// A Keeper implements [profile.Keeper] for one node.
type Keeper struct {
	o     Options
	parts parts
	ended atomic.Bool
}

// New returns a keeper.
func New(o Options) *Keeper { return &Keeper{o: o, parts: parts{o.Profiles, o.Most}} }

// End makes the keeper take no more profiles. It keeps the profiles that it has.
func (k *Keeper) End() { k.ended.Store(true) }

// Take implements [profile.Keeper]. Errors are a [*profile.ElsewhereError], [profile.ErrNotHeld], a
// [*KeyError], a [*SealedError], a [*VersionError] and ErrEnding, or come from the stores.
func (k *Keeper) Take(ctx context.Context, of profile.Local) (taken profile.Taken, err error) {
	if k.ended.Load() {
		return taken, ErrEnding
	}
	with, err := readKeys(k.o.KeyFile())
	if err != nil {
		return taken, err
	}
	l, err := k.lease(ctx, of)
	if err != nil {
		return taken, err
	}
	h := &holding{keeper: k, profile: of.Profile, lease: l, end: make(chan struct{}), ended: make(chan struct{})}
	h.held, h.lose = context.WithCancel(context.Background())
	go h.renew()
	if taken, err = k.take(ctx, of, h, with); err != nil {
		h.Release(context.WithoutCancel(ctx))
		return taken, err
	}
	taken.Holding = h
	return taken, nil
}

// take reads the content that the last machine saved, and then raises the generation in the record.
// If the content cannot be read, the record stays as it is.
func (k *Keeper) take(ctx context.Context, of profile.Local, h *holding, with keys) (taken profile.Taken, err error) {
	for {
		r, err := k.parts.read(ctx, of.Profile)
		if err != nil {
			return taken, err
		}
		taken.Same = r.node() == k.o.Node && of.Generation > 0 && of.Generation >= r.Generation
		if of.Again && !taken.Same {
			return taken, profile.ErrNotHeld
		}
		if taken.Content = nil; r.Content != nil {
			taken.Content, err = k.parts.readContent(ctx, of.Profile, *r.Content, with)
			if errors.Is(err, wire.ErrNoValue) && k.parts.changed(ctx, of.Profile, r) {
				continue // another save has just replaced this content
			}
			if err != nil {
				return taken, err
			}
		}
		r.Generation = max(r.Generation, of.Generation) + 1 // a store that lost its record can have a lower number than this machine
		r.add(past{k.o.Node, of.Profile == k.o.Default()})
		err = k.parts.write(ctx, of.Profile, &r)
		if errors.Is(err, wire.ErrChanged) {
			continue // the machine that had the profile before has just saved it: read the record again
		}
		h.record, h.oldest, taken.Generation = r, r.Generation, r.Generation
		if r.Content != nil {
			h.oldest = r.Content.Generation
		}
		return taken, err
	}
}

// Had reports whether a tab handle with the name of a node can mean a tab of a profile. For that, the
// node must have had the profile. If the request with the handle does not name the profile (named is
// false), the profile must also have been the default of that node.
func (k *Keeper) Had(ctx context.Context, profile, node string, named bool) (bool, error) {
	r, err := k.parts.read(ctx, profile)
	return slices.ContainsFunc(r.Nodes, func(p past) bool { return p.Node == node && (named || p.Default) }), err
}

// Ready reports whether this node can take profiles: its key file is usable, and it is not shutting
// down.
func (k *Keeper) Ready() bool {
	_, err := readKeys(k.o.KeyFile())
	return err == nil && !k.ended.Load()
}

// IsAwaited reports whether another node is ready to take a profile from this one.
func (k *Keeper) IsAwaited(ctx context.Context, profile string) bool {
	return slices.ContainsFunc(k.o.Roster.Nodes(ctx), func(n roster.Node) bool {
		return n.Name != k.o.Node && n.Healthy && !n.Draining && slices.Contains(n.Portable, profile)
	})
}

// goesOn reports whether a node is another one than this, connected, and not draining. If the
// machine that holds a lease does not go on, another machine that wants the lease waits until it
// ends.
func (k *Keeper) goesOn(ctx context.Context, node string) bool {
	n, there := k.o.Roster.Node(ctx, node)
	return node != k.o.Node && there && !n.Draining
}

// A holding implements [profile.Holding]. It stands for the time in which this machine holds the
// lease of a profile.
type holding struct {
	keeper  *Keeper
	profile string
	held    context.Context // ends when this machine no longer has the profile
	lose    context.CancelFunc
	end     chan struct{} // closed to end renewing
	ended   chan struct{} // closed when renewing has ended
	ending  sync.Once

	lease lease // used only by renew and, after renew has ended, by Release

	mu     sync.Mutex // guards the rest; held while the profile is saved
	record record
	tried  uint64 // number of the last save that was begun
	oldest uint64 // the generation of the oldest content that may be in the store
	gone   uint64 // contents that this holding wrote, with numbers up to this one, have been removed
}

// renew renews the lease until the holding ends or is lost.
func (h *holding) renew() {
	defer close(h.ended)
	ticker := time.NewTicker(renewTime)
	defer ticker.Stop()
	for {
		select {
		case <-h.end:
			return
		case <-ticker.C:
		}
		if !h.renewOnce() {
			slog.Warn("a portable profile was lost: its lease could not be renewed", "profile", h.profile)
			h.lose()
			return
		}
	}
}

// renewOnce renews the lease. It reports false if this machine may have lost the profile. A renewal
// may have reached the store although it failed. So if the lease in the store has changed,
// renewOnce checks whether it still belongs to this machine.
func (h *holding) renewOnce() bool {
	store := h.keeper.o.Leases
	ctx, cancel := context.WithDeadline(h.held, h.lease.asked.Add(trustTime))
	defer cancel()
	err := h.lease.write(ctx, store, h.profile)
	if errors.Is(err, wire.ErrChanged) {
		there, err := readLease(ctx, store, h.profile)
		if err == nil && (there.Free || there.Holder != h.lease.Holder) {
			return false
		}
		if err == nil {
			h.lease.revision = there.revision
			h.lease.write(ctx, store, h.profile) // if this fails, the next attempt renews the lease
		}
	}
	return time.Since(h.lease.asked) < trustTime
}

// Lost implements [profile.Holding].
func (h *holding) Lost() <-chan struct{} { return h.held.Done() }

// Save implements [profile.Holding]. The error is [profile.ErrNotHeld] if another machine has taken
// the profile, or comes from the store. If the profile is lost meanwhile, Save ends at once.
func (h *holding) Save(ctx context.Context, plain []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.held, cancel)()
	err := h.save(ctx, plain)
	if h.held.Err() != nil && err != nil {
		return errors.Join(profile.ErrNotHeld, err)
	}
	return err
}

// save does what Save does, with a context that ends when the profile is lost.
func (h *holding) save(ctx context.Context, plain []byte) error {
	if h.held.Err() != nil {
		return profile.ErrNotHeld
	}
	with, err := readKeys(h.keeper.o.KeyFile())
	if err != nil {
		return err
	}
	p, next := h.keeper.parts, h.record
	h.tried++ // no number is used twice: the record may name an attempt whose answer was lost
	as, err := p.writeContent(ctx, h.profile, plain, content{Generation: next.Generation, Number: h.tried}, with)
	if err != nil {
		return err
	}
	next.Content = &as
	err = h.write(ctx, &next)
	if errors.Is(err, profile.ErrNotHeld) {
		return errors.Join(err, p.store.Drop(ctx, keyOf(h.profile, as.Generation, as.Number)))
	}
	if err != nil {
		return err
	}
	h.record = next
	return h.dropBefore(ctx, as)
}

// write writes the record. If the stored record has another revision, write compares the
// generation, which each machine raises when it takes the profile. If it is still the same, no
// other machine has written: an earlier write by this machine has succeeded although it returned an
// error. Then write repeats the write with the stored revision.
func (h *holding) write(ctx context.Context, next *record) error {
	p := h.keeper.parts
	err := p.write(ctx, h.profile, next)
	if !errors.Is(err, wire.ErrChanged) {
		return err
	}
	there, err := p.read(ctx, h.profile)
	if err != nil {
		return err
	}
	if there.Generation != next.Generation {
		return profile.ErrNotHeld
	}
	next.revision = there.revision
	return p.write(ctx, h.profile, next)
}

// dropBefore removes the contents older than the last one. They come from earlier machines, and from
// earlier saves and failed attempts of this machine.
func (h *holding) dropBefore(ctx context.Context, last content) error {
	store := h.keeper.o.Profiles
	for ; h.oldest < last.Generation; h.oldest++ {
		if err := store.Drop(ctx, keyOf(h.profile, h.oldest)); err != nil {
			return err
		}
	}
	for ; h.gone+1 < last.Number; h.gone++ {
		if err := store.Drop(ctx, keyOf(h.profile, last.Generation, h.gone+1)); err != nil {
			return err
		}
	}
	return nil
}

// Release implements [profile.Holding].
func (h *holding) Release(ctx context.Context) error {
	h.ending.Do(func() { close(h.end) })
	defer context.AfterFunc(ctx, h.lose)() // a renewal that NATS does not answer ends with ctx
	<-h.ended
	if h.held.Err() != nil {
		return ctx.Err()
	}
	h.lease.Free = true
	return h.lease.write(ctx, h.keeper.o.Leases, h.profile)
}
