package broker

import (
	"cmp"
	"context"
	"strings"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/engine/browser"
	"chela/internal/wall/guard"
)

var empty = json.Value(`{}`)

// A whole is a command that a client has sent to a session with the whole browser.
type whole struct {
	*client
	*session
	*request
}

// wholeCommands has a function for each command for the whole browser. The functions may wait for
// the browser, but for nothing else.
var wholeCommands = map[string]func(whole, context.Context) (any, error){
	"Browser.getVersion":              whole.version,
	"Browser.getWindowForTarget":      whole.window,
	"Browser.setDownloadBehavior":     whole.ignored, // Playwright always sends this; chela decides where files are saved
	"Browser.setWindowBounds":         whole.ignored, // the window's size is set by chela or by a person
	"Target.setDiscoverTargets":       whole.discoverTargets,
	"Target.setAutoAttach":            whole.attachByItself,
	"Target.getTargets":               whole.targets,
	"Target.getTargetInfo":            whole.targetInfo,
	"Target.attachToTarget":           whole.attachTarget,
	"Target.attachToBrowserTarget":    whole.attachBrowser,
	"Target.detachFromTarget":         whole.detach,
	"Target.createTarget":             whole.create,
	"Target.closeTarget":              whole.closeTarget,
	"Target.activateTarget":           whole.activate,
	"Target.getBrowserContexts":       whole.contexts,
	"Target.disposeBrowserContext":    whole.noContext,
	"Storage.getCookies":              whole.cookies,
	"Storage.setCookies":              whole.cookies,
	"Storage.clearCookies":            whole.cookies,
	"Runtime.runIfWaitingForDebugger": whole.ignored,
}

// wholeRefusals says why other commands and domains for the whole browser are refused.
var wholeRefusals = map[string]string{
	"Target.createBrowserContext":   "is refused: the pages of a session share its cookies; for others, open a session that is isolated",
	"Target.exposeDevToolsProtocol": "is refused: a page would drive the browser",
	"Browser.grantPermissions":      "is refused: permissions are given by chela permissions",
	"Browser.setPermission":         "is refused: permissions are given by chela permissions",
	"Browser.resetPermissions":      "is refused: permissions are given by chela permissions",
	"Browser.crash":                 "is refused: the browser belongs to others as well",
	"Browser.crashGpuProcess":       "is refused: the browser belongs to others as well",
	"Browser.cancelDownload":        "is refused: downloads are chela's",
	"Extensions":                    "is refused: extensions are for all sites",
	"IO":                            "is refused: there is nothing to read for the whole browser",
	"Memory":                        "is refused: it tells of the tabs of others",
	"Storage":                       "is refused: it is about the data of all sites",
	"SystemInfo":                    "is refused: it tells of this machine and the tabs of others",
	"Tethering":                     "is refused: it opens ports",
	"Tracing":                       "is refused: it records the tabs of others",
	"Target":                        "is refused: it is about the targets of others",
	"Browser":                       "is refused: the browser belongs to others as well",
}

// handleForWhole carries out a command for the browser.
func (c *client) handleForWhole(s *session, r *request) {
	if s.of != "" && r.Method != "Target.getTargetInfo" && r.Method != "Target.detachFromTarget" {
		c.handleForTabTarget(s, r)
		return
	}
	if r.Method == "Browser.close" {
		c.answer(r, nil, nil)
		c.end(errClosed)
		return
	}
	do := wholeCommands[r.Method]
	if do == nil {
		domain, _, _ := strings.Cut(r.Method, ".")
		why := cmp.Or(wholeRefusals[r.Method], wholeRefusals[domain], "wasn't found")
		c.answer(r, nil, &failure{noMethod, "'" + r.Method + "' " + why})
		return
	}
	c.background(r, func(ctx context.Context) (any, error) { return do(whole{c, s, r}, ctx) })
}

func (w whole) ignored(context.Context) (any, error) { return empty, nil }

// about is the reply to Browser.getVersion.
type about struct {
	ProtocolVersion string `json:"protocolVersion"`
	Product         string `json:"product"`
	Revision        string `json:"revision"`
	UserAgent       string `json:"userAgent"`
	JSVersion       string `json:"jsVersion"`
}

// aboutOf asks a browser for its version.
func aboutOf(ctx context.Context, b *browser.Browser) (a about, err error) {
	s, release, err := b.Lend(ctx, nil)
	if err != nil {
		return a, err
	}
	defer release()
	raw, err := call(ctx, s, "Browser.getVersion", nil)
	if err == nil {
		err = json.Unmarshal(raw, &a, lenient)
	}
	return a, err
}

func (w whole) version(ctx context.Context) (any, error) {
	return call(ctx, w.session.Session, w.Method, nil)
}

func (w whole) window(ctx context.Context) (any, error) {
	t, err := w.named()
	if err != nil {
		return nil, err
	}
	return call(ctx, w.session.Session, w.Method, map[string]string{"targetId": t.ID})
}

// named returns the tab whose target id is in the command.
func (w whole) named() (browser.Target, error) {
	p, err := read[struct {
		ID string `json:"targetId"`
	}](w.request)
	if err != nil {
		return browser.Target{}, err
	}
	return w.target(p.ID)
}

// discoverTargets handles Target.setDiscoverTargets. It sends events for the existing targets
// before the reply.
func (w whole) discoverTargets(ctx context.Context) (any, error) {
	p, err := read[struct {
		Discover bool   `json:"discover"`
		Filter   filter `json:"filter"`
	}](w.request)
	if err != nil {
		return nil, err
	}
	err = w.change(ctx, func(s *session) {
		if s.discover = nil; p.Discover {
			s.discover = p.Filter.orUsual()
		}
		clear(s.announced)
		if s.discover.has(browserTarget.Type) {
			w.emit(s, "Target.targetCreated", encode(map[string]any{"targetInfo": browserTarget}))
		}
	})
	return empty, err
}

// autoAttach has the parameters of Target.setAutoAttach.
type autoAttach struct {
	AutoAttach bool   `json:"autoAttach"`
	Flatten    bool   `json:"flatten"`
	Filter     filter `json:"filter"`
}

// check refuses sessions that are not flat: their messages are nested in messages of the parent
// session. The protocol has deprecated them.
func (p autoAttach) check() error {
	if p.AutoAttach && !p.Flatten {
		return &failure{invalidParams, "only flat sessions are offered: set flatten"}
	}
	return nil
}

// attachByItself handles Target.setAutoAttach. It attaches the existing tabs before the reply. A
// tab that comes later already runs when it is attached, since chela must first know which session
// it belongs to.
func (w whole) attachByItself(ctx context.Context) (any, error) {
	p, err := read[autoAttach](w.request)
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return nil, err
	}
	err = w.change(ctx, func(s *session) {
		if s.auto = nil; p.AutoAttach {
			s.auto = p.Filter.orUsual()
		}
	})
	return empty, err
}

// change calls a function that changes which targets are announced to the session or attached to
// it. Then it brings the client up to date.
func (w whole) change(ctx context.Context, change func(*session)) error {
	if err := w.client.updating.Lock(ctx); err != nil {
		return err
	}
	change(w.session)
	w.client.updating.Unlock()
	return w.update(ctx)
}

func (w whole) targets(context.Context) (any, error) {
	p, err := read[struct {
		Filter filter `json:"filter"`
	}](w.request)
	return map[string]any{"targetInfos": p.Filter.orUsual().list(w.as.Targets())}, err
}

func (w whole) targetInfo(context.Context) (any, error) {
	p, err := read[struct {
		ID string `json:"targetId"`
	}](w.request)
	id := cmp.Or(p.ID, w.of)
	if err != nil || id == "" || id == browserTarget.ID {
		return map[string]any{"targetInfo": browserTarget}, err
	}
	t, err := w.target(id)
	page, tab := infosOf(t)
	if id == tab.ID || p.ID == "" {
		page = tab
	}
	return map[string]any{"targetInfo": page}, err
}

func (w whole) attachTarget(ctx context.Context) (any, error) {
	p, err := read[struct {
		ID      string `json:"targetId"`
		Flatten bool   `json:"flatten"`
	}](w.request)
	if err != nil {
		return nil, err
	}
	if !p.Flatten {
		return nil, (autoAttach{AutoAttach: true}).check()
	}
	// Without the lock, an update that does not know the tab yet would forget it.
	if err := w.client.updating.Lock(ctx); err != nil {
		return nil, err
	}
	defer w.client.updating.Unlock()
	t, err := w.target(p.ID)
	if err != nil {
		return nil, err
	}
	id, err := w.attach(ctx, w.session, t)
	return map[string]string{"sessionId": id}, err
}

// attachBrowser handles Target.attachToBrowserTarget: the client gets one more session with its
// browser.
func (w whole) attachBrowser(ctx context.Context) (any, error) {
	if err := w.client.updating.Lock(ctx); err != nil {
		return nil, err
	}
	defer w.client.updating.Unlock()
	return call(ctx, w.session.Session, w.Method, nil)
}

// detach ends a session of the client. Target.detachFromTarget is sent to the parent of that
// session, whichever session the client has sent it to: Puppeteer sends it without a session.
func (w whole) detach(ctx context.Context) (any, error) {
	p, err := read[struct {
		ID string `json:"sessionId"`
	}](w.request)
	if err != nil {
		return nil, err
	}
	s := w.client.session(p.ID)
	if p.ID == "" || s == nil || s.parent == nil {
		return nil, &failure{invalidParams, "No session with given id"}
	}
	if err := w.client.updating.Lock(ctx); err != nil {
		return nil, err
	}
	defer w.client.updating.Unlock()
	for target, id := range s.parent.attached {
		if id == p.ID {
			s.parent.attached[target] = letGo
		}
	}
	return call(ctx, s.parent.Session, w.Method, map[string]string{"sessionId": p.ID})
}

// create handles Target.createTarget: it opens a tab as an agent of the session would. The client
// is attached while the tab is still empty; then the tab navigates.
func (w whole) create(ctx context.Context) (any, error) {
	p, err := read[struct {
		URL string `json:"url"`
	}](w.request)
	if err != nil {
		return nil, err
	}
	if err := w.checkContext(ctx); err != nil {
		return nil, err
	}
	url, err := guard.CheckURL(cmp.Or(p.URL, guard.Blank))
	if err != nil {
		return nil, err
	}
	tab, err := w.as.Open(ctx)
	if err != nil {
		return nil, err
	}
	w.note(tab, w.request)
	page := tab.Page()
	if err := page.CheckURL(ctx, url); err != nil {
		w.as.Discard(ctx, tab)
		return nil, err
	}
	if err := w.update(ctx); err != nil {
		return nil, err
	}
	if url != guard.Blank {
		w.work.Go(func() {
			ctx, cancel := context.WithTimeout(w.ctx, waitTime)
			defer cancel()
			page.Turn(ctx, func(ctx context.Context) error { return page.Navigate(ctx, url) }) // if the navigation fails, the tab shows why
		})
	}
	return map[string]string{"targetId": page.ID}, nil
}

func (w whole) closeTarget(ctx context.Context) (any, error) {
	t, err := w.named()
	if err != nil {
		return nil, err
	}
	if err := t.Tab.CheckTaken(); err != nil {
		return nil, err
	}
	w.note(t.Tab, w.request)
	if err := w.as.Close(ctx, t.Tab); err != nil {
		return nil, err
	}
	return map[string]bool{"success": true}, w.update(ctx)
}

func (w whole) activate(ctx context.Context) (any, error) {
	t, err := w.named()
	if err != nil {
		return nil, err
	}
	if err := t.Tab.CheckTaken(); err != nil {
		return nil, err
	}
	w.note(t.Tab, w.request)
	return empty, w.as.Focus(ctx, t.Tab)
}

// contexts handles Target.getBrowserContexts. It names only the browser context of the session.
func (w whole) contexts(ctx context.Context) (any, error) {
	_, name, err := w.as.Context(ctx)
	return map[string]any{"browserContextIds": []string{}, "defaultBrowserContextId": name}, err
}

// checkContext refuses a command that names the browser context of another session.
func (w whole) checkContext(ctx context.Context) error {
	p, err := read[struct {
		Context string `json:"browserContextId"`
	}](w.request)
	if err != nil {
		return err
	}
	_, name, err := w.as.Context(ctx)
	if err == nil && p.Context != "" && p.Context != name {
		err = w.noSuchContext(p.Context)
	}
	return err
}

func (w whole) noSuchContext(id string) error {
	return &failure{invalidParams, "Failed to find browser context with id " + id}
}

func (w whole) noContext(context.Context) (any, error) {
	return nil, w.noSuchContext("that the session could remove")
}
