package browser

import (
	"context"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// Lend attaches a session of the browser target for another program, and returns it. The function
// take gets its events, see [cdp.Session.Divert]. When the program attaches to a target, the new
// session is below this one. So release ends all sessions of the program by one command. Errors
// come from Target.attachToBrowserTarget, or are the cause of ctx.
func (b *Browser) Lend(ctx context.Context, take func(cdp.Event)) (s *cdp.Session, release func(), err error) {
	root := b.conn.Root()
	attached := cdp.Send(root, target.AttachToBrowserTarget, protocol.Empty{})
	release = func() {
		if res, err := attached.Wait(context.Background()); err == nil { // an error comes at the latest when the connection ends
			cdp.Send(root, target.DetachFromTarget, target.DetachFromTargetParams(res))
		}
	}
	res, err := attached.Wait(ctx)
	if err != nil {
		go release() // if only ctx has ended, the session may still come
		return nil, nil, err
	}
	if s = b.conn.Session(string(res.SessionID)); s == nil {
		return nil, nil, cdp.ErrDetached
	}
	s.Divert(take) // no event is missed: a new session has none before its first command
	return s, release, nil
}

// A Target is a tab that another program may drive, as described in the DevTools protocol.
type Target struct {
	Tab     *Tab
	ID      string // target id
	Title   string // "" while nothing of the page may be passed on, see [page.Page.Withheld]
	URL     string
	Opener  string // target id of the opener; "": none, or not a tab of the session
	Context string // id of the tab's browser context
	Lost    bool   // the tab's page has crashed; attaching opens it again
	Unused  bool   // a tab of the user that no call has used yet
}

// Targets returns the tabs that other programs may drive for the session. These are the tabs that
// belong to it, and those that it has leased, unless another session has leased them.
func (s Session) Targets() (list []Target) {
	b := s.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	had := map[*Tab]string{}
	for _, t := range b.tabs.list {
		if s.hasLocked(t) {
			had[t] = t.page.ID
		}
	}
	for _, t := range b.tabs.list {
		if had[t] == "" {
			continue
		}
		info := t.infoLocked()
		if t.page.Withheld() != nil {
			info.Title = ""
		}
		id := t.context.id
		if id == "" {
			id = b.defaultContextID
		}
		target := Target{Tab: t, ID: info.TargetID, Title: info.Title, URL: info.URL, Context: string(id), Lost: info.Crashed, Unused: t.isUnattachedLocked()}
		if t.opener != nil {
			target.Opener = had[t.opener]
		}
		list = append(list, target)
	}
	return list
}

// hasLocked reports whether other programs may drive the tab for the session: the session owns it,
// or has leased it.
func (s Session) hasLocked(t *Tab) bool {
	return s.admitLocked(t) == nil && (t.belongsTo(s.key) || t.lease.Session == s.key && t.leaseLocked(time.Now()) != (Lease{}))
}

// Use records that the session uses a tab. It returns an error if the session may not drive the tab
// now: it is not the session's tab, or another session has leased it.
func (s Session) Use(t *Tab) error {
	b := s.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := s.admitLocked(t); err != nil {
		return err
	}
	if !s.hasLocked(t) {
		return &NoTabError{Name: t.ID}
	}
	t.used = time.Now()
	b.tabs.of(s.key).last = t.used
	return nil
}

// Context returns the browser context of the tabs that the session opens, and makes it if need be.
// The id is "" for the default one; name is the id that Chromium reports for it. Errors come from
// Target.createBrowserContext, or are [ErrOpenedUnlimited],
// [ErrTooManyIsolated] or the cause of ctx.
func (s Session) Context(ctx context.Context) (id, name string, err error) {
	bc, err := s.browserContext()
	if err != nil {
		return "", "", err
	}
	made, err := bc.ensure(ctx)
	if err != nil || made != "" {
		return string(made), string(made), err
	}
	s.browser.mu.Lock()
	defer s.browser.mu.Unlock()
	return "", string(s.browser.defaultContextID), nil
}
