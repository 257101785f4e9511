package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chela/internal/base/certificate"
	"chela/internal/op"
)

func TestParseOrigin(t *testing.T) {
	for _, test := range []struct{ text, want, err string }{
		{"http://127.0.0.1:18791", "http://127.0.0.1:18791", ""},
		{"http://LocalHost:18791/", "http://localhost:18791", ""},
		{"http://[::1]:18791", "http://[::1]:18791", ""},
		{"ws://127.0.0.1:18789", "http://127.0.0.1:18789", ""},
		{"wss://example.com", "https://example.com:443", ""},
		{" https://example.com:8443 ", "https://example.com:8443", ""},
		{"http://localhost", "http://localhost:80", ""},
		{"http://example.com", "", "needs https"},
		{"http://localhost.example.com:1", "", "needs https"},
		{"http://127.0.0.1.example.com", "", "needs https"},
		{"http://10.0.0.1:18791", "", "needs https"},
		{"http://0.0.0.0:18791", "", "needs https"},
		{"ftp://127.0.0.1", "", "must begin with"},
		{"127.0.0.1:18791", "", "not a URL"},
		{"example.com", "", "not a URL"},
		{"", "", "not a URL"},
		{"http://:18791", "", "not a URL"},
		{"https://ada:secret@example.com", "", "must not have a password"},
		{"https://example.com/chela", "", "must end after"},
		{"https://example.com?token=x", "", "must end after"},
		{"https://example.com#x", "", "must end after"},
		{"http://127.0.0.1:70000", "", "no valid port"},
	} {
		o, err := ParseOrigin(test.text)
		if test.err == "" && (err != nil || o.String() != test.want) || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%q: got %v, %v; want %s%s", test.text, o, err, test.want, test.err)
		}
		if err != nil && strings.Contains(err.Error()+op.HintOf(err), "secret") {
			t.Errorf("%q: the error has the password: %v", test.text, err)
		}
	}
}

// seen starts a server, and returns it with the list of headers of the requests that it gets.
func seen(t *testing.T, start func(http.Handler) *httptest.Server, answer http.HandlerFunc) (*httptest.Server, *[]http.Header) {
	t.Helper()
	var all []http.Header
	s := start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all = append(all, r.Header)
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s, &all
}

func at(t *testing.T, s *httptest.Server, secret Secret) *Client {
	t.Helper()
	o, err := ParseOrigin(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := TCP(o, secret, certificate.Fingerprint{})
	if s.Certificate() != nil {
		c.tls.RootCAs = x509.NewCertPool()
		c.tls.RootCAs.AddCert(s.Certificate())
	}
	return c
}

func fine(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }

func TestSecretOverTCP(t *testing.T) {
	ctx := op.WithSession(op.WithCaller(t.Context(), "ada"), "shop")
	for name, start := range map[string]func(http.Handler) *httptest.Server{"http": httptest.NewServer, "https": httptest.NewTLSServer} {
		s, headers := seen(t, start, fine)
		for _, test := range []struct {
			secret                  Secret
			authorization, password string
		}{
			{Secret{}, "", ""},
			{Secret{Token: "T"}, "Bearer T", ""},
			{Secret{Password: "P"}, "", "P"},
		} {
			*headers = nil
			if _, err := at(t, s, test.secret).Run(ctx, define("GET /"), nil); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			h := (*headers)[0]
			if h.Get("Authorization") != test.authorization || h.Get("X-Chela-Password") != test.password || h.Get(op.CallerHeader) != "ada" || h.Get(op.SessionHeader) != "shop" {
				t.Errorf("%s, %+v: got %v", name, test.secret, h)
			}
		}
	}
}

// A redirect is not followed, because the other server would get the secret.
func TestRedirectIsNotFollowed(t *testing.T) {
	other, headers := seen(t, httptest.NewServer, fine)
	s, _ := seen(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) })
	c := at(t, s, Secret{Token: "T"})
	_, err := c.Run(t.Context(), define("GET /"), nil)
	fetched := c.Fetch(t.Context(), "x", io.Discard)
	for _, err := range []error{err, fetched} {
		if err == nil || !strings.Contains(err.Error(), "302") || len(*headers) > 0 {
			t.Errorf("got %v; the other server had %v", err, *headers)
		}
	}
}

// A server whose certificate is not trusted gets no request.
func TestUnknownCertificate(t *testing.T) {
	s, headers := seen(t, httptest.NewTLSServer, fine)
	c := at(t, s, Secret{Token: "T"})
	c.tls = &tls.Config{ServerName: "127.0.0.1"}
	_, err := c.Run(t.Context(), define("GET /"), nil)
	if e := op.AsError(err); errors.Is(err, ErrNoServer) || !strings.Contains(e.Error(), "no safe connection") || len(*headers) > 0 {
		t.Errorf("got %v; the server had %v", err, *headers)
	}
}

func TestNobodyListensOnTCP(t *testing.T) {
	s, _ := seen(t, httptest.NewServer, fine)
	s.Close()
	_, err := at(t, s, Secret{}).Run(t.Context(), define("GET /"), nil)
	if e := op.AsError(err); !errors.Is(err, ErrNoServer) || !strings.Contains(e.Error(), s.URL) {
		t.Errorf("got %v", err)
	}
}

func TestFetch(t *testing.T) {
	for _, test := range []struct {
		name, want, err string
		answer          http.HandlerFunc
	}{
		{"a file", "abc", "", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, strings.TrimPrefix(r.URL.Path, "/files/"))
		}},
		{"none", "", "no such file", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"error":"no such file","code":"not_found"}`)
		}},
		{"one that breaks off", "ab", "EOF", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "3")
			io.WriteString(w, "ab")
		}},
	} {
		s, _ := seen(t, httptest.NewServer, test.answer)
		var got strings.Builder
		err := at(t, s, Secret{}).Fetch(context.Background(), "abc", &got)
		if got.String() != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: got %q, %v", test.name, &got, err)
		}
	}
}
