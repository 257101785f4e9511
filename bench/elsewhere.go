package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"

	"chela/internal/engine/chrome"
)

// elsewhere compares the two ways in which chela drives a browser on this machine. It clicks in one
// browser over a WebSocket, and in another one over the pipe.
func (b *bench) elsewhere(ctx context.Context) (err error) {
	url, end, err := browserElsewhere(ctx)
	if err != nil {
		return err
	}
	defer end()
	far, err := startServer(ctx, b.bin, fmt.Sprintf(`{browser: {defaultProfile: "far", profiles: {far: {cdpUrl: %q, attachOnly: true}}}}`, url))
	if err != nil {
		return err
	}
	defer far.stop()
	pipe, socket := &clicker{server: b.chela}, &clicker{server: far}
	for _, c := range []*clicker{pipe, socket} {
		if err := c.open(ctx, b.site+"/form"); err != nil {
			return err
		}
	}
	err = b.compare(ctx, &subject{name: "click by the pipe", do: pipe.click}, &subject{name: "click by a WebSocket", do: socket.click})
	if err != nil {
		return err
	}
	return socket.server.act(ctx, "wait", object{"text": fmt.Sprintf("counted %d", socket.clicks)})
}

// A clicker clicks a button of the page. It keeps the same count of clicks as the page.
type clicker struct {
	server *server
	button string // ref of the button
	clicks int
}

func (c *clicker) open(ctx context.Context, url string) error {
	if err := c.server.open(ctx, url); err != nil {
		return err
	}
	page, err := c.server.snapshot(ctx, "format=ai")
	c.button = page.ref("button", "Count")
	return err
}

func (c *clicker) click(ctx context.Context) error {
	c.clicks++
	return c.server.act(ctx, "click", object{"ref": c.button})
}

// browserElsewhere starts a browser itself, without chela's server. The server can then connect to
// its port, as to a browser that somebody else has started.
func browserElsewhere(ctx context.Context) (url string, end func(), err error) {
	dir, err := os.MkdirTemp("", "chela-bench-elsewhere-")
	if err != nil {
		return "", nil, err
	}
	var process *chrome.Process
	end = func() {
		if process != nil {
			brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
			defer cancel()
			process.Terminate(brief)
		}
		os.RemoveAll(dir)
	}
	executable, err := chrome.Find("")
	port := 0
	if err == nil {
		port, err = freePort()
	}
	if err == nil {
		process, err = chrome.Launch(ctx, chrome.Options{Executable: executable, UserDataDir: dir, Headless: true, Port: port})
	}
	if err != nil {
		end()
		return "", nil, fmt.Errorf("start a browser with a port: %w", err)
	}
	return cmp.Or(process.WebSocketURL, fmt.Sprintf("http://127.0.0.1:%d", port)), end, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
