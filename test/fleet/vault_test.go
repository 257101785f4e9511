//go:build unix

package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"filippo.io/age"

	"chela/internal/base/config"
	"chela/internal/fleet/natsline"
	"chela/internal/fleet/wire"
	"chela/test/service"
)

// A vault is what NATS keeps of the profile named work, with the keys for it.
type vault struct {
	store wire.Store
	keys  []age.Identity
}

// openVault opens the vault for the time of the test.
func (b *broker) openVault(t testing.TB, keyFile string) *vault {
	t.Helper()
	f, err := os.Open(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	keys, err := age.ParseIdentities(f)
	if err != nil {
		t.Fatal(err)
	}
	line, err := natsline.Dial(config.Fleet{URL: b.url(), Tenant: "default"}, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(line.Close)
	return &vault{line.Profiles(), keys}
}

// A deposit is the last version of a profile that was saved.
type deposit struct {
	Generation, Number, Parts uint64
	plain                     []byte
}

// last returns the last deposit. It returns false if there is none, or if it is being replaced.
func (v *vault) last(t testing.TB) (d deposit, ok bool) {
	t.Helper()
	var record struct{ Content *deposit }
	raw, _, err := v.store.Get(t.Context(), "work")
	if err != nil || json.Unmarshal(raw, &record) != nil || record.Content == nil {
		return d, false
	}
	d = *record.Content
	sealed, err := v.sealed(t, d)
	if err != nil || d.Parts != 1 {
		return d, false
	}
	r, err := age.Decrypt(bytes.NewReader(sealed), v.keys...)
	if err != nil {
		t.Fatal(err)
	}
	d.plain, err = io.ReadAll(r)
	return d, err == nil
}

// sealed returns the first part of a deposit, as NATS has it.
func (v *vault) sealed(t testing.TB, d deposit) ([]byte, error) {
	part, _, err := v.store.Get(t.Context(), fmt.Sprintf("work.%d.%d.1", d.Generation, d.Number))
	return part, err
}

// has reports whether a text is in the deposit.
func (d deposit) has(text string) bool { return bytes.Contains(d.plain, []byte(text)) }

// tabs returns the number of tabs in the deposit.
func (d deposit) tabs(t testing.TB) int {
	t.Helper()
	_, raw, _ := bytes.Cut(d.plain, []byte("\n")) // after the title
	var content struct{ Memory struct{ Tabs []any } }
	if err := json.Unmarshal(raw, &content); err != nil {
		t.Fatal(err)
	}
	return len(content.Memory.Tabs)
}

// await waits until the last deposit contains a text, and returns the deposit.
func (v *vault) await(t testing.TB, text string) (d deposit) {
	t.Helper()
	service.Eventually(t, text+" is kept", func() (ok bool) {
		d, ok = v.last(t)
		return ok && d.has(text)
	})
	return d
}

// isEmpty reports whether no node has taken the profile yet.
func (v *vault) isEmpty(t testing.TB) bool {
	_, _, err := v.store.Get(t.Context(), "work")
	return errors.Is(err, wire.ErrNoValue)
}
