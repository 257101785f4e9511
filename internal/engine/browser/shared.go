package browser

import (
	"slices"
	"strconv"
	"strings"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/page"
)

// A person may share single tabs of their browser, see [Description.Grouped]. A tab that the person
// shares with one session belongs to that session. A tab that the person shares with all sessions
// belongs to calls without a session. The browser keeps the owner, the handle, the label and the
// highest refs of each tab. So a tab is the same for callers after the server was restarted, or
// after Chromium has given it a new target.

// onTabShared handles a report about a shared tab. If the tab is listed already, the user has
// shared it with another session.
func (b *Browser) onTabShared(s cdp.SharedTab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shared[s.TargetID] = s
	if n, ok := handleNumber(s.Handle); ok {
		b.tabs.last = max(b.tabs.last, n)
	}
	if t := byTarget(b.tabs.list, s.TargetID); t != nil && t.owner != s.Session {
		b.tabs.move(t, s.Session)
		b.notifyLocked()
	}
}

// handleNumber returns the number in a handle.
func handleNumber(handle string) (int, bool) {
	digits, ok := strings.CutPrefix(handle, "t")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}

// move gives a tab to another session. It may have been the current tab of its former owner. Then
// calls of that session that name no tab are refused: they must not act on some other tab.
func (l *tabList) move(t *Tab, owner string) {
	if u := l.uses[t.owner]; u != nil && u.current == t.ID {
		u.taken = true
	}
	if t.lease.Session != owner {
		t.lease = Lease{}
	}
	l.own(t, owner)
	l.kept.raise()
}

// own makes a session the owner of a tab. If the session has another tab with the same label, t
// loses the label.
func (l *tabList) own(t *Tab, owner string) {
	t.owner = owner
	if slices.ContainsFunc(l.list, func(x *Tab) bool { return x != t && x.label == t.label && x.owner == owner }) {
		t.label = ""
	}
}

// takeSharedLocked gives the tab of a target, which has just been listed, the owner, handle and
// label that the browser remembers. If another listed tab has that handle, it is the same tab, to
// which Chromium has given a new target.
func (b *Browser) takeSharedLocked(target string) {
	s, ok := b.shared[target]
	t := byTarget(b.tabs.list, target)
	if !ok || t == nil {
		return
	}
	if old := b.tabs.byID(s.Handle); old != nil && old != t {
		b.tabs.remove(t)
		b.tabs.follow(map[*Tab]*Tab{old: t})
		t = old
	} else if s.Handle != "" {
		t.ID, t.label = s.Handle, s.Label
	}
	t.page.ContinueRefs(frame.UsedRefs{Numbers: s.Refs, Frames: s.Frames})
	t.ofUser = !s.Opened
	b.tabs.own(t, s.Session)
	b.keepSharedLocked(t)
}

// keepSharedLocked sends the browser the owner, handle and label of a listed tab, if they have
// changed.
func (b *Browser) keepSharedLocked(t *Tab) {
	s, ok := b.shared[t.page.ID]
	if !ok || t.ID == "" {
		return
	}
	now := s
	now.Session, now.Handle, now.Label = t.owner, t.ID, t.label
	used := t.page.UsedRefs().RoundUp()
	now.Refs, now.Frames = used.Numbers, used.Frames
	if now != s {
		b.shared[t.page.ID] = now
		cdp.Send(b.conn.Root(), cdp.KeepTab, now)
	}
}

// keepShared calls keepSharedLocked for all listed tabs.
func (b *Browser) keepShared() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.shared) == 0 {
		return
	}
	for _, t := range b.tabs.list {
		b.keepSharedLocked(t)
	}
}

// returnLocked gives a shared tab back to the user.
func (b *Browser) returnLocked(t *Tab) { cdp.Send(b.conn.Root(), cdp.ReturnTab, b.shared[t.page.ID]) }

// onStopped ends all turns when the user stops all agents, and releases the keys and mouse buttons
// that they hold. Until the user lets them go on, each new turn ends at once: see [page.Callbacks].
func (b *Browser) onStopped(stopped bool) {
	b.stopped.Store(stopped)
	b.mu.Lock()
	b.notifyLocked() // programs get other titles of the tabs, see Target
	b.mu.Unlock()
	if !stopped {
		return
	}
	for _, t := range b.all() {
		p := t.Page()
		p.Interrupt(page.ErrStopped)
		p.ReleaseHeld()
	}
}

// CheckStopped returns [page.ErrStopped] while the user has stopped all agents.
func (b *Browser) CheckStopped() error {
	if b.stopped.Load() {
		return page.ErrStopped
	}
	return nil
}
