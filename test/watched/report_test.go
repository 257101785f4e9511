package watched

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/base/media"
	"chela/test/service"
)

// A shownCall is what a report has of a call.
type shownCall struct {
	Title   string
	Tab     string
	URL     string
	Act     bool
	Error   string
	Element *struct{ Ref, Role, Name string }
	After   *struct{ Width int }
	Events  []struct{ Kind, Text string }
}

// readReport reads the calls of a report, and removes it.
func readReport(t *testing.T, a service.Answer) (calls []shownCall) {
	t.Helper()
	path := a.Text("path")
	defer os.Remove(path)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(content), `id="recording">`)
	data, _, _ := strings.Cut(rest, "</script>")
	var all struct{ Calls []shownCall }
	if err := json.Unmarshal([]byte(data), &all); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	if a.Text("calls") != fmt.Sprint(len(all.Calls)) {
		t.Errorf("the answer says %s, the report has %d calls", a.Text("calls"), len(all.Calls))
	}
	return all.Calls
}

// callOf returns the call with this title, which the report must have.
func callOf(t *testing.T, calls []shownCall, title string) shownCall {
	t.Helper()
	for _, c := range calls {
		if c.Title == title {
			return c
		}
	}
	t.Fatalf("no call is %q in %+v", title, calls)
	return shownCall{}
}

// A report has the recorded calls of all tabs, of a session, of one tab, or of a time up to now.
func TestReportOfTheRecorder(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	one := s.In("one").Open(t, site.URL+"/form.html")
	two := s.In("two").Open(t, tracedSite(t))
	ref := two.Ref(`button "Press"`)
	two.Act("click", args{"ref": ref})
	var all []shownCall
	service.Eventually(t, "the console message and the picture are recorded", func() bool {
		all = readReport(t, s.OK(t, "POST /report", nil))
		pressed := callOf(t, all, "click "+ref)
		return pressed.After != nil && len(pressed.Events) > 0
	})
	two.Do("POST /act", args{"kind": "click", "ref": "e999"})
	all = readReport(t, s.OK(t, "POST /report", nil))
	pressed := callOf(t, all, "click "+ref)
	if !pressed.Act || pressed.Element == nil || pressed.Element.Name != "Press" || !strings.Contains(pressed.Events[0].Text, "pressed 1") {
		t.Errorf("the click is %+v", pressed)
	}
	if failed := callOf(t, all, "click e999"); !strings.Contains(failed.Error, "Unknown ref") {
		t.Errorf("the failed click is %+v", failed)
	}
	for name, part := range map[string]service.Answer{
		"session": s.OK(t, "POST /report", args{"session": "one"}), "caller": s.In("one").OK(t, "POST /report", nil), "tab": s.OK(t, "POST /report", args{"targetId": one.ID}),
	} {
		calls := readReport(t, part)
		if len(calls) == 0 {
			t.Errorf("%s: no calls", name)
		}
		for _, c := range calls {
			if c.Tab != one.ID {
				t.Errorf("%s: a call in %s is in the report", name, c.Tab)
			}
		}
	}
	if calls := readReport(t, s.OK(t, "POST /report", args{"since": "1ns"})); len(calls) != 0 {
		t.Errorf("%d calls are of the last nanosecond", len(calls))
	}
}

// A report of a trace is made from its file: where trace stop has saved it, or as a caller sends it.
func TestReportOfATrace(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "{browser: {noSandbox: true, recorder: false}}")
	tab := s.Open(t, tracedSite(t))
	s.Do(t, "POST /report", nil).Fails(t, 409, "conflict", "the recorder is off")
	tab.OK("POST /trace/start", nil)
	ref := tab.Ref(`button "Press"`)
	tab.Act("click", args{"ref": ref})
	tab.Eval("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 200)))") // so that the film has a picture of the page
	saved := tab.OK("POST /trace/stop", nil).Text("path")
	defer os.Remove(saved)
	content, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("around-report-%d.html", os.Getpid())
	for _, file := range []string{saved, s.Upload(t, "trace.zip", string(content))} {
		made := s.OK(t, "POST /report", args{"trace": file, "path": name})
		if filepath.Base(made.Text("path")) != name {
			t.Errorf("it is saved as %s", made.Raw)
		}
		if info, err := os.Stat(made.Text("path")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file is %v, %v", info, err)
		}
		pressed := callOf(t, readReport(t, made), "click "+ref)
		if !pressed.Act || pressed.After == nil || !strings.HasPrefix(pressed.URL, "http") || len(pressed.Events) == 0 {
			t.Errorf("the click is %+v", pressed)
		}
	}
}

// A file that is not a trace, a path outside of the folders for it, and parameters that exclude
// each other are refused.
func TestReportRefuses(t *testing.T) {
	roots, err := media.Locate(media.Places{Media: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args    args
		message string
	}{
		{args{"trace": "/etc/passwd"}, "Invalid path"},
		{args{"trace": filepath.Join(roots.Temp, "other.zip")}, "Invalid path"},
		{args{"trace": "browser-trace-00000000-0000-4000-8000-000000000000.zip"}, "File not found"},
		{args{"trace": shared.Upload(t, "t.zip", "no ZIP file")}, "no trace that chela has saved"},
		{args{"trace": "x.zip", "since": "1m"}, "trace cannot be combined"},
		{args{"trace": "x.zip", "session": "a"}, "trace cannot be combined"},
		{args{"since": "yesterday"}, "since must be a length of time"},
		{args{"since": "-1m"}, "since must be a length of time"},
		{args{"path": "../x.html"}, "must stay within report directory"},
		{args{"path": "/etc/x.html"}, "must stay within report directory"},
	} {
		shared.Do(t, "POST /report", c.args).Fails(t, 400, "invalid_request", c.message)
	}
}
