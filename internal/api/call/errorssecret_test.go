package call

import (
	"errors"
	"io"
	"testing"

	"chela/internal/op"
	"chela/internal/wall/vault"
)

func TestSecretErrors(t *testing.T) {
	for _, s := range []failure{
		{&vault.NameError{Name: "a/b", Err: vault.ErrUnknown}, 404, "SECRET_NOT_FOUND", "secret a/b: there is no such secret", "list the secrets; the user adds one with: chela secret set NAME --for ORIGIN"},
		{&vault.NameError{Name: "a/b", Err: vault.ErrConfigured}, 409, op.Conflict, "secret a/b: browser.secrets of the configuration has it", "change it there, or choose another name"},
		{&vault.StoreError{Kind: vault.Keyring, Err: vault.ErrNoAnswer}, 503, "SECRETS_FAILED", "the keyring of the secrets: it did not answer within 2s; it may be locked",
			"the user has to unlock the keyring, then call again"},
		{&vault.IndexError{File: "/state/secrets.json", Err: io.ErrUnexpectedEOF}, 503, "SECRETS_FAILED",
			"the index of secrets cannot be read: /state/secrets.json: unexpected EOF", "the user can look at it with: chela doctor"},
		{&vault.StoreError{Kind: vault.File, Err: vault.ErrMissing}, 503, "SECRETS_FAILED", "the file of the secrets: it does not have the value any more", "the user can look at it with: chela doctor"},
		{&vault.SourceError{Name: "a", From: "env:X", Err: errors.New("no")}, 503, "SECRETS_FAILED", "secret a: env:X: no", "the user has to correct browser.secrets, or what it names"},
		{&vault.KindError{Used: vault.File, Wanted: vault.Keyring}, 409, op.Conflict, "the secrets are kept in the file, and not in the keyring", "leave out --store; to change the store, remove all secrets first"},
		{&vault.EntryError{Name: "a", Err: errors.New("the value is empty")}, 400, op.Invalid, "secret a: the value is empty", "see: chela secret set --help"},
		{&vault.ImportError{Err: errors.New("it has no column url")}, 400, op.Invalid, "the file cannot be imported: it has no column url",
			"export the passwords as CSV, with a first line of names such as url, username, password"},
	} {
		s.check(t)
	}
}
