package config

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Secrets are the credentials that the control port accepts. An empty secret is never accepted.
type Secrets struct {
	Token    func() string // the token can be replaced while the server runs, so it is asked for at each request
	Password string
}

// Secrets returns the secrets of the environment, or else of the file. If there is none, the first
// call creates a token and keeps it in the state directory. Errors come from the token file, or say
// that the mode needs a password and there is none.
func (c *Config) Secrets() (Secrets, error) {
	if c.lacksPassword() {
		return Secrets{}, c.keyFileError(wrongf("gateway.auth.mode", noPassword))
	}
	token, password := c.secrets()
	switch {
	case c.onlyPassword():
		return Secrets{Token: always(""), Password: password}, nil
	case c.Gateway.Auth.Mode == "token" || c.Gateway.Auth.Mode == "none":
		password = ""
	}
	if token != "" {
		return Secrets{Token: always(token), Password: password}, nil
	}
	kept, err := c.State.keepToken()
	if err != nil {
		return Secrets{}, err
	}
	return Secrets{Token: kept.current, Password: password}, nil
}

const noPassword = "is password, but gateway.auth.password is not set"

// lacksPassword reports whether the mode needs a password and there is none.
func (c *Config) lacksPassword() bool {
	_, password := c.secrets()
	return c.Gateway.Auth.Mode == "password" && password == ""
}

// onlyPassword reports whether the port accepts a password and no token. With OpenClaw's mode
// trusted-proxy, a proxy knows the users. Chela does not ask it, so a password counts if there is
// one, and else a token.
func (c *Config) onlyPassword() bool {
	_, password := c.secrets()
	mode := c.Gateway.Auth.Mode
	return mode == "password" || mode == "trusted-proxy" && password != ""
}

// longEnough is how many characters a secret that cannot be guessed needs; the tokens that chela
// makes have 26.
const longEnough = 16

// warnOfGuesses warns about secrets chosen by the user that other machines may guess.
func (c *Config) warnOfGuesses(warn func(format string, args ...any)) {
	token, password := c.secrets()
	for _, secret := range []struct{ name, value string }{{"token", token}, {"password", password}} {
		if length := len(secret.value); 0 < length && length < longEnough {
			warn("%s: the %s has only %d characters, and by gateway.bind other machines may guess it: want %d or more", c.File, secret.name, length, longEnough)
		}
	}
}

func always(token string) func() string { return func() string { return token } }

// Token returns the token that the control port accepts, and creates it if there is none. The error
// is a [*NotOursError] if the port accepts no token, or comes from Secrets.
func (c *Config) Token() (string, error) {
	secrets, err := c.Secrets()
	if err != nil {
		return "", err
	}
	if token := secrets.Token(); token != "" {
		return token, nil
	}
	return "", c.checkKept()
}

// RotateToken replaces the token in the state directory by a new one, and returns its file. A
// running server accepts only the new one from its next request on. The error is a [*NotOursError]
// if chela did not make the token.
func (c *Config) RotateToken() (file string, err error) {
	if err := c.checkKept(); err != nil {
		return "", err
	}
	return c.State.tokenFile(), c.State.whileEditing(c.State.newToken)
}

// A NotOursError says that there is no token, or that the user has set it.
type NotOursError struct{ problem, hint string }

func (e *NotOursError) Error() string { return e.problem }
func (e *NotOursError) Hint() string  { return e.hint }

// checkKept returns a [*NotOursError] unless the token is the one in the state directory.
func (c *Config) checkKept() error {
	switch {
	case c.onlyPassword():
		return &NotOursError{"the server accepts no token: gateway.auth.mode is " + c.Gateway.Auth.Mode,
			"its password is gateway.auth.password, or $CHELA_PASSWORD"}
	case Env("CHELA_TOKEN") != "":
		return &NotOursError{"the token is the value of $CHELA_TOKEN",
			"set another value, and start the server again; or unset it, and chela has a token of its own"}
	case c.Gateway.Auth.Token != "":
		return &NotOursError{"the token is gateway.auth.token in " + c.File,
			"chela config set gateway.auth.token, and start the server again; with the value null chela has a token of its own"}
	}
	return nil
}

// A keptToken is the token in the state directory. When its file changes, the token changes with
// it.
type keptToken struct {
	file string

	mu    sync.Mutex // guards the rest
	token string     // the token that is in force
	seen  stamp      // state of the file when it was last read
}

// keepToken returns the token in the state directory, and creates it if there is none. It returns
// the error of readToken.
func (s State) keepToken() (*keptToken, error) {
	k := &keptToken{file: s.tokenFile(), seen: stampOf(s.tokenFile())}
	token, err := readToken(k.file)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.whileEditing(s.firstToken); err == nil {
			token, err = readToken(k.file)
		}
	}
	k.token = token
	return k, err
}

// current returns the token in force. It costs one call of stat. If the file was removed, or others
// can read it now, no token is accepted until chela token --rotate makes a new one. While the file
// cannot be read for another reason, such as too many open files, the token stays the same.
func (k *keptToken) current() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := stampOf(k.file)
	if now.same(k.seen) {
		return k.token
	}
	token, err := readToken(k.file)
	unsafe, isUnsafe := errors.AsType[*unsafeTokenError](err)
	switch {
	case isUnsafe:
		slog.Warn("no token is accepted", "error", unsafe)
	case errors.Is(err, fs.ErrNotExist):
		slog.Warn("no token is accepted: its file is gone", "file", k.file)
	case err != nil:
		return k.token
	}
	k.token, k.seen = token, now
	return token
}

func (s State) tokenFile() string { return filepath.Join(s.Dir, "token") }

// firstToken makes a token, unless another process has made one meanwhile.
func (s State) firstToken() error {
	if _, err := os.Lstat(s.tokenFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return s.newToken()
}

// newToken replaces the file by one with a new token, whatever the file has now.
func (s State) newToken() error {
	return ReplaceFile(s.tokenFile(), []byte(rand.Text()+"\n"), PastPowerLoss)
}

// An unsafeTokenError is about a token file that cannot be used.
type unsafeTokenError struct{ file, problem string }

func (e *unsafeTokenError) Error() string { return e.file + " " + e.problem }
func (e *unsafeTokenError) Hint() string  { return "chela token --rotate makes a new one" }

// readToken returns the token in a file. A file that others can read is an [*unsafeTokenError]. It
// is not repaired: somebody may have read it, so the token has to be a new one. Other errors come
// from the file system.
func readToken(file string) (string, error) {
	raw, err := ReadPrivate(file)
	if _, open := errors.AsType[*OpenToOthersError](err); open {
		return "", &unsafeTokenError{file, "must be a file that only you can read"}
	}
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(raw))
	if token == "" {
		return "", &unsafeTokenError{file, "is empty"}
	}
	return token, nil
}
