package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/hosts"
	"chela/internal/op"
	"chela/internal/wall/secret"
	"chela/internal/wall/vault"
)

// secretRows returns the operations on secrets: passwords and the like that an agent may have
// entered, and never sees. Only a person sets and removes them, and says where they may be entered.
func secretRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /secrets", "secrets", "List the secrets that can be entered in place of a text: their names and origins, never their values.",
			secrets, op.Confined, op.Alone, op.Rare, op.AlsoCalled("secret list")),
		op.Define("POST /secrets/set", "secret set {name}", "Set a secret, with the origins where it may be entered.",
			setSecret, op.OnlyHere, op.NotForAgents, op.Example("github/password --for https://github.com")),
		op.Define("POST /secrets/remove", "secret remove {name}", "Remove a secret.",
			removeSecret, op.OnlyHere, op.NotForAgents, op.Says("removed {name}"), op.Example("github/password")),
		op.Define("POST /secrets/import", "secret import {csv}", "Set the secrets of a file that a browser or password manager has exported.",
			importSecrets, op.OnlyHere, op.NotForAgents, op.Limit(300*s, 1*s, 600*s), op.Example("passwords.csv")),
		op.Define("GET /secrets/log", "secret log {name?}", "List the uses of secrets: when, in which session, for which page.",
			secretLog, op.OnlyHere, op.Alone, op.NotForAgents),
	}
}

// A secretInfo is a secret in the list.
type secretInfo struct {
	Name string         `json:"name" doc:"name of the secret: secret:NAME stands for it in place of a text"`
	For  []secret.Place `json:"for" doc:"origins where it may be entered"`
	TOTP bool           `json:"totp,omitempty" doc:"the value is a key for one-time codes; pages get the current code"`
	Ask  vault.Ask      `json:"ask" doc:"whether a person is asked before the secret is used: always; session: once in each session; never"`
	From string         `json:"from" doc:"where the value is kept: keyring, file, or the source that the configuration names"`
	Used *time.Time     `json:"lastUsedAt,omitempty" doc:"when the secret was last used"`
}

// Text is a line.
func (i secretInfo) Text() string {
	line := i.Name + ": for " + placeList(i.For)
	if i.TOTP {
		line += ", one-time code"
	}
	if i.Ask != vault.Never {
		line += map[vault.Ask]string{vault.Always: ", a person is asked each time", vault.Session: ", a person is asked once in a session"}[i.Ask]
	}
	if i.Used != nil {
		line += ", last used " + i.Used.Local().Format(time.DateTime)
	}
	return line
}

func placeList(places []secret.Place) string {
	var all []string
	for _, p := range places {
		all = append(all, string(p))
	}
	return strings.Join(all, ", ")
}

// secretList lists the secrets.
type secretList struct {
	Secrets []secretInfo `json:"secrets" doc:"the secrets, by their names"`
	Problem string       `json:"problem,omitempty" doc:"what is wrong with a secret of the configuration; that secret is not in the list"`
}

// Text lists them for a person.
func (l secretList) Text() string {
	if len(l.Secrets) == 0 {
		return words.Lines("no secrets", l.Problem)
	}
	var all []string
	for _, each := range l.Secrets {
		all = append(all, each.Text())
	}
	return words.Lines(append(all, l.Problem)...)
}

// secrets lists the secrets. A session with limits sees only those for hosts that it may open.
func secrets(ctx context.Context, s *call.Service, _ nothing) (secretList, error) {
	list := secretList{Secrets: []secretInfo{}}
	all, err := s.Secrets.List()
	if wrong, ok := errors.AsType[*vault.EntryError](err); ok {
		list.Problem, err = wrong.Error(), nil
	}
	if err != nil {
		return secretList{}, err
	}
	if s.Limited(ctx) {
		only, err := hosts.ParsePatterns("allowHosts", s.Hosts(ctx))
		if err != nil {
			return secretList{}, err
		}
		all, list.Problem = slices.DeleteFunc(all, func(e vault.Entry) bool { return !isForAny(e.For, only) }), ""
	}
	for _, e := range all {
		info := secretInfo{Name: e.Name, For: e.For, TOTP: e.TOTP, Ask: e.Ask, From: e.From}
		if !e.Used.IsZero() {
			info.Used = &e.Used
		}
		list.Secrets = append(list.Secrets, info)
	}
	return list, nil
}

// isForAny reports whether one of the places is on one of the hosts.
func isForAny(places []secret.Place, only hosts.Patterns) bool {
	return slices.ContainsFunc(places, func(p secret.Place) bool {
		h, ok := hosts.Parse(p.Host())
		return ok && only.Match(h)
	})
}

// A setSecretRequest is a secret with its value.
type setSecretRequest struct {
	Name  string   `json:"name" doc:"name of the secret: lower-case letters, digits and hyphens in parts separated by slashes, such as github/password; the first part may be the host of its site, as in github.com/password"`
	Value op.Asked `json:"value,omitempty" flag:"-" secret:"true" verbatim:"true" doc:"value of the secret, which is required; the command asks for it, or reads it from standard input with --stdin"`
	For   []string `json:"for,omitempty" doc:"origins where it may be entered, such as https://github.com or https://*.example.com; when left out, the host in the name"`
	TOTP  bool     `json:"totp,omitempty" doc:"the value is an otpauth URL, or the key in one; pages get the current one-time password. True for a name that ends in /totp"`
	Ask   string   `json:"ask,omitempty" enum:"always,session,never" default:"never" doc:"whether a person is asked before the secret is used; session: once in each session"`
	Store string   `json:"store,omitempty" enum:"keyring,file" doc:"where to keep all secrets; the first call decides. When left out, the keyring of the system if it answers, else an encrypted file"`
}

// setSecretResult says what was set.
type setSecretResult struct {
	OK    bool           `json:"ok" doc:"always true"`
	Name  string         `json:"name" doc:"name of the secret"`
	For   []secret.Place `json:"for" doc:"origins where it may be entered"`
	Store vault.Kind     `json:"store" doc:"where the value is kept: keyring or file"`
}

// Text says what was set, and how it is used.
func (r setSecretResult) Text() string {
	return fmt.Sprintf("set %s for %s, in the %s; in place of a text, write secret:%s", r.Name, placeList(r.For), r.Store, r.Name)
}

func setSecret(ctx context.Context, s *call.Service, r setSecretRequest) (setSecretResult, error) {
	places, err := vault.Places(r.For)
	if err != nil {
		return setSecretResult{}, op.Errorf(op.Invalid, "for: %v", err)
	}
	if name, site, ok := vault.NameOf(r.Name); ok {
		r.Name = name
		if len(places) == 0 {
			places = []secret.Place{site}
		}
	}
	if len(places) == 0 {
		return setSecretResult{}, op.Errorf(op.Invalid, "for is required: it says where the secret may be entered").
			Hinted("give an origin such as https://github.com, or a name that begins with the host, such as github.com/password")
	}
	e := vault.Entry{Name: r.Name, For: places, TOTP: r.TOTP, Ask: vault.Ask(r.Ask)}
	store, err := s.Secrets.Set(ctx, e, string(r.Value), vault.Kind(r.Store))
	return setSecretResult{true, r.Name, places, store}, err
}

// A secretRequest names a secret.
type secretRequest struct {
	Name string `json:"name" doc:"name of the secret"`
}

// removeSecretResult says what was removed.
type removeSecretResult struct {
	OK   bool   `json:"ok" doc:"always true"`
	Name string `json:"name" doc:"name of the secret"`
}

func removeSecret(ctx context.Context, s *call.Service, r secretRequest) (removeSecretResult, error) {
	if name, _, ok := vault.NameOf(r.Name); ok {
		r.Name = name
	}
	return removeSecretResult{true, r.Name}, s.Secrets.Remove(ctx, r.Name)
}

// An importSecretsRequest has a file of secrets.
type importSecretsRequest struct {
	CSV   op.Content `json:"csv" secret:"true" verbatim:"true" doc:"logins in CSV, as Chrome, Firefox, Safari, Bitwarden and 1Password export them; on the command line: the file, or - for standard input"`
	Store string     `json:"store,omitempty" enum:"keyring,file" doc:"where to keep all secrets; the first call decides. When left out, the keyring of the system if it answers, else an encrypted file"`
}

// importResult says what was imported.
type importResult struct {
	OK      bool          `json:"ok" doc:"always true"`
	Names   []string      `json:"names" doc:"names of the secrets that were set"`
	Store   vault.Kind    `json:"store,omitempty" doc:"where their values are kept: keyring or file"`
	Skipped []notImported `json:"skipped" doc:"lines of the file that were not imported"`
}

// A notImported is something that was not imported.
type notImported struct {
	Line int    `json:"line" doc:"line of the file, from 1"`
	Site string `json:"site,omitempty" doc:"host of the login, if the line has one"`
	Why  string `json:"why" doc:"why the line was not imported"`
}

// Text lists what was imported, and what was not.
func (r importResult) Text() string {
	all := append([]string{}, r.Names...)
	for _, each := range r.Skipped {
		all = append(all, fmt.Sprintf("skipped line %d%s: %s", each.Line, words.Prefixed(" ", each.Site), each.Why))
	}
	if len(r.Names) == 0 {
		return words.Lines(append(all, "imported nothing")...)
	}
	return words.Lines(append(all, fmt.Sprintf("imported %d secrets into the %s; remove the file now: it has the passwords as they are", len(r.Names), r.Store))...)
}

func importSecrets(ctx context.Context, s *call.Service, r importSecretsRequest) (importResult, error) {
	done, err := s.Secrets.Import(ctx, strings.NewReader(string(r.CSV)), vault.Kind(r.Store))
	result := importResult{OK: true, Names: done.Names, Store: done.Store, Skipped: []notImported{}}
	for _, each := range done.Skipped {
		result.Skipped = append(result.Skipped, notImported(each))
	}
	return result, err
}

// A secretLogRequest asks for the uses of all secrets, or of one.
type secretLogRequest struct {
	Name string `json:"name,omitempty" flag:"-" doc:"only uses of this secret"`
}

// A useInfo is a use of a secret.
type useInfo struct {
	At      time.Time `json:"at" doc:"when the secret was used"`
	Name    string    `json:"name" doc:"name of the secret"`
	Session string    `json:"session,omitempty" doc:"session of the call"`
	Origin  string    `json:"origin,omitempty" doc:"origin of the page that got the secret"`
	TabID   op.Handle `json:"tabId,omitempty" doc:"handle of the tab"`
	Profile string    `json:"profile,omitempty" doc:"profile of the browser"`
	Op      string    `json:"op,omitempty" doc:"operation that used the secret"`
}

// secretUses lists uses of secrets.
type secretUses struct {
	Uses []useInfo `json:"uses" doc:"the uses, the oldest first"`
}

// Text is a line for each.
func (l secretUses) Text() string {
	if len(l.Uses) == 0 {
		return "no uses"
	}
	var all []string
	for _, u := range l.Uses {
		all = append(all, u.At.Local().Format(time.DateTime)+" "+u.Name+words.Prefixed(" for ", u.Origin)+words.Prefixed(" in tab ", string(u.TabID))+
			words.Prefixed(" of ", u.Profile)+words.Prefixed(", session ", u.Session)+words.Prefixed(", by ", u.Op))
	}
	return words.Lines(all...)
}

func secretLog(_ context.Context, s *call.Service, r secretLogRequest) (secretUses, error) {
	all, err := s.Secrets.Log()
	if err != nil {
		return secretUses{}, err
	}
	list := secretUses{[]useInfo{}}
	for _, u := range all {
		if r.Name == "" || r.Name == u.Name {
			list.Uses = append(list.Uses, useInfo{u.Time, u.Name, u.Session, u.Origin, op.Handle(u.Tab), u.Profile, u.Op})
		}
	}
	return list, nil
}
