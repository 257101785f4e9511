package doctor

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/wall/attack"
)

// A wallReport is the result of an attack: the ways by which a page tried to get past the network
// policy.
type wallReport struct {
	Ways        []wallWay `json:"ways" doc:"each way in which the page has tried to reach a forbidden server"`
	Connections int       `json:"connections" doc:"how many connections have reached the forbidden server"`
	Datagrams   int       `json:"datagrams" doc:"how many datagrams have reached the forbidden server"`
	Candidates  []string  `json:"candidates,omitempty" doc:"addresses of this machine that WebRTC has revealed to the page"`
	OwnPorts    bool      `json:"ownPorts,omitempty" doc:"the policy allows this machine, so the page has tried to reach chela's own ports, which are always forbidden"`
	Allowed     []string  `json:"allowed,omitempty" doc:"names of this machine that were not tried, because the policy allows them"`
}

// A wallWay is one way by which a page has tried to get past the network policy.
type wallWay struct {
	Name   string `json:"name" doc:"id of the way"`
	Way    string `json:"way" doc:"description of the way"`
	Status string `json:"status" doc:"ok: the page did not reach the server; reached: it did, so the policy does not hold; shut: this way fails in a browser with a proxy, whatever the address; untried: this way did not even reach an allowed address in this browser"`

	needed bool // every browser has this way
}

const wallCheck = "wall" // id of the check

// wallWords are the words for the states of the ways past the policy.
var wallWords = map[string]string{
	"ok": "ok: %s", "reached": "REACHED: %s", "shut": "ok: %s, which is shut wherever it leads", "untried": "not tried: %s, which this browser does not do",
}

// Text lists the ways.
func (w *wallReport) Text() string {
	if w == nil {
		return ""
	}
	var all []string
	for _, way := range w.Ways {
		all = append(all, "  "+fmt.Sprintf(wallWords[way.Status], way.Way))
	}
	return words.Lines(all...)
}

// wall opens a page that tries every way past the network policy, and adds checks with the results.
func (h *Report) wall(ctx context.Context, s *call.Service, in call.InProfile) {
	p, err := s.Profiles.Named(in.Profile)
	var a profile.Attack
	if err == nil {
		a, err = p.Attack(ctx)
	}
	h.addWall(a, err)
}

// addWall adds the checks of an attack. That the page reached nothing forbidden is proof only if
// its attempts work at all. So it must have reached its allowed targets by the ways that every
// browser has. The error err says why the attack did not finish.
func (h *Report) addWall(a profile.Attack, err error) {
	const label = "Network policy, attacked"
	const report = "report it as docs/security.md says, with the output of: chela doctor --wall --json"
	w := wallOf(a)
	h.Wall = w
	reached := w.list(func(way wallWay) bool { return way.Status == "reached" })
	untried := w.list(func(way wallWay) bool { return way.Status == "untried" && way.needed })
	switch {
	case w.Connections+w.Datagrams > 0 || reached != nil:
		by := cmp.Or(fewOf(reached), "a way that cannot be told from others")
		h.add(wallCheck, label, false, "", fmt.Sprintf("%d connections and %d datagrams have reached what pages may not reach, by %s", w.Connections, w.Datagrams, by),
			report)
	case len(w.Candidates) > 0:
		h.add(wallCheck, label, false, "", fmt.Sprintf("WebRTC has told the page %d addresses of this machine", len(w.Candidates)), report)
	case err != nil:
		err = call.Explain(err)
		h.add(wallCheck, label, false, "", "nothing was shown: "+err.Error(), cmp.Or(op.HintOf(err), "call again"))
	case len(w.Ways) == 0 || untried != nil:
		h.add(wallCheck, label, false, "", "nothing was shown, as these led nowhere, also where they may: "+fewOf(untried),
			"call again; another browser may do: set browser.executablePath, or run: chela install")
	default:
		summary := w.holds()
		if h.Status.Egress == "best-effort" {
			summary += "; but the egress of this profile is best-effort only"
		}
		h.add(wallCheck, label, true, summary, "", "")
	}
	h.warnOfAllowed(w)
}

// fewOf returns the first ways around the network policy as text, and how many more there are. The
// report lists all of them below the check.
func fewOf(ways []string) string {
	const few = 3
	if more := len(ways) - few; more > 0 {
		return fmt.Sprintf("%s and %d more ways", strings.Join(ways[:few], ", "), more)
	}
	return strings.Join(ways, ", ")
}

// warnOfAllowed warns of a policy that lets pages open this machine.
func (h *Report) warnOfAllowed(w *wallReport) {
	what := strings.Join(w.Allowed, ", ")
	if w.OwnPorts {
		what = "every server of this machine but chela itself"
	}
	if what != "" {
		h.note("wall-allowed", "Network policy, exceptions", "warn", "pages may open "+what).FixHint = "look at browser.ssrfPolicy: chela config get browser.ssrfPolicy"
	}
}

// holds returns the summary of a policy that no attempt got past.
func (w *wallReport) holds() string {
	untried := w.list(func(way wallWay) bool { return way.Status == "untried" })
	what := "a server of this machine"
	if w.OwnPorts {
		what = "ports of chela"
	}
	return fmt.Sprintf("a page has tried %d ways to reach %s: 0 connections and 0 datagrams have", len(w.Ways)-len(untried), what)
}

func wallOf(a profile.Attack) *wallReport {
	w := &wallReport{
		Ways: []wallWay{}, Connections: a.Connections, Datagrams: a.Datagrams, Candidates: a.Candidates, OwnPorts: a.OwnPorts, Allowed: a.Allowed,
	}
	for _, way := range a.Ways {
		w.Ways = append(w.Ways, wallWay{way.Name, way.Text, stateOf(way), !way.Optional})
	}
	return w
}

func stateOf(way attack.Way) string {
	switch {
	case way.Reached:
		return "reached"
	case way.Proven():
		return "ok"
	case way.Shut && way.Tried:
		return "shut"
	}
	return "untried"
}

// list describes the ways for which the given function returns true.
func (w *wallReport) list(is func(wallWay) bool) (list []string) {
	for _, way := range w.Ways {
		if is(way) {
			list = append(list, way.Way)
		}
	}
	return list
}
