package relay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/cdp"
	"chela/test/chromium"
)

// extensionID follows from the key in the manifest.
const extensionID = "jmlfmgpagmjckbffkdpaifjfkidifaeb"

// A person is a browser with the extension, and has methods for what a person can do in it. If
// something cannot be done, the test fails.
type person struct {
	*chromium.Person
	t    *testing.T
	port int // port of the server
}

// m is an object of JSON.
type m = chromium.M

// newPerson starts a browser that has one tab and the unpacked extension, which dials port.
func newPerson(t *testing.T, port int, flags ...string) *person {
	t.Helper()
	p := startPerson(t, filepath.Join(t.TempDir(), "profile"), flags...)
	p.port = port
	p.within(p.LoadChela)
	p.within(func(ctx context.Context) error { return p.Dial(ctx, port) })
	return p
}

// startPerson starts a browser that has one tab.
func startPerson(t *testing.T, dir string, flags ...string) *person {
	t.Helper()
	started, err := chromium.StartPerson(dir, flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.Close)
	return &person{Person: started, t: t}
}

// within calls the function do, which must succeed within 20 seconds.
func (p *person) within(do func(context.Context) error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	if err := do(ctx); err != nil {
		p.t.Fatal(err)
	}
}

// load loads an unpacked extension.
func (p *person) load(folder string) {
	p.t.Helper()
	p.within(func(ctx context.Context) error { return p.Load(ctx, folder) })
}

// call sends a command to a session, or to the browser if the session is nil.
func (p *person) call(s *cdp.Session, method string, params m) (result m) {
	p.t.Helper()
	p.within(func(ctx context.Context) (err error) {
		result, err = p.Call(ctx, s, method, params)
		return err
	})
	return result
}

// open makes a tab behind the others, with a session of the test's own.
func (p *person) open(url string) (s *cdp.Session) {
	p.t.Helper()
	p.within(func(ctx context.Context) (err error) {
		s, err = p.Open(ctx, url)
		return err
	})
	return s
}

func (p *person) attach(target string) (s *cdp.Session) {
	p.t.Helper()
	p.within(func(ctx context.Context) (err error) {
		s, err = p.Attach(ctx, target)
		return err
	})
	return s
}

// ask evaluates an expression and returns its value.
func (p *person) ask(s *cdp.Session, expression string) (value any) {
	p.t.Helper()
	p.within(func(ctx context.Context) (err error) {
		value, err = p.Evaluate(ctx, s, expression)
		return err
	})
	return value
}

// in runs statements in a page of the extension, where scripts can call Chromium's functions for
// extensions.
func (p *person) in(statements string) (value any) {
	p.t.Helper()
	p.within(func(ctx context.Context) (err error) {
		value, err = p.In(ctx, statements)
		return err
	})
	return value
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

// tab returns a tab as chrome.tabs describes it, or nil if the tab is gone.
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
	p.Forget()
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
		line, _ := os.ReadFile(path) // an error means that the process has ended
		if !strings.Contains(string(line), word) || !strings.Contains(string(line), p.Dir) {
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
