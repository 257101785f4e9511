// Package keeper keeps portable profiles for all nodes of a fleet. So one node can go on with a
// profile where another has stopped.
//
// A profile has a record in a store of NATS (record.go), which says what was saved last, and by
// whom. The content is encrypted with age; only nodes have the key (keys.go). One machine at a time
// has a profile, by a lease that it renews (lease.go). Each machine that takes a profile raises the
// generation in the record, by comparing revisions. From then on nothing that an earlier machine
// saves can replace the record.
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

// ErrEnding says that this node is shutting down, and takes no profile any more.
var ErrEnding = errors.New("this node ends")

// Options of a keeper.
type Options struct {
	Node     string
	Profiles wire.Store
	Leases   wire.Store    // the store removes a lease that was not renewed for [LeaseTime]
	Most     func() int    // how many bytes a message may have
	KeyFile  func() string // the key file that is set now
	Roster   *roster.Roster
	Default  func() string // the profile of calls that name none, as it is set now
}

// A Keeper is a [profile.Keeper] of one node.
type Keeper struct {
	o     Options
	parts parts
	ended atomic.Bool
}

// New returns a keeper.
func New(o Options) *Keeper { return &Keeper{o: o, parts: parts{o.Profiles, o.Most}} }

// End makes the keeper take no more profiles. It keeps the profiles that it has.
func (k *Keeper) End() { k.ended.Store(true) }

// Take implements [profile.Keeper]. Errors are a [*profile.ElsewhereError], a [*KeyError], a
// [*SealedError], a [*VersionError] and ErrEnding, or come from the stores.
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
	h := &holding{keeper: k, profile: of.Profile, lease: l, lost: make(chan struct{}), end: make(chan struct{}), ended: make(chan struct{})}
	go h.renew()
	if taken, err = k.take(ctx, of, h, with); err != nil {
		h.Release(context.WithoutCancel(ctx))
		return taken, err
	}
	taken.Holding = h
	return taken, nil
}

// take reads what the last machine has left, and then raises the generation. Nothing is changed if
// the content cannot be read.
func (k *Keeper) take(ctx context.Context, of profile.Local, h *holding, with keys) (taken profile.Taken, err error) {
	for {
		r, err := k.parts.read(ctx, of.Profile)
		if err != nil {
			return taken, err
		}
		taken.Same = r.node() == k.o.Node && of.Generation > 0 && of.Generation >= r.Generation
		if taken.Content = nil; r.Content != nil {
			if taken.Content, err = k.parts.readContent(ctx, of.Profile, *r.Content, with); err != nil {
				return taken, err
			}
		}
		r.Generation = max(r.Generation, of.Generation) + 1 // the store may have lost the record, so it can have a lower number than this machine
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

// Had reports whether a node has had a profile. If so, a handle with the name of that node can mean
// a tab of the profile. The parameter named says that the call names the profile. A call that names
// none means the profile only if it was the node's default.
func (k *Keeper) Had(ctx context.Context, profile, node string, named bool) (bool, error) {
	r, err := k.parts.read(ctx, profile)
	return slices.ContainsFunc(r.Nodes, func(p past) bool { return p.Node == node && (named || p.Default) }), err
}

// Ready reports whether this node can take profiles, as far as its file of keys says.
func (k *Keeper) Ready() bool {
	_, err := readKeys(k.o.KeyFile())
	return err == nil && !k.ended.Load()
}

// IsAwaited reports whether another node can go on with a profile.
func (k *Keeper) IsAwaited(ctx context.Context, profile string) bool {
	return slices.ContainsFunc(k.o.Roster.Nodes(ctx), func(n roster.Node) bool {
		return n.Name != k.o.Node && n.Healthy && !n.Draining && slices.Contains(n.Portable, profile)
	})
}

// goesOn reports whether another node is connected and takes calls. If it is not, the caller waits
// for the end of that node's lease.
func (k *Keeper) goesOn(ctx context.Context, node string) bool {
	n, there := k.o.Roster.Node(ctx, node)
	return node != k.o.Node && there && !n.Draining
}

// A holding implements [profile.Holding]: this machine has a profile, by its lease.
type holding struct {
	keeper  *Keeper
	profile string
	lost    chan struct{} // closed when this machine no longer has the profile
	end     chan struct{} // closed to end renewing
	ended   chan struct{} // closed when renewing has ended
	ending  sync.Once

	lease lease // only renew uses it and, after renew has ended, Release

	mu     sync.Mutex // guards the rest; held while the profile is saved
	record record
	tried  uint64 // number of the last save that was begun
	oldest uint64 // the generation of the oldest content that may be in the store
	gone   uint64 // the contents of this generation up to this number have been removed
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
			close(h.lost)
			return
		}
	}
}

// renewOnce renews the lease. It reports false if this machine may have lost the profile. A renewal
// may have reached the store although it failed. So if the lease in the store has changed,
// renewOnce looks whether it still belongs to this machine.
func (h *holding) renewOnce() bool {
	store := h.keeper.o.Leases
	ctx, cancel := context.WithDeadline(context.Background(), h.lease.asked.Add(trustTime))
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
func (h *holding) Lost() <-chan struct{} { return h.lost }

// Save implements [profile.Holding]. The error is [profile.ErrNotHeld] if another machine has taken
// the profile, or comes from the store.
func (h *holding) Save(ctx context.Context, plain []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.lost:
		return profile.ErrNotHeld
	default:
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

// write writes the record. Only a machine that has taken the profile raises the generation. If the
// record in the store has another revision but this generation, an earlier write was done although
// it returned an error.
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

// dropBefore removes what is older than a content: of earlier machines, and of earlier saves and
// attempts here.
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
	<-h.ended
	select {
	case <-h.lost:
		return nil
	default:
	}
	h.lease.Free = true
	return h.lease.write(ctx, h.keeper.o.Leases, h.profile)
}
