package vault

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"chela/internal/wall/secret"
)

// otpScheme begins a URL that has the key of one-time codes.
const otpScheme = "otpauth://"

// leastValid is how long a code must still be valid when it is entered, so that it is valid when
// the page sends it.
const leastValid = 3 * time.Second

var errKey = errors.New("the value is no key of one-time codes: it must be an otpauth:// URL for totp, or the key in base32")

// parseKey reads the key of one-time codes: an otpauth URL, or the key alone in base32. The error
// does not quote it.
func parseKey(value string) (*otp.Key, error) {
	if !strings.HasPrefix(value, otpScheme) {
		base32 := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(value))
		value = otpScheme + "totp/chela?secret=" + url.QueryEscape(strings.TrimRight(base32, "="))
	}
	key, err := otp.NewKeyFromURL(value)
	if err != nil || key.Type() != "totp" || key.Secret() == "" {
		return nil, errKey
	}
	u, _ := url.Parse(key.URL())
	query := u.Query()
	number := func(name string, usual, least, most int) error {
		n, err := strconv.Atoi(query.Get(name))
		if query.Has(name) && (err != nil || n < least || n > most) {
			return errors.New("the otpauth URL has a " + name + " that is not supported")
		}
		return nil
	}
	// Package otp replaces values that it does not know by the usual ones, and would make wrong
	// codes.
	if !slices.Contains([]string{"", "sha1", "sha256", "sha512", "md5"}, strings.ToLower(query.Get("algorithm"))) {
		return nil, errors.New("the otpauth URL has an algorithm that is not supported")
	}
	if err := errors.Join(number("digits", 6, 5, 9), number("period", 30, 5, 3600)); err != nil {
		return nil, err
	}
	if _, err := generate(key, time.Now()); err != nil {
		return nil, errKey
	}
	return key, nil
}

// generate returns the code that is valid at a time.
func generate(key *otp.Key, at time.Time) (string, error) {
	return totp.GenerateCodeCustom(key.Secret(), at, totp.ValidateOpts{
		Period: uint(key.Period()), Digits: key.Digits(), Algorithm: key.Algorithm(), Encoder: key.Encoder(),
	})
}

// code returns the current one-time code for the key in value, and makes package secret hide the
// key and the code. If the current code is valid for less than leastValid, it waits for the next
// one. Errors are an [*EntryError] and the cause of ctx.
func code(ctx context.Context, name, value string) (string, error) {
	key, err := parseKey(value)
	if err != nil {
		return "", &EntryError{name, err}
	}
	secret.Know(name, key.Secret())
	period := time.Duration(key.Period()) * time.Second
	end := time.Unix(0, 0).Add(time.Since(time.Unix(0, 0)).Truncate(period) + period)
	if left := time.Until(end); left < leastValid {
		next := time.NewTimer(left)
		defer next.Stop()
		select {
		case <-next.C:
			end = end.Add(period)
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
	made, err := generate(key, end.Add(-period))
	if err != nil {
		return "", &EntryError{name, errKey}
	}
	// Sites accept the last code for a while, since clocks differ.
	secret.KnowUntil(name, made, end.Add(period))
	return made, nil
}
