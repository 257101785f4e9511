package site

import (
	"context"
	"errors"

	"chela/internal/engine/frame"
	"chela/internal/engine/page"
)

// ClipboardOrigin is the origin of the empty documents through which chela uses the clipboard.
// Chromium offers navigator.clipboard only to secure origins, and asks the user unless the origin
// has the permission. Chela gives this origin the permission. No site can have it, since names that
// end in .invalid never exist. So the documents in the tabs neither need the permission nor get it.
const ClipboardOrigin = "https://clipboard.invalid"

// ErrNoPicture says that a file is not a picture that Chromium can read.
var ErrNoPicture = errors.New("the file is no picture that the browser can read")

// A Clip is the content of the clipboard: a text, or a picture.
type Clip struct {
	Text    string
	More    int    // how many characters were left out when the text was read
	Picture []byte // PNG when read; when written, any format that Chromium can read
}

// WriteClipboard puts a text or a picture on the browser's clipboard. It navigates p to an empty
// document, so p must be a page that no site uses. The error is ErrNoPicture, or comes from opening
// the document or from [frame.Call].
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

// maxClip limits how many characters of a text on the clipboard are read, in UTF-16 code units.
const maxClip = 1_000_000

// ReadClipboard reads the browser's clipboard; see WriteClipboard.
func ReadClipboard(ctx context.Context, p *page.Page) (Clip, error) {
	w, err := openEmpty(ctx, p, ClipboardOrigin)
	if err != nil {
		return Clip{}, err
	}
	return frame.Call[Clip](ctx, w, "readClipboard", maxClip)
}
