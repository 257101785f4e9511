package rerender

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"chela/test/service"
)

// scripts is the folder with the scripts of the frameworks, which `make realworld` builds.
var scripts = os.Getenv("CHELA_TEST_RERENDER")

var (
	shared *service.Service
	served = &site{scripts: scripts, apps: map[string]*app{}}
	at     string // address of the site
)

func TestMain(m *testing.M) {
	if scripts == "" {
		fmt.Println("not run: see make realworld")
		return
	}
	os.Exit(service.Main(m, served.handler(), func(alive, _ *service.Service, on *httptest.Server) { shared, at = alive, on.URL }))
}

var frameworks = []string{"react", "vue", "svelte", "lit", "htmx"}

// acts are clicks on controls, which are given by the words of where they are and by what they say.
var acts = [][2]string{
	{"Fix the login page", "Done"}, {"Test the search", "Assign"}, {"Test the search", "Bob"}, {"table", "Name"},
	{"Review invoices", "Done"}, {"Translate the import of orders", "Delete"}, {"Show", "Open"}, {"Measure the start page", "Done"},
	{"Show", "All"}, {"Fix the search", "Select"}, {"Fix invoices", "Select"}, {"People, Ann", "Follow"}, {"People, Bob", "Greet"},
	{"Projects, Website", "Collapse"}, {"Projects, App", "Star"}, {"Projects, Website", "Expand"}, {"Issues", "Add"}, {"table", "Person"},
	{"Main", "Archive"}, {"Main", "Issues"}, {"Describe the login page", "Delete"}, {"Simplify the search", "Assign"}, {"Simplify the search", "Cancel"},
	{"Show", "Done"}, {"Fix the import of orders", "Reopen"}, {"Show", "All"}, {"Restore invoices", "Done"}, {"table", "State"},
	{"Secure the start page", "Delete"}, {"Projects, Website/Shop", "Star"}, {"table", "Name"},
}

// leastValid is how many of the refs whose elements are still there must be valid, per cent.
const leastValid = 95

// After each act, refs mean what they meant, or nothing. Either acts alone carry refs over, or the
// page is also read after each.
func TestRefsOutliveRerendering(t *testing.T) {
	for _, framework := range frameworks {
		t.Run(framework+" by acts", func(t *testing.T) { outlive(t, framework, false) })
		t.Run(framework+" by readings", func(t *testing.T) { outlive(t, framework, true) })
	}
}

func outlive(t *testing.T, framework string, reads bool) {
	a := begin(t, framework)
	for _, act := range acts {
		a.click(act[0], act[1])
		if reads {
			a.Snapshot()
		}
		a.check(strings.Join(act[:], ": "))
		if reads {
			a.note()
		}
	}
	t.Logf("%d of %d refs were valid: %.1f %%; lost: %v", a.valid, a.there, 100*float64(a.valid)/float64(a.there), a.lost)
	if a.valid*100 < a.there*leastValid {
		t.Errorf("less than %d %% of the refs outlived it", leastValid)
	}
}

// mostTokens is how many tokens the delta after a click may have. The click changes a row, the
// number of open issues, the card of a person and the message.
const mostTokens = 200

func TestDeltaIsSmall(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			a := begin(t, framework)
			delta := a.Act("click", service.Args{"ref": a.ref("Fix the login page", "Done"), "snapshot": "delta"}).Text("delta")
			n, err := codec.Count(delta)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d tokens\n%s", n, delta)
			if n > mostTokens {
				t.Errorf("more than %d tokens", mostTokens)
			}
		})
	}
}
