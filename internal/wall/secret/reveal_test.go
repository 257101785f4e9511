package secret_test

import (
	"testing"

	"chela/internal/wall/secret"
)

// A kept secret is sent only to its own places, and only until its value changes.
func TestReveal(t *testing.T) {
	const origin, other = "https://example.com", "https://elsewhere.example"
	expect := func(text, origin, want string, ok bool) {
		t.Helper()
		if got, gotOK := secret.Reveal(text, origin); got != want && ok || gotOK != ok {
			t.Errorf("%s for %s: got %q, %v", text, origin, got, gotOK)
		}
	}
	expect("secret:reveal/key", origin, "", false)
	secret.Keep(secret.Secret{Name: "reveal/key", Value: "k", For: []secret.Place{origin}})
	expect("secret:reveal/key", origin, "k", true)
	expect("secret:reveal/key", other, "", false)
	expect(`\secret:reveal/key`, other, "secret:reveal/key", true)
	expect("plain", other, "plain", true)
	secret.Drop("reveal/key")
	expect("secret:reveal/key", origin, "", false)
	if secret.IsKept("secret:reveal/key") || !secret.IsKept("plain") {
		t.Error("a dropped secret is kept, or a text is not")
	}
}
