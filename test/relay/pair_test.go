package relay

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"math/big"
	"regexp"
	"testing"

	"github.com/coder/websocket"
)

const digits = "482913"

// prime is group 14 of RFC 3526.
var prime, _ = new(big.Int).SetString(""+
	"ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437"+
	"4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf05"+
	"98da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b"+
	"e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa051015728e5a8aacaa68ffffffffffffffff", 16)

// pair is the server's side of a pairing by digits.
func (s *server) pair(ctx context.Context, conn *websocket.Conn, pair m) {
	hash := sha512.Sum512([]byte("chela-pair/1 " + digits))
	base := new(big.Int).Exp(new(big.Int).SetBytes(hash[:]), big.NewInt(2), prime)
	secret, _ := new(big.Int).SetString(randomHex(32), 16)
	theirs, _ := pair["share"].(string)
	their, _ := new(big.Int).SetString(theirs, 16)
	own := fmt.Sprintf("%0512x", new(big.Int).Exp(base, secret, prime))
	common := sha256.Sum256(new(big.Int).Exp(their, secret, prime).FillBytes(make([]byte, 256)))
	key := hex.EncodeToString(common[:])
	send(conn, m{"kind": "share", "share": own})
	confirm, err := receive(ctx, conn)
	if err != nil {
		return
	}
	if confirm["proof"] != sign(key, "chela-pair/1", "extension", theirs, own) {
		send(conn, m{"kind": "refused", "status": 401, "reason": "wrong code"})
		conn.Close(4401, "wrong code")
		return
	}
	if name, _ := pair["name"].(string); !regexp.MustCompile(`^\w+ \d+ on \w+$`).MatchString(name) {
		s.t.Errorf("name = %q", name)
	}
	s.mu.Lock()
	s.key = sign(key, "chela-pair/1", "key", theirs, own, s.keyID)
	s.mu.Unlock()
	send(conn, m{"kind": "paired", "keyId": s.keyID, "proof": sign(key, "chela-pair/1", "server", theirs, own, s.keyID)})
	receive(ctx, conn) // returns when the connection closes
}

// paired returns a browser that is paired with a server, after its first hello.
func paired(t *testing.T, flags ...string) (*person, *server) {
	t.Helper()
	s := newServer(t)
	p := newPerson(t, s.port, flags...)
	p.in(fmt.Sprintf(`await chrome.storage.local.set({keyId: %q, key: %q})`, s.keyID, s.key))
	p.request(`{do: "start"}`)
	s.hello(1)
	return p, s
}

// The person types the digits into the popup. If they are wrong, the popup says so, and nothing is
// stored.
func TestPairingByDigits(t *testing.T) {
	s := newServer(t)
	p := newPerson(t, s.port)
	typed := func(text string) {
		p.in(`document.getElementById("digits").value = "` + text + `"; document.querySelector("#pairing button").click()`)
	}
	typed("000000")
	p.until("the popup says that the code is wrong", func() bool { return p.in(`return document.getElementById("error").textContent`) == "wrong code" })
	if key := p.in(`return (await chrome.storage.local.get("key")).key ?? ""`); key != "" {
		t.Errorf("a wrong code left the key %v", key)
	}
	typed(digits)
	hello := s.hello(1)
	for _, name := range []string{"run", "worker", "version", "userAgent", "browser"} {
		if text, _ := hello[name].(string); text == "" {
			t.Errorf("hello has no %s: %v", name, hello)
		}
	}
	if hello["v"] != 1.0 || hello["generation"] != 1.0 || hello["stopped"] != false || fmt.Sprint(hello["tabs"], hello["kids"]) != "[] []" {
		t.Errorf("hello = %v", hello)
	}
	p.until("the popup says connected", func() bool { return p.in(`return document.getElementById("status").textContent`) == "connected" })
}

// The server and the extension compute the same from the numbers in the protocol's description.
func TestPairingByTheVector(t *testing.T) {
	p := newPerson(t, 1)
	got := p.in(`
		const {agree} = await import("./pair.js");
		const sent = [];
		const share = "1d63fbf2f518a0a9e6f9ae823f784eee";
		const {hmac} = await import("./proof.js");
		const key = "a7b8441737ece8823c86c87c5ad773078b39c18ccb9415312a85bb8cf5de2a8d";
		const said = ["00112233445566aa", "000102030405060708090a0b0c0d0e0f", "101112131415161718191a1b1c1d1e1f", "1700000000000"];
		const server = await hmac(key, ["chela-extension/1", "server", ...said]);
		const extension = await hmac(key, ["chela-extension/1", "extension", ...said, "202122232425262728292a2b2c2d2e2f", "7"]);
		return server + " " + extension`)
	want := "40c24368c1f8c18cdadb3a2381176a0d134440c23f8745edc8cf607b1d8396ce 0014ea95c990648250d2b3388227fd4c6f7eb3a49adc718d81e98eaf81fff97e"
	if got != want {
		t.Errorf("proofs = %v, want %s", got, want)
	}
}
