package page_test

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// longest is how long a page may take to become quiet in a test where it should be quiet at once. A
// page that never becomes quiet would take all of this time.
const longest = 30 * time.Second

// becomesQuiet fails unless the page is quiet long before the longest time.
func becomesQuiet(t *tab.Tab) {
	t.Helper()
	began := time.Now()
	err := t.InTurn(2*longest, func(ctx context.Context) error {
		effects := t.Collect(ctx)
		defer effects.End()
		effects.AwaitQuiet(ctx, longest)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > longest/2 {
		t.Errorf("quiet after %v; requests under way: %q", took, page.UnderWay(t.Page))
	}
}

// A page becomes quiet although Chromium does not report the end of some requests.
func TestQuietWithoutReportOfTheEnd(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ name, script string }{
		{"a worker", `new Worker('/log.js')`},
		{"a worker that is missing", `new Worker('/missing.js')`},
		{"a module worker", `new Worker('/log.js', { type: 'module' })`},
		{"a worker that has ended", `new Worker('/log.js').terminate()`},
		{"a worker that waits for its server", `new Worker(URL.createObjectURL(new Blob(['fetch("' + location.origin + '/hang")'])))`},
		{"a busy worker", `new Worker(URL.createObjectURL(new Blob(['for (;;);'])))`},
		{"a worker in a worker", `new Worker(URL.createObjectURL(new Blob(['new Worker("' + location.origin + '/log.js")'])))`},
		{"a shared worker", `new SharedWorker('/log.js')`},
		{"a service worker", `navigator.serviceWorker.register('/log.js')`},
		{"a removed frame", `(() => { const f = document.createElement('iframe'); f.srcdoc = '<script>fetch("/hang")<' + '/script>';
			document.body.append(f); f.onload = () => f.remove(); })()`},
		{"a removed frame of another site", `(() => { const f = document.createElement('iframe');
			f.src = '` + tab.Elsewhere() + `/frame.html?fetch=/hang'; document.body.append(f); f.onload = () => f.remove(); })()`},
		{"another document in a frame", `(() => { const f = document.createElement('iframe');
			f.srcdoc = '<script>fetch("/hang")<' + '/script>'; document.body.append(f); f.onload = () => { f.onload = null;
			f.srcdoc = 'Next'; }; })()`},
		{"a navigation given up for another", `location = '/hang'; setTimeout(() => { location = '/status?code=204'; }, 50)`},
		{"an answer without content", `location = '/status?code=204'`},
		{"a stopped fetch", `fetch('/hang').catch(() => {}); setTimeout(() => stop(), 50)`},
		{"an aborted fetch", `(() => { const c = new AbortController(); fetch('/hang', { signal: c.signal }).catch(() => {});
			setTimeout(() => c.abort(), 50); })()`},
		{"a beacon", `navigator.sendBeacon('/hang')`},
		{"a stream of events", `new EventSource('/hang')`},
		{"a body that is not read", `fetch('/log.js').then(() => {})`},
		{"a preflight", `fetch('` + tab.Elsewhere() + `/log.js', { headers: { 'X-Extra': '1' } }).catch(() => {})`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tab.Run[any](tt, s.script+"; undefined")
			becomesQuiet(tt)
		})
	}
}

// If a page forbids scripts, no timer runs, not even ours.
func TestQuietWithoutScripts(t *testing.T) {
	becomesQuiet(tab.Open(t, pages.HTML("<p>Sand")+"&policy=sandbox"))
}

// A page that forbids scripts to parse HTML is waited for like others.
func TestQuietOfAPageWithTrustedTypes(t *testing.T) {
	tt := tab.Open(t, pages.HTML("<p>Sand")+"&policy="+url.QueryEscape("require-trusted-types-for 'script'"))
	tab.Run[any](tt, "setTimeout(() => document.body.append('done'), 200); undefined")
	err := tt.InTurn(longest, func(ctx context.Context) error {
		tt.AwaitSettled(ctx, time.Second)
		return nil
	})
	if text := tt.Text(); err != nil || !strings.Contains(text, "done") {
		t.Errorf("quiet too early: %v\n%s", err, text)
	}
}

// When a document is replaced, its requests are forgotten.
func TestQuietAfterAPageThatWaited(t *testing.T) {
	long.Test(t)
	for name, next := range map[string]string{"of the same site": tab.Site.URL, "of another site": tab.Elsewhere()} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, "/frame.html")
			tab.Run[any](tt, `fetch('/hang').catch(() => {}); undefined`)
			if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, next+"/form.html") }); err != nil {
				t.Fatal(err)
			}
			becomesQuiet(tt)
		})
	}
}

// A page that scrolls is not quiet: when the scroll ends, lists load more. The page here scrolls for
// longer than it must rest.
func TestQuietAwaitsScrolls(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/frame.html")
	for name, root := range map[string]string{"the document": "document.body", "a box in a shadow tree": "host.attachShadow({ mode: 'open' })"} {
		t.Run(name, func(t *testing.T) {
			tt := tt.For(t)
			tt.Write("<div id=host></div><p id=done></p>")
			tab.Run[any](tt, root+`.append(Object.assign(document.createElement('div'), { innerHTML: '<p style="height:9000px">Rows' }))`)
			tt.Text() // so the shadow root is known
			tab.Run[any](tt, `const list = host.shadowRoot?.firstChild;
				if (list) list.style.cssText = 'height: 200px; overflow: auto';
				const box = list ?? document.scrollingElement, from = Date.now();
				const step = () => {
					box.scrollTop++;
					if (Date.now() < from + 3000) setTimeout(step, 20); else done.textContent = 'done';
				};
				step()`)
			err := tt.InTurn(2*longest, func(ctx context.Context) error {
				tt.AwaitSettled(ctx, time.Second)
				return nil
			})
			if text := tt.Text(); err != nil || !strings.Contains(text, "done") {
				t.Errorf("quiet too early: %v\n%s", err, text)
			}
		})
	}
}

// A page that scrolls something all the time becomes quiet all the same.
func TestQuietOfAPageThatAlwaysScrolls(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write(`<div id=strip style="width:200px;overflow:hidden"><p style="width:90000px">Logos`)
	tab.Run[any](tt, `new Promise(resolve => {
		const from = Date.now();
		setInterval(() => {
			strip.scrollLeft++;
			if (Date.now() > from + 2000) resolve();
		}, 20);
	})`)
	began := time.Now()
	err := tt.InTurn(longest, func(ctx context.Context) error {
		tt.AwaitSettled(ctx, time.Second)
		return nil
	})
	if took := time.Since(began); err != nil || took > longest/2 {
		t.Errorf("got %v, quiet after %v", err, took)
	}
}

// What changes between an act and the wait for its end is an effect of the act.
func TestChangeBeforeTheWait(t *testing.T) {
	tt := tab.Open(t, "/form.html")
	err := tt.InTurn(longest, func(ctx context.Context) error {
		effects := tt.Collect(ctx)
		defer effects.End()
		if err := tt.Act(ctx, func(context.Context) error { return nil }); err != nil {
			return err
		}
		if begun := effects.Begun(); len(begun) != 0 {
			t.Errorf("the act has begun %q", begun)
		}
		if _, _, err := tt.Evaluate(ctx, "document.body.append('more')", nil); err != nil {
			return err
		}
		effects.AwaitQuiet(ctx, longest)
		if begun := effects.Begun(); !slices.Equal(begun, []string{page.Changed}) {
			t.Errorf("after the wait: %q", begun)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A call can wait for what a page does some time after the input.
func TestQuietAwaitsWhatComesLater(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/frame.html")
	const done = `done.textContent = 'done'`
	for _, s := range []struct{ name, onclick string }{
		{"a change by a timer", `setTimeout(() => { ` + done + ` }, 120)`},
		{"a change after a change", `this.title = 'x'; setTimeout(() => { ` + done + ` }, 300)`},
		{"a change after the next frame", `requestAnimationFrame(() => { this.title = 'x' }); setTimeout(() => { ` + done + ` }, 300)`},
		{"an answer", `fetch('/slow?ms=300').then(() => { ` + done + ` })`},
		{"a debounced request", `setTimeout(() => fetch('/slow?ms=200').then(() => { ` + done + ` }), 200)`},
		{"a request after another", `fetch('/log.js').then(() => fetch('/slow?ms=200')).then(() => { ` + done + ` })`},
		{"a change that begins others", `setTimeout(() => { this.title = 'x'; setTimeout(() => { ` + done + ` }, 60) }, 200)`},
		{"the end of a transition", `setTimeout(() => { this.style.cssText = 'opacity: 1; transition: opacity .4s'; this.offsetWidth;
			this.style.opacity = 0; this.ontransitionend = () => { ` + done + ` } }, 100)`},
		{"the end of an animation", `setTimeout(() => { this.animate([{ opacity: 0 }], 400).onfinish = () => { ` + done + ` } ;
			this.title = 'x' }, 100)`},
		{"the end of an animation without frames", `setTimeout(() => {
			this.title = 'x'; this.animate([{ opacity: 0 }], 300).onfinish = () => { ` + done + ` };
			setTimeout(() => document.startViewTransition(() => new Promise(resolve => setTimeout(resolve, 600))), 150) }, 100)`},
		{"a change in a frame", `setTimeout(() => { frames[0].document.body.textContent = 'x'; ` + done + ` }, 200)`},
		{"an address, then a change", `setTimeout(() => { history.pushState(0, '', '#x'); setTimeout(() => { ` + done + ` }, 60) }, 200)`},
		{"another document", `setTimeout(() => { location = '/echo?done' }, 200)`},
		{"a change after an image", `document.body.append(Object.assign(new Image(), { src: '/slow?ms=70' })); setTimeout(() => { ` + done + ` }, 500)`},
		{"a change after a style", `document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/slow?ms=70' })); setTimeout(() => { ` + done + ` }, 500)`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tt.For(t)
			tt.Visit("/frame.html")
			tab.Run[any](tt, `document.body.insertAdjacentHTML('beforeend', '<p id=done></p><iframe srcdoc=x></iframe>'); undefined`)
			tab.Run[any](tt, "document.querySelector('button').onclick = function () { "+s.onclick+" }; undefined")
			ref := tt.Ref(`button "Press"`)
			began := time.Now()
			err := tt.InTurn(2*longest, func(ctx context.Context) error {
				effects := tt.Collect(ctx)
				defer effects.End()
				effects.AwaitLater()
				err := tt.Act(ctx, func(ctx context.Context) error {
					el, err := tt.Element(ctx, ref)
					if err != nil {
						return err
					}
					return el.Click(ctx, page.Click{})
				})
				effects.AwaitQuiet(ctx, longest)
				return err
			})
			if took := time.Since(began); err != nil || took > longest/2 {
				t.Fatalf("quiet after %v: %v", took, err)
			}
			if text := tt.Text(); !strings.Contains(text, "done") {
				t.Errorf("quiet too early:\n%s", text)
			}
		})
	}
}
