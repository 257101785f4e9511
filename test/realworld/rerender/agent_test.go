package rerender

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chela/test/service"
)

// An agent uses the application of a framework by refs, and knows what each of them means.
type agent struct {
	*service.Tab
	framework    string
	means        map[string]string // what each ref means: the data-t of its element; "" for an element without it
	refs         map[string]string // the last ref for each data-t
	valid, there int               // there counts the refs whose elements were still on the page, and valid those that still worked
	lost         map[string]int    // how often a ref was not valid, by its data-t
}

// begin opens the application, and reads it.
func begin(t *testing.T, framework string) *agent {
	a := &agent{Tab: shared.Open(t, at+"/"+framework+"/"), framework: framework, means: map[string]string{}, refs: map[string]string{}, lost: map[string]int{}}
	a.Act("wait", service.Args{"text": "Secure the start page"})
	a.note()
	return a
}

var refPattern = regexp.MustCompile(`\[ref=(\w+)\]`)

// note reads the page, and finds out what new refs mean.
func (a *agent) note() {
	a.Helper()
	var unknown []string
	for _, found := range refPattern.FindAllStringSubmatch(a.Snapshot(), -1) {
		if _, ok := a.means[found[1]]; !ok {
			unknown = append(unknown, found[1])
		}
	}
	for ref, t := range a.ask(unknown) {
		a.means[ref] = t
		if t != "" {
			a.refs[t] = ref
		}
	}
}

// ask returns the data-t of the elements that refs mean now. Refs that mean nothing are left out.
func (a *agent) ask(refs []string) map[string]string {
	a.Helper()
	is := map[string]string{}
	for some := range slices.Chunk(refs, 100) {
		var actions []service.Args
		for _, ref := range some {
			actions = append(actions, service.Args{"kind": "evaluate", "ref": ref, "fn": "el => el.dataset.t ?? ''"})
		}
		answer := a.Act("batch", service.Args{"actions": actions, "stopOnError": false, "timeoutMs": 20_000})
		if answer.Count("results") != len(some) {
			a.Fatalf("not all refs were tried: %s", answer.Raw)
		}
		for i, ref := range some {
			at := fmt.Sprintf("results.%d.", i)
			if answer.Text(at+"error") == "" {
				is[ref] = answer.Text(at + "result")
			}
		}
	}
	return is
}

// onPage counts the elements of the page by their data-t.
func (a *agent) onPage() map[string]int {
	a.Helper()
	var all []string
	if err := json.Unmarshal([]byte(a.Eval("JSON.stringify(Array.from(document.querySelectorAll('[data-t]'), el => el.dataset.t))")), &all); err != nil {
		a.Fatal(err)
	}
	count := map[string]int{}
	for _, t := range all {
		count[t]++
	}
	return count
}

// find returns the data-t of the only control that is labelled as in says, and whose surroundings
// have the words in around.
func (a *agent) find(around, says string) string {
	a.Helper()
	var found []string
	for t := range a.onPage() {
		if before, ok := strings.CutSuffix(t, ": "+says); ok && strings.Contains(", "+before+",", ", "+around+",") {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		a.Fatalf("%s: %s may be %q", around, says, found)
	}
	return found[0]
}

// ref returns the old ref of a control, or reads the page if it has none.
func (a *agent) ref(around, says string) string {
	a.Helper()
	t := a.find(around, says)
	if a.refs[t] == "" {
		a.note()
	}
	return a.refs[t]
}

// click clicks a control by its ref, and waits until the page was rendered again. The test fails if
// the server was told of another control.
func (a *agent) click(around, says string) {
	a.Helper()
	what := a.find(around, says)
	if says == "Add" {
		a.Act("type", service.Args{"ref": a.ref("Issues", "New issue"), "text": "Paint the door"})
	}
	want, before := served.does(a.framework, what), len(served.acts(a.framework))
	a.Eval("document.querySelector('main').isOld = true")
	a.Act("click", service.Args{"ref": a.ref(around, says)})
	service.Eventually(a, "another page after a click on "+what, func() bool {
		return a.Eval("document.querySelector('main')?.isOld ?? !document.querySelector('main')") == "false"
	})
	if done := served.acts(a.framework)[before:]; !slices.Equal(done, []string{want}) {
		a.Errorf("the ref of %s did %q, want %q", what, done, want)
	}
}

// mostChecked is how many refs are checked after an act, because each takes some milliseconds.
// After the next act, other refs are checked.
const mostChecked = 60

// check fails the test if a ref now means another element than before. It may mean the same
// element, or none.
func (a *agent) check(after string) {
	a.Helper()
	there := a.onPage()
	refs := slices.DeleteFunc(slices.Sorted(maps.Keys(a.means)), func(ref string) bool { return a.means[ref] == "" })
	rand.New(rand.NewPCG(uint64(a.there), 0)).Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
	refs = refs[:min(len(refs), mostChecked)]
	is := a.ask(refs)
	for _, ref := range refs {
		t := a.means[ref]
		now, isValid := is[ref]
		if isValid && now != t {
			a.Errorf("after %s, %s of %q means %q", after, ref, t, now)
		}
		if there[t] != 1 || a.refs[t] != ref {
			continue
		}
		a.there++
		if isValid {
			a.valid++
		} else {
			a.lost[t]++
		}
	}
}
