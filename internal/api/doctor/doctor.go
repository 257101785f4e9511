// Package doctor checks that this machine has all that a browser needs, and that the network policy
// holds. Begin in doctor.go, with Run. Each other file has checks of one kind; words.go has the
// report for the command line.
package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/op"
	"chela/internal/reading/vision"
)

// A Request is for checks that change nothing. If Deep is set, the doctor also starts the browser.
// If Wall is set, it also starts another browser, with a page that tries to get past the network
// policy.
type Request struct {
	call.InProfile
	op.Timeout
	Deep bool `json:"deep,omitempty" alias:"live" doc:"also start the browser and read a page, and ask the models that describe pictures"`
	Wall bool `json:"wall,omitempty" doc:"also let a page in a separate browser try every way past the network policy" tool:"-"`
	Fix  bool `json:"fix,omitempty" doc:"repair what can be repaired: install a browser, end a leftover browser that still uses the profile's data, keep other users from secrets" tool:"-"`
}

// Report is the result of the doctor's checks. It contains the status, so that somebody who reports
// a fault needs only this call.
type Report struct {
	OK        bool               `json:"ok" doc:"nothing failed"`
	Profile   string             `json:"profile" doc:"name of the profile"`
	Transport string             `json:"transport" doc:"how chela drives the browser: cdp, chrome-mcp or extension"`
	Checks    []check            `json:"checks" doc:"the results of the checks"`
	Fixed     []string           `json:"fixed,omitempty" doc:"checks whose fault was repaired"`
	Wall      *wallReport        `json:"wall,omitempty" doc:"result of the attempts to get past the network policy"`
	Status    call.BrowserStatus `json:"status" doc:"status of the browser"`
}

// A check is one entry of the report: what was checked, and the result. Checks that OpenClaw also
// has use its ids.
type check struct {
	ID      string `json:"id" doc:"id of the check"`
	Label   string `json:"label" doc:"title of the check"`
	Status  string `json:"status" doc:"pass, warn, fail or info"`
	Summary string `json:"summary" doc:"what was found"`
	FixHint string `json:"fixHint,omitempty" doc:"what to do about a fault"`

	fix func(context.Context) error // repairs the fault; nil: only a person can
}

// statusWord returns the word for the state of a check.
func statusWord(status string) string {
	if status == "pass" {
		return "OK"
	}
	return strings.ToUpper(status)
}

// Text returns the report as agents read it.
func (h Report) Text() string {
	var all []string
	for _, c := range h.Checks {
		all = append(all, fmt.Sprintf("%-4s %s: %s", statusWord(c.Status), c.ID, c.Summary), words.Prefixed("     try: ", c.FixHint))
		if c.ID == wallCheck {
			all = append(all, h.Wall.Text())
		}
	}
	all = append(all, words.Prefixed("repaired: ", strings.Join(h.Fixed, ", ")))
	return words.Lines(all...)
}

// Run makes the checks. Faults that they find are in the report and are no error of Run. What it
// repairs, and a browser that it starts, is checked again, so that the report describes the present
// state.
func Run(ctx context.Context, s *call.Service, r Request) (Report, error) {
	h, err := examine(ctx, s, r.InProfile)
	if err != nil {
		return Report{}, err
	}
	var failed map[string]error
	var fixed []string
	if r.Fix {
		fixed, failed = h.fix(ctx)
	}
	if r.Deep {
		s.Started(ctx, r.InProfile) // the live check reports this error
	}
	if r.Fix || r.Deep {
		if h, err = examine(ctx, s, r.InProfile); err != nil {
			return Report{}, err
		}
	}
	h.Fixed = fixed
	h.addFailedFixes(failed)
	if r.Deep {
		h.live(ctx, s, r.InProfile)
		h.liveVision(ctx, vision.Configured(s.Config.Current()))
	}
	if r.Wall {
		h.wall(ctx, s, r.InProfile)
	}
	h.OK = true
	for _, c := range h.Checks {
		h.OK = h.OK && c.Status != "fail"
	}
	return h, nil
}

// examine makes all checks except the live ones and the attack on the network policy.
func examine(ctx context.Context, s *call.Service, in call.InProfile) (Report, error) {
	p, b, err := s.Running(in)
	if err != nil {
		return Report{}, err
	}
	st := s.StatusOf(ctx, p)
	h := Report{Profile: st.Profile, Transport: st.Transport, Status: st}
	c := s.Config.Current()
	h.add("plugin-enabled", "Browser plugin", st.Enabled, "enabled", "browser.enabled is false", "run: chela config set browser.enabled true")
	h.note("profile", "Profile", "pass", st.Profile+" via "+st.Transport)
	if p.Setup().Launched() {
		h.managed(ctx, p, c.File)
	} else {
		h.notLaunched(ctx, s, p, b)
	}
	h.settings(c, st)
	h.outside(c, time.Now())
	h.notify(s, c)
	h.secrets(s.Secrets)
	h.fleet(ctx, c)
	h.vision(vision.Configured(c))
	h.folders(s.Files)
	h.browser(ctx, b)
	h.counts(ctx, s, in)
	return h, nil
}

// add adds a check that passes or fails. The parameter good is the summary if it passes, and bad
// the summary if it fails.
func (h *Report) add(id, label string, ok bool, good, bad, fix string) *check {
	if ok {
		return h.note(id, label, "pass", good)
	}
	c := h.note(id, label, "fail", bad)
	c.FixHint = fix
	return c
}

// note adds a check that needs no fix.
func (h *Report) note(id, label, status, summary string) *check {
	h.Checks = append(h.Checks, check{ID: id, Label: label, Status: status, Summary: summary})
	return &h.Checks[len(h.Checks)-1]
}

// settings adds a check for each warning about the configuration, and one that lists the settings
// without effect.
func (h *Report) settings(c *config.Config, st call.BrowserStatus) {
	warn := func(id, label, summary, fix string) { h.note(id, label, "warn", summary).FixHint = fix }
	if len(st.NotInEffect) > 0 {
		warn("settings", "Settings", "set, but not in effect: "+strings.Join(st.NotInEffect, ", "),
			"do not rely on them: nothing is refused or chosen by them")
	}
	if st.Unenforced() != "" && c.Browser.SSRFPolicy != nil {
		held := "cannot be enforced for this profile"
		if st.Egress == "best-effort" {
			held = "is enforced only as far as chela sees where connections of this profile lead"
		}
		warn("egress", "Network policy", fmt.Sprintf("egress: %q: browser.ssrfPolicy %s", st.Egress, held),
			"use a profile whose browser chela starts, and no other proxy, for what must not be reached")
	}
	if c.Outdated != "" {
		warn("configuration", "Configuration", c.Outdated, "correct the file, or put it back")
	}
	for _, warning := range c.Warnings {
		warn("configuration", "Configuration", warning, "run: chela config check")
	}
}

// folders lists from which folders files are uploaded, and to which one they are downloaded.
func (h *Report) folders(f *media.Roots) {
	h.note("upload-roots", "Files to upload are in", "info", strings.Join(append(f.UploadRoots(), f.Inbound), ", "))
	h.note("download-root", "Downloads go to", "info", f.Downloads)
}
