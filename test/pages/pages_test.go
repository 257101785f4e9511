package pages

import (
	"context"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
)

// reference finds what a page loads or leads to, without its query.
var reference = regexp.MustCompile(`(?:src|href|action)="([a-z]+(?:\.[a-z]+)?)[?"]`)

func TestPagesLeadToWhatIsServed(t *testing.T) {
	server := Handler()
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if name == "article.html" || name == "fields.html" { // tests only read the titles and links of these pages
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		title := "<title>" + strings.TrimSuffix(name, ".html") + "</title>"
		if !strings.Contains(string(text), title) {
			t.Errorf("%s: has no %s", name, title)
		}
		for _, match := range reference.FindAllStringSubmatch(string(text), -1) {
			if match[1] == "hang" {
				continue
			}
			if got := ask(server, "GET", "/"+match[1], "").Code; got == http.StatusNotFound {
				t.Errorf("%s leads to %s, which is not there", name, match[1])
			}
		}
	}
}

func TestAnswersThatNoFileGives(t *testing.T) {
	tests := []struct {
		method, target, form string
		status               int
		want                 string // a part of the body, or the Location
	}{
		{"GET", "/slow?ms=1", "", 200, "Answered after 1 ms"},
		{"GET", "/slow", "", 400, "ms must be a number"},
		{"GET", "/status?code=503", "", 503, "Status 503"},
		{"GET", "/status?code=999", "", 400, "code must be from 200 to 599"},
		{"GET", "/redirect?to=/frame.html", "", 302, "/frame.html"},
		{"GET", "/redirect?to=/frame.html&code=307", "", 307, "/frame.html"},
		{"GET", "/echo?b=2&a=%3C", "", 200, "<h1>GET a=&lt; b=2</h1>"},
		{"POST", "/echo", "name=Ada", 200, "<h1>POST name=Ada</h1>"},
	}
	server := Handler()
	for _, test := range tests {
		w := ask(server, test.method, test.target, test.form)
		got := w.Body.String() + w.Header().Get("Location")
		if w.Code != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s %s: got %d %q, want %d %q", test.method, test.target, w.Code, got, test.status, test.want)
		}
	}
}

func TestHangEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		ended := false
		go func() {
			Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/hang", nil))
			ended = true
		}()
		synctest.Wait()
		if ended {
			t.Error("/hang answered a caller who still waits")
		}
		leave()
		synctest.Wait()
		if !ended {
			t.Error("/hang still runs, its caller has gone")
		}
	})
}

func ask(h http.Handler, method, target, form string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(form))
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
