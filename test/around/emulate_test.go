package around

import (
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// emulated serves pages that first of all note how the browser looks to their scripts and requests.
// It also serves workers that report the same when they are asked.
func emulated(t *testing.T) *httptest.Server {
	const look = `const look = async () => { const o = Intl.DateTimeFormat().resolvedOptions(); return [o.timeZone, o.locale, navigator.language, await fetch('/asked').then(r => r.text(), e => 'no answer')].join(' ') }
`
	files := map[string]string{
		"/dedicated.js": look + "onmessage = async () => postMessage(await look())",
		"/shared.js":    look + "onconnect = ({ports: [port]}) => port.onmessage = async () => port.postMessage(await look())",
		"/service.js":   look + "onmessage = async ({ports: [port]}) => port.postMessage(await look())",
		"/frame":        `<script>` + look + `look().then(text => parent.postMessage(text, '*'))</script>`,
		"/": `<!doctype html><meta name="viewport" content="width=device-width"><body><script>` + look + `
			const first = [matchMedia('(prefers-color-scheme: dark)').matches, devicePixelRatio, innerWidth, navigator.maxTouchPoints].join(' ')
			const answer = (target, send) => new Promise(resolve => { target.onmessage = event => resolve(event.data); send() })
			const frame = () => new Promise(resolve => { onmessage = event => resolve(event.data); document.body.append(Object.assign(document.createElement('iframe'), {src: 'http://localhost:' + location.port + '/frame'})) })
			let d, s, w
			const start = async () => {
				d = new Worker('/dedicated.js'); s = new SharedWorker('/shared.js').port
				w = (await navigator.serviceWorker.register('/service.js')).installing
				await new Promise(resolve => w.onstatechange = () => w.state === 'activated' && resolve())
				return workers()
			}
			const workers = async () => {
				const c = new MessageChannel()
				return (await Promise.all([answer(d, () => d.postMessage(0)), answer(s, () => s.postMessage(0)), answer(c.port1, () => w.postMessage(0, [c.port2]))])).join('; ')
			}</script>`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/asked" {
			agent := r.UserAgent()
			if strings.Contains(agent, "Pixel 7") {
				agent = "Pixel"
			}
			fmt.Fprint(w, strings.Split(r.Header.Get("Accept-Language"), ",")[0], " ", agent)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".js") {
			w.Header().Set("Content-Type", "text/javascript")
		}
		io.WriteString(w, files[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return server
}

// Settings are in force in documents from their first script and request on. They are in force in
// frames of other sites, in each kind of worker, and in tabs that pages open. They stay after the
// browser was killed, but not after it was stopped.
func TestSettingsAreInForceEverywhere(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s, site := service.Own(t, ""), emulated(t)
	const look, all = "Asia/Tokyo de-DE de-DE de-DE Pixel", `{"device": "Pixel 7", "timezoneId": "Asia/Tokyo", "locale": "de_DE", "colorScheme": "dark"}`
	tab := s.Open(t, "about:blank")
	if got := s.OK(t, "POST /set", args{"device": "pixel 7", "timezoneId": "Asia/Tokyo", "locale": "de_DE", "colorScheme": "dark"}).Text("applied"); got != "device colorScheme timezoneId locale" {
		t.Errorf("applied %s of %s", got, all)
	}
	expect := func(where string, tab *service.Tab) {
		t.Helper()
		for what, want := range map[string]string{"first": "true 2.625 412 5", "look()": look, "frame()": look} {
			if got := tab.Eval(what); got != want {
				t.Errorf("%s, %s: %s, want %s", where, what, got, want)
			}
		}
	}
	tab.OK("POST /navigate", args{"url": site.URL})
	expect("the tab", tab)
	if got, want := tab.Eval("start()"), strings.Join([]string{look, look, look}, "; "); got != want {
		t.Errorf("the workers:\n%s, want\n%s", got, want)
	}
	opened := tab.Act("evaluate", args{"fn": "void open('/')"})
	expect("a tab that the page has opened", s.Tab(t, opened.Text("newTabs.0.tabId")))

	tab.OK("POST /set/timezone", args{"timezoneId": "Europe/Rome"})
	if got := tab.Eval("workers()"); strings.Count(got, "Europe/Rome") != 3 {
		t.Errorf("the workers, changed: %s", got)
	}
	tab.OK("POST /set/timezone", args{"timezoneId": "Asia/Tokyo"})
	s.Saved(t, "Asia/Tokyo")
	s.KillBrowser(t)
	s.OK(t, "GET /set", nil).Has(t, "device", "Pixel 7")
	s.Reopened(t, tab.ID)
	expect("after the browser was killed", tab)

	s.OK(t, "POST /stop", nil)
	if got := s.OK(t, "GET /set", nil).Raw; got != `{"ok":true}` {
		t.Errorf("after the browser was stopped: %s", got)
	}
	fresh := s.Open(t, site.URL)
	if got := fresh.Eval("first"); !strings.HasPrefix(got, "false 1 ") {
		t.Errorf("after the browser was stopped: %s", got)
	}
}

// Offline, no request of any tab or worker gets through. What is tried fails at once.
func TestOffline(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s, site := service.Own(t, ""), emulated(t)
	tab, other := s.Open(t, site.URL), s.Open(t, pages.Elsewhere(site.URL))
	tab.Eval("start()")
	asked := tab.OK("GET /requests", args{"filter": "/asked"})
	tab.OK("POST /set/offline", args{"offline": true})
	if asked.Count("requests") != 3 {
		t.Errorf("the workers have sent %s", asked.Raw)
	}
	for i := range asked.Count("requests") { // the bodies of workers are kept
		got := tab.OK("GET /requests/"+asked.Text(fmt.Sprintf("requests.%d.id", i)), nil)
		if body := got.Text("request.body"); body == "" {
			t.Errorf("no body: %s", got.Raw)
		}
	}
	for where, got := range map[string]string{
		"the tab": tab.Eval("look()"), "another tab": other.Eval("look()"), "the state": fmt.Sprint(!strings.Contains(tab.Eval("navigator.onLine"), "true"), " no answer"),
	} {
		if !strings.HasSuffix(got, "no answer") || strings.HasPrefix(got, "false") {
			t.Errorf("%s: %s", where, got)
		}
	}
	if got := tab.Eval("workers()"); strings.Count(got, "no answer") != 3 {
		t.Errorf("the workers: %s", got)
	}
	other.Do("POST /navigate", args{"url": pages.Elsewhere(site.URL)}).Fails(t, 502, "page_failed", "ERR_INTERNET_DISCONNECTED")
	s.OK(t, "GET /set", nil).Has(t, "offline", "true")
	tab.OK("POST /set/offline", args{"offline": "off"})
	if got := tab.Eval("workers()"); strings.Contains(got, "no answer") {
		t.Errorf("the workers, connected again: %s", got)
	}
}

// Pages of the origins that were named get the position without a question to the user.
func TestGeolocation(t *testing.T) {
	s, site := shared, emulated(t)
	const where = `new Promise(resolve => navigator.geolocation.getCurrentPosition(p => resolve([p.coords.latitude, p.coords.longitude, p.coords.accuracy].join(' ')), e => resolve(e.code + ''), {timeout: 5000}))`
	tab := s.Open(t, site.URL)
	tab.OK("POST /set/geolocation", args{"latitude": -33.8, "longitude": 151, "accuracy": 10}).Has(t, "state", "set")
	if got := tab.Eval(where); got != "-33.8 151 10" {
		t.Errorf("the tab: %s", got)
	}
	const allowed = `navigator.permissions.query({name: 'geolocation'}).then(p => p.state)`
	other := s.Open(t, pages.Elsewhere(site.URL))
	if got := other.Eval(allowed); got != "prompt" {
		t.Errorf("another origin: %s", got)
	}
	tab.OK("POST /set/geolocation", args{"latitude": 1, "longitude": 2, "origin": pages.Elsewhere(site.URL) + "/path"})
	if got := other.Eval(allowed) + tab.Eval(allowed) + other.Eval(where); got != "grantedgranted1 2 0" {
		t.Errorf("both origins: %s", got)
	}
	tab.OK("POST /set/geolocation", args{"clear": true}).Has(t, "state", "cleared")
	if got := other.Eval(allowed) + tab.Eval(allowed); got != "promptprompt" {
		t.Errorf("cleared: %s", got)
	}
}

// Style sheets find the media features that were set. A later call does not change those that it
// leaves out.
func TestMedia(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	tab := s.Open(t, "about:blank")
	const look = `['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(prefers-contrast: more)', '(forced-colors: active)'].map(q => +matchMedia(q).matches).join('')`
	for _, c := range []struct {
		set  args
		want string
	}{
		{args{"colorScheme": "dark"}, "01000"},
		{args{"media": "print", "reducedMotion": "reduce"}, "11100"},
		{args{"colorScheme": "light", "contrast": "more", "forcedColors": "active"}, "10111"},
		{args{"media": "none", "contrast": "none", "forcedColors": "none"}, "00100"},
		{args{"colorScheme": "none", "reducedMotion": "none"}, "00000"},
	} {
		tab.OK("POST /set/media", c.set)
		if got := tab.Eval(look); got != c.want {
			t.Errorf("%v: %s, want %s", c.set, got, c.want)
		}
	}
}

// Pages have a mouse, also where the machine has none. Otherwise style sheets would not show what
// appears when the mouse is over an element, and date pickers would be those of a phone. While a
// device with a touch screen is emulated, pages have that screen in place of the mouse. A page that
// was shown on the device has the mouse again when it is loaded again.
func TestPointer(t *testing.T) {
	t.Parallel()
	s := service.Own(t, `{browser: {noSandbox: true, headless: true, extraArgs: ["--blink-settings=minimumFontSize=1"]}}`)
	tab := s.Open(t, html("<p>Text"))
	const look = `["(hover: hover)", "(any-hover: hover)", "(pointer: fine)", "(any-pointer: fine)", "(pointer: coarse)"].map(q => Number(matchMedia(q).matches)).join("")`
	mouse := func(when string) {
		t.Helper()
		if got := tab.Eval(look); got != "11110" {
			t.Errorf("%s: %s", when, got)
		}
	}
	mouse("without settings")
	tab.OK("POST /set/device", args{"name": "iphone 14"})
	if got := tab.Eval(look); got != "00001" {
		t.Errorf("with a device: %s", got)
	}
	tab.Eval("document.body.style.height = '3000px'")
	tab.OK("POST /screenshot", args{"fullPage": true})
	if got := tab.Eval(look); got != "00001" {
		t.Errorf("with a device, after a screenshot of the whole page: %s", got)
	}
	tab.OK("POST /set/device", args{"clear": true})
	tab.OK("POST /reload", nil)
	mouse("without the device")
}

// On a mobile device with three pixels for each CSS pixel, elements are acted on where they are
// drawn. That also holds on a page that is made for wide windows, which the device zooms out of.
func TestDevice(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	tab := s.Open(t, html(`<body style="margin:0"><div style="height:2600px;position:relative">`,
		`<button style="position:absolute;left:700px;top:1400px;width:60px;height:40px;background:#0f0;border:0" onclick="textContent='Hit far'">Far</button>`,
		`<button style="position:absolute;left:12px;top:20px;width:60px;height:40px;background:#0f0;border:0" onclick="textContent='Hit near'">Near</button></div>`))
	tab.OK("POST /act", args{"kind": "resize", "width": 900, "height": 600}) // the size of the device replaces this size
	tab.OK("POST /set/device", args{"name": "iphone 14"}).Has(t, "device", "iPhone 14")
	tab.OK("POST /reload", nil)
	if got := tab.Eval("[innerWidth, devicePixelRatio, navigator.platform, navigator.maxTouchPoints, screen.width, screen.height].join(' ')"); got != "980 3 iPhone 5 390 844" {
		t.Errorf("the page sees %s", got)
	}
	green := func(a service.Answer) (count int) {
		f, err := os.Open(a.Text("path"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, _, err := image.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 9 { // points of the box in the answer
			box := func(name string) float64 { v, _ := a.Get("annotations.0.box." + name).(float64); return v }
			x, y := int(box("x")+box("width")*float64(1+i%3)/4), int(box("y")+box("height")*float64(1+i/3)/4)
			if r, g, b, _ := img.At(x, y).RGBA(); g > 0xb000 && r < 0x6000 && b < 0x6000 {
				count++
			}
		}
		return count
	}
	tab.Click("Near", nil)
	tab.Click("Far", nil)
	if got := tab.Eval("[...document.querySelectorAll('button')].map(b => b.textContent).join()"); got != "Hit far,Hit near" {
		t.Errorf("after the clicks: %s", got)
	}
	if a := tab.OK("POST /screenshot", args{"labels": true}); green(a) < 5 {
		t.Errorf("the box of the first label is not where its button is: %s", a.Raw)
	}

	tab.Act("resize", args{"width": 500, "height": 400})
	if got := tab.Eval("[outerWidth, devicePixelRatio].join(' ')"); got != "500 3" {
		t.Errorf("resized: %s", got)
	}
	tab.OK("POST /set/device", args{"clear": true})
	if got := tab.Eval("[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints].join(' ')"); got != "500 400 1 0" {
		t.Errorf("the device is cleared, the size is not: %s", got)
	}
	tab.OK("POST /set", args{"device": "none", "colorScheme": "dark"})
	if got := tab.Eval("[innerWidth, innerHeight].join(' ')"); got != "500 400" {
		t.Errorf("without a device: %s", got)
	}
	tab.OK("POST /set", args{"device": "iphone 14"})
	if got := tab.Eval("[outerWidth, devicePixelRatio].join(' ')"); got != "390 3" {
		t.Errorf("with a device again: %s", got)
	}
}

// Nothing covers an element that no point of the viewport shows.
func TestActInANarrowViewport(t *testing.T) {
	tab := shared.Open(t, html(`<button style="margin-left: 40px">One</button><button>Two</button>`))
	one, two := tab.Ref("One"), tab.Ref("Two")
	tab.OK("POST /act", args{"kind": "resize", "width": 1, "height": 8192})
	for _, act := range []args{{"kind": "click", "ref": one}, {"kind": "drag", "startRef": one, "endRef": two}} {
		act["timeoutMs"] = 1000
		if a := tab.Do("POST /act", act); a.Status != 200 { // Chromium may show a column of it
			a.Fails(t, 422, "ACT_OPERATION_FAILED", "it cannot be scrolled into view")
		}
	}
}
