package journal

import (
	"net/url"
	"slices"
	"strings"
)

// A header, parameter or field is secret if its name contains one of secretParts, is one of
// secretWords, or ends with token. Names are compared in lower case, without dashes, underscores
// and the like.
var (
	secretParts = []string{
		"password", "passwd", "passphrase", "passcode", "secret", "csrf", "xsrf", "apikey", "accesskey", "privatekey", "authkey",
		"sessionid", "authorization", "signature", "jwt",
	}
	secretWords = []string{"pwd", "pass", "otp", "auth", "xauth", "sid", "sig"}
	// cursorTokens are endings of names that end with token and are not secret. Such a token
	// says how far a caller has read a list.
	cursorTokens = []string{"pagetoken", "nexttoken", "previoustoken", "prevtoken", "continuationtoken", "synctoken"}
)

// IsSecretName reports whether a name says that its value is secret.
func IsSecretName(name string) bool {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
	ends := func(suffix string) bool { return strings.HasSuffix(plain, suffix) }
	if slices.Contains(secretWords, plain) || ends("token") && !slices.ContainsFunc(cursorTokens, ends) {
		return true
	}
	return slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(plain, part) })
}

// hideParams replaces the values of secret parameters in the query and the fragment of an address.
// A login through another site (OAuth) puts tokens into the fragment.
func hideParams(address string) string {
	start := strings.IndexAny(address, "?#")
	if start < 0 || strings.HasPrefix(address, "data:") {
		return address
	}
	return address[:start+1] + hidePairs(address[start+1:])
}

// hidePairs replaces the values of secret names in a text such as "a=1&b=2".
func hidePairs(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		end := strings.IndexAny(text, "&?#;")
		if end < 0 {
			end = len(text)
		}
		out.WriteString(hidePair(text[:end]))
		if end < len(text) {
			out.WriteByte(text[end])
			end++
		}
		text = text[end:]
	}
	return out.String()
}

// hidePair replaces the value of "name=value" if the name says that it is secret.
func hidePair(pair string) string {
	name, value, _ := strings.Cut(pair, "=")
	plain, err := url.QueryUnescape(name)
	if err != nil {
		plain = name
	}
	if value == "" || !IsSecretName(plain) {
		return pair
	}
	return name + "=" + Secret
}
