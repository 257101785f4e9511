package config

import (
	"cmp"
	"maps"
	"slices"
)

// Names of the profiles that always exist. The file may have settings for them, as for any other.
const (
	Managed = "chela"  // a browser that chela starts: the default
	User    = "user"   // the user's own Chrome
	Chrome  = "chrome" // the browser that the extension is in
)

// Render is the name of the browser in which chela renders documents. It is separate from the
// browsers of callers. It is no profile: callers cannot name it, and no profile can have this name.
const Render = "chela-render"

// builtIn lists the profiles that always exist, in the order in which they are shown.
var builtIn = []string{Managed, User, Chrome}

// Aliases are other names of [Managed] and of its driver, for clients and files that were written
// for OpenClaw or its predecessor.
var Aliases = []string{"openclaw", "clawd"}

// ProfileName returns the name of the profile that a caller means: "" is the default profile, an
// alias is [Managed]. The profile need not exist. If the file has a profile with exactly this name,
// that one is meant. If the default profile is one that the file has under an alias, the other alias
// means it too.
func (b *Browser) ProfileName(name string) string {
	name = cmp.Or(name, b.DefaultProfile, Managed)
	if b.has(name) || !slices.Contains(Aliases, name) {
		return name
	}
	if slices.Contains(Aliases, b.DefaultProfile) && b.has(b.DefaultProfile) {
		return b.DefaultProfile
	}
	return Managed
}

// has reports whether the file has settings for the profile with exactly this name.
func (b *Browser) has(name string) bool {
	_, ok := b.Profiles[name]
	return ok
}

// ProfileNames lists the profiles of the file, and then those that always exist.
func (b *Browser) ProfileNames() []string {
	all := slices.Sorted(maps.Keys(b.Profiles))
	for _, name := range builtIn {
		if _, ok := b.Profiles[name]; !ok {
			all = append(all, name)
		}
	}
	return all
}

// PortableProfiles lists the profiles that may move between the nodes of a fleet.
func (b *Browser) PortableProfiles() []string {
	return slices.DeleteFunc(b.ProfileNames(), func(name string) bool { return !b.Profiles[name].Portable })
}

// samePort lists the pairs of profiles whose browsers would open the same debugging port.
func (b *Browser) samePort() (pairs [][2]string) {
	byPort := map[int]string{}
	for _, name := range slices.Sorted(maps.Keys(b.Profiles)) {
		p := b.Profiles[name]
		if !p.ExposeCDP || p.CDPPort == 0 {
			continue
		}
		if other, taken := byPort[p.CDPPort]; taken {
			pairs = append(pairs, [2]string{other, name})
		}
		byPort[p.CDPPort] = name
	}
	return pairs
}
