package call

import (
	"context"

	"chela/internal/engine/browser"
	"chela/internal/op"
)

// CheckClipboard returns an error if the caller of ctx may not use the clipboard of a browser. It
// decides for operations, keys, permissions of pages, and programs that drive a tab.
//
// All sessions share the clipboard. A session with limits, or a guest of a shared tab, would get
// what others have put there.
//
// The clipboard of a browser with windows is the one of the user. It may hold a password, and
// writing would replace what the user has copied. The setting browser.systemClipboard says that
// callers may use it all the same.
func (s *Service) CheckClipboard(ctx context.Context, b *browser.Browser) error {
	switch {
	case op.GuestOf(ctx).Share != "":
		return op.Errorf(op.Forbidden, "a guest may not use the clipboard of the browser").
			Hinted("type the text, or paste it into the picture from your own clipboard")
	case s.Limited(ctx):
		return op.Errorf(op.Forbidden, "this session may open only some hosts, and may not use the clipboard").
			Hinted("type the text, or insert it")
	case b.Describe().Headless || s.Config.Current().Browser.SystemClipboard:
		return nil
	}
	return op.Errorf(op.NotSupported, "the browser has windows, so its clipboard is that of the computer's user").
		Hinted("start the browser headless, or set browser.systemClipboard to true in %s", s.Config.Current().File)
}

// CheckMiddleButton returns an error if the middle button of the mouse may paste, and the caller of ctx
// may not use the clipboard. Chromium pastes at the release, even if there was no press.
func (s *Service) CheckMiddleButton(ctx context.Context, b *browser.Browser) error {
	if !b.Describe().MiddleButtonPastes() {
		return nil
	}
	if err := s.CheckClipboard(ctx, b); err != nil {
		why := op.AsError(err)
		return op.Errorf(why.Code, "the middle button could paste what the user has selected, and %s", why.Message).
			Hinted("to open a link in a new tab, open its address, or click it with Control; otherwise %s", why.Hint)
	}
	return nil
}
