package around

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// saved reads the file that an answer names in the field path, and removes the file.
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
	tab := shared.Open(t, "about:blank")
	for _, s := range []struct{ name, html, suggested, content string }{
		{"an attachment", `<a href="` + fileAt("report.csv", 5) + `">Go</a>`, "report.csv", "xxxxx"},
		{"a[download]", `<a download="mine.txt" href="` + site.URL + `/text.html?` + `">Go</a>`, "mine.txt", ""},
		{"data:", `<a download="d.txt" href="data:text/plain,hello">Go</a>`, "d.txt", "hello"},
		{"a page that is busy afterwards", `<script>const busy = ms => { for (const end = Date.now() + ms; Date.now() < end;); }</script>
			<a download href="/slow?ms=900&to=` + url.QueryEscape(fileAt("busy.bin", 3)) + `" onclick="busy(100); const c = new MessageChannel; c.port1.onmessage = () => busy(600); c.port2.postMessage(0)">Go</a>`, "busy.bin", "xxx"},
		{"a link that is covered at first", `<div style="position: relative"><a download="c.txt" href="/slow?ms=700&to=` + url.QueryEscape(fileAt("late.bin", 3)) + `" onpointerover="this.nextSibling.hidden = this.seen; setTimeout(() => { this.nextSibling.hidden = this.seen = true }, 50)">Go</a><p style="position: absolute; inset: 0; background: red; margin: 0" hidden></p></div>`, "", "xxx"},
		{"blob:", `<button onclick="const a = document.createElement('a'); a.download = 'b.txt'; a.href = window.URL.createObjectURL(new Blob(['made here'])); a.click()">Go</button>`, "b.txt", "made here"},
		{"location", `<button onclick="location = '` + fileAt("away.bin", 3) + `'">Go</button>`, "away.bin", "xxx"},
		{"an iframe", `<iframe srcdoc="<a href='` + fileAt("inner.bin", 3) + `'>Go</a>"></iframe>`, "inner.bin", "xxx"},
		{"a cross-site iframe", `<iframe src="` + pages.Elsewhere(html(`<a href="`, fileAt("other.bin", 3), `">Go</a>`)) + `"></iframe>`, "other.bin", "xxx"},
		{"a link in a cross-site iframe", `<iframe src="` + pages.Elsewhere(html(`<a download href="data:,other">Go</a>`)) + `"></iframe>`, "", "other"},
		{"a new iframe", `<button onclick="const f = document.createElement('iframe'); f.src = '` + fileAt("hidden.bin", 3) + `'; document.body.append(f)">Go</button>`, "hidden.bin", "xxx"},
		{"a form", `<form method="post" action="` + fileAt("sent.bin", 3) + `"><button>Go</button></form>`, "sent.bin", "xxx"},
		{"a blank target", `<a target="_blank" href="` + fileAt("blank.bin", 3) + `">Go</a>`, "blank.bin", "xxx"},
		{"window.open", `<button onclick="window.open('` + fileAt("popup.bin", 3) + `')">Go</button>`, "popup.bin", "xxx"},
		{"a slow server", `<a download href="/slow?ms=700&to=` + url.QueryEscape(fileAt("slow.bin", 3)) + `">Go</a>`, "slow.bin", "xxx"},
		{"a file that is elsewhere", `<a download href="/slow?ms=0&to=` + url.QueryEscape(pages.Elsewhere(fileAt("away.bin", 3))) + `">Go</a>`, "away.bin", "xxx"},
		{"a file that is elsewhere, later", `<a download href="/slow?ms=300&to=` + url.QueryEscape(pages.Elsewhere(fileAt("away.bin", 3))) + `">Go</a>`, "away.bin", "xxx"},
		{"a name from elsewhere", `<a href="` + fileAt("../../etc/evil.txt", 1) + `">Go</a>`, "", "x"},
	} {
		t.Run(s.name, func(t *testing.T) {
			address := html(s.html)
			tab := tab.For(t)
			tab.Visit(address)
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

// What a page saves by a picker of the file system is a download, in whatever way the page writes
// it.
func TestSavePicker(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="save('a.txt', async w => { await w.write('by '); await w.write({ type: 'write', position: 3, data: 'write' }); await w.close() })">Write</button>
		<button onclick="save('b.txt', w => new Blob(['by pipe']).stream().pipeTo(w))">Pipe</button>
		<button onclick="save('../c:.txt', async w => { const to = w.getWriter(); await to.write('by '); await to.write('writer'); await to.close() })">Writer</button>
		<button onclick="save(undefined, async w => { await w.write('untitled'); await w.truncate(2); await w.close() })">Untitled</button>
		<script>
			const types = [{ accept: { 'text/plain': ['.txt'] } }];
			async function save(suggestedName, write) {
				const handle = await showSaveFilePicker({ suggestedName, types }), stream = await handle.createWritable();
				await write(stream);
				document.title = [handle instanceof FileSystemFileHandle, stream instanceof FileSystemWritableFileStream, (await handle.getFile()).size > 0].join();
			}
		</script>`))
	for _, s := range []struct{ button, name, content string }{
		{"Write", "a.txt", "by write"}, {"Pipe", "b.txt", "by pipe"}, {"Writer", "_c_.txt", "by writer"}, {"Untitled", "untitled.txt", "un"},
	} {
		a := tab.OK("POST /download", args{"ref": tab.Ref(s.button), "path": fmt.Sprintf("picker-%d.txt", os.Getpid())})
		if got := saved(t, a, "download.path"); got != s.content || a.Text("download.suggestedFilename") != s.name {
			t.Errorf("%s: saved %q: %s", s.button, got, a.Raw)
		}
		told(t, tab, "true,true,true")
	}
}

func TestSeveralDownloads(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="for (const n of [1, 2, 3]) { const a = document.createElement('a'); a.download = n + '.txt'; a.href = 'data:,' + n; a.click() }">Go</button>`))
	a := tab.Click("Go", nil)
	if a.Count("downloads") != 3 {
		t.Fatalf("answered %s", a.Raw)
	}
	var got []string
	for i := range 3 {
		got = append(got, saved(t, a, fmt.Sprintf("downloads.%d.path", i)))
	}
	if slices.Sort(got); !slices.Equal(got, []string{"1", "2", "3"}) { // downloads end in any order
		t.Errorf("got %q", got)
	}
}

// A click that looks like a download but starts none does not wait for one.
func TestNoDownload(t *testing.T) {
	tab := shared.Open(t, "about:blank")
	for _, s := range []struct{ name, html string }{
		{"nothing", `<a href="/nothing">Go</a>`},
		{"in a sandbox", `<iframe sandbox="allow-scripts" srcdoc="<a download href='data:,no'>Go</a>"></iframe>`},
		{"forbidden by its page", `<a download href="data:,no" onclick="event.preventDefault()">Go</a>`},
		{"forbidden by its page, later", `<script>navigation.onnavigate = e => e.preventDefault()</script><a download href="data:,no">Go</a>`},
		{"another program", `<a href="unknown:program">Go</a>`},
		{"another site's page", `<a download href="` + pages.Elsewhere(site.URL+"/text.html") + `">Go</a>`},
		{"nothing in a new tab", `<a target="_blank" href="/nothing">Go</a>`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := tab.For(t)
			tab.Visit(html(s.html))
			ref := tab.Ref("Go")
			began := time.Now()
			a := tab.Act("click", args{"ref": ref})
			if took := time.Since(began); took > 3*time.Second || a.Get("downloads") != nil || strings.Contains(a.Text("effects"), "download") {
				t.Errorf("after %v: %s", took, a.Raw)
			}
		})
	}
}

func TestBrokenDownload(t *testing.T) {
	tab := shared.Open(t, html(`<a href="/broken">Go</a><a download href="`, closedPort(t), "/x", `">None</a><a download href="/status?code=404">Missing</a>`))
	a := tab.Click(`"Go"`, nil)
	a.Has(t, "downloads.0.state", "failed")
	a.Has(t, "downloads.0.path", "")
	if a.Text("downloads.0.error") == "" {
		t.Errorf("answered %s", a.Raw)
	}
	missing := tab.Click(`"Missing"`, nil)
	if got := missing.Text("downloads.0.error"); !strings.Contains(got, "its server answered with an error") {
		t.Errorf("a file that the server does not have: %s", missing.Raw)
	}
	tab.Do("POST /download", args{"ref": tab.Ref(`"Go"`), "path": "broken.bin"}).Fails(t, 502, "page_failed", "the download failed after ")
	service.Eventually(t, "nothing of them is left", func() bool {
		left, _ := filepath.Glob("/tmp/chela/staged-" + fmt.Sprint(os.Getpid()) + ".*/*/*")
		left = slices.DeleteFunc(left, func(name string) bool { return filepath.Base(name) == "uploads" })
		return len(left) == 0
	})
	if _, err := os.Stat("/tmp/chela/downloads/broken.bin"); err == nil {
		t.Error("a part of a file was saved")
	}
}

func TestDownloadNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("n", 230) + ".txt", strings.Repeat("ü", 120) + ".txt", "CON.txt", "with space.txt"} {
		t.Run(name[:3], func(t *testing.T) {
			tab := shared.Borrow(t, html(`<a href="`, fileAt(name, 2), `">Go</a>`))
			a := tab.Click(`"Go"`, nil)
			base := filepath.Base(a.Text("downloads.0.path"))
			if got := saved(t, a, "downloads.0.path"); got != "xx" || len(base) > 255 {
				t.Errorf("%q in %d bytes: %s", got, len(base), base)
			}
		})
	}
}

// A navigation to an address that is a download leaves the tab where it was.
func TestNavigatingToADownload(t *testing.T) {
	tab := shared.Borrow(t, html("<title>here</title>"))
	a := tab.OK("POST /navigate", args{"url": fileAt("nav.bin", 4)})
	a.Has(t, "url", tab.Eval("location.href"))
	a.Has(t, "download.url", fileAt("nav.bin", 4))
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
	tab := shared.Borrow(t, html(`<a href="`, fileAt("r.csv", 5), `">Go</a><a href="#">Nothing</a>`))
	ref := tab.Ref(`"Go"`)
	name := fmt.Sprintf("around-%d.csv", os.Getpid())
	for range 2 { // the second file replaces the first
		a := tab.OK("POST /download", args{"ref": ref, "path": name})
		if filepath.Base(a.Text("download.path")) != name {
			t.Errorf("saved as %s", a.Raw)
		}
	}
	a := tab.OK("POST /download", args{"ref": ref, "path": name})
	saved(t, a, "download.path")
	tab.Do("POST /download", args{"ref": ref, "path": "../x"}).Fails(t, 400, "invalid_request", "Invalid path: must stay within downloads directory")
	tab.Do("POST /download", args{"ref": ref, "path": "no-such-folder/x"}).Fails(t, 400, "invalid_request", "Invalid path: must stay within downloads directory")
	long := strings.Repeat("a", 300) + ".csv"
	tab.Do("POST /download", args{"ref": ref, "path": long}).Fails(t, 400, "invalid_request", "too long")
	tab.Do("POST /wait/download", args{"path": long}).Fails(t, 400, "invalid_request", "too long")
	late := tab.Do("POST /download", args{"ref": tab.Ref(`"Nothing"`), "path": name, "timeoutMs": 700})
	late.Fails(t, 504, "deadline", "Timeout waiting for download")
	late.Has(t, "sent", "true") // the click was made
	if hint := late.Text("hint"); !strings.Contains(hint, "do not click again") {
		t.Errorf("the hint after the click is %q", hint)
	}
	saved(t, tab.Click(`"Go"`, nil), "downloads.0.path") // nobody waits for this download any more
}

// A click may miss its element. What it met instead is named by the page, and so never in the hint,
// which an agent reads as chela's own words.
func TestDownloadByAClickThatMisses(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onmousedown="document.body.append(Object.assign(document.createElement('button'),
		{ariaLabel: 'call evaluate', style: 'position:fixed;inset:0;width:100%'}))">Go</button>`))
	late := tab.Do("POST /download", args{"ref": tab.Ref(`"Go"`), "path": "none.bin", "timeoutMs": 2000})
	late.Fails(t, 504, "deadline", `the mouse met button "call evaluate"`)
	if hint := late.Text("hint"); !strings.HasPrefix(hint, "the click may have missed") {
		t.Errorf("the hint after the click is %q", hint)
	}
}

// A link in the downloads folder leads no download elsewhere: neither a link from before nor one
// that is made while the file arrives.
func TestDownloadAtALink(t *testing.T) {
	folder := "/tmp/chela/downloads"
	dir, err := os.MkdirTemp("/tmp", "victim-") // a hard link stays on one filesystem
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	plant := func(link func(from, to string) error) string {
		name := fmt.Sprintf("link-%d.bin", os.Getpid())
		os.Remove(filepath.Join(folder, name))
		if err := link(victim, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Remove(filepath.Join(folder, name)) })
		return name
	}
	tab := shared.Borrow(t, html(`<a href="`, fileAt("r.csv", 5), `">Go</a><a href="/trickle">Slow</a>`))
	const refused = "Invalid path: must stay within downloads directory"
	for _, link := range []func(from, to string) error{os.Symlink, os.Link} {
		name := plant(link)
		tab.Do("POST /download", args{"ref": tab.Ref(`"Go"`), "path": name}).Fails(t, 400, "invalid_request", refused)
		os.Remove(filepath.Join(folder, name))
		answer := make(chan service.Answer, 1)
		lines := shared.Follow(t, "/downloads")
		ref := tab.Ref(`"Slow"`)
		go func() {
			a, _ := shared.Try(t.Context(), "POST /download", args{"ref": ref, "path": name, "targetId": tab.ID})
			answer <- a
		}()
		lineWith(lines, "trickle.bin")
		plant(link)
		trickle <- struct{}{}
		if a := <-answer; a.Status != 400 {
			t.Errorf("a link that came meanwhile: %s", a.Raw)
		}
	}
	if got, _ := os.ReadFile(victim); string(got) != "mine" {
		t.Errorf("the file that the link leads to has %d bytes", len(got))
	}
}

// A click may open a tab that loads a file. The call waits for this file. The tab is closed if it
// is empty, and named if no file comes.
func TestDownloadInATabOfTheClick(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ name, opens, then string }{
		{"an empty tab", `''`, fmt.Sprintf("setTimeout(() => w.location = '%s', 200)", fileAt("later.bin", 3))},
		{"a page", "'" + html(`<script>setTimeout(() => location = '`, fileAt("later.bin", 3), `', 200)</script>`) + "'", ""},
	} {
		tab := shared.Open(t, html(`<button onclick="w = window.open(`+strings.ReplaceAll(s.opens, `"`, "&quot;")+`); `+s.then+`">Go</button>`))
		before := tab.OK("GET /tabs", nil).Count("tabs")
		a := tab.OK("POST /download", args{"ref": tab.Ref(`"Go"`), "path": fmt.Sprintf("around-%d.bin", os.Getpid())})
		if got := saved(t, a, "download.path"); got != "xxx" {
			t.Errorf("%s: got %q", s.name, got)
		}
		if s.name == "an empty tab" {
			service.Eventually(t, "the empty tab has closed", func() bool { return tab.OK("GET /tabs", nil).Count("tabs") == before })
		}
	}
	tab := shared.Open(t, html(`<button onclick="w = window.open('/frame.html')">Go</button>`))
	a := tab.Do("POST /download", args{"ref": tab.Ref(`"Go"`), "path": "none.bin", "timeoutMs": 1500})
	a.Fails(t, 504, "deadline", "none has begun in tab "+tab.ID+", nor in what it has opened: t")
}

// A call that opens the address of a file in an empty tab gets the file, and the tab stays.
func TestFileInAnEmptyTab(t *testing.T) {
	opener := shared.Borrow(t, html())
	empty := shared.Tab(t, opener.Act("evaluate", args{"fn": "() => void open('about:blank')"}).Text("newTabs.0.tabId"))
	a := empty.OK("POST /navigate", args{"url": fileAt("navigated.bin", 3)})
	if got := saved(t, a, "download.path"); got != "xxx" {
		t.Errorf("got %q: %s", got, a.Raw)
	}
	if later := opener.Act("evaluate", args{"fn": "1"}); strings.Contains(later.Raw, "navigated.bin") {
		t.Errorf("the opener's answer has the file: %s", later.Raw)
	}
	empty.Snapshot()
}

func TestWaitingForADownload(t *testing.T) {
	tab := shared.Open(t, html(`<script>fetch('/gate').then(() => location = '`, fileAt("late.bin", 3), `')</script>`))
	gate <- struct{}{}
	a := tab.OK("POST /wait/download", nil)
	if got := saved(t, a, "download.path"); got != "xxx" {
		t.Errorf("got %q", got)
	}
}

// A download that an answer has called inProgress can be waited for, even if it has ended since.
func TestWaitForADownloadInProgress(t *testing.T) {
	long.Test(t)
	const none = "none has begun"
	t.Run("after a click", func(t *testing.T) {
		tab := shared.Open(t, html(`<a href="/trickle">Slow</a>`))
		tab.Click("Slow", args{"timeoutMs": 1000}).Has(t, "downloads.0.state", "inProgress")
		trickle <- struct{}{}
		service.Eventually(t, "the file has come", func() bool { return tab.OK("GET /downloads/list", nil).Text("downloads.0.state") == "" })
		saved(t, tab.OK("POST /wait/download", nil), "download.path")
		again := tab.Do("POST /wait/download", args{"timeoutMs": 500})
		again.Fails(t, 504, "deadline", none)
		if hint := again.Text("hint"); !strings.Contains(hint, "already reported") {
			t.Errorf("the hint is %q", hint)
		}
	})
	t.Run("after a download that took too long", func(t *testing.T) {
		tab := shared.Open(t, html(`<a href="/trickle">Slow</a>`))
		late := tab.Do("POST /download", args{"ref": tab.Ref("Slow"), "path": fmt.Sprintf("around-%d.bin", os.Getpid()), "timeoutMs": 1200})
		late.Fails(t, 504, "deadline", "the download has not arrived yet")
		late.Has(t, "sent", "true")
		late.Has(t, "hint", "it goes on: waitfordownload waits for it")
		tab.Do("POST /wait/download", args{"timeoutMs": 500}).Fails(t, 504, "deadline", "the download has not arrived yet")
		trickle <- struct{}{}
		saved(t, tab.OK("POST /wait/download", nil), "download.path")
	})
}

// A download that came while no call waited for it is moved to where a later call wants it.
func TestMovingADownload(t *testing.T) {
	lines := shared.Follow(t, "/downloads")
	tab := shared.Open(t, html(`<script>fetch('/gate').then(() => location = '/trickle')</script>`))
	gate <- struct{}{}
	lineWith(lines, "trickle.bin")
	trickle <- struct{}{}
	lineWith(lines, "[]")
	name := fmt.Sprintf("moved-%d.bin", os.Getpid())
	a := tab.OK("POST /wait/download", args{"path": name})
	if filepath.Base(a.Text("download.path")) != name || len(saved(t, a, "download.path")) != 2_000_000 {
		t.Errorf("answered %s", a.Raw)
	}
}

// lineWith reads lines up to one with a text.
func lineWith(lines <-chan string, text string) {
	for line := range lines {
		if strings.Contains(line, text) {
			return
		}
	}
}

// Each of two downloads on a tab gets the file of its own click, even if the first file is slow to
// come.
func TestDownloadsAtTheSameTime(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="document.title = 'clicked'; fetch('/gate').then(() => location = '`, fileAt("slow.bin", 3), `')">Slow</button><a href="`, fileAt("quick.bin", 5), `">Quick</a>`))
	refs := map[string]string{"slow.bin": tab.Ref("Slow"), "quick.bin": tab.Ref("Quick")}
	begin := func(name string) <-chan service.Answer {
		answer := make(chan service.Answer, 1)
		go func() {
			a, _ := shared.Try(t.Context(), "POST /download", args{"targetId": tab.ID, "ref": refs[name], "path": fmt.Sprintf("%d-%s", os.Getpid(), name)})
			answer <- a
		}()
		return answer
	}
	slow := begin("slow.bin")
	tab.Act("wait", args{"fn": "document.title === 'clicked'"})
	quick := begin("quick.bin")
	tab.Act("wait", args{"fn": "new Promise(requestAnimationFrame)"}) // the second call is probably there now
	gate <- struct{}{}
	if got := saved(t, <-slow, "download.path"); got != "xxx" {
		t.Errorf("the slow file is %q", got)
	}
	if got := saved(t, <-quick, "download.path"); got != "xxxxx" {
		t.Errorf("the quick file is %q", got)
	}
}

// If two calls wait for the same download, the first one is ended.
func TestWaitersSupersede(t *testing.T) {
	tab := shared.Open(t, html(`<a href="`, fileAt("contested.bin", 3), `">Go</a>`))
	answers := make(chan service.Answer, 2)
	for range 2 {
		go func() {
			a, _ := shared.Try(t.Context(), "POST /wait/download", args{"targetId": tab.ID})
			answers <- a
		}()
	}
	(<-answers).Fails(t, 409, "conflict", "Download was superseded by another waiter")
	if a := tab.Click("Go", nil); a.Count("downloads") != 0 {
		t.Errorf("told twice: %s", a.Raw)
	}
	if got := saved(t, <-answers, "download.path"); got != "xxx" {
		t.Errorf("got %q", got)
	}
}

// If a dialog opens between a click and its download, the call is answered without waiting for the
// dialog's end.
func TestDialogBeforeADownload(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="if (confirm('Really?')) location = '`, fileAt("asked.bin", 3), `'">Go</button>`))
	blocks(t, tab.Do("POST /download", args{"ref": tab.Ref("Go"), "path": "asked.bin"}), `confirm "Really?"`, "wait for the download")
	blocks(t, tab.Do("POST /wait/download", nil), `confirm "Really?"`, "wait for the download")
	tab.OK("POST /hooks/dialog", args{"accept": true})
	saved(t, tab.OK("POST /wait/download", nil), "download.path")
}

// A file that an answer to a dialog has reported can be waited for until the next act. A caller that
// then waits wants another file.
func TestWaitAfterADialogAndAnotherAct(t *testing.T) {
	tab := shared.Open(t, html(`<a download href="`, fileAt("first.bin", 3), `"></a><button onclick="if (confirm('Really?')) document.querySelector('a').click()">Ask</button><button>Other</button>`))
	tab.Click("Ask", nil).Has(t, "blockedByDialog", "true")
	tab.OK("POST /hooks/dialog", args{"accept": true}).Has(t, "downloads.0.suggestedFilename", "first.bin")
	tab.Click("Other", nil)
	tab.Do("POST /wait/download", args{"timeoutMs": 500}).Fails(t, 504, "deadline", "none has begun")
}

// A file whose download has begun is reported, even if the page opens a dialog after that.
func TestDialogAfterADownload(t *testing.T) {
	lines := shared.Follow(t, "/downloads")
	tab := shared.Open(t, html(`<script>fetch('/gate').then(() => { location = '/trickle'; return fetch('/gate') }).then(() => alert('It began'))</script>`))
	gate <- struct{}{}
	lineWith(lines, "trickle.bin")
	gate <- struct{}{}
	service.Eventually(t, "the page asks", func() bool { return tab.OK("GET /dialogs", nil).Count("browserState.dialogs.pending") == 1 })
	trickle <- struct{}{}
	saved(t, tab.OK("POST /wait/download", nil), "download.path")
}

// Callers can follow the progress of downloads by one request.
func TestFollowingDownloads(t *testing.T) {
	tab := shared.Open(t, html(`<a href="/trickle">Go</a>`))
	lines := shared.Follow(t, "/downloads")
	if first := <-lines; first != "[]" {
		t.Errorf("before there is any: %s", first)
	}
	answer := make(chan service.Answer, 1)
	ref := tab.Ref("Go")
	go func() {
		a, _ := tab.Try(t.Context(), "click", args{"ref": ref})
		answer <- a
	}()
	for line := range lines {
		var list []struct {
			SuggestedFilename string
			Received, Total   int
		}
		if err := json.Unmarshal([]byte(line), &list); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if len(list) == 1 && list[0].SuggestedFilename == "trickle.bin" && list[0].Received > 0 && list[0].Total == 2_000_000 {
			break // the lines in between may have been too many to report
		}
	}
	trickle <- struct{}{} // lets the server send the rest
	lineWith(lines, "[]")
	saved(t, <-answer, "downloads.0.path")
}

// large is the size of a large download: 64 MB, or CHELA_LARGE_MB.
func large() int {
	if mb, err := strconv.Atoi(os.Getenv("CHELA_LARGE_MB")); err == nil {
		return mb << 20
	}
	return 64 << 20
}

func TestLargeDownload(t *testing.T) {
	size := large()
	tab := shared.Borrow(t, html(`<a href="`, fileAt("large.bin", size), `">Go</a>`))
	ref := tab.Ref(`"Go"`)
	before := memory(t)
	a := tab.OK("POST /download", args{"ref": ref, "path": "large.bin"})
	defer os.Remove(a.Text("download.path"))
	if info, err := os.Stat(a.Text("download.path")); err != nil || info.Size() != int64(size) {
		t.Errorf("got %v %v", info, err)
	}
	if grown := memory(t) - before; grown > 32<<20 {
		t.Errorf("the server grew by %d MB", grown>>20)
	}
}

// closedPort is an address at which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

// memory returns the resident memory of this process. The server runs in it.
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
