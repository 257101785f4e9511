package browser

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// A Session is the use of a browser by one session. All calls with the same session key are one
// session. It owns the tabs that it opens, and those that their pages open. A call that names no
// tab uses the session's current tab, which is the last used of the tabs that the session owns. A
// call can also name a tab of another session by its id. Later calls without a name use that tab
// only after [Session.Focus].
//
// Calls without a key are in the session with the key "". In a browser that chela has not launched,
// that session also owns the tabs of the user. In a browser that chela has launched, a tab belongs
// to no session if it is not known which session opened it, see [attribute].
type Session struct {
	browser *Browser
	key     string
	person  bool // see [Browser.Person]
}

// Session returns the session with this key in the browser.
func (b *Browser) Session(key string) Session { return Session{browser: b, key: key} }

// Person returns the session with this key, for calls of a person who takes over tabs. Such calls
// may use these tabs even if another session has leased them.
func (b *Browser) Person(key string) Session { return Session{b, key, true} }

// Browser returns the browser that the session uses.
func (s Session) Browser() *Browser { return s.browser }

// A sessionUse records how a session uses a browser.
type sessionUse struct {
	// current is the handle of the tab that the session used last, or "". It stays when that tab
	// has closed by itself, or was closed by another session, even in the next browser. Then a call
	// that names no tab is refused: otherwise it would act on a tab that its caller does not mean.
	current string
	opener  string          // handle of the tab that had opened the current one, or ""
	taken   bool            // the user has shared the current tab with another session, so this session may no longer use it
	last    time.Time       // when the session has used a tab last
	context *BrowserContext // the session's own browser context, if the session is isolated; nil: the session uses the default one
	tooMany time.Time       // since when the session has had more tabs than allowed, see [Cleanup]; zero: the number is allowed
}

// tabList.of returns the sessionUse of a session, and adds one if there is none. The caller may
// change it.
func (l *tabList) of(key string) *sessionUse {
	u := l.uses[key]
	if u == nil {
		l.forgetUnused()
		u = new(sessionUse)
		if l.uses == nil {
			l.uses = map[string]*sessionUse{}
		}
		l.uses[key] = u
	}
	return u
}

// maxUses limits how many sessions are remembered that have no tab and are not isolated. Callers may
// use a new session for each job, and end none. All sessions are written at each change of a [Memory].
const maxUses = 1000

// forgetUnused makes room for one more session. If more than maxUses are unused, it forgets a tenth of
// them: those that were unused for longest. If such a session comes back, its first call that names no
// tab opens one. It looks at the sessions only when so many were added that there may be too many.
func (l *tabList) forgetUnused() {
	if l.room--; l.room > 0 {
		return
	}
	owners := l.owners()
	var unused []string
	for key, u := range l.uses {
		if key != "" && !owners[key] && u.context == nil {
			unused = append(unused, key)
		}
	}
	if l.room = maxUses - len(unused); l.room > 0 {
		return
	}
	slices.SortFunc(unused, func(x, y string) int { return l.uses[x].last.Compare(l.uses[y].last) })
	for _, key := range unused[:len(unused)-maxUses*9/10] {
		delete(l.uses, key)
	}
	l.room = maxUses / 10
}

// owners returns the keys of the sessions that own tabs.
func (l *tabList) owners() map[string]bool {
	owners := map[string]bool{}
	for _, t := range l.list {
		owners[t.owner] = true
	}
	return owners
}

// current returns the handle of the tab that a session used last, or "".
func (l *tabList) current(key string) string {
	if u := l.uses[key]; u != nil {
		return u.current
	}
	return ""
}

// setCurrent sets the current tab of a session, which its calls use if they name none; nil is none.
func (l *tabList) setCurrent(key string, t *Tab) {
	var next sessionUse
	if t != nil {
		if next.current = t.ID; t.opener != nil {
			next.opener = t.opener.ID
		}
	}
	if u := l.of(key); u.current != next.current || u.taken {
		u.current, u.opener, u.taken = next.current, next.opener, false
		l.kept.raise()
	}
}

// use records that a session uses a tab. If the session owns the tab, it becomes the session's
// current one.
func (l *tabList) use(key string, t *Tab) {
	now := time.Now()
	t.used = now
	u := l.of(key)
	u.last = now
	if t.belongsTo(key) {
		l.setCurrent(key, t)
	}
	l.front(t)
}

// openerLeft returns the tab that had opened the session's current tab, if the current one has closed
// and the session can use the opener. Otherwise it returns nil.
func (l *tabList) openerLeft(key string) *Tab {
	u := l.uses[key]
	if u == nil || u.opener == "" || l.byID(u.current) != nil {
		return nil
	}
	if opener := l.byID(u.opener); opener != nil && opener.belongsTo(key) {
		return opener
	}
	return nil
}

// Tab returns the tab that a name means. If the session owns the tab, it becomes the session's
// current one. A name is a handle, a label, a target id (also an earlier one of the tab), or the
// beginning of a target id. The empty name means the tab that the session has used last. If the
// session has used none yet, it means the first of its own tabs, or a new one if it has none.
// Errors are [*NoTabError], [*AmbiguousTabError] and [*LeasedError], or come from [Session.Open].
func (s Session) Tab(ctx context.Context, name string) (*Tab, error) {
	t, err := s.Find(name)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return s.openUnasked(ctx)
	}
	b := s.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tabs.use(s.key, t)
	return t, nil
}

// openUnasked opens a tab for a call that named none, in a session that has none.
func (s Session) openUnasked(ctx context.Context) (*Tab, error) {
	t, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	s.browser.mu.Lock()
	defer s.browser.mu.Unlock()
	t.unasked = true
	return t, nil
}

// TakeUnasked reports whether the tab was opened for a call that named none, and no earlier
// TakeUnasked has reported that.
func (t *Tab) TakeUnasked() (unasked bool) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	unasked, t.unasked = t.unasked, false
	return unasked
}

// Find returns the tab that [Session.Tab] would return, but changes nothing and opens none. If the
// name is "" and the session has no tab, it returns nil.
func (s Session) Find(name string) (*Tab, error) {
	t, err := s.FindLeased(name)
	if t == nil || err != nil {
		return nil, err
	}
	if err := s.Admit(t); err != nil {
		return nil, err
	}
	return t, nil
}

// FindLeased does what [Session.Find] does, but does not refuse a tab that another session has
// leased.
func (s Session) FindLeased(name string) (*Tab, error) {
	b := s.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	b.followLocked()
	return s.tabsLocked().find(s.key, name)
}

// Focus brings a tab to the front and makes it the session's current tab. Errors come from
// Target.activateTarget.
func (s Session) Focus(ctx context.Context, t *Tab) error {
	b := s.browser
	_, err := cdp.Call(ctx, b.conn.Root(), target.ActivateTarget, target.ActivateTargetParams{TargetID: target.ID(t.Page().ID)})
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tabs.use(s.key, t)
	b.tabs.setCurrent(s.key, t)
	return err
}

// Close closes a tab, see [Tab.Close]. If it was the session's current tab, the next call that
// names no tab uses the tab that the session had used before. In other sessions the closed tab
// stays the current one, so that their next call learns of the end.
func (s Session) Close(ctx context.Context, t *Tab) error {
	s.leave(t)
	return t.Close(ctx)
}

// ReturnToOpener makes the opener of a tab the session's current tab, as a browser shows it when a
// popup closes. It is called when the tab has closed itself during a call, whose answer then says so.
// The result is the handle of the opener. It is "" if the tab was not the current one, or has no opener
// that the session can use.
func (s Session) ReturnToOpener(ctx context.Context, t *Tab) string {
	b := s.browser
	soon, cancel := context.WithTimeout(ctx, popupTime) // the tab may get another target instead, see followLocked
	defer cancel()
	b.await(soon, func() bool { return b.byTargetLocked(t.page.ID) == nil })
	b.mu.Lock()
	defer b.mu.Unlock()
	b.followLocked()
	opener := b.tabs.openerLeft(s.key)
	if opener == nil || b.tabs.current(s.key) != t.ID {
		return ""
	}
	b.tabs.use(s.key, opener)
	return opener.ID
}

// Discard closes a tab that the session opened, but could not use. It returns when the tab has
// gone, or when ctx ends. In the second case the tab is closed in the background.
func (s Session) Discard(ctx context.Context, t *Tab) {
	b := s.browser
	s.leave(t)
	if p := b.beginClosing(t); p != nil {
		b.discard(t)
		b.await(ctx, func() bool { return b.byTargetLocked(p.ID) == nil })
	}
}

// leave is called when the session closes a tab. If the tab is the session's current tab, the
// session has no current tab after that.
func (s Session) leave(t *Tab) {
	s.browser.mu.Lock()
	defer s.browser.mu.Unlock()
	if s.browser.tabs.current(s.key) == t.ID {
		s.browser.tabs.setCurrent(s.key, nil)
	}
}

// End closes the tabs that the session owns. It forgets what the session has used and leased, and what
// it has set for the first origin that it opens. A tab that another session has leased is not closed,
// but belongs to that session from now on. In an isolated session it is closed all the same, since the
// browser context is removed. A tab that the user shared with the session is given back. End returns
// how many tabs it has closed.
//
// A tab that a person has taken over stays open. The session then goes on, with its browser context,
// and the error is a [*page.TakenError]. Other errors come from [Tab.Close], or are the cause of ctx.
func (s Session) End(ctx context.Context) (closed int, err error) {
	var closing sync.WaitGroup
	tabs, bc, taken := s.forget()
	errs := make([]error, len(tabs))
	for i, t := range tabs {
		closing.Go(func() { errs[i] = t.Close(ctx) })
	}
	closing.Wait()
	if taken == nil {
		errs = append(errs, s.browser.dropFirst(ctx, s.key))
	}
	s.browser.mu.Lock()
	defer s.browser.mu.Unlock()
	bc.disposeLocked()
	return len(tabs), errors.Join(append(errs, taken)...)
}

// forget removes the browser's records of the session. It returns the tabs to be closed, and the
// browser context to be removed. If it returns an error, which is a [*page.TakenError], the records
// and the context stay.
func (s Session) forget() (own []*Tab, bc *BrowserContext, taken error) {
	b := s.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	for _, t := range b.tabs.list {
		saved := t.savedLocked()
		switch fate, err := saved.afterSession(s.key, now); fate {
		case passedOn:
			b.tabs.own(t, saved.Lease.Session)
			b.keepSharedLocked(t)
		case keptByPerson:
			taken = err
		case givenBack:
			b.returnLocked(t)
		case toClose:
			own = append(own, t)
		}
		if t.lease.Session == s.key {
			t.lease = Lease{}
		}
	}
	b.kept.raise()
	b.notifyLocked()
	if taken != nil {
		return own, nil, taken
	}
	if u := b.tabs.uses[s.key]; u != nil && u.context != nil {
		bc = u.context
		bc.ended = true
	}
	delete(b.tabs.uses, s.key)
	return own, bc, nil
}

// currents returns the handle of each session's current tab, by session key.
func (l *tabList) currents() map[string]string {
	handles := map[string]string{}
	for key, u := range l.uses {
		if u.current != "" {
			handles[key] = u.current
		}
	}
	return handles
}

// lastUses returns when each session used a tab last, by session key. It leaves out those that have no
// current tab and are not isolated.
func (l *tabList) lastUses() map[string]time.Time {
	times := map[string]time.Time{}
	for key, u := range l.uses {
		if (u.current != "" || u.context != nil) && !u.last.IsZero() {
			times[key] = u.last
		}
	}
	return times
}
