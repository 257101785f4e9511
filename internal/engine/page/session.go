package page

import (
	"context"
	"maps"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webauthn"

	"chela/internal/engine/cdp"
	"chela/internal/engine/observe"
	"chela/internal/engine/setting"
	"chela/internal/reading/pagejs"
)

// beginLocked prepares a new session. If its target was not paused, it also asks for the frames
// that are already there.
func (p *Page) beginLocked(s *cdp.Session, kind setting.Kind, paused bool) {
	p.setUpLocked(s, kind)
	if !paused && kind != setting.Worker {
		p.learnLocked(s)
	}
}

// learnLocked asks for the frames of a session that no event reports.
func (p *Page) learnLocked(s *cdp.Session) {
	p.learning++
	go p.learn(s, cdp.Send(s, proto.GetFrameTree, protocol.Empty{}))
}

// learn adds the frames that a tab, or a cross-site frame, had before its session was attached. It
// also adds the frames of a document from the back/forward cache. It waits for answer, the reply to
// Page.getFrameTree, or for the end of the session. If the frame goes to another process meanwhile,
// there is no reply, but the events of its next document come.
func (p *Page) learn(s *cdp.Session, answer *cdp.Reply[proto.GetFrameTreeResult]) {
	res, err := answer.Wait(context.Background())
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.learning--; err == nil {
		p.frames.Describe(s, res.FrameTree)
	}
	p.notifyLocked()
}

// awaitLearned waits until Chromium has answered all questions about frames.
func (p *Page) awaitLearned(ctx context.Context) error {
	return p.await(ctx, func() bool { return p.learning == 0 })
}

// Known waits until chela knows the frames of a tab that had run before it was attached, and can
// read its document. Each session answers with its frames (see learn). Cross-site frames are
// attached before the tab's session answers, and their own answers come later.
func (p *Page) Known(ctx context.Context) error {
	for range 2 { // the frames of the tab, then the frames in other processes
		if err := p.awaitLearned(ctx); err != nil {
			return err
		}
		if err := p.Sync(ctx); err != nil {
			return err
		}
	}
	if err := p.awaitLearned(ctx); err != nil {
		return err
	}
	return p.Ready(ctx)
}

// Parsed does what Known does, and also waits until the document is parsed. It is for documents
// that will be used: a tab that has just been opened still shows its empty first document.
func (p *Page) Parsed(ctx context.Context) error {
	if err := p.Known(ctx); err != nil {
		return err
	}
	return p.WaitLoad(ctx, DOMLoaded)
}

// LeaveBlank waits until the tab shows another address than about:blank. It also returns while
// Chromium has not yet answered which frames the tab has.
func (p *Page) LeaveBlank(ctx context.Context) error {
	return p.await(ctx, func() bool { return p.learning > 0 || p.main().Address() != Blank })
}

// setUpLocked prepares a new session and lets its target run, which Chromium has paused. It does
// not wait for replies. Commands of a session run in order, so everything is in place before the
// target's first script or request.
func (p *Page) setUpLocked(s *cdp.Session, kind setting.Kind) {
	p.sessions[s] = kind
	if kind == setting.Tab {
		cdp.Send(s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		if !p.settings.Windowed {
			// When a site asks for a passkey, Chromium would open its own dialog, which nobody
			// sees. The tab would take no input until somebody answers it. With this command the
			// site waits, as if the user had not found the key.
			cdp.Send(s, webauthn.Enable, webauthn.EnableParams{})
		}
	}
	cdp.Send(s, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)})
	if kind != setting.Worker {
		enable(s, p.frames.WorldName, scriptFor(p.settings.Settings))
		interceptChoosers(s, !p.settings.Shared || p.upload != nil)
		if !p.settings.Shared && !p.settings.Ephemeral {
			answerPickers(s)
		}
	}
	observe.Enable(s, bodies(kind))
	p.settings.SetUp(s, kind)
	cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
}

// scriptFor returns the script that runs in each document before any script of the page. Even an
// empty script makes Chromium create the world of the page script.
func scriptFor(s setting.Settings) string {
	if s.Ephemeral {
		return ""
	}
	return pagejs.Source()
}

// enable asks for the events of a tab's or frame's session. It has the page script run in each of
// the session's documents, in an isolated world with the name in the parameter world.
func enable(s *cdp.Session, world, script string) {
	cdp.Send(s, proto.Enable, proto.EnableParams{})
	cdp.Send(s, proto.SetLifecycleEventsEnabled, proto.SetLifecycleEventsEnabledParams{Enabled: true})
	cdp.Send(s, proto.AddScriptToEvaluateOnNewDocument, proto.AddScriptToEvaluateOnNewDocumentParams{
		Source: script, WorldName: world, RunImmediately: new(true),
	})
	cdp.Send(s, inspector.Enable, protocol.Empty{})
}

// AddScript makes each later document of the tab run a script before the scripts of the page, in
// the world of the page script. The returned function ends that. Errors come from
// Page.addScriptToEvaluateOnNewDocument.
func (p *Page) AddScript(ctx context.Context, source string) (end func(), err error) {
	script, err := cdp.Call(ctx, p.session, proto.AddScriptToEvaluateOnNewDocument, proto.AddScriptToEvaluateOnNewDocumentParams{
		Source: source, WorldName: p.frames.WorldName,
	})
	if err != nil {
		return nil, err
	}
	return func() {
		cdp.Send(p.session, proto.RemoveScriptToEvaluateOnNewDocument, proto.RemoveScriptToEvaluateOnNewDocumentParams(script))
	}, nil
}

// interceptChoosers has Chromium report the file choosers of a tab's or frame's session and not
// show them.
func interceptChoosers(s *cdp.Session, intercept bool) {
	cdp.Send(s, proto.SetInterceptFileChooserDialog, proto.SetInterceptFileChooserDialogParams{Enabled: intercept})
}

// answerPickers adds a script to the documents of a tab or frame that answers the file system
// pickers, see picker.js.
func answerPickers(s *cdp.Session) {
	cdp.Send(s, proto.AddScriptToEvaluateOnNewDocument, proto.AddScriptToEvaluateOnNewDocumentParams{
		Source: "(" + pagejs.Picker + ")(null)", RunImmediately: new(true),
	})
}

// interceptSharedLocked calls interceptChoosers for all sessions of a tab that the user also works
// in. There, choosers are intercepted only while files wait for one: otherwise the user could not
// open a chooser.
func (p *Page) interceptSharedLocked(intercept bool) {
	for s, kind := range p.sessions {
		if p.settings.Shared && kind != setting.Worker {
			interceptChoosers(s, intercept)
		}
	}
}

// bodies returns how many bytes of network bodies Chromium keeps for a session.
func bodies(k setting.Kind) int64 {
	if k == setting.Tab {
		return observe.TabBodies
	}
	return observe.OtherBodies
}

// removeSessionLocked forgets a session that was detached, and the sessions below it.
func (p *Page) removeSessionLocked(id string) {
	maps.DeleteFunc(p.sessions, func(s *cdp.Session, _ setting.Kind) bool {
		for ; s != p.session; s = s.Parent {
			if s.ID == id {
				return true
			}
		}
		return false
	})
}
