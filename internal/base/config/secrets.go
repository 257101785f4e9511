package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A NamedSecret says where the value of a secret comes from, and where it may be entered.
type NamedSecret struct {
	From any      `json:"from" doc:"where the value is: env:NAME, file:PATH, or exec:COMMAND, whose output it is; or the command as a list of words, such as [\"op\", \"read\", \"op://work/github/password\"]; it is run without a shell"`
	For  []string `json:"for" doc:"origins of the pages in which the secret may be entered, such as https://github.com or https://*.example.com"`
	Ask  string   `json:"ask" doc:"whether a person is asked before the secret is used: always, session: once in each session, or never; absent: never"`
	TOTP bool     `json:"totp" doc:"the value is an otpauth URL or the key in it, and the current one-time code is entered"`
}

// A SecretSource is where the value of a secret is. One field is set.
type SecretSource struct {
	Variable string   // name of a variable of the environment
	File     string   // path
	Command  []string // program and its arguments
}

// String names the source, as the configuration does. For a command, it has only the program.
func (s SecretSource) String() string {
	switch {
	case s.Variable != "":
		return FromEnvironment + s.Variable
	case s.File != "":
		return fromFile + s.File
	}
	return fromCommand + s.Command[0]
}

// The prefixes of sources in the configuration; FromEnvironment is another one.
const (
	fromFile    = "file:"
	fromCommand = "exec:"
)

// Source returns where the value of a secret is. A relative path begins at the folder of the
// configuration file.
func (c *Config) Source(s NamedSecret) SecretSource {
	source, _ := s.source() // check has already accepted it
	source.File = c.fileOf(source.File)
	return source
}

// source reads the value of the field From.
func (s NamedSecret) source() (SecretSource, error) {
	text, isText := s.From.(string)
	if !isText {
		words, ok := wordsOf(s.From)
		if !ok {
			return SecretSource{}, errSource
		}
		return SecretSource{Command: words}, nil
	}
	if name, ok := strings.CutPrefix(text, FromEnvironment); ok && name != "" {
		return SecretSource{Variable: name}, nil
	}
	if path, ok := strings.CutPrefix(text, fromFile); ok && path != "" {
		return SecretSource{File: path}, nil
	}
	command, ok := strings.CutPrefix(text, fromCommand)
	if !ok {
		return SecretSource{}, errSource
	}
	words, err := splitWords(command)
	if err == nil && (len(words) == 0 || words[0] == "") {
		err = errSource
	}
	return SecretSource{Command: words}, err
}

// errSource does not quote the value, which may be a password in the wrong place.
var errSource = errors.New("must be env:NAME, file:PATH, exec:COMMAND, or a list of words")

// splitWords splits a command into words at spaces. What stands in single or double quotes belongs
// to one word. Nothing else is special: no variable and no pattern is replaced.
func splitWords(command string) (words []string, err error) {
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("has a quote without its end")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// Asks are the values that the field Ask of a [NamedSecret] can have. The first is the default.
var Asks = []string{"never", "session", "always"}

// checkSecrets is the part of [Config.check] about browser.secrets. Names and origins are checked
// by package vault, which knows their rules.
func (b *Browser) checkSecrets() *keyError {
	for _, name := range slices.Sorted(maps.Keys(b.Secrets)) {
		s, key := b.Secrets[name], "browser.secrets."+name
		switch _, err := s.source(); {
		case err != nil:
			return wrongf(key+".from", "%v", err)
		case len(s.For) == 0:
			return wrongf(key+".for", "must name at least one origin, such as https://github.com")
		case !slices.Contains(Asks, cmp.Or(s.Ask, Asks[0])):
			return wrongf(key+".ask", "is %q: want always, session or never", s.Ask)
		}
	}
	return nil
}

// SecretFile returns the path of a file about secrets, such as secrets.json.
func (s State) SecretFile(name string) string { return filepath.Join(s.Dir, name) }

// WriteSecretFile replaces a file about secrets.
func (s State) WriteSecretFile(name string, raw []byte) error {
	return ReplaceFile(s.SecretFile(name), raw, PastPowerLoss)
}

// ReadPrivate reads a file of the state directory that only the user may be able to read. Errors
// come from the file system, or are an [*OpenToOthersError].
func ReadPrivate(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || !isOurs(info) || !IsPrivate(info) {
		return nil, &OpenToOthersError{path}
	}
	return ReadFile(path)
}

// An OpenToOthersError says that a file must be one that only the user can read.
type OpenToOthersError struct{ File string }

func (e *OpenToOthersError) Error() string {
	return fmt.Sprintf("%s must be a file that only you can read", e.File)
}
