// Package report tests the report of a recording in Chromium, as a person uses it.
package report

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"chela/internal/record/recorder"
	"chela/internal/record/report"
	"chela/test/service"
)

// The browser of shared opens reports, which come from site.
var (
	shared *service.Service
	site   *httptest.Server
)

type args = service.Args

func TestMain(m *testing.M) {
	os.Exit(service.Main(m, served, func(alive, _ *service.Service, at *httptest.Server) { shared, site = alive, at }))
}

// served serves the report of the running test, and counts the requests.
var served = new(server)

type server struct {
	mu       sync.Mutex // guards the rest
	content  []byte
	requests []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.URL.Path)
	if r.URL.Path != "/report.html" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.Write(s.content)
}

// serve makes a report the one that is served. It returns its address.
func serve(t testing.TB, r report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	served.mu.Lock()
	defer served.mu.Unlock()
	served.content, served.requests = out.Bytes(), nil
	return site.URL + "/report.html"
}

// asked returns the paths that the browser has asked for.
func asked() []string {
	served.mu.Lock()
	defer served.mu.Unlock()
	return slices.Clone(served.requests)
}

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// at returns a time some milliseconds after noon.
func at(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }

// reportOf returns a report of a recording.
func reportOf(r recorder.Recording) report.Report {
	return report.Report{
		Title: "profile chela", Made: at(0), Recording: r,
		IsAct:   func(op string) bool { return op == "click" || op == "open" },
		Picture: func(string) ([]byte, error) { return picture(), nil },
	}
}

// picture returns a picture of about 20 kB, as the recorder takes them.
var picture = sync.OnceValue(func() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 640, 400))
	for i := range 400 {
		c := color.RGBA{byte(i * 31), byte(i * 57), byte(i * 91), 255}
		draw.Draw(img, image.Rect(i%20*32, i/20*20, i%20*32+30, i/20*20+18), image.NewUniform(c), image.Point{}, draw.Src)
	}
	var out bytes.Buffer
	jpeg.Encode(&out, img, &jpeg.Options{Quality: 20}) // cannot fail
	return out.Bytes()
})

// visit returns the recording of a visit of a shop with n rounds of calls: open, snapshot, click, and a
// click that fails.
func visit(n int) (r recorder.Recording) {
	for i := range n {
		t := i * 4000
		shot := func(name string, ms int) *recorder.Picture {
			return &recorder.Picture{File: fmt.Sprintf("%d-%s.jpg", i, name), Time: at(t + ms), Width: 1280, Height: 800}
		}
		r.Entries = append(r.Entries,
			recorder.Entry{Time: at(t), Tab: "t1", Session: "shopper", Op: "open", Title: "open http://shop.test/", Ms: 300, Chars: 90, Effects: []string{"navigated"}, URL: "http://shop.test/", Picture: shot("open", 400)},
			recorder.Entry{Time: at(t + 1000), Tab: "t1", Session: "shopper", Op: "snapshot", Title: "snapshot", Ms: 20, Chars: 800},
			recorder.Entry{
				Time: at(t + 2000), Tab: "t1", Session: "shopper", Op: "click", Title: "click e7", Ms: 60, Chars: 40, Effects: []string{"changed"},
				Element: &recorder.Element{Ref: "e7", Role: "button", Name: "Add to basket", Box: &recorder.Box{X: 400, Y: 300, Width: 120, Height: 40}}, Picture: shot("click", 2100),
			},
			recorder.Entry{Time: at(t + 3000), Tab: "t2", Session: "other", Op: "click", Title: "click e99", Ms: 8, Error: "Unknown ref e99", Code: "ref_unknown"},
		)
		r.Events = append(r.Events,
			recorder.Event{Time: at(t + 2010), Tab: "t1", Kind: recorder.Console, Text: "the price is old", URL: "http://shop.test/app.js"},
			recorder.Event{Time: at(t + 2020), Tab: "t1", Kind: recorder.Request, Text: "POST", URL: "http://shop.test/basket", Status: 500},
			recorder.Event{Time: at(t + 2030), Tab: "t1", Kind: recorder.NewTab, Text: "t2"},
		)
	}
	return r
}
