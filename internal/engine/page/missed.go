package page

import (
	"context"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
)

// eventsMissed learns anew which documents the tab shows: events of all its sessions may be
// missing, see [cdp.EventsMissed].
//
// Chromium reports all contexts of scripts again when the Runtime domain is enabled again. It does
// so with messages on the console as well, unless they are discarded before. The requests that are
// under way are forgotten, as nobody may report their end.
func (p *Page) eventsMissed(_ *cdp.Session, _ protocol.Empty) {
	for s, kind := range p.sessions {
		p.requests.forgetSession(s.ID)
		if kind == setting.Worker {
			continue
		}
		cdp.Send(s, runtime.DiscardConsoleEntries, protocol.Empty{})
		cdp.Send(s, runtime.Disable, protocol.Empty{})
		cdp.Send(s, runtime.Enable, protocol.Empty{})
		p.learning++
		go p.learnMissed(s, cdp.Send(s, proto.GetFrameTree, protocol.Empty{}))
	}
}

// learnMissed takes over what a session shows now, and then has Chromium report again how far that
// has loaded. It ends with the answer or the session.
func (p *Page) learnMissed(s *cdp.Session, answer *cdp.Reply[proto.GetFrameTreeResult]) {
	res, err := answer.Wait(context.Background())
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.learning--; err == nil {
		p.takeTreeLocked(s, res.FrameTree)
		cdp.Send(s, proto.SetLifecycleEventsEnabled, proto.SetLifecycleEventsEnabledParams{Enabled: true})
	}
	p.notifyLocked()
}

// takeTreeLocked navigates frames to documents that have come unnoticed, and removes those that
// have gone.
func (p *Page) takeTreeLocked(s *cdp.Session, tree *proto.FrameTree) {
	f := p.frames.ByID(string(tree.Frame.ID))
	if f != nil && f.Session != s {
		return // it has gone to another process
	}
	if f == nil || f.Loader != string(tree.Frame.LoaderID) {
		p.frameNavigated(s, proto.EventFrameNavigated{Frame: tree.Frame})
		p.frames.Describe(s, tree)
		return
	}
	f.URL = tree.Frame.URL + tree.Frame.URLFragment
	inside := map[string]bool{}
	for _, child := range tree.ChildFrames {
		inside[string(child.Frame.ID)] = true
		p.takeTreeLocked(s, child)
	}
	for _, child := range p.frames.Children(f) {
		if child.Session == s && !inside[child.ID] {
			p.frameDetached(s, proto.EventFrameDetached{FrameID: protocol.FrameID(child.ID), Reason: proto.FrameDetachedReasonRemove})
		}
	}
}
