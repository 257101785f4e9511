// Package vault keeps secrets, such as passwords, and reads them when they are entered in a page.
//
// There are two sources. Secrets that the user sets or imports are in a store: the keyring of the
// system, or an encrypted file. Secrets that the configuration names stay where they are: in a
// variable, in a file, or with a program such as a password manager. The index is a file without
// values. It has the names of the secrets in the store, and where each may be entered.
//
// Before [Vault.Read] returns a value, it makes package secret hide the value in everything that
// chela writes.
package vault

import (
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/mutex"
	"chela/internal/wall/secret"
)

// A Vault has the secrets of a state directory and of the configuration. Its methods may be called
// by several goroutines, but only one process may change the secrets at a time: the server of the
// state directory. Some methods take a context: they may run a program, wait for a code, or write
// many values. One call of a keyring cannot be interrupted, and has a time limit of its own.
type Vault struct {
	state      config.State
	configured func() map[string]Source
	keyring    ring

	changing mutex.Mutex // locked while secrets are set or removed, which may take minutes

	mu    sync.Mutex // held while the index is replaced, and while the index and one value are read
	logMu sync.Mutex // held while the log is read or written
}

// A Source is a secret that the configuration names.
type Source struct {
	config.NamedSecret
	Where config.SecretSource
}

// Open returns the vault of the state directory that the configuration names. It reads no file yet.
func Open(live *config.Live) *Vault {
	return open(live.Current().State, system{}, func() map[string]Source {
		c, all := live.Current(), map[string]Source{}
		for name, s := range c.Browser.Secrets {
			all[name] = Source{s, c.Source(s)}
		}
		return all
	})
}

func open(state config.State, keyring ring, configured func() map[string]Source) *Vault {
	return &Vault{state: state, keyring: keyring, configured: configured, changing: mutex.New()}
}

// change calls a function that sets or removes secrets, while no other call does. It returns the error
// of the function, or the cause of ctx.
func (v *Vault) change(ctx context.Context, change func() error) error {
	if err := v.changing.Lock(ctx); err != nil {
		return err
	}
	defer v.changing.Unlock()
	return change()
}

// An Ask says when a person is asked before a secret is used. It is one of [config.Asks].
type Ask string

// The values of Ask.
const (
	Never   Ask = "never"
	Session Ask = "session" // once in each session
	Always  Ask = "always"
)

// An Entry has everything about a secret except its value.
type Entry struct {
	Name string
	For  []secret.Place // where it may be entered
	TOTP bool           // the value is the key of one-time codes: the current code is entered
	Ask  Ask            // "" means Never
	From string         // where the value is: "keyring", "file", or as the configuration says: "env:GH_PASSWORD"
	Used time.Time      // when it was last used; zero: never, or before the oldest entry of the log
}

// IsFor reports whether a page of an origin may get the secret.
func (e Entry) IsFor(origin string) bool { return secret.Secret{For: e.For}.IsFor(origin) }

// List lists the secrets by their names. If a secret of the configuration cannot be used, the error
// is an [*EntryError]; the other secrets are returned nevertheless.
func (v *Vault) List() ([]Entry, error) {
	x, err := v.index()
	if err != nil {
		return nil, err
	}
	var all []Entry
	for name, i := range x.Secrets {
		all = append(all, i.entry(name, x.Store))
	}
	sources := v.configured()
	all = slices.DeleteFunc(all, func(e Entry) bool { _, both := sources[e.Name]; return both })
	var wrong error
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		e, err := entryOf(name, sources[name])
		if err != nil {
			wrong = cmp.Or(wrong, err)
			continue
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	used, err := v.lastUses()
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Used = used[all[i].Name]
	}
	return all, wrong
}

// Entry returns what is known of a secret, without its value. The error is ErrUnknown, an
// [*EntryError], or comes from the index.
func (v *Vault) Entry(name string) (Entry, error) {
	if s, ok := v.configured()[name]; ok {
		return entryOf(name, s)
	}
	x, i, err := v.find(name)
	if err != nil {
		return Entry{}, err
	}
	return i.entry(name, x.Store), nil
}

// Read returns a secret with its value. From now on this process hides the value in everything that
// it writes. For a key of one-time codes the value is the current code. If that is valid for less
// than 3 seconds, Read waits for the next code.
//
// It returns the errors of Entry, an [*EntryError], a [*StoreError], a [*SourceError] and the cause of
// ctx. With an error, the secret has no value and no places. Its InForce then says whether it would
// be read from the same place again.
func (v *Vault) Read(ctx context.Context, name string) (secret.Secret, error) {
	unread := secret.Secret{Name: name, InForce: v.inForce(name)}
	e, value, err := v.kept(ctx, name)
	if err != nil {
		return unread, err
	}
	secret.Know(name, value)
	if err := checkValue(value, e.TOTP); err != nil {
		return unread, &EntryError{name, err}
	}
	if e.TOTP {
		if value, err = code(ctx, name, value); err != nil {
			return unread, err
		}
	}
	return secret.Secret{Name: name, Value: value, For: e.For, InForce: unread.InForce}, nil
}

// inForce returns a function that reports whether the configuration has the same about a secret as
// now. It also changes for a secret of the store when the configuration gets one of that name.
func (v *Vault) inForce(name string) func() bool {
	before, had := v.configured()[name]
	return func() bool {
		now, has := v.configured()[name]
		return has == had && reflect.DeepEqual(now, before)
	}
}

// kept returns an entry, and the value as it is kept. It reads both under one lock, so that a new
// value never comes with the places of the value that it replaces.
func (v *Vault) kept(ctx context.Context, name string) (Entry, string, error) {
	if s, ok := v.configured()[name]; ok {
		e, err := entryOf(name, s)
		if err != nil {
			return Entry{}, "", err
		}
		value, err := valueOf(ctx, name, s.Where)
		return e, value, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	x, i, err := v.find(name)
	if err != nil {
		return Entry{}, "", err
	}
	value, err := v.store(x).get(i.Key)
	return i.entry(name, x.Store), value, err
}

// find looks a secret of the store up in the index. Errors are ErrUnknown, or come from the index.
func (v *Vault) find(name string) (index, item, error) {
	x, err := v.index()
	if err != nil {
		return index{}, item{}, err
	}
	i, ok := x.Secrets[name]
	if !ok {
		return index{}, item{}, &NameError{name, ErrUnknown}
	}
	return x, i, nil
}

// Set puts a secret into the store, and replaces one with the same name completely. The argument
// kind is the wanted store. If it is "", the store in use is taken or, for the first secret, the
// keyring if the keyring answers. Set returns the store that has the secret.
//
// Errors are an [*EntryError], a [*StoreError], a [*KindError], ErrConfigured and the cause of ctx, or
// come from the index. If Set returns a store with an error, the secret is set, but the replaced value
// is still in the store.
func (v *Vault) Set(ctx context.Context, e Entry, value string, kind Kind) (store Kind, err error) {
	set := valued{e, value}
	if err := v.complete(&set); err != nil {
		return "", err
	}
	err = v.change(ctx, func() error {
		store, err = v.replace(ctx, []valued{set}, kind)
		return err
	})
	return store, err
}

// A valued is an entry with its value.
type valued struct {
	Entry
	value string
}

// replace sets several secrets that are complete. No other call may change secrets meanwhile. With an
// error none of them is set, unless it also returns a store, see [Vault.Set].
func (v *Vault) replace(ctx context.Context, all []valued, kind Kind) (Kind, error) {
	x, err := v.index()
	if err != nil {
		return "", err
	}
	if err := v.choose(&x, kind); err != nil {
		return "", err
	}
	// Each value gets a key of its own in the store. So a write that is interrupted, or that a
	// keyring completes late, changes no value that the index lists. Other calls can read
	// secrets meanwhile.
	values, replaced := map[string]string{}, []string{}
	for _, each := range all {
		key := each.Name + " " + rand.Text()[:8]
		values[key] = each.value
		if old, ok := x.Secrets[each.Name]; ok {
			replaced = append(replaced, old.Key)
		}
		x.Secrets[each.Name] = item{For: each.For, TOTP: each.TOTP, Ask: cmp.Or(each.Ask, Never), Key: key}
	}
	if err := v.store(x).put(ctx, values); err != nil {
		return "", err
	}
	v.mu.Lock()
	err = v.writeIndex(x)
	v.mu.Unlock()
	if err != nil {
		return "", err
	}
	for _, each := range all {
		secret.Drop(each.Name)
	}
	return x.Store, v.store(x).remove(replaced)
}

// complete checks a secret that is to be set. It sets the field TOTP if the name says so. Errors are an
// [*EntryError] and ErrConfigured.
func (v *Vault) complete(set *valued) error {
	if strings.HasSuffix(set.Name, totpSuffix) {
		set.TOTP = true
	}
	if err := cmp.Or(set.check(), checkValue(set.value, set.TOTP)); err != nil {
		return &EntryError{set.Name, err}
	}
	if _, ok := v.configured()[set.Name]; ok {
		return &NameError{set.Name, ErrConfigured}
	}
	return nil
}

// Remove removes a secret from the store. Errors are ErrUnknown, ErrConfigured, a [*StoreError] and
// the cause of ctx, or come from the index.
func (v *Vault) Remove(ctx context.Context, name string) error {
	if _, ok := v.configured()[name]; ok {
		return &NameError{name, ErrConfigured}
	}
	return v.change(ctx, func() error {
		v.mu.Lock()
		defer v.mu.Unlock()
		x, i, err := v.find(name)
		if err != nil {
			return err
		}
		if err := v.store(x).remove([]string{i.Key}); err != nil {
			return err
		}
		delete(x.Secrets, name)
		secret.Drop(name)
		return v.writeIndex(x)
	})
}
