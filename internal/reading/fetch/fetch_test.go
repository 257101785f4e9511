package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// dialer returns a dialer that connects to localhost, and to no other name or address of this
// machine.
func dialer(t *testing.T) *proxy.Dialer {
	t.Helper()
	policy, err := guard.Rules{AllowedHostnames: []string{"localhost"}}.Policy()
	if err != nil {
		t.Fatal(err)
	}
	d, err := proxy.NewDialer(proxy.Options{
		Policy: func() *guard.Policy { return policy },
		Lookup: func(_ context.Context, name string) ([]netip.Addr, error) {
			if name == "rebind.example" {
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
			}
			return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// local is the URL of a server by the name that the policy allows.
func local(s *httptest.Server) string { return strings.Replace(s.URL, "127.0.0.1", "localhost", 1) }

func get(t *testing.T, url string) (*Document, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return Get(ctx, dialer(t), Destination{URL: url})
}

// serve serves handlers by their paths for the time of the test.
func serve(t *testing.T, handlers map[string]http.HandlerFunc) string {
	mux := http.NewServeMux()
	for path, handler := range handlers {
		mux.HandleFunc(path, handler)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return local(s)
}

// serveTLS is the URL of a server with a certificate that is for another host.
func serveTLS(t *testing.T) string {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return local(s)
}

// to redirects to an address.
func to(address string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", address)
		w.WriteHeader(status)
	}
}

// content answers with a body of a type; "" declares none.
func content(mediaType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil
		if mediaType != "" {
			w.Header().Set("Content-Type", mediaType)
		}
		fmt.Fprint(w, body)
	}
}

func TestGet(t *testing.T) {
	asked := make(chan http.Header, 2)
	site := serve(t, map[string]http.HandlerFunc{
		"/": content("text/html; charset=koi8-r", "<p>Hello"),
		"/who": func(w http.ResponseWriter, r *http.Request) {
			asked <- r.Header
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			to("/who/else", http.StatusFound)(w, r)
		},
		"/who/else": func(w http.ResponseWriter, r *http.Request) { asked <- r.Header },
		"/one":      to("/a/%zz/../two words?q=<1>#part", http.StatusMovedPermanently),
		"/a/": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, r.URL.RawQuery)
		},
		"/gone": func(w http.ResponseWriter, r *http.Request) { http.Error(w, "nothing here", http.StatusGone) },
		"/zip": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, "packed")
			z.Close()
		},
	})
	for path, want := range map[string]Document{
		"/":     {URL: site + "/", Status: 200, Kind: HTML, Type: "text/html", Charset: "koi8-r", Body: []byte("<p>Hello")},
		"/one":  {URL: site + "/a/two%20words?q=%3C1%3E", Status: 200, Kind: Text, Type: "text/plain", Charset: "utf-8", Name: "two words", Body: []byte("q=%3C1%3E")},
		"/gone": {URL: site + "/gone", Status: 410, Kind: Text, Type: "text/plain", Charset: "utf-8", Name: "gone", Body: []byte("nothing here\n")},
		"/zip":  {URL: site + "/zip", Status: 200, Kind: Text, Type: "text/plain", Name: "zip", Body: []byte("packed")},
	} {
		got, err := get(t, site+path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if fmt.Sprintf("%+v", *got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s:\n got %+v\nwant %+v", path, *got, want)
		}
	}
	if _, err := get(t, site+"/who"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		h := <-asked
		if h.Get("User-Agent") != agent || h.Get("Accept") == "" || h.Get("Referer") != "" || h.Get("Cookie") != "" || h.Get("Authorization") != "" {
			t.Errorf("it was asked with %v", h)
		}
	}
}

// Hosts are read as browsers read them, and are sent in that form.
func TestHosts(t *testing.T) {
	site := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Host) }})
	port := site[strings.LastIndex(site, ":"):]
	for _, host := range []string{"LOCALHOST", "%6c%6Fcalhost", "ｌｏｃａｌｈｏｓｔ", "localhost。"} {
		got, err := get(t, "http://"+host+port+"/")
		if err != nil || !strings.EqualFold(string(got.Body), "localhost"+port) {
			t.Errorf("%s: %+v, %v", host, got, err)
		}
	}
}

// The policy holds at every redirect, and addresses that do not belong to the web are not opened.
func TestPolicy(t *testing.T) {
	var secret *httptest.Server
	secret = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s was reached as %s", secret.URL, r.Host) }))
	t.Cleanup(secret.Close)
	port := secret.URL[strings.LastIndex(secret.URL, ":"):]
	site := serve(t, map[string]http.HandlerFunc{
		"/to": func(w http.ResponseWriter, r *http.Request) { to(r.URL.RawQuery, http.StatusFound)(w, r) },
	})
	for _, host := range []string{"127.0.0.1", "[::1]", "0x7f.1", "0", "rebind.example", "169.254.169.254", "10.0.0.1", "[::ffff:7f00:1]"} {
		for _, address := range []string{"http://" + host + port + "/", site + "/to?http://" + host + port + "/", site + "/to?//" + host + port, site + `/to?http:\\` + host + port} {
			_, err := get(t, address)
			failed, _ := errors.AsType[*Error](err)
			if _, ok := errors.AsType[*guard.Refused](err); !ok || failed == nil || failed.Text() != proxy.Blocked {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
	for _, host := range []string{"127.0.0.1%2e", "%31%32%37.0.0.1", "１２７。0。0。1"} {
		for _, address := range []string{"http://" + host + port + "/", site + "/to?http://" + host + port + "/"} {
			_, err := get(t, address)
			if _, ok := errors.AsType[*guard.Refused](err); !ok {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
	for _, address := range []string{"file:///etc/passwd", "javascript:1", "data:,x", "ftp://localhost/", "gopher://localhost" + port, "http://a:b@localhost" + port, "about:blank"} {
		_, err := get(t, site+"/to?"+address)
		if _, ok := errors.AsType[*guard.BlockedURL](err); !ok && !strings.HasPrefix(address, "about:") || err == nil {
			t.Errorf("a redirect to %s: %v", address, err)
		}
	}
}

func TestFailures(t *testing.T) {
	site := serve(t, map[string]http.HandlerFunc{
		"/loop": to("/loop", http.StatusFound),
		"/brotli": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			fmt.Fprint(w, "x")
		},
		"/empty": func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
		"/large": func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X", strings.Repeat("x", maxHeader)) },
	})
	secure := serveTLS(t)
	for _, test := range []struct{ url, want string }{
		{site + "/loop", manyRedirects},
		{site + "/empty", empty},
		{site + "/large", noHTTP},
		{"http://localhost:2/", refused},
		{"http://localhost:22/", "net::ERR_UNSAFE_PORT"},
		{"http://none.example/", "net::ERR_NAME_NOT_RESOLVED"},
		{strings.Replace(site, "http:", "https:", 1), notTLS},
		{secure, otherHost},
	} {
		_, err := get(t, test.url)
		failed, ok := errors.AsType[*Error](err)
		if !ok || failed.Text() != test.want {
			t.Errorf("%s: got %v, want %s", test.url, err, test.want)
		}
		if leaf, bad := failed.Certificate(); bad != (test.want == otherHost) || bad && leaf == nil {
			t.Errorf("%s: certificate %v, %v", test.url, leaf, bad)
		}
	}
	if _, err := get(t, site+"/brotli"); err != ErrEncoding {
		t.Errorf("an answer that is compressed otherwise: %v", err)
	}
}

// An address that was written without a scheme is fetched by http only if no server offers https
// there.
func TestOverHTTP(t *testing.T) {
	site := serve(t, map[string]http.HandlerFunc{"/": content("text/plain", "plain")})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	got, err := Get(ctx, dialer(t), Destination{URL: strings.Replace(site, "http:", "https:", 1) + "/", OrHTTP: true})
	if err != nil || !got.OverHTTP || string(got.Body) != "plain" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = Get(ctx, dialer(t), Destination{URL: "https://localhost:2/", OrHTTP: true})
	if failed, ok := errors.AsType[*Error](err); !ok || !failed.Both {
		t.Errorf("where nobody listens: %v", err)
	}
	secure := serveTLS(t)
	if _, err := Get(ctx, dialer(t), Destination{URL: secure, OrHTTP: true}); err == nil {
		t.Error("a bad certificate has it fetched without")
	}
}

// A document is read up to a limit of its decompressed size, and the result says if it was cut.
func TestBounds(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 3 * MaxBody >> 20 {
		z.Write(bytes.Repeat([]byte{' '}, 1<<20))
	}
	z.Close()
	endless := make(chan bool, 1)
	site := serve(t, map[string]http.HandlerFunc{
		"/bomb": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		},
		"/endless": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "video/mp4")
			for r.Context().Err() == nil {
				w.Write(make([]byte, 1<<16))
			}
			endless <- true
		},
		"/cut": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "half")
		},
	})
	if got, err := get(t, site+"/bomb"); err != nil || len(got.Body) != MaxBody || !got.Cut {
		t.Errorf("a body that is larger than it seems: %d bytes, %v", len(got.Body), err)
	}
	if got, err := get(t, site+"/endless"); err != nil || got.Kind != Other || got.Type != "video/mp4" || got.Body != nil {
		t.Errorf("a film: %+v, %v", got, err)
	}
	<-endless // the connection of the endless answer has ended
	if got, err := get(t, site+"/cut"); err != nil || string(got.Body) != "half" || !got.Partial {
		t.Errorf("a body that breaks off: %+v, %v", got, err)
	}
}

// If a server is slow, the rest of its document is left out. A server that does not answer is given
// up.
func TestSlow(t *testing.T) {
	site := serve(t, map[string]http.HandlerFunc{
		"/never": func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/slow": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, strings.Repeat("some", 1000))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	})
	brief := func(path string) (*Document, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
		defer cancel()
		return Get(ctx, dialer(t), Destination{URL: site + path})
	}
	if got, err := brief("/never"); !errors.Is(err, ErrSlow) {
		t.Errorf("no answer: %v, %v", got, err)
	}
	if got, err := brief("/slow"); err != nil || !got.Partial || len(got.Body) != 4000 {
		t.Errorf("half an answer: %v, %v", got, err)
	}
}

func TestKinds(t *testing.T) {
	if _, kind := typeOf("text/plain", "UTF-16LE", []byte("h\x00i\x00")); kind != Text {
		t.Errorf("UTF-16 without a byte order mark: got %q", kind)
	}
	for _, test := range []struct {
		declared, beginning string
		mediaType           string
		kind                Kind
	}{
		{"text/html", "x", "text/html", HTML},
		{"application/xhtml+xml", "<html>", "application/xhtml+xml", HTML},
		{"", "<!doctype html><p>", "text/html", HTML},
		{"", "just words", "text/plain", Text},
		{"", "\x89PNG\r\n\x1a\n", "image/png", Other},
		{"application/octet-stream", "%PDF-1.4", "application/pdf", PDF},
		{"application/octet-stream", "\x00\x01\x02", "application/octet-stream", Other},
		{"text/html", "%PDF-1.7", "application/pdf", PDF},
		{"application/pdf", "junk", "application/pdf", PDF},
		{"application/json", "{}", "application/json", JSON},
		{"application/ld+json", "{}", "application/ld+json", JSON},
		{"text/plain", `{"a": 1}`, "text/plain", JSON},
		{"text/plain", "[sic] it is no JSON", "text/plain", Text},
		{"text/plain", "\x00\x01binary", "application/octet-stream", Other},
		{"text/plain", "\xff\xfeh\x00i\x00", "text/plain", Text},
		{"application/rss+xml", "<rss>", "application/rss+xml", XML},
		{"text/xml", "<a>", "text/xml", XML},
		{"image/svg+xml", "<svg>", "image/svg+xml", Other},
		{"text/markdown", "# x", "text/markdown", Text},
		{"application/javascript", "1", "application/javascript", Text},
		{"application/zip", "PK", "application/zip", Other},
	} {
		mediaType, kind := typeOf(test.declared, "", []byte(test.beginning))
		if mediaType != test.mediaType || kind != test.kind {
			t.Errorf("%q %q: got %s, %q", test.declared, test.beginning, mediaType, kind)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, url := range []string{"http://a/b?c", "http://a/%zz", `http://a\b`, "http://[::1]:80/", "https://ä/ü x", "http://a/../..//b"} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		checked, err := guard.CheckURL(raw)
		if err != nil || checked == guard.Blank {
			return
		}
		u, err := parse(checked)
		if err != nil {
			return
		}
		want, _, _ := guard.HostOf(checked)
		got, _, ok := guard.HostOf(u.String())
		if !ok || got != want {
			t.Errorf("%q is fetched from %v, and was judged as %v", checked, got, want)
		}
	})
}
