package secret

import "sync"

// kept has, by name, the secrets that browsers send with requests because a setting names them.
// Settings contain only the names, so files with settings contain no values.
var kept struct {
	sync.Mutex
	byName map[string]Secret
}

// Keep keeps a secret for [Reveal], until [Drop] or until this process ends. [Know] must have been
// called with its value.
func Keep(s Secret) {
	kept.Lock()
	defer kept.Unlock()
	if kept.byName == nil {
		kept.byName = map[string]Secret{}
	}
	kept.byName[s.Name] = s
}

// Drop forgets a secret that [Keep] has kept. It is called when the secret gets another value, or
// is removed.
func Drop(name string) {
	kept.Lock()
	defer kept.Unlock()
	delete(kept.byName, name)
}

// Reveal returns what is sent to an origin for a text of a setting. This is the text itself or, if
// the text names a secret, the value of the secret. If ok is false, nothing may be sent. The secret
// is then not for that origin, was not given to [Keep], or is not in force any more.
func Reveal(text, origin string) (value string, ok bool) {
	name, isSecret := NameIn(text)
	if !isSecret {
		return Literal(text), true
	}
	s, ok := keptSecret(name)
	return s.Value, ok && s.IsFor(origin)
}

// IsKept reports whether a text names no secret, or names one that is kept and in force.
func IsKept(text string) bool {
	name, isSecret := NameIn(text)
	if !isSecret {
		return true
	}
	_, ok := keptSecret(name)
	return ok
}

// keptSecret returns a secret that is kept and in force.
func keptSecret(name string) (s Secret, ok bool) {
	kept.Lock()
	s, ok = kept.byName[name]
	kept.Unlock()
	return s, ok && (s.InForce == nil || s.InForce())
}
