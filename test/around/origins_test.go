package around

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"chela/test/service"
)

// A witness is a site that notes which requests it gets, and which of them have headers or logins
// that were set for another site.
type witness struct {
	*httptest.Server

	mu      sync.Mutex // guards the rest
	paths   []string
	leaking []string
}

func newWitness(t *testing.T, secrets ...string) *witness {
	w := new(witness)
	w.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.paths = append(w.paths, r.URL.Path)
		for _, name := range secrets {
			if r.Header.Get(name) != "" {
				w.leaking = append(w.leaking, name+" at "+r.URL.Path)
			}
		}
		w.mu.Unlock()
		switch {
		case r.URL.Path == "/redirect":
			http.Redirect(out, r, r.FormValue("to"), http.StatusFound)
		case r.URL.Path == "/login" && r.Header.Get("Authorization") == "":
			out.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			out.WriteHeader(http.StatusUnauthorized)
		case strings.HasSuffix(r.URL.Path, ".js"):
			out.Header().Set("Content-Type", "text/javascript")
			io.WriteString(out, r.FormValue("script"))
		default:
			out.Header().Set("Content-Type", "text/html")
			io.WriteString(out, r.FormValue("html"))
		}
	}))
	t.Cleanup(func() { w.CloseClientConnections(); w.Close() })
	return w
}

func (w *witness) saw(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.paths, path)
}

// asksElsewhere is a page that sends requests to another site in every way there is, directly and
// by a redirect of its own site.
const asksElsewhere = `<iframe name=target></iframe><form id=form target=target method=post action="ELSEWHERE/form"></form><script>
	const at = (way, how) => { for (const address of ['ELSEWHERE/' + way, '/redirect?to=ELSEWHERE/' + way + '-redirected']) how(address) };
	const add = (tag, name) => address => { const el = document.createElement(tag); el[name] = address; document.body.append(el) };
	const script = address => "fetch('" + new URL(address, location) + "', {mode: 'no-cors'})";
	at('image', add('img', 'src'));
	at('frame', add('iframe', 'src'));
	at('script', add('script', 'src'));
	at('fetch', address => fetch(address, {mode: 'no-cors'}));
	at('beacon', address => navigator.sendBeacon(address));
	at('popup', address => open(address));
	at('worker', address => new Worker(URL.createObjectURL(new Blob([script(address)]))));
	at('shared', address => new SharedWorker('/shared.js?script=' + encodeURIComponent(script(address))));
	navigator.serviceWorker.register('/service.js?script=' + encodeURIComponent(script('ELSEWHERE/service') + ';' + script('/redirect?to=ELSEWHERE/service-redirected')));
	form.submit();
</script>`

// Headers and logins go to the origin that they were set for, and nowhere else. They do not follow
// a redirect to another site, and are not sent to other sites that its pages load or open.
func TestHeadersStayAtTheirOrigin(t *testing.T) {
	own, other := newWitness(t), newWitness(t, "X-Secret", "Authorization")
	tab := shared.Open(t, own.URL)
	defer func() {
		for _, name := range []string{"headers", "credentials"} {
			shared.OK(t, "POST /set/"+name, args{"headers": args{}, "clear": true})
		}
		list := shared.OK(t, "GET /tabs", nil)
		for i := range list.Count("tabs") {
			if at := fmt.Sprintf("tabs.%d.", i); strings.HasPrefix(list.Text(at+"url"), other.URL) {
				shared.OK(t, "DELETE /tabs/"+list.Text(at+"tabId"), nil)
			}
		}
	}()
	tab.OK("POST /set/headers", args{"headers": args{"X-Secret": "s"}})
	tab.OK("POST /set/credentials", args{"username": "Ada", "password": "lovelace"})
	tab.OK("POST /navigate", args{"url": own.URL + "/login"})
	if !own.saw("/login") {
		t.Fatal("not logged in")
	}
	tab.OK("POST /navigate", args{"url": own.URL + "/?html=" + url.QueryEscape(strings.ReplaceAll(asksElsewhere, "ELSEWHERE", other.URL))})
	for _, way := range []string{"image", "frame", "script", "fetch", "beacon", "popup", "worker", "shared", "service"} {
		for _, path := range []string{"/" + way, "/" + way + "-redirected"} {
			service.Eventually(t, fmt.Sprintf("%s is asked for", path), func() bool { return other.saw(path) })
		}
	}
	tab.Do("POST /navigate", args{"url": own.URL + "/redirect?to=" + other.URL + "/login"})
	if !other.saw("/login") || !other.saw("/form") {
		t.Errorf("the other site was asked for %v only", other.paths)
	}
	if len(other.leaking) > 0 {
		t.Errorf("sent elsewhere: %v", other.leaking)
	}
}

// Settings for the first origin that a session opens wait for that session: another one opens its
// own sites without them.
func TestFirstOriginIsOfTheSession(t *testing.T) {
	own, other := newWitness(t), newWitness(t, "X-Secret", "Authorization")
	a, b := shared.In("a"), shared.In("b")
	defer func() {
		for _, name := range []string{"headers", "credentials"} {
			shared.OK(t, "POST /set/"+name, args{"headers": args{}, "clear": true})
		}
		for _, s := range []string{"a", "b"} {
			shared.OK(t, "POST /sessions/end", args{"session": s})
		}
	}()
	a.OK(t, "POST /tabs/open", args{"url": "about:blank"})
	a.OK(t, "POST /set/headers", args{"headers": args{"X-Secret": "s"}}).Has(t, "origins", "first:a")
	a.OK(t, "POST /set/credentials", args{"username": "Ada", "password": "lovelace"}).Has(t, "origins", "first:a")
	b.OK(t, "POST /tabs/open", args{"url": other.URL + "/login"}).Has(t, "status", "401")
	if len(other.leaking) > 0 {
		t.Errorf("another session sends them: %v", other.leaking)
	}
	a.OK(t, "POST /tabs/open", args{"url": own.URL + "/login"}).Has(t, "status", "200")
	shared.OK(t, "GET /set", nil).Has(t, "headers.0.origin", own.URL)
}
