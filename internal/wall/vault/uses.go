package vault

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"chela/internal/base/config"
	"chela/internal/wall/secret"
)

// maxLog is the size of the log, in bytes, at which the older half of its entries is dropped.
const maxLog = 1 << 20

// A Use says that a secret was used.
type Use struct {
	Time    time.Time `json:"time"`
	Name    string    `json:"name"`
	Session string    `json:"session,omitempty"`
	Origin  string    `json:"origin,omitempty"`  // origin of the page that got the secret
	Tab     string    `json:"tab,omitempty"`     // handle of the tab
	Profile string    `json:"profile,omitempty"` // profile of the browser
	Op      string    `json:"op,omitempty"`      // operation that used it
}

// NoteUse adds a use to the log. The error comes from the file system.
func (v *Vault) NoteUse(u Use) error {
	raw, err := json.Marshal(u)
	if err != nil {
		return err
	}
	v.logMu.Lock()
	defer v.logMu.Unlock()
	file := v.state.SecretFile(logFile)
	if err := config.AppendLine(file, secret.MaskBytes(raw)); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil || info.Size() < maxLog {
		return err
	}
	return v.shortenLocked()
}

// Log returns the uses in the log, the oldest first. Lines that cannot be read are left out: a
// process may have been killed while it wrote one.
func (v *Vault) Log() ([]Use, error) {
	v.logMu.Lock()
	defer v.logMu.Unlock()
	return v.usesLocked()
}

// usesLocked reads the log.
func (v *Vault) usesLocked() ([]Use, error) {
	raw, err := config.ReadFile(v.state.SecretFile(logFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Use
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, maxLog)
	for lines.Scan() {
		var u Use
		if json.Unmarshal(lines.Bytes(), &u) == nil && u.Name != "" {
			all = append(all, u)
		}
	}
	return all, lines.Err()
}

// shortenLocked drops the older half of the log, but not the last use of each secret.
func (v *Vault) shortenLocked() error {
	all, err := v.usesLocked()
	if err != nil {
		return err
	}
	last := map[string]int{}
	for i, u := range all {
		last[u.Name] = i
	}
	var kept bytes.Buffer
	lines := json.NewEncoder(&kept)
	for i, u := range all {
		if i < len(all)/2 && last[u.Name] != i {
			continue
		}
		if err := lines.Encode(u); err != nil {
			return err
		}
	}
	return v.state.WriteSecretFile(logFile, kept.Bytes())
}

// lastUses returns when each secret was last used.
func (v *Vault) lastUses() (map[string]time.Time, error) {
	all, err := v.Log()
	used := map[string]time.Time{}
	for _, u := range all {
		used[u.Name] = u.Time
	}
	return used, err
}
