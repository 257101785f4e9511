package secret

import "sync"

// kept are the secrets that settings send with requests, by their names. Settings themselves only
// have the names, so files with settings have no values.
var kept struct {
	sync.Mutex
	byName map[string]Secret
}

// Keep keeps a secret for [Reveal], until this process ends. The package must know its value.
func Keep(s Secret) {
	kept.Lock()
	defer kept.Unlock()
	if kept.byName == nil {
		kept.byName = map[string]Secret{}
	}
	kept.byName[s.Name] = s
}

// Drop ends what Keep has begun: the secret has another value now, or none.
func Drop(name string) {
	kept.Lock()
	defer kept.Unlock()
	delete(kept.byName, name)
}

// Reveal returns what is sent to an origin for a text of a setting. That is the text itself, or the
// value of the secret that it stands for. If ok is false, nothing may be sent: the secret is not for
// that origin, or this process has not read it.
func Reveal(text, origin string) (value string, ok bool) {
	name, isSecret := NameIn(text)
	if !isSecret {
		return Literal(text), true
	}
	kept.Lock()
	defer kept.Unlock()
	s, ok := kept.byName[name]
	return s.Value, ok && s.IsFor(origin)
}

// IsKept reports whether a text stands for no secret, or for one that is kept.
func IsKept(text string) bool {
	name, isSecret := NameIn(text)
	kept.Lock()
	defer kept.Unlock()
	_, ok := kept.byName[name]
	return ok || !isSecret
}
