// Package secret keeps passwords and the like from whoever reads what chela writes.
//
// An agent names a secret, and never sees its value: in place of a text it gives "secret:name". The
// value is bound to places, which are the origins of pages that may get it ([Secret.IsFor]). Every
// value that is in use is known to this package ([Know]). All that chela writes, it writes through
// [Mask] or a [Writer], which replace the values.
//
// Package vault keeps secrets, and reads them.
package secret

import (
	"regexp"
	"strings"
)

// A Secret is a value that may be entered in some places only.
type Secret struct {
	Name  string // such as github/password
	Value string // the text to enter; for a one-time code, the code
	For   []Place
}

// IsFor reports whether a page of an origin may get the secret.
func (s Secret) IsFor(origin string) bool {
	for _, p := range s.For {
		if p.Covers(origin) {
			return true
		}
	}
	return false
}

// prefix begins a text that stands for a secret.
const prefix = "secret:"

var wholeName = regexp.MustCompile(`^[a-z0-9-]+(/[a-z0-9-]+)*$`)

// IsName reports whether a text can be the name of a secret: lower-case letters, digits and
// hyphens, in parts that are separated by slashes.
func IsName(text string) bool { return wholeName.MatchString(text) }

// NameIn returns the name in a text that stands for a secret, such as "secret:github/password".
func NameIn(text string) (name string, ok bool) {
	name, ok = strings.CutPrefix(text, prefix)
	return name, ok && IsName(name)
}

// Literal returns the text that is meant by one that stands for no secret. Whoever means the text
// "secret:github/password" itself writes "\secret:github/password".
func Literal(text string) string {
	if rest, ok := strings.CutPrefix(text, `\`); ok {
		if _, named := NameIn(rest); named {
			return rest
		}
	}
	return text
}

// IsUserName reports whether a secret is the name of a user, by its own name. Such a value is bound
// to its places, but is shown: people know each other's names, and pages greet by them.
func IsUserName(name string) bool { return name == "username" || strings.HasSuffix(name, "/username") }
