package api

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/login"
	"chela/internal/wall/vault"
)

// A loginRequest names an account. The names of the account's secrets begin with this name.
type loginRequest struct {
	call.Acting
	Name string `json:"name,omitempty" doc:"the account: its secrets are NAME/username, NAME/password and NAME/totp; by default the only one for the site" tool:"+"`
}

// loginResult says what was entered, and what the page still asks for.
type loginResult struct {
	Account string   `json:"account" doc:"name of the account"`
	Entered []string `json:"entered" doc:"what was entered, in order: username, password, one-time code"`
	Asks    string   `json:"asks,omitempty" doc:"what the page still asks for after the form was sent; then the login has failed, or is not complete"`
}

// Text says what was entered.
func (l loginResult) Text() string {
	text := "entered " + strings.Join(l.Entered, ", ") + " of " + l.Account
	if l.Asks != "" {
		text += "; the page still asks for the " + l.Asks
	}
	return text
}

// Failure returns an error if the page still asks for something after the form was sent.
func (l loginResult) Failure() error {
	if l.Asks == "" {
		return nil
	}
	e := op.Errorf(op.ActFailed, "the page still asks for the %s after the form was sent", l.Asks).
		Hinted("read what the page says; it is not tried again, as accounts are locked after some tries")
	e.Sent = true
	return e
}

// SoFar adds to an error what was entered before it.
func (l loginResult) SoFar(e *op.Error) {
	if len(l.Entered) > 0 {
		e.Details = map[string]any{"entered": l.Entered}
		e.Sent = true
	}
}

// Limits of a login.
const (
	maxSteps  = 4                      // how many forms are sent at most
	loginRest = 300 * time.Millisecond // a page is looked at again when nothing has happened in it for this long
	loginWait = 8 * time.Second        // how long to wait until nothing happens in a page
)

// logIn fills in the login form that the page shows, and sends it. It does so again for what the
// page asks for next, such as the password after the name and then a code. A form that asks for
// what was already entered is not sent again.
//
// If it is not certain where something is to be entered, nothing is, and the error says what the
// page shows.
func logIn(ctx context.Context, t *call.Turn, r loginRequest) (done loginResult, err error) {
	done.Entered = []string{}
	account, err := accountOf(ctx, t, r.Name)
	if err != nil {
		return done, err
	}
	done.Account = account.name
	run := loginRun{turn: t, account: account, done: &done}
	err = t.Page.Act(ctx, func(ctx context.Context) error { return run.steps(ctx) })
	return done, err
}

// A loginRun is the state of a login while it is done.
type loginRun struct {
	turn    *call.Turn
	account account
	done    *loginResult
	doubt   error // why the last click on a button may not have sent its form, see page.Click; nil: it has
}

// steps fills in and sends one form after the other.
func (l *loginRun) steps(ctx context.Context) error {
	step, why, ok, err := l.look(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return l.unsure(why)
	}
	for range maxSteps {
		if err := l.enter(ctx, step); err != nil {
			return err
		}
		if step, ok, err = l.next(ctx); err != nil || !ok {
			return err
		}
	}
	return nil
}

// look returns what the page asks for, see [login.Find].
func (l *loginRun) look(ctx context.Context) (login.Step, string, bool, error) {
	forms, err := l.turn.Page.LoginForms(ctx, l.account.isFor)
	step, why, ok := login.Find(forms)
	return step, why, ok, err
}

// unsure returns the error for a page in which it is not certain where to enter something.
func (l *loginRun) unsure(why string) error {
	if why == "" {
		return op.Errorf(op.ActFailed, "the page shows no login form for %s", l.account.name).
			Hinted("open the form first, such as by a click on Sign in; fields of frames count if the secrets are for their origins")
	}
	return op.Errorf(op.ActFailed, "it is not certain where to log in, so nothing was entered. The page shows %s", why).
		Hinted("enter the secrets where they belong: type a ref with secret:%s", l.account.example())
}

// enter fills in a step and sends its form.
func (l *loginRun) enter(ctx context.Context, s login.Step) error {
	for _, kind := range s.Asks() {
		if _, ok := l.account.secrets[kind]; !ok && !l.entered(kind) {
			return op.Errorf(op.NoSecret, "the page asks for the %s, and there is no secret %s", kind, l.account.nameOf(kind)).
				Hinted("the user adds it with: chela secret set %s", l.account.nameOf(kind))
		}
	}
	if s.User != nil && !l.entered(login.User) {
		if err := l.put(ctx, login.User, *s.User); err != nil {
			return err
		}
	}
	if s.Password != nil {
		if err := l.put(ctx, login.Password, *s.Password); err != nil {
			return err
		}
	}
	if len(s.Code) > 0 {
		if err := l.put(ctx, login.Code, s.Code...); err != nil {
			return err
		}
	}
	return l.send(ctx, s.Last())
}

// put enters a secret in a field, or a character of it in each of several.
func (l *loginRun) put(ctx context.Context, kind login.Kind, fields ...login.Field) error {
	var all []*page.Element
	for _, f := range fields {
		el, err := l.turn.Page.Element(ctx, f.Ref)
		if err != nil {
			return err
		}
		all = append(all, el)
	}
	differs, err := l.turn.EnterSecret(ctx, l.account.secrets[kind].Name, all...)
	if err != nil {
		return err
	}
	if differs {
		return op.Errorf(op.ActFailed, "the field for the %s holds something else than the secret, so the form was not sent", kind).
			Hinted("take a snapshot: the page has changed or shortened it")
	}
	l.done.Entered = append(l.done.Entered, string(kind))
	return nil
}

// send sends the form of a field: by a click on its button, else by the key Enter. Forms for codes
// often send themselves: then the field is not there any more.
func (l *loginRun) send(ctx context.Context, last login.Field) error {
	l.doubt = nil
	el, err := l.turn.Page.Element(ctx, last.Ref)
	if err != nil {
		return err
	}
	button, err := el.LoginButton(ctx)
	if _, gone := errors.AsType[*page.StaleRefError](err); gone {
		return nil
	}
	if err != nil {
		return err
	}
	if button == nil {
		return el.PressEnter(ctx)
	}
	err = button.Click(ctx, page.Click{Doubt: func(err error) { l.doubt = err }})
	if _, gone := errors.AsType[*page.StaleRefError](err); gone && !errors.Is(err, page.ErrSent) {
		return nil
	}
	return err
}

// next waits for what the page asks for next. If ok is false, it asks for nothing more, or for what
// was entered already. If it asks for that since the form got no click, the error says so.
func (l *loginRun) next(ctx context.Context) (step login.Step, ok bool, err error) {
	limited, cancel := context.WithTimeout(ctx, min(loginWait, timeLeft(ctx)/2))
	defer cancel()
	l.turn.Page.AwaitSettled(limited, loginRest)
	step, _, ok, err = l.look(ctx)
	if err != nil || !ok {
		return step, false, err
	}
	for _, kind := range step.Asks() {
		if !l.entered(kind) {
			return step, true, nil
		}
	}
	if l.doubt != nil {
		return step, false, call.AfterInput(l.doubt)
	}
	l.done.Asks = string(step.Asks()[len(step.Asks())-1])
	return step, false, nil
}

func timeLeft(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Minute
	}
	return time.Until(deadline)
}

func (l *loginRun) entered(kind login.Kind) bool {
	return slices.Contains(l.done.Entered, string(kind))
}

// An account is a group of secrets for a login.
type account struct {
	name    string
	secrets map[login.Kind]vault.Entry
}

// lastName has the last part of the names of an account's secrets.
var lastName = map[login.Kind]string{login.User: "username", login.Password: "password", login.Code: "totp"}

// nameOf returns the name of the secret for what a field asks for.
func (a account) nameOf(kind login.Kind) string { return a.name + "/" + lastName[kind] }

// example returns the name of a secret that the account has.
func (a account) example() string {
	if _, ok := a.secrets[login.Password]; ok {
		return a.nameOf(login.Password)
	}
	for kind := range a.secrets {
		return a.nameOf(kind)
	}
	return a.nameOf(login.Password)
}

// isFor reports whether documents of an origin may get a secret of the account.
func (a account) isFor(origin string) bool {
	for _, e := range a.secrets {
		if e.IsFor(origin) {
			return true
		}
	}
	return false
}

// accountOf returns the account of a name. Without a name, it is the only account for the origin of
// the page or, if there is none, for the origins of its frames. Errors come from the vault, or say
// which accounts there are.
func accountOf(ctx context.Context, t *call.Turn, name string) (account, error) {
	entries, err := t.Service.Secrets.List()
	if err != nil && len(entries) == 0 {
		return account{}, err
	}
	accounts := accountsOf(entries)
	if name != "" {
		i := slices.IndexFunc(accounts, func(a account) bool { return a.name == name })
		if i < 0 {
			return account{}, op.Errorf(op.NoSecret, "there is no account %s", name).Hinted("%s", accountNames(accounts))
		}
		return accounts[i], nil
	}
	for _, origins := range [][]string{{t.Page.Origin()}, t.Page.Origins()} {
		fit := slices.DeleteFunc(slices.Clone(accounts), func(a account) bool { return !slices.ContainsFunc(origins, a.isFor) })
		if len(fit) == 1 {
			return fit[0], nil
		}
		if len(fit) > 1 {
			return account{}, op.Errorf(op.Conflict, "several accounts are for this site").Hinted("name one of them: %s", strings.Join(namesOf(fit), ", "))
		}
	}
	return account{}, op.Errorf(op.NoSecret, "no account is for this site").Hinted("%s", accountNames(accounts))
}

// accountNames names accounts for a hint.
func accountNames(accounts []account) string {
	if len(accounts) == 0 {
		return "there are none; the user adds one with: chela secret set NAME/password --for ORIGIN"
	}
	return "accounts: " + strings.Join(namesOf(accounts), ", ")
}

func namesOf(accounts []account) (names []string) {
	for _, a := range accounts {
		names = append(names, a.name)
	}
	return names
}

// accountsOf groups secrets by accounts.
func accountsOf(entries []vault.Entry) (all []account) {
	for _, e := range entries {
		for kind, last := range lastName {
			name, ok := strings.CutSuffix(e.Name, "/"+last)
			if !ok {
				continue
			}
			i := slices.IndexFunc(all, func(a account) bool { return a.name == name })
			if i < 0 {
				all, i = append(all, account{name, map[login.Kind]vault.Entry{}}), len(all)
			}
			all[i].secrets[kind] = e
		}
	}
	return all
}
