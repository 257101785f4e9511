package keeper

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"chela/internal/engine/profile"
	"chela/internal/fleet/wire"
)

// Times of leases. A machine counts the time of a lease from the moment before it sends its request.
// The store counts from the arrival of the request. So the machine gives a lease up before the store
// removes it.
const (
	LeaseTime = 5 * time.Second        // the store removes a lease that was not renewed for this long
	renewTime = time.Second            // time from one renewal to the next
	trustTime = LeaseTime - renewTime  // a machine gives up a lease that it could not renew for this long
	waitTime  = 200 * time.Millisecond // time between two attempts to take a lease that another machine holds
)

// A lease is a value in a store that says which machine has a profile. A write names the revision
// that it replaces, so of two machines that take a lease at once only one succeeds.
type lease struct {
	Version int    `json:"version"`
	Node    string `json:"node"`
	Holder  string `json:"holder"`         // random id of the machine's state directory, which only one server uses at a time
	Free    bool   `json:"free,omitempty"` // the machine has given the profile back

	revision uint64
	asked    time.Time // when the last successful write of the lease was sent
}

func readLease(ctx context.Context, store wire.Store, profile string) (l lease, err error) {
	raw, revision, err := store.Get(ctx, profile)
	if errors.Is(err, wire.ErrNoValue) {
		return lease{Free: true}, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &l)
	}
	l.revision = revision
	return l, err
}

// write replaces the lease in the store, and notes when it asked the store to do so.
func (l *lease) write(ctx context.Context, store wire.Store, profile string) error {
	asked := time.Now()
	revision, err := store.Put(ctx, profile, wire.Encode(l), l.revision)
	if err == nil {
		l.revision, l.asked = revision, asked
	}
	return err
}

// lease takes the lease of a profile. If another machine has the lease but is gone, the function
// waits until the lease ends. If that machine is connected, or keeps the lease until ctx ends, the
// error is a [*profile.ElsewhereError]. With of.Again, the function does not wait: the error comes at
// once.
func (k *Keeper) lease(ctx context.Context, of profile.Local) (lease, error) {
	for {
		l, err := readLease(ctx, k.o.Leases, of.Profile)
		if err != nil {
			return l, err
		}
		if l.Free || l.Holder == of.Holder && l.Node == k.o.Node { // if the state directory was copied, another node has the same holder
			l = lease{Version: Version, Node: k.o.Node, Holder: of.Holder, revision: l.revision}
			if err = l.write(ctx, k.o.Leases, of.Profile); !errors.Is(err, wire.ErrChanged) {
				return l, err
			}
			continue // another machine was faster, and its lease says which one
		}
		elsewhere := &profile.ElsewhereError{Profile: of.Profile, Node: l.Node}
		if of.Again || k.goesOn(ctx, l.Node) {
			return l, elsewhere
		}
		select {
		case <-ctx.Done():
			return l, elsewhere
		case <-time.After(waitTime):
		}
	}
}
