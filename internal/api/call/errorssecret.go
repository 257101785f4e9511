package call

import (
	"errors"

	"chela/internal/op"
	"chela/internal/wall/vault"
)

// explainSecret explains what is wrong with a secret, or with where it is kept. It returns nil for
// any other failure. Package vault quotes no values in its errors.
func explainSecret(err error) *op.Error {
	named, _ := errors.AsType[*vault.NameError](err)
	wrong, isWrong := errors.AsType[*vault.EntryError](err)
	kind, isKind := errors.AsType[*vault.KindError](err)
	index, isIndex := errors.AsType[*vault.IndexError](err)
	failed, isFailed := errors.AsType[*vault.StoreError](err)
	file, isFile := errors.AsType[*vault.ImportError](err)
	source, isSource := errors.AsType[*vault.SourceError](err)
	switch {
	case named != nil && named.Err == vault.ErrUnknown:
		return op.Errorf(op.NoSecret, "%v", named).Hinted("list the secrets; the user adds one with: chela secret set NAME --for ORIGIN")
	case named != nil:
		return op.Errorf(op.Conflict, "%v", named).Hinted("change it there, or choose another name")
	case isWrong:
		return op.Errorf(op.Invalid, "%v", wrong).Hinted("see: chela secret set --help")
	case isFile:
		return op.Errorf(op.Invalid, "%v", file).Hinted("export the passwords as CSV, with a first line of names such as url, username, password")
	case isKind:
		return op.Errorf(op.Conflict, "%v", kind).Hinted("leave out --store; to change the store, remove all secrets first")
	case isIndex:
		return op.Errorf(op.SecretsFailed, "%v", index).Hinted("the user can look at it with: chela doctor")
	case isFailed && errors.Is(err, vault.ErrNoAnswer):
		return op.Errorf(op.SecretsFailed, "%v", failed).Hinted("the user has to unlock the keyring, then call again")
	case isFailed:
		return op.Errorf(op.SecretsFailed, "%v", failed).Hinted("the user can look at it with: chela doctor")
	case isSource:
		return op.Errorf(op.SecretsFailed, "%v", source).Hinted("the user has to correct browser.secrets, or what it names")
	}
	return nil
}
