package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	protonetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
)

// What is fetched in each round: requests in a page, and one long answer.
const (
	images = 100
	longMB = 300
)

// serveNetwork serves what is fetched.
func serveNetwork(mux *http.ServeMux) {
	mux.HandleFunc("/image", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`, strings.Repeat(" ", 4000))
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 1<<20)
		w.Header().Set("Content-Length", strconv.Itoa(longMB<<20))
		for range longMB {
			w.Write(chunk)
		}
	})
}

// The scripts that fetch. NUMBER is another one in each round, so that nothing comes from
// a cache.
const (
	fetchImages = `Promise.all(Array.from({length: 100}, (_, i) => new Promise(resolve => {
		const image = new Image();
		image.onload = resolve;
		image.src = '/image?NUMBER-' + i;
	}))).then(() => 0)`
	fetchLong = `(async () => {
		const reader = (await fetch('/long?NUMBER')).body.getReader();
		while (!(await reader.read()).done);
	})()`
)

// network compares what pages fetch through chela's proxy with a browser that has none and
// reports its requests, too: by a policy that allows everything, and by the standard one with
// an exception.
func (b *bench) network(ctx context.Context) error {
	standard, err := startServer(ctx, b.bin, `{browser: {ssrfPolicy: {allowedHostnames: ["localhost"]}}}`)
	if err != nil {
		return err
	}
	defer standard.stop()
	site := strings.Replace(b.site, "127.0.0.1", "localhost", 1)
	if err := standard.open(ctx, site+"/small"); err != nil {
		return err
	}
	if err := b.both(ctx, "/small"); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, b.raw.session, protonetwork.Enable, protonetwork.EnableParams{}); err != nil {
		return err
	}
	defer cdp.Call(ctx, b.raw.session, protonetwork.Disable, protocol.Empty{})
	number := 0
	for _, each := range []struct{ what, script string }{
		{fmt.Sprintf("%d images", images), fetchImages},
		{fmt.Sprintf("%d MB", longMB), fetchLong},
	} {
		script := func() string {
			number++
			return strings.ReplaceAll(each.script, "NUMBER", strconv.Itoa(number))
		}
		through := func(name string, s *server) *subject {
			return &subject{name: each.what + name, do: func(ctx context.Context) error {
				return s.act(ctx, "evaluate", object{"fn": "() => " + script(), "timeoutMs": 60_000})
			}}
		}
		direct := &subject{name: "a browser without a proxy", do: func(ctx context.Context) error {
			_, err := cdp.Call(ctx, b.raw.session, runtime.Evaluate, runtime.EvaluateParams{Expression: script(), AwaitPromise: new(true)})
			return err
		}}
		if err := b.compare(ctx, direct, through(", everything is allowed", b.chela), through(", standard policy", standard)); err != nil {
			return err
		}
	}
	return nil
}
