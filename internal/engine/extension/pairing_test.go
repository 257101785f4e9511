package extension

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"
)

func TestPairingVector(t *testing.T) {
	ours, theirs := newExchange("482913", bytes.Repeat([]byte{2}, 32)), newExchange("482913", bytes.Repeat([]byte{1}, 32))
	if !strings.HasPrefix(theirs.share, "3a55d3a1987a85d88f6b9c1f81c5b3be") || !strings.HasSuffix(ours.share, "57fb2ea3663bbcca") {
		t.Errorf("shares %s and %s", theirs.share, ours.share)
	}
	key, err := ours.key(theirs.share)
	if got := fmt.Sprintf("%x", key); err != nil || got != "b43d5086984f1c739831c50110f7b074925932418697ea55a87c6f664bac89ca" {
		t.Errorf("key %s, %v", got, err)
	}
	a := agreement{key, theirs.share, ours.share}
	for _, row := range [][2]string{
		{a.proof("extension"), "5c15b8e96d3b6f5151da744bc060ca84ef6456fd03b92f20f5c561e946c394d8"},
		{a.proof("server", "00112233445566aa"), "dc2700d9ba90289a30643cf84a3f8488a6f73a25c3eaee14695820f17b75bbb3"},
		{a.proof("key", "00112233445566aa"), "a7b8441737ece8823c86c87c5ad773078b39c18ccb9415312a85bb8cf5de2a8d"},
	} {
		if row[0] != row[1] {
			t.Errorf("got %s, want %s", row[0], row[1])
		}
	}
}

func TestPrime(t *testing.T) {
	half := new(big.Int).Rsh(prime, 1)
	if prime.BitLen() != 2048 || !prime.ProbablyPrime(1) || !half.ProbablyPrime(1) {
		t.Error("it is none, or half of it is none")
	}
}

// pairWith plays the extension in a pairing. It returns the last frame of the server, and the key.
func (w *worker) pairWith(digits string) (last frame, key Key) {
	w.t.Helper()
	own := newExchange(digits, bytes.Repeat([]byte{7}, 32))
	w.send(map[string]any{"kind": "pair", "v": 1, "share": own.share, "name": "Chromium 156 on Linux"})
	f := w.expect()
	if f.Kind != "share" {
		return f, key
	}
	secret, err := own.key(f.Share)
	if err != nil {
		w.t.Fatal(err)
	}
	a := agreement{secret, own.share, f.Share}
	w.send(map[string]any{"kind": "confirm", "proof": a.proof("extension")})
	if f = w.expect(); f.Kind == "paired" {
		if f.Proof != a.proof("server", f.KeyID) {
			w.t.Error("the server has not proved that it knows the digits")
		}
		key = Key{ID: f.KeyID, Secret: a.proof("key", f.KeyID)}
	}
	return f, key
}

func TestPairingBySixDigits(t *testing.T) {
	r, first, url := newRelay(t)
	if f, _ := dial(t, url).pairWith("000000"); f.Status != 404 {
		t.Errorf("before anybody asked: %+v", f)
	}
	offer, err := r.Pair()
	if err != nil {
		t.Fatal(err)
	}
	if len(offer.Digits) != 6 || time.Until(offer.Until) > pairTime {
		t.Errorf("offer %+v", offer)
	}
	wrong := "000000"
	if offer.Digits == wrong {
		wrong = "000001"
	}
	if f, _ := dial(t, url).pairWith(wrong); f.Status != 401 {
		t.Errorf("with wrong digits: %+v", f)
	}
	f, key := dial(t, url).pairWith(offer.Digits)
	if f.Kind != "paired" {
		t.Fatalf("with the right digits: %+v", f)
	}
	if f, _ := dial(t, url).pairWith(offer.Digits); f.Status != 404 {
		t.Errorf("a second browser with the same digits: %+v", f)
	}
	join(t, url, key, 1, hello{})
	list := r.Browsers()
	if len(list) != 2 {
		t.Fatalf("listed are %+v", list)
	}
	info, err := os.Stat(r.keys.file(key.ID))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file of the key: %v, %v", info, err)
	}
	if had, err := r.Revoke(first.ID); !had || err != nil {
		t.Errorf("revoke: %v, %v", had, err)
	}
	if had, _ := r.Revoke("../" + key.ID); had {
		t.Error("a path was revoked")
	}
}

func TestThreeWrongCodesEndTheOffer(t *testing.T) {
	r, _, url := newRelay(t)
	offer, err := r.Pair()
	if err != nil {
		t.Fatal(err)
	}
	for i := range pairTries {
		if f, _ := dial(t, url).pairWith("wrong" + fmt.Sprint(i)); f.Status != 401 {
			t.Errorf("try %d: %+v", i, f)
		}
	}
	if f, _ := dial(t, url).pairWith(offer.Digits); f.Status != 429 {
		t.Errorf("after three: %+v", f)
	}
}

func TestSharesThatGiveTheKeyAwayAreRefused(t *testing.T) {
	one := big.NewInt(1)
	for _, share := range []*big.Int{new(big.Int), one, new(big.Int).Sub(prime, one), prime} {
		if _, err := agree("123456", fmt.Sprintf("%0*x", shareDigits, share)); err == nil {
			t.Errorf("%x was taken", share)
		}
	}
}

func TestRevokedBrowserIsCutOff(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{})
	w.expectGreeted(r)
	if had, err := r.Revoke(key.ID); !had || err != nil {
		t.Fatal(had, err)
	}
	if err := r.keys.drove(key.ID, "chrome"); err != nil || r.Paired() { // as a call that has chosen the browser before
		t.Error("the key is back", err)
	}
	w.refused(401)
	again := dial(t, url)
	again.send(map[string]any{"kind": "hello", "v": 1, "keyId": key.ID, "nonce": randomHex(16)})
	again.refused(401)
}
