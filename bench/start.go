package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// starts compares how long chela takes to start with the least time that a start can take.
func (b *bench) starts(ctx context.Context) error {
	state, err := os.MkdirTemp("", "chela-bench-start-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(state)
	if err := b.serverStart(ctx, state); err != nil {
		return err
	}
	return b.browserStart(ctx, state)
}

// serverStart compares how long chela's server and a bare HTTP server take from the start of the
// program to the answer to the first request.
func (b *bench) serverStart(ctx context.Context, state string) error {
	bare := &answering{command: func() *exec.Cmd { return exec.Command(b.bare) }}
	chela := &answering{command: func() *exec.Cmd {
		cmd := exec.Command(b.bin, "serve")
		cmd.Env = environment(state)
		return cmd
	}}
	return b.compare(ctx,
		&subject{name: "start of a bare HTTP server", do: bare.start, undo: bare.stop},
		&subject{name: "start of the server, to GET /", do: chela.start, undo: chela.stop})
}

// An answering is a program whose first line of output names the URL where it answers HTTP.
type answering struct {
	command func() *exec.Cmd
	running *exec.Cmd
}

// start starts the program, and returns when it has answered a request.
func (a *answering) start(ctx context.Context) error {
	a.running = a.command()
	out, err := a.running.StdoutPipe()
	if err != nil {
		return err
	}
	if err := a.running.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), "listens on ")
	if err != nil || !ok {
		return errors.Join(fmt.Errorf("it said %q", line), err, a.stop())
	}
	req, err := http.NewRequestWithContext(ctx, "GET", url+"/", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (a *answering) stop() error {
	http.DefaultClient.CloseIdleConnections()
	a.running.Process.Signal(os.Interrupt)
	a.running.Wait() // the error is expected: the program was interrupted
	return nil
}

// browserStart compares how long a browser takes to start with chela and without, until it answers
// a command. Both browsers have no window. After the first round, both have a profile that was used
// before.
func (b *bench) browserStart(ctx context.Context, state string) error {
	s, err := startServer(ctx, b.bin, "")
	if err != nil {
		return err
	}
	defer s.stop()
	bare := &bareBrowser{dir: filepath.Join(state, "bare")}
	return b.compare(ctx,
		&subject{name: "start of a bare Chromium", do: bare.start, undo: bare.stop},
		&subject{
			name: "start of the browser",
			do:   func(ctx context.Context) error { return s.call(ctx, "POST", "/start", object{"headless": true}, nil) },
			undo: func() error { return s.call(ctx, "POST", "/stop", object{}, nil) },
		})
}

// A bareBrowser is a Chromium with only the flags that are needed to drive it.
type bareBrowser struct {
	dir     string
	process *exec.Cmd
	conn    *cdp.Conn
}

// start starts the browser, and returns when it has answered a command.
func (b *bareBrowser) start(ctx context.Context) error {
	found, err := chrome.Find("")
	if err != nil {
		return err
	}
	b.process = exec.Command(found.Path, "--headless", "--no-startup-window", "--no-first-run", "--remote-debugging-pipe", "--user-data-dir="+b.dir)
	if why, _ := chrome.WithoutSandbox(found, false); why != "" {
		b.process.Args = append(b.process.Args, "--no-sandbox")
	}
	commands, in, err := os.Pipe()
	if err != nil {
		return err
	}
	out, replies, err := os.Pipe()
	if err != nil {
		return err
	}
	b.process.ExtraFiles = []*os.File{commands, replies}
	err = b.process.Start()
	commands.Close()
	replies.Close()
	if err != nil {
		return err
	}
	b.conn = cdp.NewConn(cdp.Pipe(out, in), cdp.Options{Class: func(string) cdp.Class { return cdp.Ignored }})
	_, err = cdp.Call(ctx, b.conn.Root(), browser.GetVersion, proto.Empty{})
	return err
}

func (b *bareBrowser) stop() error {
	cdp.Send(b.conn.Root(), browser.Close, proto.Empty{})
	err := b.process.Wait()
	b.conn.Close()
	return err
}
