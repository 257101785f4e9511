package vault

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"chela/internal/wall/secret"
)

// columns has the names that browsers and password managers give to each column that is imported.
var columns = map[string][]string{
	"url":      {"url", "login_uri", "website", "login_url"},
	"username": {"username", "login_username", "login"},
	"password": {"password", "login_password"},
	"totp":     {"otpauth", "login_totp", "totp"},
	"type":     {"type"},     // in exports of Bitwarden, login or another kind of item
	"reprompt": {"reprompt"}, // in exports of Bitwarden, 1 means to ask before the secret is used
	"archived": {"archived"}, // in exports of 1Password
}

// An ImportError says why a file cannot be imported.
type ImportError struct{ Err error }

func (e *ImportError) Error() string { return fmt.Sprintf("the file cannot be imported: %v", e.Err) }

// Unwrap returns the reason.
func (e *ImportError) Unwrap() error { return e.Err }

// Imported says which secrets were imported, and which were not.
type Imported struct {
	Store   Kind
	Names   []string
	Skipped []Skipped
}

// Skipped is a line of the file, or a part of it, that was not imported.
type Skipped struct {
	Line int    // number of the line in the file
	Site string // host of the account; "" if the line has none that can be read
	Why  string // reason
}

// Import sets the secrets of a file in CSV, as browsers and password managers export it. An account
// of github.com becomes github-com/username, github-com/password and github-com/totp, for the origin
// of its address. A second account begins with github-com-2. An account that was imported before
// is replaced.
//
// Errors are an [*ImportError] and the errors of Set. Nothing was imported then, unless the Store of
// the result is set, see Set.
func (v *Vault) Import(ctx context.Context, file io.Reader, kind Kind) (Imported, error) {
	accounts, skipped, err := readAccounts(file)
	if err != nil {
		return Imported{}, err
	}
	done := Imported{Skipped: skipped, Names: []string{}}
	// The names depend on the secrets that there are, so these must not change until the new ones are set.
	err = v.change(ctx, func() error {
		all, err := v.named(ctx, accounts, &done)
		if err == nil && len(all) > 0 {
			done.Store, err = v.replace(ctx, all, kind)
		}
		return err
	})
	slices.SortStableFunc(done.Skipped, func(a, b Skipped) int { return cmp.Compare(a.Line, b.Line) })
	return done, err
}

// named makes secrets of accounts, with names for them. It adds the names to done, and what is left out.
// Errors are the cause of ctx and a [*StoreError], or come from the index.
func (v *Vault) named(ctx context.Context, accounts []account, done *Imported) (all []valued, err error) {
	n := namer{v: v, used: map[string]account{}}
	if n.known, err = v.index(); err != nil {
		return nil, err
	}
	for _, a := range accounts {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		prefix, same, err := n.prefix(a)
		switch {
		case err != nil:
			return nil, err
		case same != 0:
			done.skip(a, fmt.Sprintf("line %d has the same account", same))
			continue
		}
		for _, each := range a.secrets(prefix) {
			if err := v.complete(&each); err != nil {
				done.skip(a, err.Error())
				continue
			}
			all = append(all, each)
			done.Names = append(done.Names, each.Name)
		}
	}
	return all, nil
}

func (d *Imported) skip(a account, why string) {
	d.Skipped = append(d.Skipped, Skipped{a.line, a.site(), why})
}

// An account is a line of the file.
type account struct {
	line                     int
	places                   []secret.Place
	username, password, totp string
	ask                      Ask
}

// site returns the host of the account's first origin, "" if it has none.
func (a account) site() string {
	if len(a.places) == 0 {
		return ""
	}
	_, host, _ := strings.Cut(string(a.places[0]), "://")
	return host
}

// secrets returns the secrets of an account. Their names begin with prefix.
func (a account) secrets(prefix string) (all []valued) {
	for _, each := range []struct{ name, value string }{{"username", a.username}, {"password", a.password}, {"totp", a.totp}} {
		if each.value != "" {
			all = append(all, valued{Entry{Name: prefix + "/" + each.name, For: a.places, Ask: a.ask}, each.value})
		}
	}
	return all
}

// readAccounts reads the lines of the file. The error is an [*ImportError], and quotes nothing.
func readAccounts(file io.Reader) (all []account, skipped []Skipped, err error) {
	buffered := bufio.NewReader(file)
	if mark, _ := buffered.Peek(3); string(mark) == "\xef\xbb\xbf" { // the mark of UTF-8, as spreadsheets write it
		buffered.Discard(len(mark))
	}
	r := csv.NewReader(buffered)
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	head, err := r.Read()
	if err != nil {
		return nil, nil, &ImportError{errors.New("it has no first line with the names of columns")}
	}
	place, err := placesOfColumns(head)
	if err != nil {
		return nil, nil, &ImportError{err}
	}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all, skipped, nil
		}
		if err != nil {
			return nil, nil, &ImportError{err} // the error has line numbers, and nothing of the text
		}
		line, _ := r.FieldPos(0)
		get := func(column string) string {
			if i, ok := place[column]; ok && i < len(fields) {
				return fields[i]
			}
			return ""
		}
		a, why := accountOf(get)
		a.line = line
		for _, reason := range why {
			skipped = append(skipped, Skipped{line, a.site(), reason})
		}
		if len(a.places) > 0 && a.password+a.totp != "" {
			all = append(all, a)
		}
	}
}

// placesOfColumns finds the columns by their names.
func placesOfColumns(head []string) (map[string]int, error) {
	place := map[string]int{}
	for column, names := range columns {
		i := slices.IndexFunc(head, func(title string) bool {
			return slices.Contains(names, strings.ToLower(strings.TrimSpace(title)))
		})
		if i >= 0 {
			place[column] = i
		}
	}
	for _, needed := range []string{"url", "password"} {
		if _, ok := place[needed]; !ok {
			return nil, fmt.Errorf("it has no column %s", needed)
		}
	}
	return place, nil
}

// accountOf makes an account of a line. It also returns why the line, or a part of it, is left out.
func accountOf(get func(column string) string) (a account, why []string) {
	kind := strings.ToLower(get("type"))
	switch {
	case kind != "" && kind != "login":
		return a, []string{"it is no login"}
	case strings.EqualFold(get("archived"), "true"):
		return a, []string{"it is archived"}
	}
	a = account{username: get("username"), password: get("password"), totp: strings.TrimSpace(get("totp")), ask: Never}
	if get("reprompt") == "1" {
		a.ask = Always
	}
	a.places, why = placesIn(get("url"))
	if a.password+a.totp == "" {
		why = []string{"it has no password"}
	}
	return a, why
}

// placesIn returns the origins of the addresses in a field. Bitwarden writes several, with commas
// between them.
func placesIn(field string) (all []secret.Place, why []string) {
	var addresses []string
	for part := range strings.SplitSeq(field, ",") {
		if len(addresses) > 0 && !strings.Contains(part, "://") && hasPath(addresses[len(addresses)-1]) {
			addresses[len(addresses)-1] += "," + part // the comma is a part of the address
			continue
		}
		addresses = append(addresses, strings.TrimSpace(part))
	}
	for _, address := range addresses {
		place, err := secret.ParsePlace(address)
		switch {
		case err == nil && !slices.Contains(all, place):
			all = append(all, place)
		case err != nil && strings.HasPrefix(strings.ToLower(address), "http://"):
			why = append(why, "its address is http, without encryption")
		case err != nil:
			why = append(why, "its address is of no site")
		}
	}
	return all, why
}

// hasPath reports whether anything follows the host of an address, whose scheme may be missing.
func hasPath(address string) bool {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	return strings.ContainsAny(address, "/?#")
}

// A namer finds names for accounts.
type namer struct {
	v     *Vault
	known index
	used  map[string]account // accounts of this import, by the beginnings of their names
}

// prefix returns what the names of an account begin with. If an earlier line of the file has the
// same account, same is the number of that line.
func (n *namer) prefix(a account) (prefix string, same int, err error) {
	base := legal(a.site())
	for i := 1; ; i++ {
		prefix = base
		if i > 1 {
			prefix = fmt.Sprintf("%s-%d", base, i)
		}
		if used, ok := n.used[prefix]; ok {
			if used.username == a.username && slices.Equal(used.places, a.places) {
				return prefix, used.line, nil
			}
			continue
		}
		free, err := n.isFree(prefix, a)
		if err != nil {
			return "", 0, err
		}
		if free {
			n.used[prefix] = a
			return prefix, 0, nil
		}
	}
}

// isFree reports whether no other account has the names that begin with prefix. An account is the
// same if it has the same user and the same places.
func (n *namer) isFree(prefix string, a account) (bool, error) {
	for _, name := range []string{"/password", totpSuffix, "/username"} {
		if known, ok := n.known.Secrets[prefix+name]; ok && !slices.Equal(known.For, a.places) {
			return false, nil
		}
	}
	known, ok := n.known.Secrets[prefix+"/username"]
	if !ok {
		_, taken := n.known.Secrets[prefix+"/password"]
		return !taken || a.username == "", nil
	}
	n.v.mu.Lock()
	defer n.v.mu.Unlock()
	username, err := n.v.store(n.known).get(known.Key)
	return username == a.username, err
}

// legal turns a host into the first part of the name of a secret: github.com into github-com.
func legal(host string) string {
	words := strings.FieldsFunc(strings.ToLower(host), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}

// NameOf reads a name whose first part is a host. It returns the name of the secret, and the origin
// of the host. For github.com/password they are github-com/password and https://github.com. For any
// other text ok is false.
func NameOf(text string) (name string, place secret.Place, ok bool) {
	host, rest, _ := strings.Cut(text, "/")
	if !strings.Contains(host, ".") || !secret.IsName(rest) {
		return "", "", false
	}
	place, err := secret.ParsePlace(host)
	return legal(host) + "/" + rest, place, err == nil
}
