package extension

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestHandshakeVector(t *testing.T) {
	key := Key{ID: "00112233445566aa", Secret: "a7b8441737ece8823c86c87c5ad773078b39c18ccb9415312a85bb8cf5de2a8d"}
	c := challenge{key, "000102030405060708090a0b0c0d0e0f", "101112131415161718191a1b1c1d1e1f", time.UnixMilli(1700000000000)}
	if got := c.proof("server"); got != "40c24368c1f8c18cdadb3a2381176a0d134440c23f8745edc8cf607b1d8396ce" {
		t.Errorf("proof of the server: %s", got)
	}
	o := opening{Run: "202122232425262728292a2b2c2d2e2f", Generation: 7, Proof: "0014ea95c990648250d2b3388227fd4c6f7eb3a49adc718d81e98eaf81fff97e"}
	if err := c.check(o, c.expires); err != nil {
		t.Error(err)
	}
	if err := c.check(o, c.expires.Add(1)); err == nil {
		t.Error("a late proof was taken")
	}
	if o.Generation++; c.check(o, c.expires) == nil {
		t.Error("a proof of another generation was taken")
	}
}

func TestOnlyTheExtensionOfThisMachineConnects(t *testing.T) {
	_, _, url := newRelay(t)
	for _, row := range []struct {
		name, origin, host string
		status             int
	}{
		{"a page", "http://127.0.0.1", "", 403},
		{"another extension", "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba", "", 403},
		{"no browser", "", "", 403},
		{"a name that leads here", "chrome-extension://" + testID, "evil.example:18799", 403},
		{"the extension", "chrome-extension://" + testID, "localhost:18799", 101},
	} {
		header := http.Header{}
		if row.origin != "" {
			header.Set("Origin", row.origin)
		}
		_, answer, _ := dialAs(t, url, header, row.host)
		if answer == nil || answer.StatusCode != row.status {
			t.Errorf("%s: got %v, want status %d", row.name, answer, row.status)
		}
	}
}

func TestForeignAndReplayedProofsAreRefused(t *testing.T) {
	_, key, url := newRelay(t)
	foreign := key
	foreign.ID = "ffffffffffffffff"
	w := dial(t, url)
	w.send(map[string]any{"kind": "hello", "v": 1, "keyId": foreign.ID, "nonce": randomHex(16)})
	w.refused(401)

	nonce := strings.Repeat("ab", 16)
	hello := map[string]any{"kind": "hello", "v": 1, "keyId": key.ID, "nonce": nonce}
	w = dial(t, url)
	w.send(hello)
	asked := w.expect()
	answer := map[string]any{"kind": "proof", "run": firstRun, "generation": 1, "proof": proof(key.secret(), label, "extension",
		key.ID, nonce, asked.Nonce, strconv.FormatInt(asked.Expires, 10), firstRun, "1")}
	w.send(answer)
	if ok := w.expect(); ok.Kind != "ok" {
		t.Fatalf("got %+v", ok)
	}
	again := dial(t, url)
	again.send(hello)
	if other := again.expect(); other.Nonce == asked.Nonce {
		t.Error("the server used a nonce twice")
	}
	again.send(answer)
	again.refused(401)
}

func TestMalformedOpeningsAreRefused(t *testing.T) {
	_, key, url := newRelay(t)
	for _, frame := range []string{"", "{}", "[]", `{"kind":"proof"}`, `{"kind":"hello","v":2,"keyId":"` + key.ID + `","nonce":"` + randomHex(16) + `"}`,
		`{"kind":"hello","v":1,"keyId":"../../../../../a","nonce":"` + randomHex(16) + `"}`} {
		w := dial(t, url)
		w.send(frame)
		w.refused(400)
	}
	w := dial(t, url)
	w.send(`{"kind":"hello","v":1,"x":"` + strings.Repeat("x", maxOpening) + `"}`)
	if _, err := w.read(); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("after an oversized frame: %v", err)
	}
}

func TestFewConnectionsMayBeUnproved(t *testing.T) {
	_, key, url := newRelay(t)
	for i := range maxUnproved {
		if w := dial(t, url); i == 0 {
			join(t, url, key, 1, hello{}) // a connection that has proved its key does not count
			defer w.conn.CloseNow()
		}
	}
	_, answer, err := dialAs(t, url, nil, "")
	if err == nil || answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one too many: %v, %v", answer, err)
	}
}

func FuzzOpening(f *testing.F) {
	f.Add([]byte(`{"kind":"hello","v":1,"keyId":"0123456789abcdef","nonce":"0123456789abcdef0123456789abcdef"}`))
	f.Add([]byte(`{"kind":"proof","run":"0123456789abcdef0123456789abcdef","generation":1,"proof":"` + strings.Repeat("0", 64) + `"}`))
	f.Add([]byte(`{"kind":"pair","v":1,"share":"` + strings.Repeat("2", shareDigits) + `","name":"Chromium"}`))
	f.Add([]byte(`{"kind":"confirm","proof":"` + strings.Repeat("0", 64) + `"}`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		o, err := readOpening(frame, "hello", "proof", "pair", "confirm")
		if err != nil {
			return
		}
		if again, err := readOpening(encode(o), o.Kind); err != nil || again != o {
			t.Errorf("%s is read as %+v, and that as %+v, %v", frame, o, again, err)
		}
		for _, field := range []string{o.KeyID, o.Nonce, o.Run, o.Proof} {
			if o.Kind == "pair" && field != "" {
				continue // the other fields of a pairing are not looked at
			}
			if strings.ContainsAny(field, "\"\\\n/") && (o.Kind == "hello" && field == o.KeyID || o.Kind == "proof" && field == o.Run) {
				t.Errorf("%q would need an escape", field)
			}
		}
	})
}
