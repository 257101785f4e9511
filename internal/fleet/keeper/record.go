package keeper

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"chela/internal/fleet/wire"
)

// Version is the version of records. It is raised when an older chela would misread a record, or
// lose a part of it.
const Version = 1

// A VersionError says that a newer chela has written a record.
type VersionError struct {
	Profile string
	Version int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("profile %s was kept by a newer chela: its record has version %d, and this one knows %d", e.Profile, e.Version, Version)
}

// A SealedError says that this machine does not have the key of a profile.
type SealedError struct{ Profile string }

func (e *SealedError) Error() string {
	return fmt.Sprintf("profile %s was encrypted with a key that is not in fleet.keyFile", e.Profile)
}

// A record is what all machines may know of a profile. It is stored unencrypted, under the name of
// the profile. The content of the profile is encrypted, under keys that begin with this name.
type record struct {
	Version    int      `json:"version"`
	Generation uint64   `json:"generation"` // grows whenever a machine takes the profile
	Nodes      []past   `json:"nodes"`      // nodes that have had the profile, the last one at the end
	Content    *content `json:"content,omitempty"`

	revision uint64 // revision of the record in the store
}

// A past is a node that has had a profile.
type past struct {
	Node    string `json:"node"`
	Default bool   `json:"default,omitempty"` // the profile was the node's default: calls that named no profile used it
}

// A content says where the saved data of a profile is: its fields give the keys in the store, see
// keyOf.
type content struct {
	Generation uint64 `json:"generation"` // generation of the record when the content was saved
	Number     uint64 `json:"number"`     // number of the save within its generation
	Parts      int    `json:"parts"`
}

// maxNodes limits how many nodes a record names. The names are kept because tab handles contain
// them.
const maxNodes = 100

// node returns the name of the node that has taken the profile last.
func (r *record) node() string {
	if len(r.Nodes) == 0 {
		return ""
	}
	return r.Nodes[len(r.Nodes)-1].Node
}

// add adds a node to those that have had the profile.
func (r *record) add(p past) {
	r.Nodes = append(slices.DeleteFunc(slices.Clone(r.Nodes), func(other past) bool { return other.Node == p.Node }), p)
	r.Nodes = r.Nodes[max(0, len(r.Nodes)-maxNodes):]
}

// title is the first line of an encrypted content. It names the profile and the save, so that
// nobody can replace this content by another without being noticed.
func (c content) title(profile string) []byte {
	return fmt.Appendf(nil, "profile %s, generation %d, number %d\n", profile, c.Generation, c.Number)
}

// parts reads and writes records and their contents.
type parts struct {
	store wire.Store
	most  func() int // returns the largest size of a message, in bytes
}

// keyOf returns the key under which a part of a content is stored. The numbers are the generation,
// the number of the save and the number of the part. With fewer numbers, the result is the common
// beginning of the keys of several parts or contents.
func keyOf(profile string, numbers ...uint64) string {
	for _, n := range numbers {
		profile += "." + strconv.FormatUint(n, 10)
	}
	return profile
}

// read returns the record of a profile; an empty one if there is none.
func (p parts) read(ctx context.Context, profile string) (r record, err error) {
	raw, revision, err := p.store.Get(ctx, profile)
	if errors.Is(err, wire.ErrNoValue) {
		return record{Version: Version}, nil
	}
	if err != nil {
		return r, fmt.Errorf("read the record of profile %s: %w", profile, err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, fmt.Errorf("read the record of profile %s: %w", profile, err)
	}
	if r.Version > Version {
		return r, &VersionError{profile, r.Version}
	}
	r.Version, r.revision = Version, revision
	return r, nil
}

// changed reports whether the stored record of a profile is another one than that which was read.
func (p parts) changed(ctx context.Context, profile string, r record) bool {
	now, err := p.read(ctx, profile)
	return err == nil && now.revision != r.revision
}

// write replaces the record of a profile, if the record in the store is still the one that was
// read.
func (p parts) write(ctx context.Context, profile string, r *record) error {
	revision, err := p.store.Put(ctx, profile, wire.Encode(r), r.revision)
	if err == nil {
		r.revision = revision
	}
	return err
}

// partRoom is how many bytes a message needs in addition to the part of a content that it carries.
const partRoom = 4 << 10

// writeContent encrypts a content and writes its parts. The content has no effect until a record
// names it.
func (p parts) writeContent(ctx context.Context, profile string, plain []byte, as content, k keys) (content, error) {
	whole, err := k.seal(slices.Concat(as.title(profile), plain))
	if err != nil {
		return as, err
	}
	for part := range slices.Chunk(whole, p.most()-partRoom) {
		as.Parts++
		if _, err := p.store.Put(ctx, keyOf(profile, as.Generation, as.Number, uint64(as.Parts)), part, 0); err != nil {
			return as, err
		}
	}
	return as, nil
}

// readContent reads and decrypts a content.
func (p parts) readContent(ctx context.Context, profile string, c content, k keys) ([]byte, error) {
	var whole []byte
	for i := range c.Parts {
		part, err := p.readPart(ctx, profile, c, i+1)
		if err != nil {
			return nil, err
		}
		whole = append(whole, part...)
	}
	opened, err := k.open(profile, whole)
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(opened)
	if err != nil {
		return nil, fmt.Errorf("decrypt profile %s: %w", profile, err)
	}
	plain, ok := bytes.CutPrefix(plain, c.title(profile))
	if !ok {
		return nil, fmt.Errorf("what is kept as profile %s is something else", profile)
	}
	return plain, nil
}

func (p parts) readPart(ctx context.Context, profile string, c content, number int) ([]byte, error) {
	part, _, err := p.store.Get(ctx, keyOf(profile, c.Generation, c.Number, uint64(number)))
	if err != nil {
		return nil, fmt.Errorf("read profile %s: %w", profile, err)
	}
	return part, nil
}

// CheckKept returns nil if this machine could take the stored profile and go on with it. Otherwise
// the error is a [*KeyError], a [*SealedError] or a [*VersionError], or comes from the store.
func CheckKept(ctx context.Context, profiles wire.Store, profile, keyFile string) error {
	with, err := readKeys(keyFile)
	if err != nil {
		return err
	}
	p := parts{store: profiles}
	r, err := p.read(ctx, profile)
	if err != nil || r.Content == nil {
		return err
	}
	first, err := p.readPart(ctx, profile, *r.Content, 1)
	switch {
	case errors.Is(err, wire.ErrNoValue):
		return nil // another save has just replaced this content
	case err != nil:
		return err
	}
	_, err = with.open(profile, first)
	return err
}
