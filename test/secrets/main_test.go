// Package secrets tries to get at the value of a secret that an agent may use and must not see. A
// site does so in its pages, and the agent by its calls. All that chela answers and writes is
// searched for the value.
package secrets

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/service"
)

type args = service.Args

// value is the secret. It has characters that each encoding writes in its own way, and another end in
// each run: files of an earlier one may be left.
var value = `kX9"q&<z>/+ü%7 =?~` + rand.Text()[:6]

const (
	name  = "site/password"
	shown = "«secret:" + name + "»" // stands for the value in all that is shown
)

// The program runs as a process of its own, because its log and its files are searched. The secret
// is for the pages of site. Those of foreign have another origin.
var site, foreign *httptest.Server

func TestMain(m *testing.M) {
	chromium.PreferShell()
	service.BeProgram()
	site, foreign = httptest.NewServer(handler()), httptest.NewServer(handler())
	code := m.Run()
	for _, s := range []*httptest.Server{site, foreign} {
		s.CloseClientConnections()
		s.Close()
	}
	os.Exit(code)
}

// handler serves pages that are given in their address, and answers with what it is sent.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", pages.Handler())
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Echo", r.Header.Get("X-Token"))
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "%s %s %s", r.URL.RawQuery, r.Header.Get("X-Token"), body)
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.FormValue("to"), http.StatusFound) })
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user+":"+password != "ada@example.com:"+value {
			w.Header().Set("WWW-Authenticate", `Basic realm="The site"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, "Welcome")
	})
	return mux
}

// start starts a server of chela that has the secret.
func start(t *testing.T) *service.Program {
	t.Helper()
	t.Setenv("CHELA_TEST_SECRET", value)
	t.Setenv("CHELA_TEST_USER", "ada@example.com")
	dir := t.TempDir()
	of := func(from, origin string) string {
		return fmt.Sprintf(`{"from": "env:%s", "for": [%q]}`, from, origin)
	}
	settings := fmt.Sprintf(`{"browser": {"noSandbox": true, "headless": %v, "secrets": {%q: %s, "site/username": %s, "elsewhere/password": %s}}}`,
		chromium.Headless(), name, of("CHELA_TEST_SECRET", site.URL), of("CHELA_TEST_USER", site.URL), of("CHELA_TEST_SECRET", "https://example.com"))
	if err := os.WriteFile(filepath.Join(dir, "chela.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	return service.Run(t, dir)
}

// field is the name of the field that gets the secret.
const field = "Password"

// page returns the address of a page of a site, with a field. Its script runs when a text was
// entered there: v is that text.
func page(at *httptest.Server, script string) string {
	return at.URL + pages.HTML(`<title>Log in</title><meta charset=utf-8><form onsubmit="return false"><input id=p type=password aria-label=`+field+`></form><p id=o></p>
<script>p.addEventListener('input', async () => { const v = p.value; `+script+` ; document.body.dataset.done = '1' })</script>`)
}

// enter types the secret into the field of a tab, and waits until the script of the page has run.
func enter(tab *service.Tab) {
	tab.Helper()
	tab.Act("type", args{"ref": tab.Ref(field), "text": "secret:" + name})
	tab.OK("POST /act", args{"kind": "wait", "selector": "[data-done]", "state": "attached", "timeoutMs": 20_000})
}

// search returns the encodings in which the value stands in a text.
func search(text string) (found []string) {
	for how, form := range forms() {
		if strings.Contains(text, form) {
			found = append(found, how)
		}
	}
	return found
}

func quoted(text string) string {
	raw, _ := json.Marshal(text) // a string can be encoded
	return string(raw)
}
