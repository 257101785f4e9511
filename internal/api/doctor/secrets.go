package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chela/internal/wall/vault"
)

// secrets adds checks of where secrets are kept, if there are any. It reads no secret of the
// configuration, since a program could ask a person for a password then.
func (h *Report) secrets(v *vault.Vault) {
	const id, label = "secrets", "Secrets"
	found := v.Health()
	if found.Open != nil {
		c := h.note("secret-files", "Files of secrets", "fail", "other users can read "+strings.Join(found.Open, ", "))
		c.FixHint, c.fix = "run: chela doctor --fix; then change the passwords, if others use this machine", func(context.Context) error { return v.CloseFiles() }
	}
	for _, wrong := range found.Wrong {
		h.note("secret-configuration", "Secrets of the configuration", "warn", wrong.Error()).FixHint = "correct browser.secrets"
	}
	counted := map[vault.Kind]string{vault.Keyring: "%d in the keyring of the system", vault.File: "%d in an encrypted file"}
	switch {
	case found.Failed != nil:
		fix := "make it work again; or remove the files secrets.* of the state directory, and set the secrets again"
		switch {
		case errors.Is(found.Failed, vault.ErrNoAnswer):
			fix = "unlock the keyring of the system"
		case errors.Is(found.Failed, vault.ErrMissing):
			fix = "bring the store back from a backup, or set or remove these secrets"
		case found.Open != nil:
			fix = "run: chela doctor --fix"
		}
		h.note(id, label, "fail", found.Failed.Error()).FixHint = fix
	case found.Stored > 0 && found.Configured > 0:
		h.note(id, label, "pass", fmt.Sprintf(counted[found.Store]+", which answers; %d named by the configuration", found.Stored, found.Configured))
	case found.Stored > 0:
		h.note(id, label, "pass", fmt.Sprintf(counted[found.Store]+", which answers", found.Stored))
	case found.Configured > 0:
		h.note(id, label, "pass", fmt.Sprintf("%d named by the configuration", found.Configured))
	}
}
