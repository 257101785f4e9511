package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// A rawTab is a tab of a browser without chela. The bench sends it commands of the DevTools protocol
// without any checks, so its times are the least that a browser needs.
type rawTab struct {
	dir     string
	process *chrome.Process
	conn    *cdp.Conn
	session *cdp.Session
}

func openRawTab(ctx context.Context) (*rawTab, error) {
	dir, err := os.MkdirTemp("", "chela-bench-raw-")
	if err != nil {
		return nil, err
	}
	t := &rawTab{dir: dir}
	if err := t.open(ctx); err != nil {
		t.close()
		return nil, fmt.Errorf("open a tab without chela: %w", err)
	}
	return t, nil
}

func (t *rawTab) open(ctx context.Context) error {
	executable, err := chrome.Find("")
	if err != nil {
		return err
	}
	if t.process, err = chrome.Launch(ctx, chrome.Options{Executable: executable, UserDataDir: t.dir, Headless: true}); err != nil {
		return err
	}
	transport := cdp.Transport(nil)
	if t.process.WebSocketURL == "" {
		transport = cdp.Pipe(t.process.Out, t.process.In)
	} else if transport, err = cdp.Dial(ctx, t.process.WebSocketURL, cdp.DialOptions{}); err != nil {
		return err
	}
	t.conn = cdp.NewConn(transport, cdp.Options{Class: func(method string) cdp.Class {
		if method == page.FrameNavigated.Method || method == page.LoadEventFired.Method {
			return cdp.Structure
		}
		return cdp.Ignored
	}})
	opened, err := cdp.Call(ctx, t.conn.Root(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank", NewWindow: new(true)})
	if err != nil {
		return err
	}
	attached, err := cdp.Call(ctx, t.conn.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: opened.TargetID, Flatten: new(true)})
	if err != nil {
		return err
	}
	t.session = t.conn.Session(string(attached.SessionID))
	if t.session == nil {
		return errors.New("the tab has gone")
	}
	_, err = cdp.Call(ctx, t.session, page.Enable, page.EnableParams{})
	return err
}

func (t *rawTab) close() {
	if t.conn != nil {
		t.conn.Close()
	}
	if t.process != nil {
		inTime(t.process.Terminate)
	}
	os.RemoveAll(t.dir)
}

// inTime ends a browser, and prints an error if it does not end within endTime.
func inTime(end func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	if err := end(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

// navigate opens a URL and waits until it has loaded.
func (t *rawTab) navigate(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if _, err := cdp.Call(ctx, t.session, page.Navigate, page.NavigateParams{URL: url}); err != nil {
		return err
	}
	// The load event of an earlier document may come first.
	if err := t.await(ctx, page.FrameNavigated.Method); err != nil {
		return err
	}
	return t.await(ctx, page.LoadEventFired.Method)
}

func (t *rawTab) await(ctx context.Context, method string) error {
	for {
		ev, err := t.session.Events().Next(ctx)
		if err != nil || ev.Method == method {
			return err
		}
	}
}

// evaluate runs a script and decodes its result as a value of the type R.
func evaluate[R any](ctx context.Context, t *rawTab, script string) (R, error) {
	var out R
	res, err := cdp.Call(ctx, t.session, runtime.Evaluate, runtime.EvaluateParams{Expression: script, ReturnByValue: new(true)})
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(res.Result.Value, &out)
}

// click clicks at a point.
func (t *rawTab) click(ctx context.Context, x, y float64) error {
	return all(ctx,
		t.mouse(input.DispatchMouseEventTypeMouseMoved, x, y),
		t.mouse(input.DispatchMouseEventTypeMousePressed, x, y),
		t.mouse(input.DispatchMouseEventTypeMouseReleased, x, y))
}

func (t *rawTab) mouse(kind input.DispatchMouseEventType, x, y float64) *cdp.Reply[proto.Empty] {
	return cdp.Send(t.session, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1})
}

// insert replaces the text of the nth field, counted from 0.
func (t *rawTab) insert(field int, text string) *cdp.Reply[proto.Empty] {
	cdp.Send(t.session, runtime.Evaluate, runtime.EvaluateParams{Expression: fmt.Sprintf("document.querySelectorAll('input')[%d].select()", field)})
	return cdp.Send(t.session, input.InsertText, input.InsertTextParams{Text: text})
}

func all(ctx context.Context, replies ...*cdp.Reply[proto.Empty]) error {
	for _, r := range replies {
		if _, err := r.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}
