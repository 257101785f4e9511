package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
	"chela/internal/engine/endpoint"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// managed adds the checks of a browser that chela starts. The parameter file is the configuration
// file.
func (h *Report) managed(ctx context.Context, p *profile.Profile, file string) {
	h.program(file)
	h.age(ctx, time.Now())
	h.note("headless-mode", "Headless mode", "info", fmt.Sprintf("headless %v (%s)", h.Status.Headless, h.Status.HeadlessSource))
	if runtime.GOOS == "linux" {
		h.display()
		h.sandbox()
	}
	h.data(p)
}

// program adds the check of the browser's executable. If the user has chosen an executable, no
// other one is used.
func (h *Report) program(file string) {
	st := h.Status
	fix, repair := "run: chela install", installBrowser
	if st.ExecutablePath != nil {
		fix, repair = "correct executablePath in "+file+", or remove it to have a browser found", nil
	}
	h.add("managed-executable", "Chromium executable", st.Executable != nil,
		words.Or(st.Detected, "")+" at "+words.Or(st.Executable, ""), words.Or(st.DetectError, ""), fix).fix = repair
}

// installBrowser installs a browser, or brings an old one up to date. If there is no newer one, the
// fault is not repaired.
func installBrowser(ctx context.Context) error {
	found, err := chrome.Install(ctx, io.Discard, "")
	if err == nil && found.Describe(ctx).Old(time.Now()) {
		return errors.New("the package sources of the system have no newer browser")
	}
	return err
}

// age adds the check of how old the browser is. Only a browser that chela itself has found is
// brought up to date.
func (h *Report) age(ctx context.Context, now time.Time) {
	if h.Status.Executable == nil {
		return
	}
	a := chrome.Executable{Path: *h.Status.Executable}.Describe(ctx)
	version := cmp.Or(a.Version, "of an unknown version")
	const id, label = "browser-age", "Browser version"
	switch {
	case a.Built.IsZero():
		h.note(id, label, "info", version+", whose age is not known")
	case a.Old(now):
		c := h.note(id, label, "warn", fmt.Sprintf("%s, %d days old", version, a.Days(now)))
		c.FixHint = chrome.OldHint
		if h.Status.ExecutablePath == nil {
			c.fix = installBrowser
		}
	default:
		h.note(id, label, "pass", fmt.Sprintf("%s, of %s", version, a.Built.UTC().Format(time.DateOnly)))
	}
}

// notLaunched adds the checks of a profile whose browser chela does not start, but connects to. The
// browser is nil while chela is not connected to it.
func (h *Report) notLaunched(ctx context.Context, service *call.Service, p *profile.Profile, b *browser.Browser) {
	s := p.Setup()
	switch {
	case s.OwnPort():
		h.attachTarget(s)
	case s.Driver == profile.Extension:
		h.extension(ctx, service)
	case !s.Connected():
		h.add(idHTTP, labelHTTP, false, "", "attachOnly is set for profile "+s.Name+", and no browser is named", "set cdpUrl, or attachOnly to false")
	case b == nil: // not connected: check whether a browser answers at the endpoint
		h.reach(ctx, p)
	}
}

// OpenClaw's id and label for the check of the debugging port.
const idHTTP, labelHTTP = "cdp-http", "CDP HTTP"

// reach adds a check that tells whether a browser answers at the endpoint to which chela will
// connect.
func (h *Report) reach(ctx context.Context, p *profile.Profile) {
	v, err := p.Ask(ctx)
	where := " at " + p.Setup().CDPURL()
	if err != nil {
		e := op.AsError(call.Explain(err))
		h.add(idHTTP, labelHTTP, false, "", string(e.Message), string(e.Hint))
		return
	}
	h.Status.AddAnswer(v)
	h.note(idHTTP, labelHTTP, "pass", cmp.Or(v.Browser, "a server that speaks nothing but a WebSocket")+" answers"+where)
}

// attachTarget adds a check that tells whether the user's own browser allows remote debugging.
// Finding that out does not make the browser ask the user.
func (h *Report) attachTarget(s profile.Setup) {
	dir, err := s.FindUser()
	if err == nil && !h.Status.Running {
		h.Status.AddAnswer(endpoint.Version{})
	}
	h.add("attach-target", "Attach target", err == nil, "the browser of "+dir+" lets itself be driven", fmt.Sprint(err),
		"open chrome://inspect/#remote-debugging in Chrome 144 or later, and allow remote debugging for this browser")
}

// display adds the check of the display on which windows would be shown. A missing display is a
// fault only if windows are wanted.
func (h *Report) display() {
	const label = "Display"
	for _, name := range []string{"WAYLAND_DISPLAY", "DISPLAY"} {
		if value := os.Getenv(name); value != "" {
			h.note("display", label, "pass", name+" is "+value)
			return
		}
	}
	if h.Status.Headless {
		h.note("display", label, "info", "no display, and none is needed")
		return
	}
	by := map[string]string{
		"env": "set CHELA_HEADLESS=1", "profile": "set headless to true for the profile", "config": "run: chela config set browser.headless true",
	}[h.Status.HeadlessSource]
	h.add("display", label, false, "", "windows are wanted, but DISPLAY and WAYLAND_DISPLAY are not set", by+", or start chela under xvfb-run")
}

// sandbox adds a warning if pages run without Chromium's sandbox. A page that breaks out of its
// process then has the rights of the user who runs chela.
func (h *Report) sandbox() {
	const id, label = "linux-sandbox", "Linux sandbox"
	switch off := h.Status.SandboxOff; {
	case h.Status.DetectError != nil:
		h.note(id, label, "info", "not known, since no browser was found")
	case off != "":
		h.note(id, label, "warn", "pages run without a sandbox: "+off).FixHint = h.Status.SandboxFix
	default:
		h.note(id, label, "pass", "pages run in Chromium's sandbox")
	}
}

// data adds a failed check if a browser that chela has not started uses the data of the profile. A
// second browser with these data would not start.
func (h *Report) data(p *profile.Profile) {
	locked, ok := errors.AsType[*chrome.LockedError](p.Holder())
	if !ok {
		return
	}
	c := h.note("user-data", "User data", "fail", locked.Error())
	c.FixHint, c.fix = "close that browser, or run: chela doctor --fix", p.EndHolder
}

// browser adds the checks of the browser itself. A browser that does not run, or is not connected,
// is no fault: the next call starts it, or connects. The ids are OpenClaw's, though there is a pipe
// and no WebSocket.
func (h *Report) browser(ctx context.Context, b *browser.Browser) {
	if b == nil {
		h.note("cdp-websocket", "CDP WebSocket", "info", map[bool]string{false: notRunning, true: notConnected}[h.Status.Running])
		return
	}
	if b.Describe().Own {
		h.port(b.Describe())
	}
	brief, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := b.Version(brief)
	by := fmt.Sprintf("by a pipe, pid %d", b.Describe().PID)
	if !b.Describe().Own {
		by = "by a WebSocket"
	}
	h.add("cdp-websocket", "CDP WebSocket", err == nil, "CDP is reachable "+by,
		"the browser does not answer", "run: chela stop, and call again")
	if g, err := b.Graphics(brief); err == nil {
		h.Status.Graphics = call.GraphicsOf(g)
		h.note("graphics", "Graphics", "info", h.Status.Graphics.Summary())
	}
}

// answerTime is how long a browser may take to answer the doctor.
const answerTime = 3 * time.Second

// port adds the check of the browser's debugging port, by connecting to it. Without exposeCdp it
// is not open, which is not a fault: chela drives the browser by a pipe.
func (h *Report) port(about browser.Description) {
	if about.Port == 0 {
		h.note(idHTTP, labelHTTP, "info", "no port is open: only chela drives the browser")
		return
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(about.Port))
	conn, err := net.DialTimeout("tcp", address, answerTime)
	if err == nil {
		conn.Close()
	}
	h.add(idHTTP, labelHTTP, err == nil, "CDP HTTP endpoint is reachable", "nothing listens on "+address, "run: chela stop, and call again")
}

// fix repairs the faults that can be repaired. It returns the ids of the checks whose faults it has
// repaired, and why it could not repair others.
func (h *Report) fix(ctx context.Context) (fixed []string, failed map[string]error) {
	failed = map[string]error{}
	for _, c := range h.Checks {
		if c.fix == nil || c.Status == "pass" {
			continue
		}
		if err := c.fix(ctx); err != nil {
			failed[c.ID] = err
		} else {
			fixed = append(fixed, c.ID)
		}
	}
	return fixed, failed
}

// addFailedFixes adds to each check why its fault could not be repaired.
func (h *Report) addFailedFixes(failed map[string]error) {
	for i := range h.Checks {
		if err := failed[h.Checks[i].ID]; err != nil {
			h.Checks[i].FixHint = call.Explain(err).Error()
		}
	}
}
