package call

import (
	"context"
	"errors"
	"strings"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/engine/page"
	"chela/internal/engine/profile"
	"chela/internal/engine/render"
	"chela/internal/op"
)

// A renderError says which step of rendering a page has failed, with OneClaw's text for that step.
// OneClaw is an agent host whose render tools chela also answers, see docs/openclaw.md.
type renderError struct {
	words op.PageText
	err   error
}

// RenderFailed returns the error that a step of rendering a page has failed, with a text for that
// step.
func RenderFailed(words op.PageText, err error) error { return &renderError{words, err} }

func (e *renderError) Error() string { return string(e.words) + e.err.Error() }

func (e *renderError) Unwrap() error { return e.err }

// ExplainRender explains why a page could not be rendered. The text before a colon is OneClaw's,
// see renderError. Other failures, such as a browser that does not start, are returned as they are.
func ExplainRender(err error) error {
	failed, looking := errors.AsType[*renderError](err)
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, render.ErrFull):
		return op.Errorf(op.QueueFull, "%v", render.ErrFull).Hinted("try again when some of them are done")
	case errors.Is(err, render.ErrQueued):
		return op.Errorf(op.Deadline, "not done in time: %v until the deadline", render.ErrQueued).Hinted("try again")
	case explainParser(err) != nil:
		return explainParser(err)
	case looking:
		return PrefixedError(failed.words, explainLook(failed.err))
	case errors.Is(err, cdp.ErrClosed):
		return op.Errorf(op.BrowserLost, "the browser ended during the call").Hinted("call again: it is started anew")
	case unavailable(err) != nil:
		return unavailable(err)
	case explainStart(err) != nil, errors.Is(err, profile.ErrStarting):
		return err
	}
	if e, ok := errors.AsType[*op.Error](err); ok {
		return e
	}
	return PrefixedError("Page load failed: ", explainUnloaded(err))
}

// unavailable explains that no browser could be started, with the reason in the hint or the
// details. It returns nil for any other failure. The message is OneClaw's.
func unavailable(err error) *op.Error {
	_, none := errors.AsType[*chrome.NotFoundError](err)
	_, broken := errors.AsType[*profile.StartError](err)
	if !none && !broken {
		return nil
	}
	e := *explainStart(err)
	if broken {
		e.Hint = string(e.Message) + "; " + e.Hint
	}
	e.Message = "WebView not available on this device"
	return &e
}

// explainUnloaded explains why a page could not be opened.
func explainUnloaded(err error) *op.Error {
	load, failed := errors.AsType[*page.LoadError](err)
	switch {
	case failed:
		return notRendered(load)
	case errors.Is(err, page.ErrFile):
		return op.Errorf(op.PageFailed, "the address leads to a file").Hinted("open it in a tab, which downloads it; of a PDF, read takes the text")
	case errors.Is(err, render.ErrSlow):
		return op.Errorf(op.Deadline, "%v", render.ErrSlow).Hinted("check the address, and that the server is up")
	}
	return explainLook(err)
}

// notRendered explains why a page could not be loaded. The message only has the reason, since
// callers put "the page was not loaded" or the like before it.
func notRendered(load *page.LoadError) *op.Error {
	e := notLoaded(load)
	e.Message = op.PageText(strings.TrimPrefix(string(e.Message), navigationFailed))
	if load.Certificate != nil && load.Refused == nil {
		e.Hint = "check the address; a site that you trust in spite of its certificate can be opened in a tab, with ignoreHTTPSErrors set for the profile"
	}
	return e
}

// explainLook explains an error that came while a rendered page was read, or while the caller's
// script ran in it.
func explainLook(err error) *op.Error {
	threw, script := errors.AsType[*page.ScriptError](err)
	switch {
	case script:
		return op.Errorf(op.ScriptFailed, "%s", threw.Text).Hinted("check the script against the page")
	case errors.Is(err, page.ErrScriptTimeout):
		return op.Errorf(op.Deadline, "%v", page.ErrScriptTimeout).Hinted("make the script shorter")
	case errors.Is(err, page.ErrScriptReplaced), errors.Is(err, page.ErrReplaced):
		return op.Errorf(op.PageFailed, "the page went elsewhere").Hinted("wait longer, until it has come to rest; if it never does, use read with render never, which needs no browser")
	case errors.Is(err, page.ErrCrashed):
		return op.Errorf(op.TabCrashed, "the page crashed").Hinted("try again; a page that crashes each time cannot be rendered")
	case errors.Is(err, page.ErrFrameCrashed):
		return op.Errorf(op.PageFailed, "%v", page.ErrFrameCrashed).Hinted("try again")
	case errors.Is(err, page.ErrBusy), errors.Is(err, context.DeadlineExceeded):
		return op.Errorf(op.PageBusy, "the page did not answer in time: %s", busy).Hinted("try again, or use read with render never, which needs no browser")
	}
	return op.AsError(Explain(err))
}

// PrefixedError returns an error with a text before its message.
func PrefixedError(words op.PageText, e *op.Error) *op.Error {
	with := *e
	with.Message = words + e.Message
	return &with
}
