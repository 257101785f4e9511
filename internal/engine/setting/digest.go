package setting

import (
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash"
	"iter"
	"strings"
)

// A digest is a server's challenge of the HTTP authentication scheme Digest (RFC 7616). The server
// gets a hash of the password and of values that it has chosen, instead of the password itself.
type digest struct {
	realm, nonce, opaque string
	algorithm            string // name of the algorithm, as the server writes it
	hash                 func() hash.Hash
	session              bool          // hash the password again with both nonces (-sess)
	qop                  bool          // the server offers qop=auth: the answer then counts the requests
	count                int           // requests answered with this nonce
	random               func() string // returns the client's nonce
}

// digestOf returns the digest with the parameters of a challenge. It returns nil if the server
// requires something that is not supported.
func digestOf(params map[string]string) *digest {
	d := &digest{realm: params["realm"], nonce: params["nonce"], opaque: params["opaque"], algorithm: params["algorithm"], random: rand.Text}
	name, session := strings.CutSuffix(strings.ToLower(d.algorithm), "-sess")
	d.session = session
	switch name {
	case "", "md5":
		d.hash = md5.New
	case "sha-256":
		d.hash = sha256.New
	default:
		return nil
	}
	for each := range strings.SplitSeq(params["qop"], ",") {
		d.qop = d.qop || strings.EqualFold(strings.TrimSpace(each), "auth")
	}
	if params["qop"] != "" && !d.qop || d.nonce == "" {
		return nil
	}
	return d
}

// answer returns the Authorization header for the next request.
func (d *digest) answer(l Credentials, method, address string) string {
	d.count++
	count, own, uri := fmt.Sprintf("%08x", d.count), d.random(), pathOf(address)
	secret := d.sum(l.Username, d.realm, l.Password)
	if d.session {
		secret = d.sum(secret, d.nonce, own)
	}
	request := d.sum(method, uri)
	response := d.sum(secret, d.nonce, request)
	if d.qop {
		response = d.sum(secret, d.nonce, count, own, "auth", request)
	}
	header := fmt.Sprintf("Digest username=%s, realm=%s, nonce=%s, uri=%s, response=%s",
		quotedText(l.Username), quotedText(d.realm), quotedText(d.nonce), quotedText(uri), quotedText(response))
	if d.algorithm != "" {
		header += ", algorithm=" + d.algorithm
	}
	if d.opaque != "" {
		header += ", opaque=" + quotedText(d.opaque)
	}
	if d.qop || d.session {
		header += ", cnonce=" + quotedText(own)
	}
	if d.qop {
		header += ", qop=auth, nc=" + count
	}
	return header
}

func (d *digest) sum(parts ...string) string {
	h := d.hash()
	h.Write([]byte(strings.Join(parts, ":")))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// pathOf returns the path and query of an address, as they stand in the request line.
func pathOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "#")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		return rest[i:]
	}
	return "/"
}

// quotedText formats a text as a quoted-string of HTTP.
func quotedText(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// schemes yields each challenge in a WWW-Authenticate header, which may have several: the name of
// its scheme in lower case, and its parameters. Commas separate both the challenges and the
// parameters of a challenge.
func schemes(header string) iter.Seq2[string, map[string]string] {
	return func(yield func(string, map[string]string) bool) {
		scheme, params := "", map[string]string{}
		for _, part := range outsideQuotes(header, ',') {
			name, value, isParam := strings.Cut(part, "=")
			first, param, begins := strings.Cut(strings.TrimSpace(name), " ")
			if !isParam || begins {
				if scheme != "" && !yield(scheme, params) {
					return
				}
				scheme, params = strings.ToLower(first), map[string]string{}
				name = param
			}
			if isParam {
				params[strings.ToLower(strings.TrimSpace(name))] = unquotedText(strings.TrimSpace(value))
			}
		}
		if scheme != "" {
			yield(scheme, params)
		}
	}
}

// outsideQuotes splits a text at each occurrence of a character, except within quotes.
func outsideQuotes(text string, at byte) (parts []string) {
	quoted, begin := false, 0
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case !quoted && text[i] == at:
			parts = append(parts, strings.TrimSpace(text[begin:i]))
			begin = i + 1
		}
	}
	return append(parts, strings.TrimSpace(text[begin:]))
}

// unquotedText decodes a quoted-string of HTTP, or returns a token that has no quotes.
func unquotedText(value string) string {
	inner, ok := strings.CutPrefix(value, `"`)
	if !ok {
		return value
	}
	inner = strings.TrimSuffix(inner, `"`)
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] == '\\' && i+1 < len(inner) {
			i++
		}
		b.WriteByte(inner[i])
	}
	return b.String()
}
