package client

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The name localhost stands for the loopback addresses, and no resolver is asked.
func TestAddresses(t *testing.T) {
	for address, want := range map[string][]string{
		"localhost:18791":         {"127.0.0.1:18791", "[::1]:18791"},
		"127.0.0.1:18791":         {"127.0.0.1:18791"},
		"localhost.example.com:1": {"localhost.example.com:1"},
	} {
		if got := addresses(address); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

// The client takes the URLs that commands take: ws and wss stand for http and https.
func TestOrigin(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:18791": "http", "ws://127.0.0.1:18791": "http", "WSS://a.test": "https", "https://a.test": "https",
		"ws://a.test": "", "wsx://a.test": "", "ftp://a.test": "",
	} {
		u, err := origin(address)
		if (err == nil) != (want != "") || err == nil && u.Scheme != want {
			t.Errorf("%s: got %v, %v, want %q", address, u, err, want)
		}
	}
}

// If no file names the socket's directory, the socket is in the state directory, though its path is
// too long. So no socket of another program is called.
func TestSocketOfALongStateDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a", 103))
	if got, want := socketIn(dir), filepath.Join(dir, "chela.sock"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
