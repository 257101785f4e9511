package keeper_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/engine/profile"
	"chela/internal/fleet/keeper"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
)

// A fleet has the stores that its nodes share.
type fleet struct {
	*testing.T
	line     *wiretest.Line
	profiles *wiretest.Store
	keyFile  string
}

func within(t *testing.T, test func(t *testing.T, f *fleet)) {
	key := newKey(t)
	synctest.Test(t, func(t *testing.T) {
		test(t, &fleet{t, wiretest.New(), new(wiretest.Store), key})
	})
}

func newKey(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fleet.key")
	if _, err := keeper.NewKey(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// A node is a keeper, whose connection to the stores can fail.
type node struct {
	*keeper.Keeper
	name             string
	profiles, leases *reached
}

// A reached is a store of the fleet as one node reaches it.
type reached struct {
	wire.Store
	down atomic.Bool // while true, each Put fails
	deaf atomic.Bool // while true, each Put of a record is done, and its answer is lost
	mute atomic.Bool // while true, no Put is answered

	before     func() // is called before the next Put, once; nil: nothing is
	beforePart func() // is called before the next Get of a part, once; nil: nothing is
}

func (r *reached) Get(ctx context.Context, key string) ([]byte, uint64, error) {
	if before := r.beforePart; before != nil && key != "work" {
		r.beforePart = nil
		before()
	}
	return r.Store.Get(ctx, key)
}

func (r *reached) Put(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	if before := r.before; before != nil {
		r.before = nil
		before()
	}
	if r.down.Load() {
		return 0, errDown
	}
	if r.mute.Load() {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	revision, err := r.Store.Put(ctx, key, value, last)
	if r.deaf.Load() && key == "work" {
		return 0, errDown
	}
	return revision, err
}

var errDown = errors.New("NATS is down")

func (f *fleet) newNodes(names ...string) (nodes []*node) {
	shared := &wiretest.Store{Life: keeper.LeaseTime}
	known, err := roster.New(f.line, "default")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(known.Close)
	for _, name := range names {
		n := &node{name: name, profiles: &reached{Store: f.profiles}, leases: &reached{Store: shared}}
		n.Keeper = keeper.New(keeper.Options{
			Node: name, Profiles: n.profiles, Leases: n.leases, Most: f.line.Most, Roster: known,
			KeyFile: func() string { return f.keyFile }, Default: func() string { return "work" },
		})
		nodes = append(nodes, n)
	}
	return nodes
}

// says sends the status of a node to all machines.
func (f *fleet) says(s wire.Status) {
	s.V, s.Healthy = wire.Version, true
	f.line.Request(f.Context(), wire.Subjects{Tenant: "default"}.Beat(s.Name), wire.Encode(s), nil)
	synctest.Wait()
}

// take lets a node take the profile. The parameter generation is the last one that the node had.
func (n *node) take(t testing.TB, generation uint64) profile.Taken {
	t.Helper()
	taken, err := n.Take(t.Context(), profile.Local{Profile: "work", Holder: "of " + n.name, Generation: generation})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Release(context.Background()) }) // harmless if the test has already released the profile
	return taken
}

func save(t testing.TB, h profile.Holding, content string) {
	t.Helper()
	if err := h.Save(t.Context(), []byte(content)); err != nil {
		t.Fatal(err)
	}
}

// The next node gets what the last one has saved, and the store holds none of it in plain text.
func TestOneAfterTheOther(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		nodes := f.newNodes("mac", "pc")
		first := nodes[0].take(t, 0)
		if first.Content != nil || first.Same {
			t.Errorf("a new profile has %q", first.Content)
		}
		long := strings.Repeat("a long secret ", 200_000) // long enough for several messages
		save(t, first, "short")
		save(t, first, long)
		first.Release(t.Context())
		second := nodes[1].take(t, 0)
		defer second.Release(t.Context())
		if second.Same || string(second.Content) != long {
			t.Errorf("the next node has %d bytes, the same: %v", len(second.Content), second.Same)
		}
		save(t, second, "of pc")
		for key, value := range f.profiles.All() {
			if bytes.Contains(value, []byte("secret")) || bytes.Contains(value, []byte("of pc")) {
				t.Errorf("%s can be read", key)
			}
		}
		f.keepsOne()
		for _, want := range []struct {
			node       string
			named, had bool
		}{{"mac", false, true}, {"pc", true, true}, {"tv", true, false}} {
			if had, err := nodes[1].Had(t.Context(), "work", want.node, want.named); err != nil || had != want.had {
				t.Errorf("%s had it: %v, %v", want.node, had, err)
			}
		}
	})
}

// A save that gets no answer ends when the profile is lost.
func TestSaveUntilLost(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac := f.newNodes("mac")[0]
		taken := mac.take(t, 0)
		mac.profiles.mute.Store(true)
		mac.leases.down.Store(true)
		saved := make(chan error)
		go func() { saved <- taken.Save(context.Background(), []byte("late")) }()
		<-taken.Lost()
		if err := <-saved; !errors.Is(err, profile.ErrNotHeld) {
			t.Errorf("saved: %v", err)
		}
	})
}

// Release ends with its context, although NATS does not answer a renewal that is under way.
func TestReleaseWithoutNATS(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac := f.newNodes("mac")[0]
		taken := mac.take(t, 0)
		mac.leases.mute.Store(true)
		time.Sleep(1500 * time.Millisecond) // a renewal is under way
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := taken.Release(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("released: %v", err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// A node that comes back goes on with its own data, if nobody has had the profile meanwhile.
func TestSameNodeAgain(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		nodes := f.newNodes("mac", "pc")
		first := nodes[0].take(t, 0)
		save(t, first, "one")
		first.Release(t.Context())
		again := nodes[0].take(t, first.Generation)
		if !again.Same || again.Generation != first.Generation+1 || string(again.Content) != "one" {
			t.Errorf("taken again: %+v", again)
		}
		again.Release(t.Context())
		copied := nodes[1].take(t, again.Generation) // the second node has a copy of the first one's state directory
		if copied.Same {
			t.Error("a copy of a state directory counts as the same machine")
		}
		copied.Release(t.Context())
		late := nodes[0].take(t, again.Generation)
		if late.Same {
			t.Error("another node has had the profile")
		}
		late.Release(t.Context())
	})
}

// A node that takes a profile only if it had it last changes nothing of a profile that another node
// had last. Nor does it wait for a lease.
func TestTakeAgain(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		nodes := f.newNodes("mac", "pc")
		first := nodes[0].take(t, 0)
		first.Release(t.Context())
		again := profile.Local{Profile: "work", Holder: "of pc", Generation: 1, Again: true}
		if _, err := nodes[1].Take(t.Context(), again); !errors.Is(err, profile.ErrNotHeld) {
			t.Errorf("the other node: %v", err)
		}
		second := nodes[0].take(t, first.Generation)
		if !second.Same {
			t.Error("the other node counts as the last one")
		}
		begun := time.Now()
		_, err := nodes[1].Take(t.Context(), again)
		if _, elsewhere := errors.AsType[*profile.ElsewhereError](err); !elsewhere || time.Since(begun) > 0 {
			t.Errorf("while it is held: %v after %s", err, time.Since(begun))
		}
		second.Release(t.Context())
		third, err := nodes[0].Take(t.Context(), profile.Local{Profile: "work", Holder: "of mac", Generation: second.Generation, Again: true})
		if err != nil || !third.Same {
			t.Fatalf("the last node: %v", err)
		}
		third.Release(t.Context())
	})
}

// While a node runs, no other node takes its profile. When it has gone, another one waits until its
// lease is over.
func TestOneNodeAtATime(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		nodes := f.newNodes("mac", "pc")
		f.says(wire.Status{Name: "mac"})
		killed := nodes[0].take(t, 0)
		save(t, killed, "one")
		_, err := nodes[1].Take(t.Context(), profile.Local{Profile: "work", Holder: "of pc"})
		if elsewhere, ok := errors.AsType[*profile.ElsewhereError](err); !ok || elsewhere.Node != "mac" {
			t.Fatalf("the other node gets %v", err)
		}
		time.Sleep(2 * roster.Silence)
		nodes[0].leases.down.Store(true)
		begun := time.Now()
		next := nodes[1].take(t, 0)
		if took := time.Since(begun); string(next.Content) != "one" || took > keeper.LeaseTime+time.Second {
			t.Errorf("the other node gets %q after %s", next.Content, took)
		}
		select {
		case <-killed.Lost():
		default:
			t.Error("the node that was cut off has not given up before another one took its profile")
		}
		if err := killed.Save(t.Context(), []byte("late")); !errors.Is(err, profile.ErrNotHeld) {
			t.Errorf("it can still save: %v", err)
		}
		next.Release(t.Context())
		killed.Release(t.Context())
	})
}

// If two nodes take a profile at once, the slower one is told which other node has it, even if
// its time is short.
func TestTwoNodesAtOnce(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		nodes := f.newNodes("mac", "pc")
		f.says(wire.Status{Name: "mac"})
		f.says(wire.Status{Name: "pc"})
		var faster profile.Taken
		nodes[1].leases.before = func() { faster = nodes[0].take(t, 0) }
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := nodes[1].Take(ctx, profile.Local{Profile: "work", Holder: "of pc"})
		if elsewhere, ok := errors.AsType[*profile.ElsewhereError](err); !ok || elsewhere.Node != "mac" {
			t.Errorf("the slower node gets %v", err)
		}
		faster.Release(t.Context())
	})
}

// A save by a node that does not know that it has lost the profile changes nothing.
func TestLateSave(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac, pc := f.newNodes("mac")[0], f.newNodes("pc")[0] // the nodes have separate stores of leases, so both believe that they hold the lease
		old := mac.take(t, 0)
		save(t, old, "one")
		next := pc.take(t, 0)
		for range 2 { // before and after a save of the next node
			if err := old.Save(t.Context(), []byte("late")); !errors.Is(err, profile.ErrNotHeld) {
				t.Errorf("a late save: %v", err)
			}
			save(t, next, "two")
		}
		next.Release(t.Context())
		old.Release(t.Context())
		if last := pc.take(t, next.Generation); string(last.Content) != "two" {
			t.Errorf("what is left is %q", last.Content)
		} else {
			last.Release(t.Context())
		}
		f.keepsOne()
	})
}

// The last save of the former node may replace the content while the next node reads it. That node then
// reads the new content.
func TestSaveWhileContentIsRead(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac, pc := f.newNodes("mac")[0], f.newNodes("pc")[0] // as in TestLateSave
		old := mac.take(t, 0)
		save(t, old, "one")
		pc.profiles.beforePart = func() { save(t, old, "two") }
		if next := pc.take(t, 0); string(next.Content) != "two" {
			t.Errorf("the next node has %q", next.Content)
		}
	})
}

// A save may have succeeded although its answer was lost. What it has written stays, whether the next
// save succeeds or fails.
func TestSaveWithoutAnswer(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		nodes := f.newNodes("mac", "pc")
		mac, held := nodes[0], nodes[0].take(t, 0)
		save(t, held, "one")
		mac.profiles.deaf.Store(true)
		if err := held.Save(t.Context(), []byte("two")); !errors.Is(err, errDown) {
			t.Errorf("a save without an answer: %v", err)
		}
		mac.profiles.down.Store(true)
		if err := held.Save(t.Context(), []byte("three")); !errors.Is(err, errDown) {
			t.Errorf("a save without NATS: %v", err)
		}
		held.Release(t.Context())
		next := nodes[1].take(t, 0)
		if string(next.Content) != "two" {
			t.Errorf("the next node has %q", next.Content)
		}
		save(t, next, "four")
		f.keepsOne()
	})
}

// keepsOne fails unless the store has exactly a record and the single part of one content.
func (f *fleet) keepsOne() {
	f.Helper()
	if keys := slices.Sorted(maps.Keys(f.profiles.All())); len(keys) != 2 {
		f.Errorf("there are %v, want a record and a part", keys)
	}
}

// A short break of the connection does not lose the profile. Neither does a write whose answer was
// lost.
func TestBrokenLine(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac := f.newNodes("mac")[0]
		held := mac.take(t, 0)
		defer held.Release(t.Context())
		mac.leases.down.Store(true)
		time.Sleep(2 * time.Second)
		mac.leases.down.Store(false)
		f.profiles.Fail(errDown)
		if err := held.Save(t.Context(), []byte("one")); !errors.Is(err, errDown) {
			t.Errorf("a save without NATS: %v", err)
		}
		f.profiles.Fail(nil)
		time.Sleep(time.Minute)
		save(t, held, "two")
		select {
		case <-held.Lost():
			t.Error("the profile is lost")
		default:
		}
	})
}

// While keys are changed, the key file has two. Nodes decrypt with either, and encrypt with the first.
func TestChangeOfKeys(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac := f.newNodes("mac")[0]
		next := func(content string) []byte {
			taken := mac.take(t, 0)
			save(t, taken, content)
			taken.Release(t.Context())
			return taken.Content
		}
		old, fresh := f.keyFile, newKey(t)
		next("by the old key")
		f.keyFile = joined(t, fresh, old)
		if got := next("by the new key"); string(got) != "by the old key" {
			t.Errorf("with both keys: %q", got)
		}
		f.keyFile = fresh
		if got := next("by the new key alone"); string(got) != "by the new key" {
			t.Errorf("with the new key: %q", got)
		}
		f.keyFile = old
		_, err := mac.Take(t.Context(), profile.Local{Profile: "work", Holder: "of mac"})
		if _, ok := errors.AsType[*keeper.SealedError](err); !ok {
			t.Errorf("with the old key: %v", err)
		}
		err = keeper.CheckKept(t.Context(), f.profiles, "work", old)
		if sealed, ok := errors.AsType[*keeper.SealedError](err); !ok || sealed.Profile != "work" {
			t.Errorf("the old key is checked: %v", err)
		}
		f.keyFile = fresh
		if got := next(strings.Repeat("a long content ", 200_000)); string(got) != "by the new key alone" {
			t.Errorf("after a node without the key: %q", got)
		}
		for _, profile := range []string{"work", "new"} {
			if err := keeper.CheckKept(t.Context(), f.profiles, profile, fresh); err != nil {
				t.Errorf("the new key is checked for profile %s: %v", profile, err)
			}
		}
	})
}

// joined makes one file with the keys of several files.
func joined(t *testing.T, files ...string) string {
	t.Helper()
	var all []byte
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, raw...)
	}
	to := filepath.Join(t.TempDir(), "both.key")
	if err := os.WriteFile(to, all, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// The error for a file of keys that cannot be used names the file.
func TestWrongKeys(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac := f.newNodes("mac")[0]
		open, empty := newKey(t), filepath.Join(t.TempDir(), "empty.key")
		if err := errors.Join(os.Chmod(open, 0o640), os.WriteFile(empty, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		for file, want := range map[string]string{
			"":                "fleet.keyFile is not set",
			"/nowhere/to.key": "fleet.keyFile is /nowhere/to.key: there is no such file",
			open:              "fleet.keyFile is " + open + ": other users can read it",
			empty:             "fleet.keyFile is " + empty + ": no identities found",
		} {
			f.keyFile = file
			_, err := mac.Take(t.Context(), profile.Local{Profile: "work", Holder: "of mac"})
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", file, err, want)
			}
			if mac.Ready() {
				t.Errorf("%s: the node offers to take profiles", file)
			}
		}
	})
}

// A record of a newer chela is refused, and stays as it is.
func TestNewerRecord(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac := f.newNodes("mac")[0]
		if _, err := f.profiles.Put(t.Context(), "work", []byte(`{"version":9,"generation":3}`), 0); err != nil {
			t.Fatal(err)
		}
		_, err := mac.Take(t.Context(), profile.Local{Profile: "work", Holder: "of mac"})
		if newer, ok := errors.AsType[*keeper.VersionError](err); !ok || newer.Version != 9 {
			t.Errorf("got %v", err)
		}
		if got := f.profiles.All()["work"]; !bytes.Contains(got, []byte(`"version":9`)) {
			t.Errorf("the record is %s", got)
		}
	})
}

// A node gives a profile up only to a node that is not draining and whose status lists the profile.
func TestIsAwaited(t *testing.T) {
	within(t, func(t *testing.T, f *fleet) {
		mac := f.newNodes("mac")[0]
		for _, test := range []struct {
			status wire.Status
			want   bool
		}{
			{wire.Status{Name: "mac", Portable: []string{"work"}}, false},
			{wire.Status{Name: "pc", Portable: []string{"shop"}}, false},
			{wire.Status{Name: "pc", Portable: []string{"shop", "work"}, Draining: true}, false},
			{wire.Status{Name: "pc", Portable: []string{"shop", "work"}}, true},
		} {
			f.says(test.status)
			if got := mac.IsAwaited(t.Context(), "work"); got != test.want {
				t.Errorf("%+v: %v", test.status, got)
			}
		}
		if slices.Contains([]bool{mac.Ready()}, false) {
			t.Error("the node is not ready")
		}
		mac.End()
		if _, err := mac.Take(t.Context(), profile.Local{Profile: "work", Holder: "of mac"}); !errors.Is(err, keeper.ErrEnding) || mac.Ready() {
			t.Errorf("a node that ends: %v", err)
		}
	})
}
