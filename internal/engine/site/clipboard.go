package site

import (
	"context"
	"errors"

	"chela/internal/engine/frame"
	"chela/internal/engine/page"
)

// ClipboardOrigin is the origin of the documents that use the clipboard for us.
// Chromium gives navigator.clipboard only to origins with https, and asks the user
// unless the origin has the permission. This origin has it, and no site can be it:
// names that end in .invalid never exist. What the tabs show does not matter, therefore.
const ClipboardOrigin = "https://clipboard.invalid"

// ErrNoPicture says that a file is no picture that Chromium can read.
var ErrNoPicture = errors.New("the file is no picture that the browser can read")

// A Clip is what is on the clipboard: a text, or a picture.
type Clip struct {
	Text    string
	More    int    // characters of the text that was read which are left out
	Picture []byte // PNG when it is read; any kind that Chromium reads when it is written
}

// WriteClipboard puts a text or a picture on the browser's clipboard. The page must be
// an empty one that no site uses. The error is ErrNoPicture, or why the turn ended.
func WriteClipboard(ctx context.Context, p *page.Page, c Clip) error {
	w, err := openEmpty(ctx, p, ClipboardOrigin)
	if err != nil {
		return err
	}
	if c.Picture == nil {
		_, err = frame.Call[struct{}](ctx, w, "writeText", c.Text)
		return err
	}
	ok, err := frame.Call[bool](ctx, w, "writePicture", c.Picture)
	if err == nil && !ok {
		err = ErrNoPicture
	}
	return err
}

// maxClip is how many characters of a text on the clipboard are read, in UTF-16.
const maxClip = 1_000_000

// ReadClipboard reads the browser's clipboard; see WriteClipboard.
func ReadClipboard(ctx context.Context, p *page.Page) (Clip, error) {
	w, err := openEmpty(ctx, p, ClipboardOrigin)
	if err != nil {
		return Clip{}, err
	}
	return frame.Call[Clip](ctx, w, "readClipboard", maxClip)
}
