package natsline

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/fleet/natsline/natstest"
	"chela/internal/fleet/wire"
)

// fleetAt is the configuration of a fleet.
func fleetAt(url string) config.Fleet { return config.Fleet{URL: url, Tenant: "default"} }

// openLine opens a line for the time of a test, and waits until it is connected.
func openLine(t *testing.T, url string) *Line {
	t.Helper()
	l, err := Open(fleetAt(url), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := wire.Await(ctx, l); err != nil {
		t.Fatal(err)
	}
	return l
}

// A request gets the answers of all subscribers, until its callback returns false. Without a
// subscriber it gets an error.
func TestRequest(t *testing.T) {
	s := natstest.Start(t, "")
	asking, answering := openLine(t, s.URL()), openLine(t, s.URL())
	every := func([]byte) bool { return true }
	if err := asking.Request(t.Context(), "chela.default.nodes", nil, every); !errors.Is(err, wire.ErrNobody) {
		t.Errorf("without a node: %v", err)
	}
	end, err := answering.Subscribe("chela.default.*", func(message []byte, reply func([]byte) error) {
		reply(append([]byte("first "), message...))
		reply([]byte("second"))
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	// The subscription and the request use two connections, and NATS may handle the request first.
	// Then the request is repeated.
	for got == nil {
		err = asking.Request(t.Context(), "chela.default.nodes", []byte("question"), func(answer []byte) bool {
			got = append(got, string(answer))
			return len(got) < 2
		})
		if err != nil && !errors.Is(err, wire.ErrNobody) {
			t.Fatal(err)
		}
	}
	if strings.Join(got, ", ") != "first question, second" {
		t.Errorf("the answers are %q", got)
	}
	end()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := asking.Request(ctx, "chela.default.nodes", nil, every); !errors.Is(err, context.Canceled) && !errors.Is(err, wire.ErrNobody) {
		t.Errorf("after the end of its context: %v", err)
	}
}

// A broken connection is made again. Then Since returns the time of the new connection.
func TestBrokenLine(t *testing.T) {
	s := natstest.Start(t, "")
	l := openLine(t, s.URL())
	connected := func(since func(time.Time) bool) time.Time {
		for deadline := time.Now().Add(10 * time.Second); !since(l.Since()); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the line is not connected")
			}
		}
		return l.Since()
	}
	before := connected(func(at time.Time) bool { return !at.IsZero() })
	s.Disconnect()
	connected(func(at time.Time) bool { return !at.IsZero() && !at.Equal(before) })
	if s.Asked() != 2 {
		t.Errorf("there were %d connections", s.Asked())
	}
}

// If a server refuses this machine, the error says so, and the connection is tried again. A server
// that does not run is no refusal.
func TestRefused(t *testing.T) {
	s := natstest.Start(t, "secret")
	if _, err := Dial(fleetAt(s.URL()), "test"); err == nil || !strings.Contains(strings.ToLower(err.Error()), "authorization violation") {
		t.Errorf("to dial says %v", err)
	}
	l, err := Open(fleetAt(s.URL()), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for deadline := time.Now().Add(10 * time.Second); l.Refused() == nil || s.Asked() < 5; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after %d attempts the line says %v", s.Asked(), l.Refused())
		}
	}
	nobody, err := Open(fleetAt("nats://127.0.0.1:1"), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer nobody.Close()
	for deadline := time.Now().Add(10 * time.Second); nobody.wrong.Load() == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing was tried")
		}
	}
	if err := nobody.Refused(); err != nil {
		t.Errorf("where nothing listens: %v", err)
	}
	let, err := Open(fleetAt(strings.Replace(s.URL(), "nats://", "nats://secret@", 1)), "test")
	if err != nil {
		t.Fatal(err)
	}
	let.Close()
}

// A server that ends the connection after the handshake does not accept the certificate, even if no
// alert of TLS could be read.
func TestRefusedAfterTheHandshake(t *testing.T) {
	site := httptest.NewTLSServer(http.NotFoundHandler())
	defer site.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(c, `INFO {"server_id":"s","tls_required":true,"max_payload":1024}`+"\r\n")
			tls.Server(c, site.TLS).Handshake()
			c.Close()
		}
	}()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw})
	if err := os.WriteFile(ca, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	f := fleetAt("nats://" + listener.Addr().String())
	f.TLS.CA = ca
	l, err := Open(f, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for deadline := time.Now().Add(10 * time.Second); l.Refused() == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it was not refused: %v", *l.wrong.Load())
		}
	}
}

// Files with the secrets of this machine are checked before anything is sent.
func TestFiles(t *testing.T) {
	s := natstest.Start(t, "")
	dir := t.TempDir()
	open, empty := filepath.Join(dir, "open.creds"), filepath.Join(dir, "empty.nk")
	for path, mode := range map[string]os.FileMode{open: 0o644, empty: 0o600} {
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none.creds"): "fleet.credentials is " + filepath.Join(dir, "none.creds") + ", and there is no such file",
		open:                             "which other users can read",
		empty:                            "read the seed of an NKey in " + empty,
	} {
		if path == open && runtime.GOOS == "windows" {
			continue
		}
		f := fleetAt(s.URL())
		f.Credentials = path
		if l, err := Open(f, "test"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", filepath.Base(path), err)
			if err == nil {
				l.Close()
			}
		}
	}
	if s.Asked() != 0 {
		t.Errorf("there were %d connections", s.Asked())
	}
}

// Most returns the server's limit of a message, and Put fails if the server has no JetStream.
func TestLimits(t *testing.T) {
	l := openLine(t, natstest.Start(t, "").URL())
	if l.Most() != 1<<20 {
		t.Errorf("a message may have %d bytes", l.Most())
	}
	if err := l.Put(t.Context(), "name", strings.NewReader("content")); !errors.Is(err, ErrNoObjects) {
		t.Errorf("a file: %v", err)
	}
}
