package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chela/internal/base/lazyregexp"
)

// Fleet has the settings of the NATS server by which machines with chela reach each other.
type Fleet struct {
	URL         string   `json:"url" secret:"addresses" from:"server" doc:"URL of NATS: tls, nats, wss or ws; several are separated by commas; absent: there is no fleet"`
	Credentials string   `json:"credentials" from:"server" doc:"file with the credentials of this machine for NATS: a .creds file with JWT and seed, or a file with the seed of an NKey"`
	TLS         FleetTLS `json:"tls" from:"server"`
	Tenant      string   `json:"tenant" from:"server" doc:"name of the group that this machine belongs to: callers reach only the nodes of their own tenant; absent: default"`
	Prefer      string   `json:"prefer" doc:"labels of nodes that get calls before others, such as region=eu; an idle node without the labels counts like a node with them that has half of its slots in use"`
	KeyFile     string   `json:"keyFile" doc:"file with the keys of profiles that may move (chela node keygen): the first encrypts, each decrypts; only nodes have it"`
	Warm        int      `json:"warm" doc:"how many empty tabs a node keeps ready, in the browser that renders and in that of its default profile"`
}

// FleetTLS has files, in PEM, for the connection to NATS.
type FleetTLS struct {
	CA   string `json:"ca" doc:"certificates of the authorities that may have signed the certificate of NATS; absent: those of the system"`
	Cert string `json:"cert" doc:"certificate by which this machine proves itself to NATS"`
	Key  string `json:"key" doc:"key of that certificate"`
}

// maxWarm is how many tabs can be kept ready. Each has a process with its memory.
const maxWarm = 32

// Schemes that the URL of a NATS server can have. The first two encrypt the connection.
var natsSchemes = []string{"tls", "wss", "nats", "ws"}

// nameOfFleet matches a name that can be a part of a subject of NATS. Dots, spaces, * and > have a
// meaning there.
var nameOfFleet = lazyregexp.New(`^[A-Za-z0-9_-]{1,64}$`)

// IsFleetName reports whether a text can be the name of a node, or of a tenant.
func IsFleetName(name string) bool { return nameOfFleet().MatchString(name) }

// ParseLabels reads labels of nodes as users write them: KEY=VALUE,... An empty text has none.
func ParseLabels(text string) (map[string]string, error) {
	labels := map[string]string{}
	if text == "" {
		return labels, nil
	}
	for pair := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok || !IsFleetName(key) {
			return nil, fmt.Errorf("%q is no label: want KEY=VALUE", pair)
		}
		labels[key] = value
	}
	return labels, nil
}

// FormatLabels lists labels as KEY=VALUE, sorted by their keys. It is the opposite of [ParseLabels].
func FormatLabels(labels map[string]string) (pairs []string) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, key+"="+labels[key])
	}
	return pairs
}

func labelsFault(text string) error {
	_, err := ParseLabels(text)
	return err
}

// check is the part of [Config.check] about the fleet.
func (f Fleet) check() *keyError {
	switch {
	case f.URL != "" && wrongNATS(f.URL) != nil:
		return wrongf("fleet.url", "%v", wrongNATS(f.URL))
	case !IsFleetName(f.Tenant):
		return wrongf("fleet.tenant", "is %q: want 1 to 64 letters, digits, - and _", f.Tenant)
	case (f.TLS.Cert == "") != (f.TLS.Key == ""):
		return wrongf("fleet.tls", "has one of cert and key: want both, or none")
	case labelsFault(f.Prefer) != nil:
		return wrongf("fleet.prefer", "%v", labelsFault(f.Prefer))
	case f.Warm < 0 || f.Warm > maxWarm:
		return wrongf("fleet.warm", "is %d: want 0 to %d", f.Warm, maxWarm)
	}
	return nil
}

// wrongNATS returns what is wrong with the URLs of NATS; nil if nothing is. The error does not
// quote the URLs, because they may contain a password.
func wrongNATS(urls string) error {
	for each := range strings.SplitSeq(urls, ",") {
		u, err := url.Parse(strings.TrimSpace(each))
		if err != nil || u.Host == "" || !slices.Contains(natsSchemes, u.Scheme) {
			return fmt.Errorf("is no URL of NATS: want one such as tls://nats.example.com:4222")
		}
	}
	return nil
}

// complete adds what the flags and the environment say of the fleet. A relative path of a flag begins
// at the working directory.
func (f *Fleet) complete(flags Flags) error {
	for name, urls := range map[string]string{"--nats": flags.NATS, "CHELA_NATS": Env("CHELA_NATS")} {
		if err := wrongNATS(urls); urls != "" && err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
	}
	f.URL = cmp.Or(flags.NATS, Env("CHELA_NATS"), f.URL)
	if flags.Credentials == "" {
		return nil
	}
	var err error
	f.Credentials, err = AbsPath(flags.Credentials)
	return err
}

// IsSeed reports whether the file of credentials has the seed of an NKey. NATS's own programs name
// the files of the other kind *.creds.
func (f Fleet) IsSeed() bool { return filepath.Ext(f.Credentials) != ".creds" }

// Shown returns the URLs of the fleet without their passwords and tokens.
func (f Fleet) Shown() string { return withoutLogins(f.URL) }

// CheckFiles returns what is wrong with the files of the fleet. Other users must not be able
// to read the two secret ones.
func (f Fleet) CheckFiles() error {
	secret := map[string]string{"fleet.credentials": f.Credentials, "fleet.tls.key": f.TLS.Key}
	for key, path := range map[string]string{"fleet.credentials": f.Credentials, "fleet.tls.key": f.TLS.Key, "fleet.tls.cert": f.TLS.Cert, "fleet.tls.ca": f.TLS.CA} {
		if path == "" {
			continue
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s is %s, and there is no such file", key, path)
		case err != nil:
			return fmt.Errorf("%s: %w", key, err)
		case secret[key] != "" && !IsPrivate(info):
			return fmt.Errorf("%s is %s, which other users can read: chmod 600 %s", key, path, path)
		}
	}
	return nil
}
