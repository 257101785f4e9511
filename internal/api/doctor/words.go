package doctor

import (
	"context"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/op"
)

// counts adds a check that counts the profiles and, for a connected browser, one that counts its
// tabs and names the first.
func (h *Report) counts(ctx context.Context, s *call.Service, in call.InProfile) {
	h.note("profiles", "Profiles", "pass", fmt.Sprintf("%d configured", len(s.Profiles.List())))
	if h.Status.Unconnected() {
		return // listing the tabs would connect to the browser, which its user may have to allow
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	running, open, err := s.Tabs(ctx, in)
	switch {
	case err != nil || !running:
	case len(open) == 0:
		h.note("tabs", "Tabs", "info", "none is open")
	default:
		h.note("tabs", "Tabs", "pass", fmt.Sprintf("%d visible, use tab reference %s", len(open), open[0].Suggested))
	}
}

// A finding is a check as the command line words it. In JSON it has the fields of the check beside
// its own.
type finding struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	*check
	word string // OK, WARN, INFO or FAIL
}

// notRunning is the summary of a browser that does not run. The HTTP answer does not report this as
// a fault.
const notRunning = "Browser is not currently running"

// notConnected is the summary of a browser that chela connects to when a call needs it.
const notConnected = "the browser runs; the next call that needs it connects to it"

// findings returns the checks in the words of OpenClaw's command line, which differ from those of
// its HTTP API. Some checks have other names, and there is one more, about the server. Here, a
// browser that does not run is a fault: a person who runs the command wants to know why nothing
// works.
func (h Report) findings() []finding {
	all := []finding{{Name: "gateway", Detail: "browser control endpoint reachable", word: "OK"}}
	for _, c := range h.Checks {
		f := finding{Name: c.ID, Detail: c.Summary, check: &c, word: statusWord(c.Status)}
		switch {
		case c.ID == "plugin-enabled":
			f.Name = "plugin"
		case c.ID == "profile":
			f.Detail = strings.Replace(f.Detail, " via "+h.Transport, " ("+h.Transport+")", 1)
		case c.Summary == notRunning && h.Wall != nil: // only the network policy was checked, so this is no fault
			f.Name, f.Detail = "browser", "not running"
		case c.Summary == notRunning && h.Status.Connected != nil:
			f.Name, f.Detail, f.word = "browser", "not running; chela does not start it, and connects to it when it runs", "FAIL"
		case c.Summary == notRunning:
			f.Name, f.Detail, f.word = "browser", "not running; run `chela start`", "FAIL"
		case c.Summary == notConnected:
			f.Name, f.word = "browser", "OK"
		case c.ID == "cdp-websocket" && c.Status == "pass":
			f.Name, f.Detail = "browser", "running"
		case c.ID == "cdp-websocket":
			f.Name = "browser"
		case c.ID == "graphics":
			f.word = "OK"
		}
		all = append(all, f)
	}
	for i := range all {
		all[i].OK = all[i].word != "FAIL"
	}
	return all
}

// Terminal returns the report as a person reads it.
func (h Report) Terminal() string {
	var all []string
	for _, f := range h.findings() {
		all = append(all, fmt.Sprintf("%s %s: %s", f.word, f.Name, f.Detail))
		if f.check != nil {
			all = append(all, words.Prefixed("  try: ", f.FixHint))
		}
		if f.Name == wallCheck {
			all = append(all, h.Wall.Text())
		}
	}
	return words.Lines(append(all, words.Prefixed("repaired: ", strings.Join(h.Fixed, ", ")))...)
}

// TerminalJSON returns the report for programs that run the command.
func (h Report) TerminalJSON() any {
	return struct {
		Report
		OK     bool      `json:"ok"`
		Checks []finding `json:"checks"`
	}{h, h.Failure() == nil, h.findings()}
}

// Failure returns an error with the failed checks, so that the command exits with 1, which scripts
// can see. The call itself has succeeded.
func (h Report) Failure() error {
	var failed []string
	for _, f := range h.findings() {
		if !f.OK {
			failed = append(failed, f.Name)
		}
	}
	if failed == nil {
		return nil
	}
	return op.Errorf(op.NotMet, "failed: %s", strings.Join(failed, ", "))
}
