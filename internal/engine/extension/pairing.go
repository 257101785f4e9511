package extension

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A browser is paired by six digits, which chela shows and a person types into the extension. The
// digits are never sent. Each side derives a number from the digits, raises it to a secret power,
// and sends the result, its share (SPEKE, IEEE 1363.2). Both sides compute the same key only if
// they have the same digits. Somebody who does not know the digits learns nothing from what is
// sent, and has only three guesses.
//
//	→ pair      share, name
//	← share     share
//	→ confirm   proof
//	← paired    keyId, proof

const (
	pairLabel   = "chela-pair/1"
	pairTime    = time.Minute // digits are valid for this long
	pairTries   = 3           // how often digits can be tried
	shareBytes  = 2048 / 8    // length of a share and of the prime, in bytes
	shareDigits = 2 * shareBytes
)

// prime is the 2048-bit MODP prime of RFC 3526. (prime-1)/2 is prime as well.
var prime, _ = new(big.Int).SetString(strings.ReplaceAll(`
ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74
020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437
4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed
ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf05
98da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb
9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b
e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf695581718
3995497cea956ae515d2261898fa051015728e5a8aacaa68ffffffffffffffff
`, "\n", ""), 16)

// A Pairing is an offer to pair a browser by digits.
type Pairing struct {
	Digits string    // six decimal digits
	Until  time.Time // when the digits become invalid
}

// pairings has the current offer.
type pairings struct {
	mu    sync.Mutex // guards the rest
	offer Pairing    // the zero value: nothing was offered
	tries int        // how many more attempts are allowed
}

// open makes an offer to pair a browser. It replaces an earlier offer.
func (p *pairings) open(now time.Time) Pairing {
	n, _ := rand.Int(rand.Reader, big.NewInt(1e6))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.offer, p.tries = Pairing{fmt.Sprintf("%06d", n), now.Add(pairTime)}, pairTries
	return p.offer
}

// try counts an attempt to use the current offer, and returns the offer. The error is a [*refusal].
func (p *pairings) try(now time.Time) (Pairing, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case now.After(p.offer.Until):
		return Pairing{}, refuse(http.StatusNotFound, "nobody has asked to pair: run chela extension pair")
	case p.tries == 0:
		return Pairing{}, refuse(http.StatusTooManyRequests, "too many wrong codes: run chela extension pair again")
	}
	p.tries--
	return p.offer, nil
}

// close ends the offer by which a browser was paired, unless a new offer has replaced it.
func (p *pairings) close(taken Pairing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.offer == taken {
		p.offer = Pairing{}
	}
}

// An exchange is one side of the exchange of shares.
type exchange struct {
	power *big.Int // the secret power of this side
	share string   // this side's share, in hex
}

func newExchange(digits string, power []byte) exchange {
	hash := sha512.Sum512([]byte(pairLabel + " " + digits))
	base := new(big.Int).SetBytes(hash[:])
	base.Exp(base, big.NewInt(2), prime) // a square, so that its powers are not in a small subgroup
	e := exchange{power: new(big.Int).SetBytes(power)}
	e.share = fmt.Sprintf("%0*x", shareDigits, base.Exp(base, e.power, prime))
	return e
}

// key returns the key that both sides compute if their digits are the same. The parameter other is
// the other side's share. If the other side's share is one whose powers can be guessed, such as 1,
// the error is a [*refusal].
func (e exchange) key(other string) ([]byte, error) {
	share, ok := new(big.Int).SetString(other, 16)
	one := big.NewInt(1)
	if !ok || share.Cmp(one) <= 0 || share.Cmp(new(big.Int).Sub(prime, one)) >= 0 {
		return nil, errMalformed
	}
	hash := sha256.Sum256(share.Exp(share, e.power, prime).FillBytes(make([]byte, shareBytes)))
	return hash[:], nil
}

// An agreement is the state of a pairing after both sides have sent their shares.
type agreement struct {
	key            []byte
	theirs, server string // the shares of the extension and of the server, in hex
}

func agree(digits, theirs string) (agreement, error) {
	power := make([]byte, 32)
	rand.Read(power)
	own := newExchange(digits, power)
	key, err := own.key(theirs)
	return agreement{key, theirs, own.share}, err
}

// confirm returns the key of the browser, and the frame by which the server proves that it knows
// the digits. If the extension's proof is wrong, the error is a [*refusal].
func (a agreement) confirm(o opening, name string, now time.Time) (Key, any, error) {
	if !hmac.Equal([]byte(a.proof("extension")), []byte(o.Proof)) {
		return Key{}, nil, refuse(http.StatusUnauthorized, "wrong code")
	}
	id := randomHex(8)
	key := Key{ID: id, Secret: a.proof("key", id), Name: name, Paired: now}
	return key, map[string]any{"kind": "paired", "keyId": id, "proof": a.proof("server", id)}, nil
}

func (a agreement) proof(side string, more ...string) string {
	return proof(a.key, append([]string{pairLabel, side, a.theirs, a.server}, more...)...)
}
