package api

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"chela/internal/op"
	"chela/internal/page"
)

// A doctorRequest is for checks that change nothing, and with Deep for one that
// starts the browser.
type doctorRequest struct {
	InProfile
	Deep bool `json:"deep,omitempty" alias:"live" doc:"also start the browser and read a page"`
}

// health is the result of the doctor's checks. The status is a part of it, so that a report of
// a fault needs no second call.
type health struct {
	OK        bool          `json:"ok" doc:"nothing failed"`
	Profile   string        `json:"profile" doc:"name of the profile"`
	Transport string        `json:"transport" doc:"how it is driven"`
	Checks    []check       `json:"checks" doc:"what was looked at"`
	Status    browserStatus `json:"status" doc:"the status"`
}

// A check is one thing that was looked at. The ids of those that the contract
// has are its own.
type check struct {
	ID      string `json:"id" doc:"names the check"`
	Label   string `json:"label" doc:"what was looked at"`
	Status  string `json:"status" doc:"pass, warn, fail or info"`
	Summary string `json:"summary" doc:"what was found"`
	FixHint string `json:"fixHint,omitempty" doc:"what to do"`
}

// Text is the report as a person reads it.
func (h health) Text() string {
	words := map[string]string{"pass": "OK", "warn": "WARN", "fail": "FAIL", "info": "INFO"}
	var all []string
	for _, c := range h.Checks {
		all = append(all, fmt.Sprintf("%-4s %s: %s", words[c.Status], c.ID, c.Summary), prefixed("     try: ", c.FixHint))
	}
	return lines(all...)
}

// doctor never fails for what it finds: that stands in the checks.
func doctor(ctx context.Context, s *Service, r doctorRequest) (health, error) {
	st, err := status(ctx, s, profileRequest{r.InProfile})
	if err != nil {
		return health{}, err
	}
	h := health{Profile: st.Profile, Transport: st.Transport, Status: st}
	h.add("plugin-enabled", "Browser control", st.Enabled, "enabled", "browser.enabled is false", "set browser.enabled to true")
	h.add("managed-executable", "Browser program", st.Executable != nil, or(st.Executable, ""), or(st.DetectError, ""), "run: chela install")
	mode := fmt.Sprintf("headless %v (%s)", st.Headless, st.HeadlessSource)
	h.Checks = append(h.Checks, check{ID: "headless-mode", Label: "Windows", Status: "info", Summary: mode})
	if runtime.GOOS == "linux" {
		h.sandbox(st)
	}
	if len(st.NotInEffect) > 0 {
		h.Checks = append(h.Checks, check{
			ID: "settings", Label: "Settings", Status: "warn",
			Summary: "set, but not in effect: " + strings.Join(st.NotInEffect, ", "),
			FixHint: "do not rely on them: nothing is refused or chosen by them",
		})
	}
	h.Checks = append(h.Checks, s.folders()...)
	h.Checks = append(h.Checks, running(st))
	if r.Deep {
		h.live(ctx, s, r.InProfile)
	}
	h.OK = true
	for _, c := range h.Checks {
		h.OK = h.OK && c.Status != "fail"
	}
	return h, nil
}

// add adds a check that passes or fails. Good and bad are the summaries of the two cases.
func (h *health) add(id, label string, ok bool, good, bad, fix string) {
	c := check{ID: id, Label: label, Status: "pass", Summary: good}
	if !ok {
		c.Status, c.Summary, c.FixHint = "fail", bad, fix
	}
	h.Checks = append(h.Checks, c)
}

// sandbox adds a warning if pages run without Chromium's sandbox: a page that
// breaks out of its process then has the rights of the user who runs chela.
func (h *health) sandbox(st browserStatus) {
	c := check{ID: "linux-sandbox", Label: "Sandbox", Status: "pass", Summary: "pages run in Chromium's sandbox"}
	if st.SandboxOff != "" {
		c.Status, c.Summary, c.FixHint = "warn", "pages run without a sandbox: "+st.SandboxOff, "run chela as an ordinary user"
	}
	h.Checks = append(h.Checks, c)
}

// folders lists from which folders files are uploaded, and to which one they are downloaded.
func (s *Service) folders() []check {
	list := func(id, label string, dirs ...string) check {
		return check{ID: id, Label: label, Status: "info", Summary: strings.Join(dirs, ", ")}
	}
	return []check{
		list("upload-roots", "Files to upload are in", append(s.files.UploadRoots(), s.files.Inbound)...),
		list("download-root", "Downloads go to", s.files.Downloads),
	}
}

// running is the check of the browser. That it does not run is no fault: the next call starts
// it. The id is the contract's, though there is a pipe and no WebSocket.
func running(st browserStatus) check {
	if st.Running {
		return check{ID: "cdp-websocket", Label: "Browser", Status: "pass", Summary: fmt.Sprintf("running, pid %d, driven by a pipe", *st.PID)}
	}
	return check{ID: "cdp-websocket", Label: "Browser", Status: "info", Summary: "Browser is not currently running"}
}

// live starts the browser and has it show a page of ours, in a tab that no caller
// sees. The snapshot of that page must have refs for what agents act on.
func (h *health) live(ctx context.Context, s *Service, in InProfile) {
	version, missing, err := s.liveSnapshot(ctx, in)
	switch {
	case err != nil:
		err = explain(err)
		h.add("live-snapshot", "Live browser", false, "", err.Error(), op.HintOf(err))
	case len(missing) > 0:
		h.add("live-snapshot", "Live browser", false, "", version+" starts, but a snapshot has no ref for "+strings.Join(missing, ", "),
			"another browser may do: set browser.executablePath, or run: chela install")
	default:
		h.add("live-snapshot", "Live browser", true, version+" starts, and a snapshot has refs for "+strings.Join(liveParts, ", "), "", "")
	}
}

// liveParts are the texts on livePage. Each stands on a line of a good snapshot, with a ref.
var liveParts = []string{"a link", "a clickable element", "a button in a frame"}

// livePage has one of each kind of thing that agents act on: a link, an element
// that is clickable by its style and listener only, and a button in a frame.
const livePage = "data:text/html,<!doctype html><title>chela doctor</title><a href='about:blank'>a link</a>" +
	"<div style='cursor:pointer' onclick='1'>a clickable element</div><iframe srcdoc='<button>a button in a frame</button>'></iframe>"

// liveSnapshot returns the version of the browser, and which parts of the
// doctor's page a snapshot has no ref for. It goes the whole way of a call: start,
// navigation, scripts in the page and in a frame. The page is a data: URL, so no network
// is needed.
func (s *Service) liveSnapshot(ctx context.Context, in InProfile) (version string, missing []string, err error) {
	b, err := s.started(ctx, in)
	if err != nil {
		return "", nil, err
	}
	if version, err = b.Version(ctx); err != nil {
		return "", nil, err
	}
	var text string
	err = b.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error {
		if err := p.Navigate(ctx, livePage); err != nil {
			return err
		}
		shown, err := p.Snapshot(ctx, snapshotRequest{}.view())
		text = shown.Text
		return err
	})
	return version, withoutRef(text, liveParts), err
}

// withoutRef returns the words that are on no line of a snapshot that has a ref.
func withoutRef(text string, words []string) (missing []string) {
	for _, word := range words {
		found := false
		for line := range strings.Lines(text) {
			found = found || strings.Contains(line, word) && strings.Contains(line, "[ref=")
		}
		if !found {
			missing = append(missing, word)
		}
	}
	return missing
}
