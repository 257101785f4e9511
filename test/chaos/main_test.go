// Package chaos tests what holds when much happens at once and things die meanwhile. There is no
// act on a wrong element, no call unanswered, and no ok without effect.
//
// Its tests are small by default; make chaos runs them in full.
package chaos

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"chela/test/chromium"
	"chela/test/service"
)

var (
	seed  = flag.Uint64("seed", 1, "what the random choices of the tests follow from")
	kills = flag.Int("kills", 4, "processes to kill")
	ops   = flag.Int("ops", 150, "operations of the soak")
	tabs  = flag.Int("tabs", 10, "tabs that are open at once")

	agents   = flag.Int("agents", 8, "agents that call one server at once")
	agentOps = flag.Int("agentops", 8, "operations of each of them")
	profiles = flag.Int("profiles", 2, "browsers that they use")

	opens = flag.Int("opens", 60, "tabs that sessions open from one page")

	renders = flag.Int("renders", 8, "pages to render")

	serverKills = flag.Int("serverkills", 2, "how often the server is killed")

	places = flag.Int("places", 5, "places in a day at which the browser or the server is killed")
)

type args = service.Args

func TestMain(m *testing.M) {
	chromium.PreferShell()
	service.BeProgram()
	flag.Parse()
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// random returns a source of choices. Each worker has one of its own, by its number.
func random(who int) *rand.Rand { return rand.New(rand.NewPCG(*seed, uint64(who))) }

// A site serves pages that report what is done to them, before the act ends.
type site struct {
	*httptest.Server

	mu   sync.Mutex
	told map[string][]string // what the pages have told the server, by page
}

// buttons is the number of buttons of a page. The page makes them again all the time, in another
// order.
const buttons = 12

func newSite(t *testing.T) *site {
	s := &site{told: map[string][]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/tell", func(_ http.ResponseWriter, r *http.Request) {
		what, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told[r.FormValue("page")] = append(s.told[r.FormValue("page")], string(what))
	})
	mux.HandleFunc("/html", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, r.FormValue("is"))
	})
	mux.HandleFunc("/page/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>page</title><h1>Page %[1]s</h1><input aria-label="Name"><div id=list></div><script>
function tell(what) { const x = new XMLHttpRequest(); x.open('POST', '/tell?page=%[1]s', false); x.send(what); }
document.querySelector('input').oninput = event => tell('typed ' + event.target.value);
const all = Array.from({length: %[2]d}, (_, i) => i);
function button(i) { const b = document.createElement('button'); b.textContent = 'Button ' + i + '.'; b.onclick = () => tell('clicked ' + i); return b; }
list.append(...all.map(button));
const calm = location.pathname.startsWith('/page/c'); // where there are many
if (!calm) setInterval(() => { const at = Math.floor(Math.random() * all.length); list.append(list.children[at]); }, 20);
if (!calm) setInterval(() => { const old = list.children[Math.floor(Math.random() * all.length)]; old.replaceWith(button(parseInt(old.textContent.slice(7)))); }, 400);
</script>`, strings.TrimPrefix(r.URL.Path, "/page/"), buttons)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// page is the address of a page.
func (s *site) page(name string) string { return s.URL + "/page/" + name }

// taken returns what a page has reported since the last call.
func (s *site) taken(page string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	told := s.told[page]
	delete(s.told, page)
	return told
}
