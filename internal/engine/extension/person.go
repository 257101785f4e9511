package extension

import (
	"encoding/json"

	"chela/internal/engine/cdp"
)

// sharedLocked sends [cdp.TabShared] for a tab. The event has the session that the tab is shared
// with, and what the extension remembers for the server.
func (t *transport) sharedLocked(tab *Tab) {
	t.emitLocked("", cdp.TabShared.Method, encode(cdp.SharedTab{
		TargetID: tab.target(), Session: tab.Name, Opened: tab.Opened, Handle: tab.Handle, Label: tab.Label, Refs: tab.Refs, Frames: tab.Frames,
	}))
}

// keepLocked handles [cdp.KeepTab]: the extension keeps the handle and label of a tab, and puts the
// tab into the tab group of its session.
func (t *transport) keepLocked(r request) {
	tab := t.namedLocked(r)
	if tab == nil {
		return
	}
	s := paramsOf[cdp.SharedTab](r.Params)
	tab.Name, tab.Handle, tab.Label, tab.Refs, tab.Frames = s.Session, s.Handle, s.Label, s.Refs, s.Frames
	fields := map[string]any{"tab": tab.ID, "name": s.Session, "handle": s.Handle, "label": s.Label, "refs": s.Refs, "frames": s.Frames}
	t.peer.doLocked("keep", fields, ignore)
	t.resultLocked(r, empty)
}

// stoppedLocked sends [cdp.PersonStopped]: whether the person has stopped all agents.
func (t *transport) stoppedLocked() {
	t.emitLocked("", cdp.PersonStopped.Method, encode(cdp.Stopping{Stopped: t.peer.about.Stopped}))
}

// flashLocked handles [cdp.Flash]: the extension shows the person where an agent acts. The reply is
// sent at once. If the extension still shows an earlier flash, or is not connected, the new one is
// dropped.
func (t *transport) flashLocked(s *session, r request) {
	area := paramsOf[cdp.FlashParams](r.Params)
	t.resultLocked(r, empty)
	if t.flashing || !t.peer.greeted {
		return
	}
	t.flashing = true
	fields := map[string]any{"do": "flash", "tab": s.on.tab, "x": area.X, "y": area.Y, "width": area.Width, "height": area.Height}
	t.peer.commandLocked(fields, false, func(json.RawMessage, *failure) { t.flashing = false })
}
