package config

import (
	"cmp"
	"maps"
	"slices"
)

// Names of the profiles that are always there. The file may have settings for them, as
// for any other.
const (
	Managed = "chela"  // a browser that chela starts: the default
	User    = "user"   // the user's own Chrome
	Chrome  = "chrome" // the browser that the extension is in
)

// Render is the name of the browser in which pages are rendered apart from those of callers.
// It is no profile: callers cannot name it, and no profile can have this name.
const Render = "chela-render"

// builtIn is the order in which they are listed.
var builtIn = []string{Managed, User, Chrome}

// Aliases are other names of [Managed], and of its driver. They serve clients and files that were
// written for OpenClaw, or for the program that it was before.
var Aliases = []string{"openclaw", "clawd"}

// ProfileName returns the name of the profile that a caller means, which need not
// exist: the default profile by "", [Managed] by an alias. A profile of the file that has
// such a name is one of its own.
func (b *Browser) ProfileName(name string) string {
	name = cmp.Or(name, b.DefaultProfile, Managed)
	if _, own := b.Profiles[name]; !own && slices.Contains(Aliases, name) {
		return Managed
	}
	return name
}

// ProfileNames lists the profiles: those of the file, and then those that are always
// there.
func (b *Browser) ProfileNames() []string {
	all := slices.Sorted(maps.Keys(b.Profiles))
	for _, name := range builtIn {
		if _, ok := b.Profiles[name]; !ok {
			all = append(all, name)
		}
	}
	return all
}
