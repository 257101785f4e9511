package state

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/reading/parser"
	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/service"
)

func TestMain(m *testing.M) {
	parser.RunIfChild() // the server starts this program again to read documents, as chela does
	os.Exit(m.Run())
}

var write = flag.String("write", "", "write the archive of a `RELEASE` into testdata; make state RELEASE=1.2.3 does so")

// settings suit a test. What was recorded before is shown, however old the archive is. The file is
// JSON5, which chela does not edit, so profiles are saved in a file of their own.
func settings() string {
	return fmt.Sprintf(`{browser: {noSandbox: true, headless: %v, recorderLimits: {hours: 1e6}}}`, chromium.Headless())
}

// testSite serves pages at an address whose digits are not a part of another text.
func testSite(t *testing.T) (address string) {
	site := httptest.NewServer(pages.Handler())
	t.Cleanup(site.Close)
	return site.Listener.Addr().String()
}

// TestWrite leaves in a state directory what a server can leave, and puts a copy of it into an
// archive while the server runs. So the archive is like the state of a server that was killed.
func TestWrite(t *testing.T) {
	archive := filepath.Join("testdata", *write+".tar.gz")
	if *write == "" {
		archive = filepath.Join(t.TempDir(), "now.tar.gz")
	} else if _, err := os.Stat(archive); err == nil {
		t.Fatalf("%s is there already: what was released does not change", archive)
	}
	chromium.Skip(t)
	site := testSite(t)
	dir := leave(t, site)
	if err := pack(dir, archive, site); err != nil {
		t.Fatal(err)
	}
	open(t, archive, everything)
}

// everything is what the present version leaves.
var everything = []string{"profiles", "limits", "session", "recording", "secrets", "pairing"}

// archives lists the releases whose state is kept, with the kinds of files in it.
var archives = map[string][]string{
	"before-versions": {"profiles", "limits", "session"}, // of 2026-11-23, when the files had no versions
	"before-release":  everything,                        // of 2026-11-27
}

// The state of each release is read.
func TestArchives(t *testing.T) {
	files, err := filepath.Glob("testdata/*.tar.gz")
	if err != nil || len(files) != len(archives) {
		t.Errorf("%d archives, %v; want %d: add a line for each", len(files), err, len(archives))
	}
	for name, has := range archives {
		t.Run(name, func(t *testing.T) { open(t, filepath.Join("testdata", name+".tar.gz"), has) })
	}
}

// leave has a server leave all kinds of files in a state directory, which it returns while the server
// runs.
func leave(t *testing.T, site string) string {
	dir := t.TempDir()
	pair(t, dir)
	s := service.Start(dir, settings())
	t.Cleanup(s.Close)
	s.OK(t, "POST /profiles/create", service.Args{"name": "work", "color": "#123456"})
	s.OK(t, "POST /secrets/set", service.Args{"name": "shop/password", "for": []string{"http://" + site}, "value": "a secret of the test", "store": "file"})
	s.In("limited").OK(t, "POST /tabs/open", service.Args{"url": "http://" + site + "/text.html", "isolated": true, "allowHosts": []string{"127.0.0.1"}})
	tab := s.OK(t, "POST /tabs/open", service.Args{"url": "http://" + site + "/form.html"}).Text("tabId")
	s.OK(t, "POST /tabs/action", service.Args{"action": "label", "targetId": tab, "label": "kept"})
	s.OK(t, "POST /cookies/set", service.Args{"targetId": tab, "cookie": service.Args{"name": "login", "value": "of-ada", "url": "http://" + site}})
	s.OK(t, "GET /snapshot?targetId="+tab, nil)
	service.Eventually(t, "the session is written", func() bool {
		raw, _ := os.ReadFile(filepath.Join(dir, "browser", "chela", "session.json"))
		return bytes.Contains(raw, []byte("of-ada")) && bytes.Contains(raw, []byte("kept"))
	})
	return dir
}

// pair pairs the extension in a browser, as if there were one.
func pair(t *testing.T, dir string) {
	runner, err := serviceOn(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close(context.Background())
	if _, _, err := runner.Pair("Chrome of Ada"); err != nil {
		t.Fatal(err)
	}
}

func serviceOn(dir string) (*call.Service, error) {
	c, err := config.Open(config.Flags{StateDir: dir})
	if err != nil {
		return nil, err
	}
	return call.New(c, func() {})
}

var password = regexp.MustCompile(`"Password" \[ref=(e\d+)\]`)

// open starts a server on the state of an archive, and checks that nothing of it is lost.
func open(t *testing.T, archive string, has []string) {
	chromium.Skip(t)
	site, dir := testSite(t), t.TempDir()
	if _, err := unpack(archive, dir, site); err != nil {
		t.Fatal(err)
	}
	s := service.Start(dir, settings())
	defer s.Close()
	for what, check := range map[string]func(t *testing.T){
		"profiles": func(t *testing.T) {
			if all := s.OK(t, "GET /profiles", nil).Raw; !strings.Contains(all, `"work"`) || !strings.Contains(all, "#123456") {
				t.Errorf("profiles: %s", all)
			}
		},
		"limits": func(t *testing.T) {
			s.In("limited").Do(t, "POST /tabs/open", service.Args{"url": "http://" + pages.Elsewhere(site)}).
				Fails(t, 400, "navigation_blocked", "")
		},
		"session": func(t *testing.T) {
			if tabs := s.OK(t, "GET /tabs", nil).Raw; !strings.Contains(tabs, `"kept"`) {
				t.Errorf("tabs: %s", tabs)
			}
			if text := s.OK(t, "GET /snapshot?targetId=kept", nil).Raw; !strings.Contains(text, "textbox") {
				t.Errorf("the tab shows %s", text)
			}
			if all := s.OK(t, "GET /cookies?targetId=kept", nil).Raw; !strings.Contains(all, "of-ada") {
				t.Errorf("cookies: %s", all)
			}
		},
		"recording": func(t *testing.T) {
			if calls := s.OK(t, "GET /recorder", nil).Raw; !strings.Contains(calls, "/form.html") || !strings.Contains(calls, "tab label t2 kept") {
				t.Errorf("recorded: %s", calls)
			}
		},
		"secrets": func(t *testing.T) {
			s.OK(t, "GET /secrets", nil).Has(t, "secrets.0.name", "shop/password")
			field := password.FindStringSubmatch(s.OK(t, "GET /snapshot?targetId=kept", nil).Text("snapshot"))
			if field == nil {
				t.Fatal("the tab shows no field for a password")
			}
			s.OK(t, "POST /act", service.Args{"kind": "type", "targetId": "kept", "ref": field[1], "text": "secret:shop/password"})
		},
		"pairing": func(t *testing.T) {
			s.OK(t, "GET /extension", nil).Has(t, "browsers.0.name", "Chrome of Ada")
		},
	} {
		if slices.Contains(has, what) {
			t.Run(what, check)
		}
	}
}

// What a newer chela has written is refused with a sentence that names the file, and is left as it
// is. All files of the state that are JSON have a version.
func TestNewer(t *testing.T) {
	chromium.Skip(t)
	site := testSite(t)
	dir := leave(t, site)
	archive := filepath.Join(t.TempDir(), "now.tar.gz")
	if err := pack(dir, archive, site); err != nil {
		t.Fatal(err)
	}
	names, err := unpack(archive, t.TempDir(), site)
	if err != nil {
		t.Fatal(err)
	}
	versioned := 0
	for _, name := range names {
		if ext := filepath.Ext(name); ext != ".json" && ext != ".jsonl" && ext != ".key" || name == "secrets.key" {
			continue
		}
		versioned++
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := unpack(archive, dir, site); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, name)
			newer := raise(t, file)
			if got := refusal(t, dir, name); !strings.Contains(got, "was written by a newer chela: it has version 99") || !strings.Contains(got, filepath.Base(name)) {
				t.Errorf("said: %s", got)
			}
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, newer) {
				t.Errorf("%v; it has become\n%s", err, got)
			}
		})
	}
	if versioned < len(everything) {
		t.Errorf("only %d files: %v", versioned, names)
	}
}

// raise gives a file the version of a chela that is not made yet.
func raise(t *testing.T, file string) []byte {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := bytes.Cut(raw, []byte("\n"))
	if filepath.Ext(file) != ".jsonl" {
		first, rest = raw, nil
	}
	var fields map[string]any
	if err := json.Unmarshal(first, &fields); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	key := "version"
	if _, ok := fields["$version"]; ok {
		key = "$version"
	}
	if fields[key] != float64(config.StateVersion) {
		t.Fatalf("%s has no version: %s", file, first)
	}
	fields[key] = 99
	first, err = json.Marshal(fields)
	newer := append(append(first, '\n'), rest...)
	if err = errors.Join(err, os.WriteFile(file, newer, 0o600)); err != nil {
		t.Fatal(err)
	}
	return newer
}

// refusal returns what a server on a state directory says: why it does not start, or else what it
// answers and logs.
func refusal(t *testing.T, dir, name string) string {
	runner, err := serviceOn(dir)
	if err != nil {
		return err.Error()
	}
	runner.Close(context.Background())
	var log strings.Builder
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	s := service.Start(dir, settings())
	var said strings.Builder
	for _, request := range []string{"GET /secrets", "GET /extension", "GET /recorder", "POST /start"} {
		said.WriteString(s.Do(t, request, nil).Raw + "\n")
	}
	s.Close()
	return said.String() + log.String()
}
