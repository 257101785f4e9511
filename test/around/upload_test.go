package around

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// uploads puts files into the upload folder for the time of the test, and returns their paths.
// Their content is their name.
func uploads(t *testing.T, names ...string) (paths []string) {
	t.Helper()
	root := service.UploadRoot(t)
	dir, err := os.MkdirTemp(root, "around-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// says has a file input report which files it was given. The report is in the title of its
// document, and in the log of the top page.
const says = `onchange="Promise.all([...this.files].map(f => f.text().then(text => f.name + '=' + text))).then(all => { const said = all.sort().join(); document.title = said; top.postMessage(said, '*') })"`

const listens = `<script>onmessage = e => document.title = e.data</script>`

// told waits until a page has reported what files it has.
func told(t *testing.T, tab *service.Tab, want string) {
	t.Helper()
	tab.Act("wait", args{"fn": "document.title === " + strings.ReplaceAll("'W'", "W", want), "timeoutMs": 5000})
}

func TestUploadWays(t *testing.T) {
	one, two := uploads(t, "a.txt", "b c.txt"), "a.txt=a.txt,b c.txt=b c.txt"
	input := `<input type="file" multiple aria-label="In" ` + says + `>`
	button := `<button onclick="this.nextElementSibling.click()">Go</button>` + strings.Replace(input, "<input", "<input hidden", 1)
	srcdoc := func(html string) string { return `<iframe srcdoc='` + html + `'></iframe>` }
	inside := strings.NewReplacer("'", "&#39;")
	shadow := func(mode, html string) string {
		return `<div><template shadowrootmode="` + mode + `">` + html + `</template></div>`
	}
	tab := shared.Open(t, "about:blank")
	for _, s := range []struct{ name, html, way, words string }{
		{"an input", input, "inputRef", "In"},
		{"an input, clicked", input, "ref", "In"},
		{"a button that opens the chooser", button, "ref", "Go"},
		{"a button in an iframe", srcdoc(inside.Replace(button)), "ref", "Go"},
		{"an input in an iframe", srcdoc(inside.Replace(input)), "inputRef", "In"},
		{"a cross-site iframe", `<iframe src="` + pages.Elsewhere(html(input)) + `"></iframe>`, "inputRef", "In"},
		{"a button in a cross-site iframe", `<iframe src="` + pages.Elsewhere(html(button)) + `"></iframe>`, "ref", "Go"},
		{"an open shadow root", shadow("open", input), "inputRef", "In"},
		{"a closed shadow root", shadow("closed", input), "inputRef", "In"},
		{"a button in a closed shadow root", shadow("closed", button), "ref", "Go"},
		{"later", `<button onclick="setTimeout(() => this.nextElementSibling.click(), 300)">Go</button>` + input, "ref", "Go"},
		{"an input that is not in the document", `<button onclick="const f = document.createElement('input'); f.type = 'file'; f.multiple = true; f.onchange = () => document.title = [...f.files].map(f => f.name + '=' + f.name); f.click()">Go</button>`, "ref", "Go"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := tab.For(t)
			tab.Visit(html(listens, s.html))
			tab.OK("POST /hooks/file-chooser", args{"paths": one, s.way: tab.Ref(s.words), "timeoutMs": 8000})
			told(t, tab, two)
		})
	}
	t.Run("by selector", func(t *testing.T) {
		tab := shared.Borrow(t, html(input))
		tab.OK("POST /hooks/file-chooser", args{"paths": one, "element": "input[multiple]"})
		told(t, tab, two)
	})
	t.Run("armed", func(t *testing.T) {
		tab := shared.Open(t, html(button))
		tab.OK("POST /hooks/file-chooser", args{"paths": one[:1]}).Has(t, "replaced", "")
		tab.OK("POST /hooks/file-chooser", args{"paths": one}).Has(t, "replaced", "1")
		tab.Click("Go", nil)
		told(t, tab, two)
	})
	t.Run("a picker", func(t *testing.T) {
		tab := shared.Borrow(t, html(`<button onclick="pick()">Go</button><script>
			async function pick() {
				const files = await Promise.all((await showOpenFilePicker({ multiple: true })).map(h => h.getFile()));
				const all = await Promise.all(files.map(async f => f.name + '=' + await f.text()));
				document.title = all.sort().join();
			}
		</script>`))
		for _, way := range []args{{"ref": tab.Ref("Go")}, {}} {
			way["paths"] = one
			if tab.OK("POST /hooks/file-chooser", way).Text("armed") == "true" {
				tab.Click("Go", nil)
			}
			told(t, tab, two)
			tab.Eval("document.title = String(showOpenFilePicker)")
			if got := tab.Eval("document.title"); !strings.Contains(got, "native code") {
				t.Errorf("it stays in the page: %s", got)
			}
		}
	})
	t.Run("a picker of folders", func(t *testing.T) {
		tab := shared.Borrow(t, html(`<button onclick="pick()">Go</button><script>
			async function pick() {
				const folder = await showDirectoryPicker(), all = [];
				for await (const [name, entry] of folder) all.push(name + '=' + await (await entry.getFile()).text());
				const [first] = all.sort(), again = await folder.getFileHandle(first.split('=')[0]);
				const missing = await folder.getFileHandle('none').catch(e => e.name);
				document.title = [folder.kind, (await folder.resolve(again)).length, missing].join() === 'directory,1,NotFoundError' ? all.join() : missing;
			}
		</script>`))
		ref := tab.Ref("Go")
		// The tab is behind another one now: in a browser with windows, and in a headless one.
		shared.Open(t, "about:blank")
		popup := tab.Act("evaluate", args{"fn": "void window.open('about:blank')"}).Text("newTabs.0.tabId")
		tab.OK("POST /hooks/file-chooser", args{"paths": one, "ref": ref})
		told(t, tab, two)
		shared.OK(t, "DELETE /tabs/"+popup, nil)
	})
	t.Run("sent before", func(t *testing.T) {
		tab := shared.Borrow(t, html(input))
		reference := shared.Upload(t, "sent.txt", "from afar")
		tab.OK("POST /hooks/file-chooser", args{"paths": []string{reference}, "inputRef": tab.Ref("In")})
		told(t, tab, "sent.txt=from afar")
	})
	t.Run("a folder", func(t *testing.T) {
		tab := shared.Borrow(t, html(strings.Replace(input, "multiple", "webkitdirectory", 1)))
		tab.OK("POST /hooks/file-chooser", args{"paths": one, "inputRef": tab.Ref("In")})
		told(t, tab, two)
		told(t, tab, two)
		tab.Eval("document.title = ''")
		tab.OK("POST /hooks/file-chooser", args{"paths": one, "ref": tab.Ref("In"), "timeoutMs": 4000})
		told(t, tab, two)
	})
}

func TestUploadRefusals(t *testing.T) {
	files := uploads(t, "a.txt", "b.txt")
	tab := shared.Borrow(t, html(`<input type="file" aria-label="Single"><button onclick="this.previousElementSibling.click()">Go</button><button>Idle</button>
		<button onclick="showOpenFilePicker().catch(e => document.title = e.name)">Pick</button><button onclick="showDirectoryPicker().catch(e => document.title = e.name)">Folder</button>`))
	do := func(more args) service.Answer {
		t.Helper()
		if more["paths"] == nil {
			more["paths"] = files[:1]
		}
		return tab.Do("POST /hooks/file-chooser", more)
	}
	single := "Non-multiple file input can only accept single file"
	do(args{"paths": files, "inputRef": tab.Ref("Single")}).Fails(t, 422, "ACT_OPERATION_FAILED", single)
	do(args{"paths": files, "ref": tab.Ref("Go")}).Fails(t, 422, "ACT_OPERATION_FAILED", single)
	do(args{"inputRef": tab.Ref("Idle")}).Fails(t, 422, "ACT_OPERATION_FAILED", "is no file input")
	do(args{"element": "input[type=text]"}).Fails(t, 404, "not_found", "no element matches")
	do(args{"ref": tab.Ref("Idle"), "timeoutMs": 700}).Fails(t, 504, "deadline", "opened no file chooser")
	do(args{"paths": files, "ref": tab.Ref("Pick")}).Fails(t, 422, "ACT_OPERATION_FAILED", single)
	told(t, tab, "AbortError")
	do(args{"paths": []string{}}).Fails(t, 400, "invalid_request", "paths are required")
	do(args{"ref": ""}).Fails(t, 400, "invalid_request", "ref must not be blank")
	do(args{"ref": "e1", "inputRef": "e1"}).Fails(t, 400, "invalid_request", "ref cannot be combined with inputRef/element")
	do(args{"element": "input", "inputRef": "e1"}).Fails(t, 400, "invalid_request", "inputRef cannot be combined with element")
	outside := do(args{"paths": []string{"/etc/passwd"}})
	outside.Fails(t, 400, "invalid_request", "Invalid path: must stay within inbound media directory")
	if root := service.UploadRoot(t); outside.Text("hint") != "put the file in "+root {
		t.Errorf("the hint does not name %s: %s", root, outside.Raw)
	}
}

// A page that asks for files gets none unless a call has prepared some, and the answer says so.
func TestUnarmedPickers(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="showOpenFilePicker().catch(e => document.title = e.name)">Pick</button>
		<button onclick="showDirectoryPicker().catch(e => document.title = 'folder ' + e.name)">Folder</button>`))
	for name, want := range map[string]string{"Pick": "AbortError", "Folder": "folder AbortError"} {
		if got := tab.Click(name, nil).Text("effects"); !strings.Contains(got, "fileChooser") {
			t.Errorf("%s: the effects are %s", name, got)
		}
		told(t, tab, want)
	}
}

// A file chooser for which no call has prepared files stays empty, and holds up no later call.
func TestUnarmedChooser(t *testing.T) {
	tab := shared.Open(t, html(`<input type="file" aria-label="In" oncancel="document.title = 'dismissed'">`))
	tab.Click("In", nil)
	if got := tab.Eval("document.querySelector('input').files.length"); got != "0" {
		t.Errorf("it has %s files", got)
	}
	told(t, tab, "dismissed")
}

func TestArmedUploads(t *testing.T) {
	files := uploads(t, "first.txt", "second.txt")
	tab := shared.Open(t, html(`<input type="file" aria-label="In" `+says+`><button>Idle</button>`))
	waiting := make(chan service.Answer, 1)
	idle := tab.Ref("Idle")
	go func() {
		a, _ := shared.Try(t.Context(), "POST /hooks/file-chooser", args{"targetId": tab.ID, "paths": files[:1], "ref": idle, "timeoutMs": 20000})
		waiting <- a
	}()
	service.Eventually(t, "the next takes its place", func() bool {
		tab.OK("POST /hooks/file-chooser", args{"paths": files[1:]})
		return len(waiting) == 1
	})
	(<-waiting).Fails(t, 409, "conflict", "File upload was superseded by another waiter")
	tab.Click("In", nil)
	told(t, tab, "second.txt=second.txt")
}

// Files that no chooser took in time are not given to a chooser that opens later.
func TestArmedUploadEnds(t *testing.T) {
	files := uploads(t, "armed-for-half-a-second.txt")
	tab := shared.Open(t, html(`<input type="file" aria-label="In" oncancel="document.title = 'dismissed'" `+says+`>`))
	tab.OK("POST /hooks/file-chooser", args{"paths": files, "timeoutMs": 500})
	service.Eventually(t, "the arming has ended", func() bool { return len(staged("armed-for-half-a-second.txt")) == 0 })
	tab.Click("In", nil)
	told(t, tab, "dismissed")
}

// staged lists the copies for browsers that the servers of this process have of a file.
func staged(name string) []string {
	all, _ := filepath.Glob(fmt.Sprintf("/tmp/chela/staged-%d.*/*/*/uploads/%s", os.Getpid(), name))
	return all
}

// A click that is to open a chooser, or to start a download, is waited for only as long as that may
// still happen.
func TestClicksThatBeginNothing(t *testing.T) {
	t.Parallel()
	files := uploads(t, "a.txt")
	page := html(`<title>here</title><button>Idle</button><button onclick="fetch('/frame.html')">Ask</button><a href="#x">Jump</a>
		<button onclick="setInterval(() => document.title = Date.now(), 50)">Clock</button>
		<button onmousedown="document.body.append(Object.assign(document.createElement('p'), {style: 'position:fixed;inset:0'}))">Veil</button>`)
	for _, s := range []struct{ words, request, says string }{
		{"Idle", "POST /hooks/file-chooser", "opened no file chooser"},
		{"Ask", "POST /hooks/file-chooser", "opened no file chooser; it began: request"},
		{"Idle", "POST /download", "began no download"},
		{"Jump", "POST /download", "began no download; it began: navigated"},
		{"Clock", "POST /download", "began no download"},
		{"Veil", "POST /download", "got the press, but no click"},
		{"Veil", "POST /hooks/file-chooser", "got the press, but no click"},
	} {
		t.Run(s.words+" "+s.request, func(t *testing.T) {
			t.Parallel() // each test waits for seconds, as nothing begins
			tab := shared.Borrow(t, page)
			began := time.Now()
			a := tab.Do(s.request, args{"ref": tab.Ref(s.words), "paths": files, "path": "x", "timeoutMs": 40000})
			a.Fails(t, 422, "ACT_OPERATION_FAILED", s.says)
			if took := time.Since(began); took > 30*time.Second { // the deadline is 40 s
				t.Errorf("answered after %v", took)
			}
		})
	}
}

// If an element cannot be clicked, that is reported within the time for a click.
func TestClicksThatCannotBeDone(t *testing.T) {
	long.Test(t)
	t.Parallel()
	files := uploads(t, "a.txt")
	for _, request := range []string{"POST /hooks/file-chooser", "POST /download"} {
		t.Run(request, func(t *testing.T) {
			t.Parallel() // each test waits for seconds
			tab := shared.Borrow(t, html(`<button disabled>Idle</button>`))
			began := time.Now()
			tab.Do(request, args{"ref": tab.Ref("Idle"), "paths": files, "path": "x", "timeoutMs": 40000}).Fails(t, 422, "ACT_OPERATION_FAILED", "is not enabled")
			if took := time.Since(began); took > 25*time.Second { // the deadline is 40 s
				t.Errorf("answered after %v", took)
			}
		})
	}
}

// A chooser or a file that comes late is used, as long as there are signs that it will come.
func TestClicksThatBeginLate(t *testing.T) {
	files := uploads(t, "a.txt")
	tab := shared.Open(t, html(listens, `<input type="file" aria-label="In" hidden `+says+`>
		<button onclick="fetch('/gate').then(() => fetch('/gate')).then(() => document.querySelector('input').click())">Upload</button>
		<button onclick="fetch('/gate').then(() => location = '`+fileAt("late.bin", 3)+`')">Download</button>`))
	after := func(n int) { // the last answer comes when a wait on a page at rest would have been given up
		go func() {
			for range n {
				time.Sleep(2 * time.Second)
				gate <- struct{}{}
			}
		}()
	}
	upload, download := tab.Ref("Upload"), tab.Ref("Download")
	after(2)
	tab.OK("POST /hooks/file-chooser", args{"paths": files, "ref": upload})
	told(t, tab, "a.txt=a.txt")
	after(1)
	a := tab.OK("POST /download", args{"ref": download, "path": "late.bin"})
	saved(t, a, "download.path")
}

func TestDialogBeforeAnUpload(t *testing.T) {
	files := uploads(t, "a.txt")
	tab := shared.Borrow(t, html(`<input type="file" aria-label="In" `+says+`><button onclick="if (confirm('Really?')) this.previousElementSibling.click()">Go</button>`))
	blocks(t, tab.Do("POST /hooks/file-chooser", args{"paths": files, "ref": tab.Ref("Go")}), `confirm "Really?"`, "call again")
	tab.OK("POST /hooks/dialog", args{"accept": false})
	tab.OK("POST /hooks/file-chooser", args{"paths": files, "inputRef": tab.Ref("In")})
	told(t, tab, "a.txt=a.txt")
}

// A page that asks something because of the files has them already.
func TestDialogAfterAnUpload(t *testing.T) {
	tab := shared.Borrow(t, html(`<input type="file" aria-label="In" onchange="const [f] = this.files; if (confirm('Send?')) f.text().then(text => document.title = text)">`))
	for _, way := range []string{"ref", "inputRef"} {
		a := tab.OK("POST /hooks/file-chooser", args{"paths": uploads(t, way), way: tab.Ref("In")})
		a.Has(t, "ok", "true")
		a.Has(t, "blockedByDialog", "true")
		a.Has(t, "browserState.dialogs.pending.0.message", "Send?")
		tab.OK("POST /hooks/dialog", args{"accept": true})
		told(t, tab, way)
	}
}

// No copy of a file is left when it is no longer needed. The file that a caller sent is removed
// when it was handed to a tab. The tab's copies are removed with the tab, or if no chooser took
// them.
func TestUploadsLeaveNothing(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	inbound := func() []string { return entries(t, filepath.Join(s.Dir, "media", "inbound")) }
	send := func() []string { return []string{s.Upload(t, "left-behind.txt", "content")} }
	count := func(what string, want int) {
		t.Helper()
		service.Eventually(t, what, func() bool { return len(staged("left-behind.txt")) == want })
	}
	page := html(`<input type="file" aria-label="In" ` + says + `><button>Idle</button>`)

	tab := s.Open(t, page)
	tab.OK("POST /hooks/file-chooser", args{"paths": send(), "inputRef": tab.Ref("In")})
	tab.OK("POST /hooks/file-chooser", args{"paths": send(), "ref": tab.Ref("In")})
	if left := inbound(); len(left) != 0 {
		t.Errorf("handed over, but left: %v", left)
	}
	told(t, tab, "left-behind.txt=content")
	count("two copies stay with their tab", 2)

	failed := send()
	tab.Do("POST /hooks/file-chooser", args{"paths": failed, "inputRef": tab.Ref("Idle")}).Fails(t, 422, "ACT_OPERATION_FAILED", "is no file input")
	s.Do(t, "POST /hooks/file-chooser", args{"paths": failed, "targetId": "none"}).Fails(t, 404, "not_found", "")
	tab.Do("POST /hooks/file-chooser", args{"paths": failed, "ref": tab.Ref("Idle"), "timeoutMs": 700})
	if left := inbound(); len(left) != 1 {
		t.Errorf("not handed over, but there is %v", left)
	}
	count("the page did not get three", 2)
	tab.OK("POST /hooks/file-chooser", args{"paths": failed, "inputRef": tab.Ref("In")})
	count("it got the fourth", 3)

	unused := [][]string{send(), send()}
	tab.OK("POST /hooks/file-chooser", args{"paths": unused[0]})
	tab.OK("POST /hooks/file-chooser", args{"paths": unused[1], "timeoutMs": 500})
	count("no chooser came for two that were armed", 3)
	for i, paths := range unused {
		tab.OK("POST /hooks/file-chooser", args{"paths": paths})
		tab.Click("In", nil)
		count("a chooser took what was armed again", 4+i)
	}
	s.OK(t, "DELETE /tabs/"+tab.ID, nil)
	count("the tab has gone", 0)
	if left := inbound(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// A delta after an upload or a download says what changed, although no snapshot was taken of the document.
func TestDeltaOfFilesWithoutSnapshot(t *testing.T) {
	tab := shared.Open(t, html(`<p>Before`))
	for _, s := range []struct {
		request, words string
		refAs          string
		args           args
	}{
		{"POST /hooks/file-chooser", "Pick", "ref", args{"paths": uploads(t, "a.txt")}},
		{"POST /hooks/file-chooser", "Pick", "inputRef", args{"paths": uploads(t, "b.txt")}},
		{"POST /download", "Save", "ref", args{"path": fmt.Sprintf("delta-%d.txt", os.Getpid())}},
	} {
		tab.Snapshot()
		tab.Visit(html(`<p>Rest</p><p id=out></p><input type=file aria-label=Pick onchange="out.textContent = 'Done'">
			<a onclick="out.textContent = 'Done'" href="`, fileAt("got.txt", 3), `">Save</a>`))
		s.args[s.refAs], s.args["snapshot"] = tab.OK("POST /find", args{"text": s.words}).Text("matches.0.ref"), "delta"
		a := tab.OK(s.request, s.args)
		if d := a.Text("delta"); !strings.Contains(d, "Done") || strings.Contains(d, "Rest") {
			t.Errorf("%s %s: answered %s", s.words, s.refAs, a.Raw)
		}
		if s.words == "Save" {
			saved(t, a, "download.path")
		}
	}
}
