package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
	protonetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

// What is fetched in each round: a number of images, or one long response of so many megabytes.
const (
	images = 100
	longMB = 300
)

// manyRounds multiplies the usual time limit. One run takes a part of a second, so the usual limit
// allows four or five runs. A median of so few says nothing.
const manyRounds = 5

// serveNetwork serves the images and the long response.
func serveNetwork(mux *http.ServeMux) {
	mux.HandleFunc("/svg", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`, strings.Repeat(" ", 4000))
	})
	mux.HandleFunc("/gif", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/gif")
		fmt.Fprint(w, dot, strings.Repeat(" ", 4000))
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 1<<20)
		w.Header().Set("Content-Length", strconv.Itoa(longMB<<20))
		for range longMB {
			w.Write(chunk)
		}
	})
}

// dot is a GIF of one pixel. A page shows it with little work, so the request takes most of the
// time. For an SVG image Chromium makes a document, which keeps the page's main thread busy for 2
// ms or more.
const dot = "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// The first two scripts fetch, and return how long that took, in milliseconds: see inPage. PATH is
// replaced by the path of an image, and NUMBER by a new number in each round. So nothing comes from
// a cache. The last script waits until the page has nothing to do.
const (
	fetchImages = `(async () => {
		const begin = performance.now();
		await Promise.all(Array.from({length: 100}, (_, i) => new Promise(resolve => {
			const image = new Image();
			image.onload = resolve;
			image.src = 'PATH?NUMBER-' + i;
		})));
		return performance.now() - begin;
	})()`
	fetchLong = `(async () => {
		const begin = performance.now();
		const reader = (await fetch('/long?NUMBER')).body.getReader();
		while (!(await reader.read()).done);
		return performance.now() - begin;
	})()`
	untilIdle = `new Promise(resolve => requestIdleCallback(() => resolve(0)))`
)

// inPage returns a subject whose time is measured in the page. The script returns the time in
// milliseconds; the function run evaluates a script in a page and returns its result.
//
// The time of the whole call would include more than the fetches. At the end of a call, chela asks
// the page whether it has changed. After 100 SVG images, any command to the page waits for 20 to 60
// ms, with chela or without: Chromium first removes a hundred documents. The proxy does not cause
// this wait. For the same reason the next subject begins only when the page of this one is idle.
func inPage(name string, script func() string, run func(context.Context, string) (float64, error)) *subject {
	return &subject{
		name: name,
		clock: func(ctx context.Context) (time.Duration, error) {
			took, err := run(ctx, script())
			return time.Duration(took * float64(time.Millisecond)), err
		},
		undo: func() error {
			_, err := run(context.Background(), untilIdle)
			return err
		},
	}
}

// network compares pages that fetch through chela's proxy with pages in chela's browser without a
// proxy. One proxy has a policy that allows everything. The other has the standard policy, with an
// exception for localhost. It also measures a browser without chela, which has no proxy and no
// event log.
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
	direct, err := openUnproxied(ctx, b.site+"/small")
	if err != nil {
		return err
	}
	defer direct.close()
	if err := b.both(ctx, "/small"); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, b.raw.session, protonetwork.Enable, protonetwork.EnableParams{}); err != nil {
		return err
	}
	defer cdp.Call(ctx, b.raw.session, protonetwork.Disable, protocol.Empty{})
	number := 0
	for _, each := range []struct{ what, script string }{
		{fmt.Sprintf("%d SVG images", images), strings.ReplaceAll(fetchImages, "PATH", "/svg")},
		{fmt.Sprintf("%d GIF images", images), strings.ReplaceAll(fetchImages, "PATH", "/gif")},
		{fmt.Sprintf("%d MB", longMB), fetchLong},
	} {
		script := func() string {
			number++
			return strings.ReplaceAll(each.script, "NUMBER", strconv.Itoa(number))
		}
		if err := b.compareFor(ctx, manyRounds*b.limit,
			inPage("the same without a proxy", script, direct.run),
			inPage(each.what+", everything is allowed", script, b.chela.run),
			inPage(each.what+", standard policy", script, standard.run),
			inPage(each.what+", a bare browser without a proxy", script, b.raw.run),
		); err != nil {
			return err
		}
	}
	return nil
}

// run evaluates a script in the page. It returns the number that is the script's value, or that
// its promise resolves to.
func (s *server) run(ctx context.Context, script string) (float64, error) {
	var answer struct{ Result float64 }
	err := s.call(ctx, "POST", "/act", object{"kind": "evaluate", "fn": "() => " + script, "timeoutMs": 60_000}, &answer)
	return answer.Result, err
}

// run evaluates a script in the tab and returns its number, as server.run does.
func (t *rawTab) run(ctx context.Context, script string) (float64, error) {
	var number float64
	res, err := cdp.Call(ctx, t.session, runtime.Evaluate, runtime.EvaluateParams{Expression: script, AwaitPromise: new(true)})
	if err != nil {
		return 0, err
	}
	return number, json.Unmarshal(res.Result.Value, &number)
}
