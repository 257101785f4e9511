package vault

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chela/internal/base/config"
	"chela/internal/wall/secret"
)

// The limits of a secret. Keyrings accept at most 2,500 to 4,000 bytes for name and value together.
const (
	maxName  = 200  // characters
	maxValue = 2000 // bytes
	maxFor   = 50   // places
)

// totpSuffix ends the name of a secret whose value is the key of one-time codes.
const totpSuffix = "/totp"

var (
	errName    = errors.New("the name of a secret must be lower-case letters, digits and hyphens in parts separated by slashes, such as github/password")
	errNoPlace = errors.New("no origin is given where it may be entered")
	errEmpty   = errors.New("the value is empty")
	errText    = errors.New("the value is not text in UTF-8")
	errControl = errors.New("the value has a line break or another control character, which no field of a page takes")
	errNotTOTP = errors.New("the value is the key of one-time codes: say so with totp")
)

// check returns what is wrong with an entry.
func (e Entry) check() error {
	switch {
	case !secret.IsName(e.Name) || len(e.Name) > maxName:
		return errName
	case len(e.For) == 0:
		return errNoPlace
	case len(e.For) > maxFor:
		return fmt.Errorf("there may be at most %d origins", maxFor)
	case !slices.Contains(config.Asks, string(cmp.Or(e.Ask, Never))):
		return fmt.Errorf("ask is %q: want always, session or never", e.Ask)
	}
	return nil
}

// checkValue returns what is wrong with a value. The error does not quote the value.
func checkValue(value string, totp bool) error {
	switch {
	case value == "":
		return errEmpty
	case len(value) > maxValue:
		return fmt.Errorf("the value has more than %d bytes", maxValue)
	case !utf8.ValidString(value):
		return errText
	case strings.ContainsFunc(value, unicode.IsControl):
		return errControl
	case !totp && strings.HasPrefix(value, otpScheme):
		return errNotTOTP
	case !totp:
		return nil
	}
	_, err := parseKey(value)
	return err
}

// entryOf returns the entry of a secret that the configuration names. The error is an
// [*EntryError].
func entryOf(name string, s Source) (Entry, error) {
	e := Entry{Name: name, TOTP: s.TOTP || strings.HasSuffix(name, totpSuffix), Ask: cmp.Or(Ask(s.Ask), Never), From: s.Where.String()}
	places, err := Places(s.For)
	e.For = places
	if err = cmp.Or(err, e.check()); err != nil {
		return Entry{}, &EntryError{name, err}
	}
	return e, nil
}

// Places reads origins.
func Places(origins []string) (all []secret.Place, err error) {
	for _, origin := range origins {
		place, err := secret.ParsePlace(origin)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, place) {
			all = append(all, place)
		}
	}
	return all, nil
}
