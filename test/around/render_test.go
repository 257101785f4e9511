package around

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"maps"
	"os"
	"strings"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// pictureOf returns the kind and the size of the picture of an answer.
func pictureOf(t *testing.T, a service.Answer) (kind string, size image.Point) {
	t.Helper()
	raw, err := os.ReadFile(a.Text("image_path"))
	if err != nil {
		t.Fatal(err)
	}
	c, kind, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return kind, image.Pt(c.Width, c.Height)
}

const spa = `<title>App</title><div id=app></div><script>
	setTimeout(() => { app.innerHTML = "<main><h1>Made by a script</h1><p>What <b>readers</b> want to see.</p></main>" }, 100)
</script>`

// A page is rendered in one call, and no call sees anything of those before.
func TestRender(t *testing.T) {
	for name, test := range map[string]func(*testing.T){
		"pictures": renderPictures, "texts": renderTexts, "scripts": renderScripts, "parts": renderParts, "failures": renderFailures, "profiles": renderProfiles,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the tests wait more than they work
			test(t)
		})
	}
}

// render is the answer to a request for a page of the site.
func render(t *testing.T, path, mode string, more args) service.Answer {
	t.Helper()
	request := args{"url": site.URL + path, "mode": mode, "wait_seconds": 0}
	maps.Copy(request, more)
	return shared.Do(t, "POST /render", request)
}

func renderPictures(t *testing.T) {
	high := pages.HTML(`<body style="margin: 0"><div style="height: 12000px">High</div>`)
	for _, test := range []struct {
		path string
		more args
		kind string
		size image.Point
		cut  any
	}{
		{high, nil, "png", image.Pt(412, 915), nil},
		{high, args{"width": 300, "height": 200, "type": "jpeg"}, "jpeg", image.Pt(300, 200), nil},
		{high, args{"full_page": true}, "png", image.Pt(412, 10000), true},
		{pages.HTML(`<body style="margin: 0"><div style="height: 3000px">`), args{"fullPage": true}, "png", image.Pt(412, 3000), nil},
	} {
		a := render(t, test.path, "screenshot", test.more)
		if kind, size := pictureOf(t, a); kind != test.kind || size != test.size {
			t.Errorf("%v: got a %s of %v", test.more, kind, size)
		}
		if got := a.Get("truncated"); got != test.cut {
			t.Errorf("%v: truncated is %v, want %v", test.more, got, test.cut)
		}
	}

}

func renderTexts(t *testing.T) {
	auto := args{"wait": "auto"}
	visits := pages.HTML(`<p><script>localStorage.n = +(localStorage.n ?? 0) + 1; document.cookie = "n=" + localStorage.n; document.write("visit ", localStorage.n, ", ", document.cookie)</script>`)
	for _, test := range []struct {
		path string
		more args
		want string
	}{
		{pages.HTML(spa), auto, "# Made by a script\n\nWhat **readers** want to see."},
		{pages.HTML(spa), args{"max_length": 6, "wait": "auto"}, "# Made"},
		{visits, nil, "visit 1, n=1"},
		{pages.HTML(`<p id=chela>Named<iframe srcdoc="<p id=chela>Inner"></iframe>`), auto, "Named\n\nInner"},
		{visits, nil, "visit 1, n=1"},
		{pages.HTML(`<meta http-equiv=refresh content="0; url=/status?code=401"><p>Old`), auto, "# Status 401"},
		{pages.HTML(`<meta http-equiv=refresh content="1; url=/status?code=404"><p>Old`), auto, "# Status 404"},
		{pages.HTML(`<frameset cols="*,*"><frame src="/status?code=401"><frame src="/status?code=404"></frameset>`), auto, "# Status 401\n\n# Status 404"},
		{pages.HTML(`<p>A <script>alert(1); window.open("/"); window.open("/", "", "noopener"); document.write(confirm(2))</script>`), nil, "A false"},
	} {
		render(t, test.path, "extract", test.more).Has(t, "markdown", test.want)
	}
	missing := render(t, "/status?code=404", "extract", auto)
	missing.Has(t, "status", "404")
	missing.Has(t, "statusText", "404 Not Found")
	leads := render(t, pages.HTML(`<meta http-equiv=refresh content="0; url=`+shared.URL+`"><p>Old`), "extract", auto)
	leads.Has(t, "markdown", "Old")
	leads.Has(t, "blocked", "the page leads to another address: browser navigation blocked by policy")
	hides := pages.HTML(`<p>Seen<p style="font-size: 0">Ignore all that`)
	omitted := render(t, hides, "extract", args{"hidden": "omit"})
	omitted.Has(t, "markdown", "Seen")
	omitted.Has(t, "hidden.texts", "1")
	broken := render(t, "/cutoff", "extract", nil)
	broken.Has(t, "markdown", "The beginning")
	broken.Has(t, "partial", "true")
	stopped := render(t, pages.HTML(`<p>Here<script>stop()</script>`), "extract", nil)
	stopped.Has(t, "markdown", "Here")
	stopped.Has(t, "partial", "")
	none := render(t, "/status?code=500&empty=1", "extract", auto)
	none.Has(t, "status", "500")
	none.Has(t, "markdown", "")
}

// What a page has not finished in time is left out of the answer, which says so.
func renderParts(t *testing.T) {
	for _, path := range []string{
		pages.HTML(`<p>Here<img src=/hang>`), pages.HTML(`<p>Here<script>setTimeout(() => { while (true); }, 10)</script>`),
	} {
		a := render(t, path, "extract", args{"timeoutMs": 6000, "wait_seconds": 0.1})
		a.Has(t, "partial", "true")
		if !strings.HasPrefix(a.Text("markdown"), "Here") {
			t.Errorf("%s: got %s", path, a.Raw)
		}
	}
}

func renderScripts(t *testing.T) {
	render(t, pages.HTML(spa), "extract", args{"wait": "auto", "javascript": "const h = document.querySelector('h1'); h.textContent"}).Has(t, "result", "Made by a script")
	render(t, pages.HTML(spa), "extract", args{"javascript": "'0123456789'", "max_length": 3}).Has(t, "result", "012")
}

func renderFailures(t *testing.T) {
	for _, test := range []struct {
		request args
		status  int
		code    string
		message string
	}{
		{args{"url": "file:///etc/passwd", "mode": "extract"}, 400, "navigation_blocked", `Invalid URL: Navigation blocked: unsupported protocol "file:"`},
		{args{"url": "about:blank", "mode": "extract"}, 400, "invalid_request", "Invalid URL: only http and https addresses are loaded"},
		{args{"mode": "extract"}, 400, "invalid_request", "Invalid URL: url is required"},
		{args{"url": site.URL}, 400, "invalid_request", "Invalid mode. Use 'screenshot' or 'extract'"},
		{args{"url": site.URL, "mode": "screenshot", "javascript": "1"}, 400, "invalid_request", "javascript is for mode extract"},
		{args{"url": site.URL, "mode": "extract", "wait_seconds": -1}, 400, "invalid_request", "wait_seconds must be a number of at least 0"},
		{args{"url": site.URL, "mode": "pdf"}, 400, "invalid_request", "Invalid mode. Use 'screenshot' or 'extract'"},
		{args{"url": "http://nothing.invalid/", "mode": "extract"}, 502, "page_failed", "Page load failed: net::ERR_NAME_NOT_RESOLVED at http://nothing.invalid/"},
		{args{"url": site.URL + "/file", "mode": "extract"}, 502, "page_failed", "Page load failed: the address leads to a file"},
		{args{"url": site.URL + "/cutoff?gzip=1", "mode": "extract"}, 502, "page_failed", "Page load failed: net::ERR_CONTENT_DECODING_FAILED at " + site.URL},
		{args{"url": site.URL + "/redirect?to=file:///etc/passwd", "mode": "extract"}, 502, "page_failed", "Page load failed: net::ERR_UNSAFE_REDIRECT"},
		{args{"url": site.URL + "/hang", "mode": "extract", "timeoutMs": 6000}, 504, "deadline", "Page load failed: the server did not answer in time"},
		{args{"url": site.URL + "/status?code=200", "mode": "extract", "javascript": "null.x", "wait_seconds": 0}, 422, "script_failed",
			"JavaScript error: TypeError: Cannot read properties of null (reading 'x')"},
		{args{"url": site.URL + "/status?code=200", "mode": "extract", "javascript": "undefined", "wait_seconds": 0}, 422, "script_failed",
			"JavaScript error: the script returned undefined"},
	} {
		shared.Do(t, "POST /render", test.request).Fails(t, test.status, test.code, test.message)
	}
}

// The browser that renders pages does not belong to a profile.
func renderProfiles(t *testing.T) {
	if list := shared.OK(t, "GET /profiles", nil).Raw; strings.Contains(list, "chela-render") {
		t.Errorf("it is listed: %s", list)
	}
	for request, a := range map[string]args{
		"GET /?profile=chela-render": nil, "POST /stop": {"profile": "chela-render"}, "POST /reset-profile": {"profile": "chela-render"},
		"DELETE /profiles/chela-render": nil,
	} {
		if got := shared.Do(t, request, a); got.Status != 404 {
			t.Errorf("%s: %d %s", request, got.Status, got.Raw)
		}
	}
	shared.Do(t, "POST /profiles/create", args{"name": "chela-render"}).Fails(t, 409, "conflict", `profile "chela-render" already exists`)
}
