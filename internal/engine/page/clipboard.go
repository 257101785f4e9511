package page

import (
	"context"
	"errors"
	"runtime"

	"chela/internal/engine/frame"
	"chela/internal/engine/keys"
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
func (p *Page) WriteClipboard(ctx context.Context, c Clip) error {
	w, err := p.openEmpty(ctx, ClipboardOrigin)
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
func (p *Page) ReadClipboard(ctx context.Context) (Clip, error) {
	w, err := p.openEmpty(ctx, ClipboardOrigin)
	if err != nil {
		return Clip{}, err
	}
	return frame.Call[Clip](ctx, w, "readClipboard", maxClip)
}

// clipboardKeys are the keys by which browsers copy, cut and paste.
var clipboardKeys = keysOfClipboard(runtime.GOOS)

func keysOfClipboard(system string) map[shortcut]bool {
	if system == "darwin" {
		return map[shortcut]bool{{keys.Meta, "KeyC"}: true, {keys.Meta, "KeyX"}: true, {keys.Meta, "KeyV"}: true, {keys.Meta | keys.Shift, "KeyV"}: true}
	}
	return map[shortcut]bool{
		{keys.Control, "KeyC"}: true, {keys.Control, "KeyX"}: true, {keys.Control, "KeyV"}: true, {keys.Control | keys.Shift, "KeyV"}: true,
		{keys.Control, "Insert"}: true, {keys.Shift, "Delete"}: true, {keys.Shift, "Insert"}: true,
	}
}

// UsesClipboard reports whether Chromium copies, cuts or pastes when the keys are pressed.
func (p *Page) UsesClipboard(chord keys.Chord) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := shortcutOf(chord)
	k.held |= p.heldModifiersLocked()
	return clipboardKeys[k]
}
