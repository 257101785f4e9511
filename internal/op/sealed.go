package op

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"chela/internal/wall/secret"
)

// Sealed is a text for a page that may stand for a secret, as "secret:github/password" does. The
// operation reads the secret's value only when it enters it into the page. So traces and recordings
// of calls have only the secret's name.
type Sealed string

// Secret returns the name of the secret that the text stands for; ok is false if it stands for none.
func (s Sealed) Secret() (name string, ok bool) { return secret.NameIn(string(s)) }

// Text returns the text to enter if s stands for no secret. For \secret:NAME, that is secret:NAME.
func (s Sealed) Text() string { return secret.Literal(string(s)) }

// Unsealed returns a Sealed that stands for the text itself and never for a secret, even if a
// person has typed secret:NAME.
func Unsealed(text string) Sealed {
	if _, ok := secret.NameIn(text); ok {
		text = `\` + text
	}
	return Sealed(text)
}

// checkSecrets returns an error if an argument names a secret where the operation accepts none. It
// applies to acts, and to other operations that touch a tab. There the caller expects that the
// value is entered, and a page must not get the name instead. The actions of a batch are checked
// one by one.
func (o *Op) checkSecrets(given Args) error {
	for _, p := range o.Params() {
		raw := given[p.Name]
		if len(raw) == 0 || p.Entered == "actions" || !bytes.Contains(raw, []byte("secret:")) || !o.isAct() && !o.Touches(given) {
			continue
		}
		var value any
		if json.Unmarshal(raw, &value) == nil {
			if name := p.misplaced(value, ""); name != "" {
				return Errorf(o.invalid, "%s does not take secrets", p.Name).Hinted(
					"secret:%s is put in by type, insert-text, fill, set credentials and set headers only; login enters all that a form asks for", name)
			}
		}
	}
	return nil
}

// isAct reports whether the operation is one of POST /act; some of these only wait.
func (o *Op) isAct() bool {
	return slices.ContainsFunc(o.Routes, func(r Route) bool { return r.Path == "/act" })
}

// misplaced returns the name of a secret that a value names where the parameter accepts no secret;
// "" if there is no such name. If the value is in an object, the parameter key is its key there;
// otherwise it is "".
func (p Param) misplaced(value any, key string) string {
	switch v := value.(type) {
	case string:
		if name, ok := secret.NameIn(v); ok && !p.takesSecret(key) {
			return name
		}
	case []any:
		for _, each := range v {
			if name := p.misplaced(each, key); name != "" {
				return name
			}
		}
	case map[string]any:
		for key, each := range v {
			if name := p.misplaced(each, key); name != "" {
				return name
			}
		}
	}
	return ""
}

// takesSecret reports whether a text may name a secret. If key is "", the text is the whole value
// of the parameter. Otherwise it is the value of this key in an object.
func (p Param) takesSecret(key string) bool {
	if key == "" {
		return p.Type == reflect.TypeFor[Sealed]() || p.Type == reflect.TypeFor[*Sealed]()
	}
	return p.sealed == key || p.sealed == "*"
}
