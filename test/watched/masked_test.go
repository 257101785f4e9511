package watched

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/wall/secret"
	"chela/test/service"
)

// A page writes a secret wherever it can. Neither an answer has it, nor a file that chela writes.
func TestSecretsAreMaskedEverywhere(t *testing.T) {
	const value = "around&secret 4711"
	secret.Know("around/password", value)
	s := service.Own(t, "")
	page := html(`<title>title `+value+`</title><h1>heading `+value+`</h1><input placeholder="`+value+`" value="`+value+`"><a download="`+value+`.txt" href="data:text/plain,hello">file</a>`,
		`<script>
		const value = '`+value+`';
		console.error('logged', value);
		document.cookie = 'c=' + encodeURIComponent(value);
		localStorage.setItem('stored', value);
		history.replaceState(null, '', location.href + (location.href.includes('?') ? '&' : '?') + 'q=' + encodeURIComponent(value) + '#' + value);
		fetch('/none?q=' + encodeURIComponent(value) + '&b=' + btoa('u:' + value)).catch(() => {});
		setTimeout(() => { throw new Error('thrown ' + value) });
		</script>`)
	tab := s.Open(t, page)
	tab.OK("POST /trace/start", args{"snapshots": true})
	check := func(what string, raw []byte) {
		t.Helper()
		encoded := base64.RawStdEncoding.EncodeToString([]byte(value))
		for _, form := range []string{value, url.QueryEscape(value), url.PathEscape(value), strings.ReplaceAll(value, " ", "%20"), `around\u0026secret 4711`, "around&amp;secret 4711", encoded[:20]} {
			if at := bytes.Index(raw, []byte(form)); at >= 0 {
				t.Errorf("%s has %q: %s", what, form, raw[max(0, at-100):min(len(raw), at+100)])
			}
		}
	}
	shown := 0
	answered := func(what string, a service.Answer) service.Answer {
		t.Helper()
		check(what, []byte(a.Raw))
		shown += strings.Count(a.Raw, "«secret:around/password»")
		return a
	}
	for _, request := range []string{"GET /snapshot", "GET /console", "GET /errors", "GET /requests", "GET /cookies", "GET /storage/local", "GET /history", "GET /tabs"} {
		before := shown
		if answered(request, tab.Do(request, args{"format": "ai"})); shown == before {
			t.Logf("%s has no mark", request)
		}
	}
	answered("HAR", tab.Do("GET /requests", args{"format": "har", "secrets": true}))
	for _, script := range []string{"document.title", "location.href", "document.documentElement.outerHTML", "[value, {a: btoa(value), b: JSON.stringify({value})}]", "throw new Error(value)"} {
		a, err := tab.Try(t.Context(), "evaluate", args{"fn": "() => { " + map[bool]string{true: "", false: "return "}[strings.HasPrefix(script, "throw")] + script + " }"})
		if err != nil {
			t.Fatal(err)
		}
		answered(script, a)
	}
	downloaded := answered("download", tab.Click(`link "file"`, nil))
	if path := downloaded.Text("downloads.0.path"); !strings.Contains(path, "«secret-around-password»") {
		t.Errorf("the file is %s", path)
	}
	made := []string{
		answered("trace", tab.OK("POST /trace/stop", nil)).Text("path"),
		answered("report", s.OK(t, "POST /report", nil)).Text("path"),
	}
	if shown < 15 {
		t.Errorf("only %d marks were shown", shown)
	}
	for _, path := range made {
		defer os.Remove(path)
		checkFile(t, path, check)
	}
	files := 0
	err := filepath.WalkDir(s.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "user-data" {
			return fs.SkipDir // Chromium writes these files, not chela
		}
		if err == nil && entry.Type().IsRegular() {
			files++
			checkFile(t, path, check)
		}
		return err
	})
	if err != nil || files < 3 {
		t.Errorf("%d files, %v", files, err)
	}
}

// checkFile checks a file, or each file of an archive.
func checkFile(t *testing.T, path string, check func(string, []byte)) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check(path, []byte(path))
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		check(path, raw)
		return
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("%s of %s", f.Name, path), content)
	}
}
