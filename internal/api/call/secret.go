package call

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/internal/op"
	"chela/internal/wall/secret"
	"chela/internal/wall/vault"
)

// EnterSecret replaces the text of an element by the secret with this name. Several elements get
// one character each, as some forms for codes want it. Where the secret may be entered is checked
// first, then a person may have to agree, and only then the value is read. If the page has changed
// the value, differs is true.
//
// Errors come from [vault.Vault.Read], [page.Element.EnterSecret] and askConsent. With several
// elements, an error after the first character wraps [page.ErrSent].
func (t *Turn) EnterSecret(ctx context.Context, name string, els ...*page.Element) (differs bool, err error) {
	e, err := t.Service.Secrets.Entry(name)
	if err != nil {
		return false, err
	}
	origin, err := els[0].SecretOrigin(ctx, secret.Secret{Name: name, For: e.For})
	if err != nil {
		return false, err
	}
	s, err := t.Service.readSecret(ctx, e, origin, t.Tab)
	if err != nil {
		return false, err
	}
	if differs, err = enterIn(ctx, els, s); err == nil || errors.Is(err, page.ErrSent) {
		err = errors.Join(err, t.Service.noteSecret(ctx, name, origin, t.Tab))
	}
	return differs, err
}

// enterIn enters a secret in an element, or its characters in several elements. If the number of
// these elements is not the number of characters, it enters nothing, and differs is true.
func enterIn(ctx context.Context, els []*page.Element, s secret.Secret) (differs bool, err error) {
	if len(els) == 1 {
		return els[0].EnterSecret(ctx, s)
	}
	chars := []rune(s.Value)
	if len(chars) != len(els) {
		return true, nil
	}
	for i, el := range els {
		s.Value = string(chars[i])
		other, err := el.EnterSecret(ctx, s)
		if err != nil && i > 0 {
			err = fmt.Errorf("%w: %w", page.ErrSent, err)
		}
		if err != nil || other {
			return other, err
		}
	}
	return false, nil
}

// readSecret returns a secret with its value, if its use at an origin is permitted.
func (s *Service) readSecret(ctx context.Context, e vault.Entry, origin string, tab *browser.Tab) (secret.Secret, error) {
	if e.Ask == vault.Always || e.Ask == vault.Session {
		if err := s.askConsent(ctx, e.Name, origin, e.Ask == vault.Always, tab); err != nil {
			return secret.Secret{}, err
		}
	}
	return s.Secrets.Read(ctx, e.Name)
}

// KeepSecret reads a secret that settings send to an origin, see [secret.Keep]. Errors are the same
// as for [Turn.EnterSecret].
func (s *Service) KeepSecret(ctx context.Context, name, origin string, tab *browser.Tab) error {
	e, err := s.Secrets.Entry(name)
	if err != nil {
		return err
	}
	if e.TOTP {
		return op.Errorf(op.Invalid, "the secret %s is a one-time code, which is valid for a moment only", name)
	}
	if !e.IsFor(origin) {
		return &page.PlaceError{Secret: name, Why: page.OtherOrigin, Origin: origin}
	}
	one, err := s.readSecret(ctx, e, origin, tab)
	if err != nil {
		return err
	}
	secret.Keep(one)
	return s.noteSecret(ctx, name, origin, tab)
}

// keepAgain reads the secrets that settings from an earlier server contain, such as in headers.
// Their use was permitted when the settings were made. A secret that cannot be read any more is kept
// without a value and without places, so it is not sent. Only the first call returns the error. The
// secret is read again when it was set again, or when the configuration has changed.
func (s *Service) keepAgain(ctx context.Context, c setting.Common) error {
	for text := range c.Texts() {
		name, isSecret := secret.NameIn(text)
		if !isSecret || secret.IsKept(text) {
			continue
		}
		one, err := s.Secrets.Read(ctx, name)
		if ctx.Err() == nil { // otherwise the reading was cut short, and a later call tries again
			secret.Keep(one)
		}
		if err != nil {
			return fmt.Errorf("headers or credentials that are set need a secret: %w", err)
		}
	}
	return nil
}

// noteSecret notes that a secret was used in a tab.
func (s *Service) noteSecret(ctx context.Context, name, origin string, tab *browser.Tab) error {
	n := noteOf(ctx)
	use := vault.Use{Time: time.Now(), Name: name, Session: op.Session(ctx), Origin: origin, Tab: tab.Info().ID}
	if n.op != nil {
		use.Op = n.op.Name()
	}
	if n.profile != nil {
		use.Profile = n.profile.Name
	}
	if err := s.Secrets.NoteUse(use); err != nil {
		return fmt.Errorf("note the use of secret %s: %w", name, err)
	}
	return nil
}

// explainPlace explains why a secret is not entered where a call wants it. It returns nil for any
// other failure.
func explainPlace(err error) *op.Error {
	e, ok := errors.AsType[*page.PlaceError](err)
	if !ok {
		return nil
	}
	if e.Why == page.OtherOrigin && e.Origin == "null" {
		return op.Errorf(op.SecretPlace, "the secret %s is not for this document, which has no origin", e.Secret).
			Hinted("enter it in a page of its own address; a frame that is sandboxed gets no secrets")
	}
	switch e.Why {
	case page.OtherKind:
		return op.Errorf(op.SecretPlace, "this element at %s gets no secrets", e.Origin).
			Hinted("a secret goes into an input for a text, password, e-mail, number or phone number")
	case page.Unseen:
		return op.Errorf(op.SecretPlace, "nobody can see this field at %s, so it does not get the secret %s", e.Origin, e.Secret).
			Hinted("take a snapshot and use the field that the page shows")
	case page.SentAway:
		return op.Errorf(op.SecretPlace, "the form of this field is sent to %s, which the secret %s is not for", e.Origin, e.Secret).
			Hinted("do not enter it elsewhere: ask the user, who can let the secret be used there")
	}
	return op.Errorf(op.SecretPlace, "the secret %s is not for %s", e.Secret, e.Origin).
		Hinted("go to the site that it is for; secrets lists these. The user decides where it may be used")
}
