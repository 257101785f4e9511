package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// extensionID follows from the key in the manifest.
const extensionID = "jmlfmgpagmjckbffkdpaifjfkidifaeb"

// A person is a browser with the extension in it, and what a person can do with it.
type person struct {
	t     *testing.T
	dir   string
	conn  *cdp.Conn
	popup *cdp.Session // a page of the extension, nil if none is open
	port  int          // of the server
}

// newPerson starts a browser that has one tab and the unpacked extension, which dials port.
func newPerson(t *testing.T, port int, flags ...string) *person {
	t.Helper()
	p := &person{t: t, dir: t.TempDir(), port: port}
	p.start(flags)
	p.load(extensionFolder(t))
	p.in(`await chrome.storage.local.set({port: ` + strconv.Itoa(port) + `})`)
	return p
}

// load loads an unpacked extension.
func (p *person) load(folder string) {
	p.t.Helper()
	p.call(nil, "Extensions.loadUnpacked", m{"path": folder})
}

// extensionFolder is the extension of this repository.
func extensionFolder(t *testing.T) string {
	dir, err := filepath.Abs("../../extension")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// start starts the browser, with its protocol on a pipe.
func (p *person) start(flags []string) {
	executable, err := chrome.Find("")
	if err != nil {
		p.t.Fatal(err)
	}
	flags = append([]string{
		"--user-data-dir=" + p.dir, "--no-first-run", "--remote-debugging-pipe", "--enable-unsafe-extension-debugging",
		"--host-resolver-rules=MAP *.test 127.0.0.1", "--site-per-process", "--window-size=1000,700", "--test-type",
	}, flags...)
	if os.Geteuid() == 0 {
		flags = append(flags, "--no-sandbox")
	}
	cmd := exec.Command(executable.Path, append(flags, "about:blank")...)
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{inRead, outWrite}
	cmd.Env = append(os.Environ(), "HOME="+p.dir) // downloads go there
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	inRead.Close()
	outWrite.Close()
	p.conn = cdp.NewConn(cdp.Pipe(outRead, inWrite), cdp.Options{})
	p.t.Cleanup(func() { p.end(cmd) })
}

// end closes the browser as its person does. A test that failed may have left it unable to.
func (p *person) end(cmd *exec.Cmd) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cdp.Call(ctx, p.conn.Root(), proto.Command[m, m]{Method: "Browser.close"}, m{})
	context.AfterFunc(ctx, func() { cmd.Process.Kill() })
	cmd.Wait()
	p.conn.Close()
}

// m is an object of JSON.
type m = map[string]any

// call sends a command to a session, the browser's if that is nil, and fails the test if it fails.
func (p *person) call(s *cdp.Session, method string, params m) m {
	p.t.Helper()
	result, err := p.try(s, method, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return result
}

func (p *person) try(s *cdp.Session, method string, params m) (m, error) {
	if s == nil {
		s = p.conn.Root()
	}
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	return cdp.Call(ctx, s, proto.Command[m, m]{Method: method}, params)
}

// open makes a tab behind the others, with a session of the test's own.
func (p *person) open(url string) *cdp.Session {
	p.t.Helper()
	return p.attach(p.call(nil, "Target.createTarget", m{"url": url, "background": true})["targetId"].(string))
}

func (p *person) attach(target string) *cdp.Session {
	p.t.Helper()
	return p.conn.Session(p.call(nil, "Target.attachToTarget", m{"targetId": target, "flatten": true})["sessionId"].(string))
}

// ask evaluates an expression and returns its value.
func (p *person) ask(s *cdp.Session, expression string) any {
	p.t.Helper()
	answer := p.call(s, "Runtime.evaluate", m{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true})
	if thrown, ok := answer["exceptionDetails"]; ok {
		raw, _ := json.Marshal(thrown)
		p.t.Fatalf("%s: %s", expression, raw)
	}
	return answer["result"].(m)["value"]
}

// in runs statements in a page of the extension, where Chromium's functions for extensions are at
// hand.
func (p *person) in(statements string) any {
	p.t.Helper()
	if p.popup == nil {
		p.popup = p.open("chrome-extension://" + extensionID + "/popup.html")
		p.until("the popup is there", func() bool { return p.ask(p.popup, `typeof chrome.tabs`) == "object" })
	}
	return p.ask(p.popup, "(async () => {"+statements+"})()")
}

// request does what a button of the popup does.
func (p *person) request(message string) any {
	p.t.Helper()
	return p.in(`const {result, error} = await chrome.runtime.sendMessage(` + message + `); if (error) throw new Error(error); return result`)
}

// newTab makes a tab behind the others, and returns its id when it has loaded.
func (p *person) newTab(url string) int {
	p.t.Helper()
	id := int(p.in(fmt.Sprintf(`return (await chrome.tabs.create({url: %q, active: false})).id`, url)).(float64))
	p.loaded(id)
	return id
}

func (p *person) loaded(tab int) {
	p.t.Helper()
	p.until("the tab has loaded", func() bool { return p.tab(tab)["status"] == "complete" })
}

// tab returns a tab as chrome.tabs has it, nil if it is gone.
func (p *person) tab(id int) m {
	p.t.Helper()
	tab, _ := p.in(fmt.Sprintf(`return chrome.tabs.get(%d).catch(() => null)`, id)).(m)
	return tab
}

// number runs statements that return a number.
func (p *person) number(statements string, args ...any) int {
	p.t.Helper()
	n, ok := p.in(fmt.Sprintf(statements, args...)).(float64)
	if !ok {
		p.t.Fatalf("no number: %s", fmt.Sprintf(statements, args...))
	}
	return int(n)
}

// attached reports whether a debugger is attached to a tab.
func (p *person) attached(tab int) bool {
	p.t.Helper()
	return p.in(fmt.Sprintf(`return (await chrome.debugger.getTargets()).some((t) => t.tabId === %d && t.attached)`, tab)).(bool)
}

func (p *person) badge() string {
	p.t.Helper()
	return p.in(`return chrome.action.getBadgeText({})`).(string)
}

// until waits for a condition.
func (p *person) until(what string, holds func() bool) {
	p.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !holds() {
		if time.Now().After(deadline) {
			p.t.Fatalf("not in 20 s: %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// workers returns the targets of the extension's worker: one, or none.
func (p *person) workers() (ids []string) {
	p.t.Helper()
	for _, info := range p.call(nil, "Target.getTargets", m{})["targetInfos"].([]any) {
		if info := info.(m); info["type"] == "service_worker" && strings.Contains(info["url"].(string), extensionID) {
			ids = append(ids, info["targetId"].(string))
		}
	}
	return ids
}

// stopWorker ends the worker as Chromium does.
func (p *person) stopWorker() {
	p.t.Helper()
	for _, id := range p.workers() {
		p.call(nil, "Target.closeTarget", m{"targetId": id})
	}
}

// killExtension kills the extension's process, with its pages.
func (p *person) killExtension() {
	p.t.Helper()
	p.popup = nil
	for _, process := range p.processes("--extension-process") {
		process.Kill()
	}
}

// processes returns the browser's processes that have a word in their command lines.
func (p *person) processes(word string) (found []*os.Process) {
	p.t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, path := range paths {
		line, _ := os.ReadFile(path) // it may have ended
		if !strings.Contains(string(line), word) || !strings.Contains(string(line), p.dir) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if process, err := os.FindProcess(pid); err == nil {
			found = append(found, process)
		}
	}
	if found == nil {
		p.t.Fatalf("no process has %s", word)
	}
	return found
}
