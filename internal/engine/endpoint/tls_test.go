package endpoint

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"testing"

	"chela/internal/base/certificate"
)

// A browser is found behind TLS, and every request has the secrets of the URL, whatever address the
// browser reports. A server with an untrusted certificate gets no secret, and there is no second
// attempt.
func TestTLS(t *testing.T) {
	s := serveBy(t, httptest.NewTLSServer)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // no logs of handshakes that the client ends
	s.login = "me:s3cret"
	right := certificate.Of(s.Certificate())
	wrong := right
	wrong[0] ^= 1
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
	}
	const found = "/json/version?token=t0ken /devtools/browser/1?token=t0ken"
	for _, test := range []struct {
		url, webSocket string
		pin            certificate.Fingerprint
		asked          string
		is             func(error) bool
	}{
		{"https://me:s3cret@cloud.test?token=t0ken", "ws://127.0.0.1:9222/devtools/browser/1", right, found, nil},
		{"wss://me:s3cret@cloud.test?token=t0ken", "ws://0.0.0.0/devtools/browser/1", right, found, nil},
		{"https://me:s3cret@cloud.test:9222?token=t0ken", "ws://cloud.test:9222/devtools/browser/1", right, found, nil},
		{"wss://me:s3cret@cloud.test/devtools/browser/1?token=t0ken", "", right, "/devtools/browser/1?token=t0ken", nil},
		{"wss://me:s3cret@cloud.test/one?token=t0ken", "none", right, "/one/json/version?token=t0ken /one?token=t0ken", nil},
		{"https://me:s3cret@cloud.test?token=t0ken", "", wrong, "", isPin},
		{"wss://me:s3cret@cloud.test?token=t0ken", "", wrong, "", isPin},
		{"wss://me:s3cret@cloud.test?token=t0ken", "", certificate.Fingerprint{}, "", isUntrusted},
		{"wss://me:s3cret@cloud.test/devtools/browser/1", "", certificate.Fingerprint{}, "", isUntrusted},
		{"http://me:s3cret@cloud.test", "", right, "", isStatus(400)}, // the server speaks TLS only
	} {
		s.webSocket = test.webSocket
		var handshakes int
		counted := func(ctx context.Context, network, address string) (net.Conn, error) {
			handshakes++
			return dial(ctx, network, address)
		}
		err := open(t, Endpoint{URL: test.url, Pin: test.pin, Dial: counted})
		if (err != nil) != (test.is != nil) || err != nil && !test.is(err) {
			t.Errorf("%s: %v", test.url, err)
		}
		if got := s.take(); got != test.asked || err != nil && handshakes > 2 {
			t.Errorf("%s, %d connections:\n got %s\nwant %s", test.url, handshakes, got, test.asked)
		}
	}
}

func isPin(err error) bool {
	_, ok := errors.AsType[*certificate.PinError](err)
	return ok
}

func isUntrusted(err error) bool {
	leaf, ok := certificate.Refused(err)
	return ok && leaf != nil
}
