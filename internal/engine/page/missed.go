package page

import (
	"context"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
)

// eventsMissed asks Chromium again which documents the tab shows, after events of the tab's
// sessions may have been lost: see [cdp.EventsMissed].
//
// Chromium reports all script contexts again when the Runtime domain is enabled again. It would
// also repeat the messages on the console, so these are discarded before. The requests under way
// are forgotten, since the events of their end may have been lost.
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

// learnMissed waits for the frame tree of a session, and makes the frames agree with it. It then
// makes Chromium report again how far the documents have loaded. If the session ends, learnMissed
// returns.
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

// takeTreeLocked makes the frames of a session agree with a frame tree. Frames with a new document
// count as navigated, and those that are not in the tree are removed.
func (p *Page) takeTreeLocked(s *cdp.Session, tree *proto.FrameTree) {
	f := p.frames.ByID(string(tree.Frame.ID))
	if f != nil && f.Session != s {
		return // the frame has moved to another process
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
