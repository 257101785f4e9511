package secrets

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/base/config"
	"chela/test/service"
)

// searchFiles searches all that the program has written for the value: the files of its state, and
// their names. What a browser itself keeps in its folder is not chela's.
func searchFiles(t *testing.T, s *service.Program) {
	t.Helper()
	for _, root := range []string{s.Dir, filepath.Join(os.TempDir(), "chela")} {
		searched := 0
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case os.IsNotExist(err):
				return nil
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "user-data":
				return filepath.SkipDir
			case !d.Type().IsRegular():
				return nil
			}
			searched++
			if found := search(filepath.Base(path)); found != nil {
				t.Errorf("the name of a file has the value: %q", path)
			}
			content, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				return nil // the file was temporary, and is gone
			}
			searchContent(t, path, content)
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if root == s.Dir && searched < 3 {
			t.Errorf("only %d files were searched in %s", searched, root)
		}
	}
}

// While all that writes files is at work, no written file has the value of the secret.
func TestWritten(t *testing.T) {
	s := start(t)
	tab := s.Service.Open(t, page(site, `o.textContent = 'You wrote ' + v; document.title = v; console.error(v); localStorage.note = v; name = v
		await fetch('/echo?p=' + encodeURIComponent(v), {method: 'POST', body: JSON.stringify({note: v}), headers: {'X-Token': btoa(unescape(encodeURIComponent(v)))}})
		history.pushState(0, '', '?p=' + encodeURIComponent(v)); setTimeout(() => { throw new Error(v) })`))
	viewer := s.View(t, url.Values{"targetId": {tab.ID}})
	defer viewer.Leave()
	tab.OK("POST /trace/start", nil)
	enter(tab)
	viewer.Next("title", func(m service.Message) bool {
		clean(t, "a title in the live view", service.Answer{Raw: m.Text("title")})
		return m.Text("title") == shown
	})
	if address := viewer.Next("address", func(m service.Message) bool { return strings.Contains(m.Text("url"), "p=") }).Text("url"); search(address) != nil {
		t.Errorf("the live view shows the address %q", address)
	}
	service.Eventually(t, "the error has come", func() bool { return tab.OK("GET /errors", nil).Count("errors") > 0 })
	clean(t, "the HAR", tab.OK("GET /requests", args{"format": "har", "secrets": "true"}))
	tab.OK("GET /snapshot", nil)
	service.Eventually(t, "the tab is kept", func() bool { // the tab is saved with its address, to be opened again after a crash
		session, _ := os.ReadFile(filepath.Join(s.Dir, "browser", "chela", "session.json"))
		return strings.Contains(string(session), "/html")
	})
	trace := tab.OK("POST /trace/stop", args{"path": "secrets.zip"}).Text("path")
	report := tab.OK("POST /report", args{"path": "secrets.html"}).Text("path")
	for _, path := range []string{trace, report} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		searchContent(t, path, content)
		if name := filepath.Base(path); !strings.Contains(textIn(content), shown) {
			t.Errorf("%s does not show what the page did", name)
		}
		os.Remove(path)
	}
	if found := search(toolSays(t, s, tab)); found != nil {
		t.Errorf("the agent tool has the value %s", strings.Join(found, ", "))
	}
	if found := search(s.Log()); found != nil {
		t.Errorf("the log has the value %s", strings.Join(found, ", "))
	}
	searchFiles(t, s)
}

// textIn returns a text, or what is in an archive.
func textIn(content []byte) string {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return string(content)
	}
	var all strings.Builder
	for _, f := range z.File {
		if r, err := f.Open(); err == nil {
			io.Copy(&all, r)
			r.Close()
		}
	}
	return all.String()
}

// toolSays is what the agent tool answers when it looks at a tab, with the structured content.
func toolSays(t *testing.T, s *service.Program, tab *service.Tab) string {
	t.Helper()
	transport := &mcp.StreamableClientTransport{Endpoint: s.URL + "/mcp", HTTPClient: &http.Client{Transport: withToken{}}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var all strings.Builder
	for _, call := range []string{`{"action":"snapshot"`, `{"action":"console"`, `{"action":"tabs"`, `{"action":"evaluate","fn":"() => document.querySelector('input').value"`} {
		got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser", Arguments: json.RawMessage(call + `,"targetId":"` + tab.ID + `"}`)})
		if err != nil {
			t.Errorf("%s: %v", call, err)
			continue
		}
		raw, _ := json.Marshal(got)
		all.Write(raw)
	}
	if !strings.Contains(all.String(), shown) {
		t.Errorf("the agent tool does not show what the page did: %.600s", all.String())
	}
	return all.String()
}

// withToken sends the token of the tests.
type withToken struct{}

func (withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+service.Token)
	return http.DefaultTransport.RoundTrip(r)
}

// Headers and logins have the secret at the site that it is for, and nowhere else.
func TestHeadersAndLogins(t *testing.T) {
	s := start(t)
	tab := s.Service.Open(t, site.URL+"/echo")
	tab.OK("POST /set/headers", args{"headers": args{"X-Token": "secret:site/username"}, "origins": []string{site.URL}})
	tab.Visit(site.URL + "/echo?own")
	if got := tab.OK("GET /snapshot", nil).Raw; !strings.Contains(got, "ada@example.com") {
		t.Errorf("the site did not get the header: %s", got)
	}
	tab.Visit(site.URL + "/away?to=" + url.QueryEscape(foreign.URL+"/echo?other"))
	if got := tab.OK("GET /snapshot", nil).Raw; !strings.Contains(got, "other") || strings.Contains(got, "ada@example.com") || strings.Contains(got, "secret:") {
		t.Errorf("the other site got the header: %s", got)
	}
	tab.OK("POST /set/credentials", args{"username": "secret:site/username", "password": "secret:" + name, "origins": []string{site.URL}})
	tab.Visit(site.URL + "/login")
	if got := tab.OK("GET /snapshot", nil).Raw; !strings.Contains(got, "Welcome") {
		t.Errorf("the site did not get the login: %s", got)
	}
	tab.Visit(foreign.URL + "/login")
	if got := tab.OK("GET /requests", args{"secrets": "true"}); search(got.Raw) != nil || strings.Contains(got.Raw, "YWRhQGV4") {
		t.Errorf("the other site got the login: %s", got.Raw)
	}
	clean(t, "the settings", tab.OK("GET /set", nil))
	searchFiles(t, s)
}

// A header has a secret that was removed and is there again, with the value that it has now.
func TestHeaderOfReplacedSecret(t *testing.T) {
	s := start(t)
	tab := s.Service.Open(t, site.URL+"/echo")
	for _, c := range []struct {
		story, name string
		set         func(t *testing.T, value string)
		remove      func(t *testing.T)
	}{
		{"in the store", "stored/username", func(t *testing.T, value string) {
			s.OK(t, "POST /secrets/set", args{"name": "stored/username", "value": value, "for": []string{site.URL}, "store": "file"})
		}, func(t *testing.T) { s.OK(t, "POST /secrets/remove", args{"name": "stored/username"}) }},
		{"in the configuration", "configured/username", func(t *testing.T, value string) {
			file := filepath.Join(t.TempDir(), "value")
			if err := os.WriteFile(file, []byte(value), 0o600); err != nil {
				t.Fatal(err)
			}
			configure(t, s, "configured/username", fmt.Sprintf(`{"from": "file:%s", "for": [%q]}`, file, site.URL))
		}, func(t *testing.T) { configure(t, s, "configured/username", "null") }},
	} {
		t.Run(c.story, func(t *testing.T) {
			tab := tab.For(t)
			echo := func() string {
				tab.Visit(site.URL + "/echo?own")
				return tab.OK("GET /snapshot", nil).Raw
			}
			c.set(t, "Ada")
			tab.OK("POST /set/headers", args{"headers": args{"X-Token": "secret:" + c.name}, "origins": []string{site.URL}})
			if got := echo(); !strings.Contains(got, "Ada") {
				t.Errorf("the site did not get the header: %s", got)
			}
			c.remove(t)
			if got := tab.Do("GET /snapshot", nil); !strings.Contains(got.Raw, c.name) {
				t.Errorf("no error says that the secret is gone: %s", got.Raw)
			}
			if got := echo(); strings.Contains(got, "Ada") {
				t.Errorf("the site got a secret that was removed: %s", got)
			}
			c.set(t, "Grace")
			if got := echo(); !strings.Contains(got, "Grace") {
				t.Errorf("the site did not get the secret that is there again: %s", got)
			}
		})
	}
}

// configure sets a secret in the configuration.
func configure(t *testing.T, s *service.Program, secret, text string) {
	t.Helper()
	if _, err := config.Set(config.Flags{StateDir: s.Dir}, "browser.secrets."+secret, text); err != nil {
		t.Fatal(err)
	}
}

func searchContent(t *testing.T, path string, content []byte) {
	t.Helper()
	if found := search(string(content)); found != nil {
		t.Errorf("%s has the value %s", path, strings.Join(found, ", "))
	}
	if z, err := zip.NewReader(bytes.NewReader(content), int64(len(content))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Error(err)
				continue
			}
			inner, _ := io.ReadAll(r)
			r.Close()
			searchContent(t, path+"!"+f.Name, inner)
		}
	}
}
