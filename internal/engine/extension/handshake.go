package extension

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Before a connection is used, both sides prove that they have the key that was agreed at the
// pairing. Neither sends the key. Each proof covers the nonces of both sides, so a recorded proof
// is useless later.
//
//	→ hello      keyId, nonce
//	← challenge  nonce, expires, proof
//	→ proof      run, generation, proof
//	← ok

const (
	version    = 1                   // version of the messages
	label      = "chela-extension/1" // the first field of each proof
	maxOpening = 4 << 10             // limit for a frame of the handshake, in bytes
	openTime   = 10 * time.Second
)

// A refusal says why a connection is refused. The extension gets it as a frame, and as the
// WebSocket close code.
type refusal struct {
	Kind   string `json:"kind"` // always "refused"
	Status int    `json:"status"`
	Reason string `json:"reason"`
}

func refuse(status int, reason string) *refusal { return &refusal{"refused", status, reason} }

func (r *refusal) Error() string { return r.Reason }

var errMalformed = refuse(http.StatusBadRequest, "malformed frame")

// An opening is a frame that the extension sends during the handshake. Each kind of frame uses some
// of the fields, see wellFormed.
type opening struct {
	Kind       string `json:"kind"`
	V          int    `json:"v,omitempty"`
	KeyID      string `json:"keyId,omitempty"`
	Nonce      string `json:"nonce,omitempty"`
	Run        string `json:"run,omitempty"`
	Generation int64  `json:"generation,omitempty"`
	Share      string `json:"share,omitempty"`
	Name       string `json:"name,omitempty"`
	Proof      string `json:"proof,omitempty"`
}

// readOpening decodes a frame, which must be of one of these kinds. The error is errMalformed.
func readOpening(frame []byte, kinds ...string) (opening, error) {
	var o opening
	if len(frame) > maxOpening || json.Unmarshal(frame, &o) != nil || !slices.Contains(kinds, o.Kind) || !o.wellFormed() {
		return opening{}, errMalformed
	}
	return o, nil
}

func (o opening) wellFormed() bool {
	switch o.Kind {
	case "hello":
		return o.V == version && isHex(o.KeyID, 16) && isHex(o.Nonce, 32)
	case "proof":
		return isHex(o.Run, 32) && o.Generation > 0 && isHex(o.Proof, 64)
	case "pair":
		return o.V == version && isHex(o.Share, shareDigits) && isName(o.Name)
	case "confirm":
		return isHex(o.Proof, 64)
	}
	return false
}

// A challenge asks an extension to prove that it has a key. It is valid for one connection only.
type challenge struct {
	key     Key
	hello   string // nonce of the extension, from its hello frame
	nonce   string // nonce of the server
	expires time.Time
}

func newChallenge(key Key, hello opening, now time.Time) challenge {
	return challenge{key, hello.Nonce, randomHex(16), now.Add(openTime)}
}

// frame returns the challenge as a frame for the extension. The frame also proves that the server
// has the key.
func (c challenge) frame() any {
	return map[string]any{"kind": "challenge", "nonce": c.nonce, "expires": c.expires.UnixMilli(), "proof": c.proof("server")}
}

// check returns nil if the answer to the challenge is right, and otherwise a [*refusal].
func (c challenge) check(o opening, now time.Time) error {
	want := c.proof("extension", o.Run, strconv.FormatInt(o.Generation, 10))
	switch {
	case now.After(c.expires):
		return refuse(http.StatusRequestTimeout, "the challenge has expired")
	case !hmac.Equal([]byte(want), []byte(o.Proof)):
		return refuse(http.StatusUnauthorized, "wrong proof")
	}
	return nil
}

func (c challenge) proof(side string, more ...string) string {
	expires := strconv.FormatInt(c.expires.UnixMilli(), 10)
	return proof(c.key.secret(), append([]string{label, side, c.key.ID, c.hello, c.nonce, expires}, more...)...)
}

// proof returns the HMAC of a JSON array of the fields. JSON writes them without escapes, so both
// sides get the same array.
func proof(key []byte, fields ...string) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, `["%s"]`, strings.Join(fields, `","`))
	return hex.EncodeToString(mac.Sum(nil))
}

func isHex(s string, digits int) bool {
	return len(s) == digits && strings.Trim(s, "0123456789abcdef") == ""
}

// isName reports whether a text may be the name of a browser. Names are printed on terminals, so
// control characters and the like are not allowed.
func isName(s string) bool {
	return len(s) > 0 && len(s) <= 64 && !strings.ContainsFunc(s, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("._/ -", c))
	})
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}
