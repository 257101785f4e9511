package proxy

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	cdptarget "github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// BenchmarkCost compares a Chromium that goes through the proxy with one that does not. It takes
// the medians of alternating runs: a document with 100 images, and a body of 300 MB.
func BenchmarkCost(b *testing.B) {
	chunk := make([]byte, 1<<20)
	mux := http.NewServeMux()
	mux.HandleFunc("/big", func(w http.ResponseWriter, r *http.Request) {
		mb, _ := strconv.Atoi(r.URL.RawQuery)
		w.Header().Set("Content-Length", strconv.Itoa(mb<<20))
		for range mb {
			w.Write(chunk)
		}
	})
	mux.HandleFunc("/many", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<!doctype html>")
		for i := range 100 {
			fmt.Fprintf(w, `<img src="/image?%s-%d">`, r.URL.RawQuery, i)
		}
	})
	mux.HandleFunc("/image", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`, strings.Repeat(" ", 4000))
	})
	mux.HandleFunc("/{$}", func(http.ResponseWriter, *http.Request) {})
	site := httptest.NewServer(mux)
	defer site.Close()

	p, err := Start(Options{Policy: rules(b, private)})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	direct, _ := open(b, site.URL, "")
	through, process := open(b, site.URL, p.URL())
	p.Admit(process.PID)
	tabs := []*cdp.Session{onlyPage(b, direct), onlyPage(b, through)}
	number := 0
	for _, each := range []struct{ name, script string }{
		{"100-images", `(async () => {
			const frame = Object.assign(document.createElement('iframe'), {src: '/many?NUMBER'}), begin = performance.now();
			await new Promise(resolve => { frame.onload = resolve; document.body.append(frame); });
			frame.remove();
			return performance.now() - begin;
		})()`},
		{"300-MB", `(async () => {
			const begin = performance.now(), reader = (await fetch('/big?300')).body.getReader();
			while (!(await reader.read()).done);
			return performance.now() - begin;
		})()`},
	} {
		b.Run(each.name, func(b *testing.B) {
			var took [2][]float64
			for b.Loop() {
				for i, tab := range tabs {
					number++
					await := true
					got, err := cdp.Call(b.Context(), tab, runtime.Evaluate, runtime.EvaluateParams{
						Expression: strings.ReplaceAll(each.script, "NUMBER", strconv.Itoa(number)), AwaitPromise: &await,
					})
					if err != nil || got.ExceptionDetails != nil {
						b.Fatal(err, got.ExceptionDetails)
					}
					ms, err := strconv.ParseFloat(string(got.Result.Value), 64)
					if err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], ms)
				}
			}
			none, with := median(took[0]), median(took[1])
			b.ReportMetric(none, "ms-direct")
			b.ReportMetric(with, "ms-proxy")
			b.ReportMetric(with/none, "times")
		})
	}
}

// onlyPage returns a session with the only page of a browser.
func onlyPage(b testing.TB, c *cdp.Conn) *cdp.Session {
	b.Helper()
	targets, err := cdp.Call(b.Context(), c.Root(), cdptarget.GetTargets, cdptarget.GetTargetsParams{})
	if err != nil {
		b.Fatal(err)
	}
	i := slices.IndexFunc(targets.TargetInfos, func(t *cdptarget.Info) bool { return t.Type == "page" })
	return attach(b, c, targets.TargetInfos[i].TargetID)
}

func attach(b testing.TB, c *cdp.Conn, id cdptarget.ID) *cdp.Session {
	b.Helper()
	attached, err := cdp.Call(b.Context(), c.Root(), cdptarget.AttachToTarget, cdptarget.AttachToTargetParams{TargetID: id, Flatten: new(true)})
	if err != nil {
		b.Fatal(err)
	}
	return c.Session(string(attached.SessionID))
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
