package dashboard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// views has a script for each view, by its path. The script is true when the view shows its
// contents.
var views = map[string]string{
	"":               `document.querySelectorAll(".card img[src]").length === 2`,
	"sessions":       `document.querySelectorAll(".session").length === 1`,
	"calls":          `document.querySelectorAll(".call").length >= 3`,
	"questions":      `document.querySelector("h1").textContent === "Questions"`,
	"doctor":         `document.querySelector(".check") !== null && !document.querySelector(".lead").textContent.startsWith("Looking")`,
	"settings":       `document.querySelector(".setting") !== null`,
	"tab/chela/t1":   `document.querySelector(".stage img[src]") !== null`,
	"tab/chela/none": `document.querySelector(".stage-state").textContent === "The tab is closed."`,
}

// each shows each view, and the page of a guest, in the color schemes and at three widths. It calls
// look for each of these.
func each(t *testing.T, schemes []string, look func(tab *service.Tab, where string)) {
	watched := service.WithDashboard(t, "")
	agent := watched.In("shopper").Open(t, site.URL+"/form.html")
	agent.Do("POST /act", args{"kind": "click", "ref": "e99"})
	watched.Open(t, site.URL+pages.HTML("<title>"+strings.Repeat("A title ", 40)+"</title>"))
	tab := enter(t, watched)
	share := watched.Local(t, "/dashboard/shares/new", args{"targetId": agent.ID, "forMs": 600_000})
	guest := person.In("a-guest").Open(t, share.Text("url"))
	takeOver(guest, agent)
	for _, scheme := range schemes {
		for _, each := range []*service.Tab{tab, guest} {
			each.OK("POST /set/media", args{"colorScheme": scheme})
		}
		for _, width := range []int{360, 900, 1600} {
			for _, each := range []*service.Tab{tab, guest} {
				each.Act("resize", args{"width": width, "height": 900})
			}
			sees(guest, `document.querySelector(".tab-view.held .stage img[src]") !== null`, "true")
			look(guest, scheme+", the page of a guest")
			for path, shown := range views {
				show(tab, path)
				sees(tab, shown, "true")
				look(tab, scheme+", "+path)
			}
		}
	}
	calm(tab)
	calm(guest)
}

// No view is wider than the window. One color scheme is enough, since only colors depend on it.
func TestWidths(t *testing.T) {
	long.Test(t)
	each(t, []string{"light"}, func(tab *service.Tab, where string) {
		if got := tab.Eval(`() => String(document.documentElement.scrollWidth - innerWidth > 0)`); got != "false" {
			t.Errorf("%s is wider than the window of %s", where, tab.Eval(`() => String(innerWidth)`))
		}
	})
}

// TestAccessible is run by `make realworld`, which fetches axe-core.
func TestAccessible(t *testing.T) {
	folder := os.Getenv("CHELA_TEST_AXE")
	if folder == "" {
		t.Skip("make realworld runs this")
	}
	axe, err := os.ReadFile(filepath.Join(folder, "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	each(t, []string{"light", "dark"}, func(tab *service.Tab, where string) {
		tab.Eval("() => { if (!window.axe) {" + string(axe) + "}; return true }")
		found := tab.Act("evaluate", args{"timeoutMs": 60_000, "fn": "async () => (await axe.run()).violations.map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | ')).join('\\n')"})
		if text := found.Text("result"); text != "" {
			t.Errorf("%s, %s pixels: %s", where, tab.Eval(`() => String(innerWidth)`), text)
		}
	})
}

// The link to the content moves the focus there, and stays in the view.
func TestSkipLink(t *testing.T) {
	tab := enter(t, watched)
	show(tab, "calls")
	sees(tab, `document.querySelector("h1")?.textContent`, "Calls")
	tab.Eval(`() => {
		document.querySelector(".skip").click()
		return new Promise(done => setTimeout(done)) // a change of the hash comes as an event
	}`)
	sees(tab, `document.querySelector("h1")?.textContent + " " + document.activeElement.id`, "Calls main")
	calm(tab)
}
