package chromium

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/extension"
	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// A Person is a browser with windows, as a person has it. Tests use the DevTools protocol to do in
// it what the person does.
type Person struct {
	Dir  string // folder of the profile
	Conn *cdp.Conn

	cmd   *exec.Cmd
	popup *cdp.Session // session of an open page of the extension, or nil
}

// M is an object of JSON.
type M = map[string]any

// StartPerson starts a browser that has one tab and no extension. Its protocol is on a pipe, so that
// no port is open. It needs a display.
func StartPerson(dir string, flags ...string) (*Person, error) {
	executable, err := chrome.Find("")
	if err != nil {
		return nil, err
	}
	flags = append([]string{
		"--user-data-dir=" + dir, "--no-first-run", "--remote-debugging-pipe", "--enable-unsafe-extension-debugging",
		"--host-resolver-rules=MAP *.test 127.0.0.1", "--site-per-process", "--window-size=1000,700", "--test-type",
	}, flags...) // Chromium uses the last one of two flags with the same name
	if os.Geteuid() == 0 {
		flags = append(flags, "--no-sandbox")
	}
	cmd := exec.Command(executable.Path, append(flags, "about:blank")...)
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{inRead, outWrite}
	cmd.Env = append(os.Environ(), "HOME="+dir) // Chromium saves downloads below HOME
	err = cmd.Start()
	inRead.Close()
	outWrite.Close()
	if err != nil {
		return nil, err
	}
	return &Person{Dir: dir, Conn: cdp.NewConn(cdp.Pipe(outRead, inWrite), cdp.Options{}), cmd: cmd}, nil
}

// Close closes the browser as its person does. A browser that does not end, for example after a
// failed test, is killed.
func (p *Person) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	p.Call(ctx, nil, "Browser.close", M{})
	context.AfterFunc(ctx, func() { p.cmd.Process.Kill() })
	p.cmd.Wait()
	p.Conn.Close()
}

// LoadChela loads chela's extension, from a folder beside the profile.
func (p *Person) LoadChela(ctx context.Context) error {
	folder := p.Dir + ".extension"
	if err := extension.Unpack(folder); err != nil {
		return err
	}
	return p.Load(ctx, folder)
}

// Load loads an unpacked extension.
func (p *Person) Load(ctx context.Context, folder string) error {
	_, err := p.Call(ctx, nil, "Extensions.loadUnpacked", M{"path": folder})
	return err
}

// Dial sets the port of chela's server.
func (p *Person) Dial(ctx context.Context, port int) error {
	_, err := p.In(ctx, `await chrome.storage.local.set({port: `+strconv.Itoa(port)+`})`)
	return err
}

// Call sends a command to a session, or to the browser if the session is nil.
func (p *Person) Call(ctx context.Context, s *cdp.Session, method string, params M) (M, error) {
	if s == nil {
		s = p.Conn.Root()
	}
	return cdp.Call(ctx, s, proto.Command[M, M]{Method: method}, params)
}

// Open makes a tab behind the others, with a session of the test's own.
func (p *Person) Open(ctx context.Context, url string) (*cdp.Session, error) {
	made, err := p.Call(ctx, nil, "Target.createTarget", M{"url": url, "background": true})
	if err != nil {
		return nil, err
	}
	return p.Attach(ctx, made["targetId"].(string))
}

// Attach returns a session of a target.
func (p *Person) Attach(ctx context.Context, target string) (*cdp.Session, error) {
	made, err := p.Call(ctx, nil, "Target.attachToTarget", M{"targetId": target, "flatten": true})
	if err != nil {
		return nil, err
	}
	return p.Conn.Session(made["sessionId"].(string)), nil
}

// Evaluate returns the value of an expression.
func (p *Person) Evaluate(ctx context.Context, s *cdp.Session, expression string) (any, error) {
	answer, err := p.Call(ctx, s, "Runtime.evaluate", M{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true})
	if err != nil {
		return nil, err
	}
	if thrown, ok := answer["exceptionDetails"]; ok {
		raw, _ := json.Marshal(thrown)
		return nil, fmt.Errorf("%s: %s", expression, raw)
	}
	return answer["result"].(M)["value"], nil
}

// In runs statements in a page of the extension, where scripts can call Chromium's functions for
// extensions.
func (p *Person) In(ctx context.Context, statements string) (any, error) {
	if err := p.openPopup(ctx); err != nil {
		return nil, err
	}
	return p.Evaluate(ctx, p.popup, "(async () => {"+statements+"})()")
}

// Forget drops the session with the popup. Call it after the process of the extension's pages has
// ended.
func (p *Person) Forget() { p.popup = nil }

// openPopup opens the page of the extension's popup in a tab.
func (p *Person) openPopup(ctx context.Context) error {
	if p.popup != nil {
		return nil
	}
	popup, err := p.Open(ctx, "chrome-extension://"+extension.ID()+"/popup.html")
	if err != nil {
		return err
	}
	for {
		is, err := p.Evaluate(ctx, popup, `typeof chrome.tabs + " " + document.readyState`)
		if err != nil {
			return err
		}
		if is == "object complete" {
			p.popup = popup
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
}
