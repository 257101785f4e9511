package guard

import (
	"net/netip"
	"slices"
	"strings"

	"chela/internal/base/hosts"
	"chela/internal/base/weburl"
)

// Complete adds the scheme that a person leaves out of an address. example.com means
// https://example.com, and localhost:3000 and 192.168.0.1 mean http. The result orHTTP is true if
// https was added, but http could also be meant. An address that has a scheme, or cannot be a host,
// is returned as it is: CheckURL says what is wrong with it.
func Complete(raw string) (address string, orHTTP bool) {
	text := weburl.Trim(raw)
	rest := strings.TrimPrefix(text, "//")
	name, port := weburl.CutPort(rest[:strings.IndexAny(rest+"/", `/\?#`)])
	switch {
	case namesScheme(text), !weburl.IsPort(port), !isHost(name):
		return raw, false
	case isLocal(name), port == "80":
		return "http://" + rest, false
	case !isWritten(name, port != ""):
		return raw, false
	}
	return "https://" + rest, port != "443"
}

// namesScheme reports whether text begins with a scheme, and not with a host and a port.
func namesScheme(text string) bool {
	scheme, rest, ok := weburl.CutScheme(text)
	port := rest[:strings.IndexAny(rest+"/", `/\?#`)]
	return ok && (port == "" || !weburl.IsPort(port) || slices.Contains(numbered, scheme))
}

// numbered are the schemes that may be followed by a number that is not a port.
var numbered = strings.Fields("about blob chrome data file ftp geo http https javascript mailto sms tel urn view-source ws wss")

func isHost(name string) bool {
	h, ok := hosts.InURL(name)
	return ok && h.MayExist()
}

// isLocal reports whether a host is this machine, or an address in the form that people write.
// Servers there seldom have a certificate.
func isLocal(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil || name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// isWritten reports whether people write such a name for a host. A single word counts only if a
// port follows. Without a port, the word is more likely something else. A number is more likely the
// ref of an element, or the position of a tab.
func isWritten(name string, hasPort bool) bool {
	labels := strings.Split(strings.TrimSuffix(name, "."), ".")
	last := labels[len(labels)-1]
	return (len(labels) > 1 || hasPort) && !hosts.IsNumber(last) && !slices.Contains(labels, "") && hosts.IsPlain(name)
}
