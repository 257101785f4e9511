package client

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chela/internal/base/certificate"
	"chela/internal/op"
)

// A server with the pinned certificate is called. A server with another certificate gets no request,
// and the error has both fingerprints. Without a pin, the error has the fingerprint to pin.
func TestFingerprints(t *testing.T) {
	s, headers := seen(t, httptest.NewTLSServer, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "{}") })
	o, err := ParseOrigin(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	right := certificate.Of(s.Certificate())
	wrong := right
	wrong[31] ^= 1
	for _, test := range []struct {
		name  string
		pin   certificate.Fingerprint
		error []string
	}{
		{"the right one", right, nil},
		{"another", wrong, []string{"no safe connection", right.String(), wrong.String(), "chela cert"}},
		{"none", certificate.Fingerprint{}, []string{"no safe connection", "unknown authority", "--fingerprint", right.String()}},
	} {
		*headers = nil
		_, err := TCP(o, Secret{Token: "T"}, test.pin).Run(t.Context(), define("GET /"), nil)
		if (err == nil) != (test.error == nil) || (len(*headers) > 0) != (test.error == nil) {
			t.Errorf("%s: got %v; the server had %v", test.name, err, *headers)
			continue
		}
		for _, part := range test.error {
			if text := err.Error() + op.HintOf(err); !strings.Contains(text, part) {
				t.Errorf("%s: got %s, want %s", test.name, text, part)
			}
		}
	}
}

// If a server is called by a name that its certificate does not have, the fingerprint must be pinned.
func TestFingerprintOfAnotherName(t *testing.T) {
	s, _ := seen(t, httptest.NewTLSServer, fine)
	o, err := ParseOrigin(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	o.Host = "localhost" // the certificate is for 127.0.0.1 and example.com
	if _, err := TCP(o, Secret{}, certificate.Of(s.Certificate())).Run(t.Context(), define("GET /"), nil); err != nil {
		t.Error(err)
	}
}
