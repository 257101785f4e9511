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

// beginLocked prepares a new session.
func (p *Page) beginLocked(s *cdp.Session, kind setting.Kind, paused bool) {
	p.setUpLocked(s, kind)
	if !paused && kind != setting.Worker {
		p.learning++
		go p.learn(s, cdp.Send(s, proto.GetFrameTree, protocol.Empty{}))
	}
}

// learn adds the frames that a tab, or a cross-site frame, had before its session, which no event reports. It ends with the
// answer or the session. Of a frame that just then goes to another process there is no answer, but the events of its next document.
func (p *Page) learn(s *cdp.Session, answer *cdp.Reply[proto.GetFrameTreeResult]) {
	res, err := answer.Wait(context.Background())
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.learning--; err == nil {
		p.frames.Describe(s, res.FrameTree)
	}
	p.notifyLocked()
}

// Known waits until it is known which frames a tab has that has run before it was attached, and until its document can be
// read. Cross-site frames are attached before the first answer comes, and answer then.
func (p *Page) Known(ctx context.Context) error {
	learned := func() bool { return p.learning == 0 }
	for range 2 { // the frames of the tab, then those in other processes
		if err := p.await(ctx, learned); err != nil {
			return err
		}
		if err := p.Sync(ctx); err != nil {
			return err
		}
	}
	if err := p.await(ctx, learned); err != nil {
		return err
	}
	return p.Ready(ctx)
}

// Parsed is Known for a document that is to be used: it waits until that is read to its end, too. A tab
// that has just been opened still shows the empty document in which it began.
func (p *Page) Parsed(ctx context.Context) error {
	if err := p.Known(ctx); err != nil {
		return err
	}
	return p.WaitLoad(ctx, DOMLoaded)
}

// setUpLocked prepares a new session and lets its target run, which Chromium has
// paused. The commands are sent and not waited for: those of a session run in
// order, so everything is in place before the target's first script or request.
func (p *Page) setUpLocked(s *cdp.Session, kind setting.Kind) {
	p.sessions[s] = kind
	if kind == setting.Tab {
		cdp.Send(s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		if !p.settings.Windowed {
			// Where a site asks for a passkey, Chromium would have a window of its own that nobody sees, and the tab
			// would take no input until it is answered. Now the site waits, as if the user had not found the key.
			cdp.Send(s, webauthn.Enable, webauthn.EnableParams{})
		}
	}
	cdp.Send(s, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)})
	if kind != setting.Worker {
		enable(s, p.frames.WorldName, scriptFor(p.settings.Settings))
		interceptChoosers(s, !p.settings.Shared || p.upload != nil)
		if !p.settings.Shared && !p.settings.Fleeting {
			answerPickers(s)
		}
	}
	observe.Enable(s, bodies(kind))
	p.settings.SetUp(s, kind)
	cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
}

// scriptFor is what runs in each document before any script of the page. An empty one makes the world
// of the page script all the same.
func scriptFor(s setting.Settings) string {
	if s.Fleeting {
		return ""
	}
	return pagejs.Source()
}

// enable asks for the events of a tab's or frame's session, and has the page script
// run in each of its documents, in a world of this name.
func enable(s *cdp.Session, world, script string) {
	cdp.Send(s, proto.Enable, proto.EnableParams{})
	cdp.Send(s, proto.SetLifecycleEventsEnabled, proto.SetLifecycleEventsEnabledParams{Enabled: true})
	cdp.Send(s, proto.AddScriptToEvaluateOnNewDocument, proto.AddScriptToEvaluateOnNewDocumentParams{
		Source: script, WorldName: world, RunImmediately: new(true),
	})
	cdp.Send(s, inspector.Enable, protocol.Empty{})
}

// AddScript has each document that the tab shows from now on run a script before those of the page, in the world of
// the page script. The function that it returns ends that. Errors are those of Page.addScriptToEvaluateOnNewDocument.
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

// interceptChoosers has file choosers of a tab's or frame's session not shown, but reported.
func interceptChoosers(s *cdp.Session, intercept bool) {
	cdp.Send(s, proto.SetInterceptFileChooserDialog, proto.SetInterceptFileChooserDialogParams{Enabled: intercept})
}

// answerPickers has the file system pickers of a tab's or frame's documents answered, see picker.js.
func answerPickers(s *cdp.Session) {
	cdp.Send(s, proto.AddScriptToEvaluateOnNewDocument, proto.AddScriptToEvaluateOnNewDocumentParams{
		Source: "(" + pagejs.Picker + ")(null)", RunImmediately: new(true),
	})
}

// interceptSharedLocked is interceptChoosers for all of a tab in which the user is at work, too. There it is only
// done while files wait for a chooser: the user could open none.
func (p *Page) interceptSharedLocked(intercept bool) {
	for s, kind := range p.sessions {
		if p.settings.Shared && kind != setting.Worker {
			interceptChoosers(s, intercept)
		}
	}
}

// bodies is how many bytes of what the network has brought Chromium keeps for a session.
func bodies(k setting.Kind) int64 {
	if k == setting.Tab {
		return observe.TabBodies
	}
	return observe.OtherBodies
}

// removeSessionLocked forgets a session that was detached, and those below it.
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
