// Package secret hides passwords and other secret values in everything that chela writes, such as
// logs and answers.
//
// An agent names a secret, and never sees its value: in place of a text it gives "secret:name". The
// value is bound to places, which are the origins of pages that may get it ([Secret.IsFor]). Every
// value that is in use is known to this package ([Know]). Everything that chela writes goes through
// [Mask] or a [Writer], which replace the values.
//
// Package vault stores the secrets.
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

	// InForce reports whether the configuration still has the secret with this source and these
	// places; nil: the secret stays as it is until [Drop].
	InForce func() bool
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

// prefix begins a text that names a secret.
const prefix = "secret:"

var wholeName = regexp.MustCompile(`^[a-z0-9-]+(/[a-z0-9-]+)*$`)

// IsName reports whether a text can be the name of a secret: lower-case letters, digits and
// hyphens, in parts that are separated by slashes.
func IsName(text string) bool { return wholeName.MatchString(text) }

// NameIn returns the name of the secret that a text such as "secret:github/password" names; ok is
// false for any other text.
func NameIn(text string) (name string, ok bool) {
	name, ok = strings.CutPrefix(text, prefix)
	return name, ok && IsName(name)
}

// Literal returns the meaning of a text that names no secret. This is the text itself, except that
// "\secret:github/password" means the text "secret:github/password".
func Literal(text string) string {
	if rest, ok := strings.CutPrefix(text, `\`); ok {
		if _, named := NameIn(rest); named {
			return rest
		}
	}
	return text
}

// IsUserName reports whether the name of a secret says that its value is the name of a user. Such a
// value is bound to its places, but is not hidden: people know each other's names, and pages show
// them.
func IsUserName(name string) bool { return name == "username" || strings.HasSuffix(name, "/username") }
