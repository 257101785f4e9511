package around

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/service"
)

// saved reads the file that an answer names at a path of its own, and removes it.
func saved(t *testing.T, a service.Answer, path string) string {
	t.Helper()
	name := a.Text(path)
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v: %s", err, a.Raw)
	}
	if info, _ := os.Stat(name); info.Mode().Perm() != 0o600 {
		t.Errorf("%s is %v", name, info.Mode())
	}
	os.Remove(name)
	return string(content)
}

func TestDownloadsOfActs(t *testing.T) {
	for _, s := range []struct{ name, html, suggested, content string }{
		{"an attachment", `<a href="` + fileAt("report.csv", 5) + `">Go</a>`, "report.csv", "xxxxx"},
		{"a[download]", `<a download="mine.txt" href="` + site.URL + `/text.html?` + `">Go</a>`, "mine.txt", ""},
		{"data:", `<a download="d.txt" href="data:text/plain,hello">Go</a>`, "d.txt", "hello"},
		{"blob:", `<button onclick="const a = document.createElement('a'); a.download = 'b.txt'; a.href = URL.createObjectURL(new Blob(['made here'])); a.click()">Go</button>`, "b.txt", "made here"},
		{"location", `<button onclick="location = '` + fileAt("away.bin", 3) + `'">Go</button>`, "away.bin", "xxx"},
		{"an iframe", `<iframe srcdoc="<a href='` + fileAt("inner.bin", 3) + `'>Go</a>"></iframe>`, "inner.bin", "xxx"},
		{"a name from elsewhere", `<a href="` + fileAt("../../etc/evil.txt", 1) + `">Go</a>`, "", "x"},
	} {
		t.Run(s.name, func(t *testing.T) {
			address := html(s.html)
			tab := shared.Open(t, address)
			a := tab.Click(`"Go"`, nil)
			if s.suggested != "" {
				a.Has(t, "downloads.0.suggestedFilename", s.suggested)
			}
			if !strings.Contains(a.Text("effects"), "download") || a.Text("url") != address || a.Count("downloads") != 1 {
				t.Errorf("answered %s", a.Raw)
			}
			if got := saved(t, a, "downloads.0.path"); s.content != "" && got != s.content {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestDownloadNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("n", 230) + ".txt", strings.Repeat("ü", 120) + ".txt", "CON.txt", "with space.txt"} {
		t.Run(name[:3], func(t *testing.T) {
			tab := shared.Open(t, html(`<a href="`, fileAt(name, 2), `">Go</a>`))
			a := tab.Click(`"Go"`, nil)
			base := filepath.Base(a.Text("downloads.0.path"))
			if got := saved(t, a, "downloads.0.path"); got != "xx" || len(base) > 255 {
				t.Errorf("%q in %d bytes: %s", got, len(base), base)
			}
		})
	}
}

// A download that leads nowhere leaves the tab where it was.
func TestNavigatingToADownload(t *testing.T) {
	address := html("<title>here</title>")
	tab := shared.Open(t, address)
	a := tab.OK("POST /navigate", args{"url": fileAt("nav.bin", 4)})
	a.Has(t, "url", address)
	a.Has(t, "download.suggestedFilename", "nav.bin")
	if got := saved(t, a, "download.path"); got != "xxxx" {
		t.Errorf("got %q", got)
	}
	if tab.Eval("document.title") != "here" {
		t.Error("the tab has left")
	}
	a = shared.OK(t, "POST /tabs/open", args{"url": fileAt("opened.bin", 4)})
	a.Has(t, "download.suggestedFilename", "opened.bin")
	saved(t, a, "download.path")
	shared.OK(t, "DELETE /tabs/"+a.Text("tabId"), nil)
}

func TestDownloadTo(t *testing.T) {
	tab := shared.Open(t, html(`<a href="`, fileAt("r.csv", 5), `">Go</a><a href="#">Nothing</a>`))
	ref := tab.Ref(`"Go"`)
	name := fmt.Sprintf("around-%d.csv", os.Getpid())
	for range 2 { // the second replaces the first
		a := tab.OK("POST /download", args{"ref": ref, "path": name})
		if filepath.Base(a.Text("download.path")) != name {
			t.Errorf("saved as %s", a.Raw)
		}
	}
	a := tab.OK("POST /download", args{"ref": ref, "path": name})
	saved(t, a, "download.path")
	tab.Do("POST /download", args{"ref": ref, "path": "../x"}).Fails(t, 400, "invalid_request", "Invalid path: must stay within downloads directory")
	tab.Do("POST /download", args{"ref": ref, "path": "no-such-folder/x"}).Fails(t, 400, "invalid_request", "Invalid path: must stay within downloads directory")
	tab.Do("POST /download", args{"ref": tab.Ref(`"Nothing"`), "path": name, "timeoutMs": 700}).Fails(t, 504, "deadline", "Timeout waiting for download")
	saved(t, tab.Click(`"Go"`, nil), "downloads.0.path") // nobody waits for it any more
}

func TestWaitingForADownload(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="setTimeout(() => location = '`, fileAt("late.bin", 3), `', 600)">Later</button>`))
	tab.Click("Later", nil)
	a := tab.OK("POST /wait/download", nil)
	if got := saved(t, a, "download.path"); got != "xxx" {
		t.Errorf("got %q", got)
	}
	first := make(chan service.Answer, 1)
	go func() {
		a, _ := shared.Try(t.Context(), "POST /wait/download", args{"targetId": tab.ID})
		first <- a
	}()
	service.Eventually(t, "the second takes the turn of the first", func() bool {
		tab.Do("POST /wait/download", args{"timeoutMs": 500}).Fails(t, 504, "deadline", "Timeout waiting for download")
		return len(first) == 1
	})
	(<-first).Fails(t, 409, "conflict", "Download was superseded by another waiter")
}

// A dialog between the click and the download is told, not waited for.
func TestDialogBeforeADownload(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="if (confirm('Really?')) location = '`, fileAt("asked.bin", 3), `'">Go</button>`))
	a := tab.OK("POST /download", args{"ref": tab.Ref("Go"), "path": "asked.bin"})
	a.Has(t, "blockedByDialog", "true")
	a.Has(t, "browserState.dialogs.pending.0.message", "Really?")
	tab.OK("POST /hooks/dialog", args{"accept": true})
	saved(t, tab.OK("POST /wait/download", nil), "download.path")
}

func TestLargeDownload(t *testing.T) {
	const size = 100 << 20
	tab := shared.Open(t, html(`<a href="`, fileAt("large.bin", size), `">Go</a>`))
	ref := tab.Ref(`"Go"`)
	before := memory(t)
	a := tab.OK("POST /download", args{"ref": ref, "path": "large.bin"})
	defer os.Remove(a.Text("download.path"))
	if info, err := os.Stat(a.Text("download.path")); err != nil || info.Size() != size {
		t.Errorf("got %v %v", info, err)
	}
	if grown := memory(t) - before; grown > 32<<20 {
		t.Errorf("the server grew by %d MB", grown>>20)
	}
}

// memory is the resident memory of this process, which the server is in.
func memory(t *testing.T) int {
	t.Helper()
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	var total, resident int
	fmt.Sscan(string(raw), &total, &resident)
	return resident * os.Getpagesize()
}
