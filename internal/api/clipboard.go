package api

import (
	"context"
	"io"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/engine/keys"
	"chela/internal/engine/page"
	"chela/internal/engine/site"
	"chela/internal/op"
	"chela/internal/wall/excerpt"
)

// A clipboardWriteRequest puts a text or a picture on the clipboard of a browser.
type clipboardWriteRequest struct {
	call.InProfile
	op.Timeout
	Text *string   `json:"text,omitempty" entered:"text" verbatim:"true" doc:"text to put on the clipboard"`
	Path op.Upload `json:"path,omitempty" doc:"picture to put on the clipboard instead: a file in the uploads folder"`
}

// Check accepts an empty text, which empties the clipboard, so an empty text must be distinguished
// from none.
func (r clipboardWriteRequest) Check() error {
	if (r.Text == nil) == (r.Path == "") {
		return op.Errorf(op.Invalid, "clipboard write requires either text or path").Hinted("give a text, or the path of a picture")
	}
	return nil
}

// clipboardResult is the answer of a call that has put something on the clipboard.
type clipboardResult struct {
	OK bool `json:"ok" doc:"always true"`
}

// clipboardWrite reads the picture first: a file that cannot be read starts no browser. It returns
// the errors of readPicture and of withClipboard, and [site.ErrNoPicture] for a file that Chromium
// cannot read as a picture.
func clipboardWrite(ctx context.Context, s *call.Service, r clipboardWriteRequest) (done clipboardResult, err error) {
	var clip site.Clip
	if r.Text != nil {
		clip.Text = *r.Text
	} else if clip.Picture, err = readPicture(s, string(r.Path)); err != nil {
		return done, err
	}
	err = withClipboard(ctx, s, r.InProfile, func(b *browser.Browser) error { return b.WriteClipboard(ctx, clip) })
	return clipboardResult{OK: err == nil}, err
}

// maxPicture bounds the pictures that are put on the clipboard, in bytes.
const maxPicture = 20 << 20

// readPicture reads a file that a caller names, by the rules for uploads. It is read with one byte
// more than is allowed, so that a larger one is refused and not cut. An empty file is refused here,
// because an empty picture is not a picture for the page.
func readPicture(s *call.Service, path string) ([]byte, error) {
	f, err := s.Files.Upload(path)
	if err != nil {
		return nil, call.ExplainPath(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPicture+1))
	if err == nil && len(data) > maxPicture {
		err = op.Errorf(op.Invalid, "the picture is larger than 20 MB").Hinted("use a smaller one, or upload or drop the file")
	}
	if err == nil && len(data) == 0 {
		err = site.ErrNoPicture
	}
	return data, err
}

// A clipboardReadRequest names no tab: a browser has one clipboard, for all its tabs.
type clipboardReadRequest struct {
	call.InProfile
	op.Timeout
}

// clipboardContent is what is on the clipboard.
type clipboardContent struct {
	OK   bool        `json:"ok" doc:"always true"`
	Clip op.PageText `json:"text" doc:"text on the clipboard" tool:"document"`
	Path op.File     `json:"path,omitempty" doc:"where the picture on the clipboard was saved"`
}

// Text returns what is on the clipboard.
func (c clipboardContent) Text() string {
	if c.Clip == "" && c.Path == "" {
		return "the clipboard is empty"
	}
	return words.Lines(string(c.Clip), string(c.Path))
}

// clipboardRead answers the text, and saves the picture among the media files. An empty
// clipboard is no error. Chromium gives pictures as PNG, whatever was put there.
func clipboardRead(ctx context.Context, s *call.Service, r clipboardReadRequest) (found clipboardContent, err error) {
	var clip site.Clip
	err = withClipboard(ctx, s, r.InProfile, func(b *browser.Browser) (err error) {
		clip, err = b.ReadClipboard(ctx)
		return err
	})
	if err != nil {
		return found, err
	}
	if found = (clipboardContent{OK: true, Clip: op.PageText(clip.Text)}); clip.More > 0 {
		found.Clip = op.PageText(excerpt.Beginning(clip.Text, len(clip.Text), clip.More))
	}
	if len(clip.Picture) > 0 {
		path, err := s.Files.SavePicture(clip.Picture, "png")
		found.Path = op.File(path)
		return found, err
	}
	return found, nil
}

// withClipboard calls the function do with the profile's browser if callers may use its clipboard.
// The browser is started if need be. If it is lost meanwhile, do is called again.
func withClipboard(ctx context.Context, s *call.Service, in call.InProfile, do func(*browser.Browser) error) error {
	return s.InBrowser(ctx, in, func(b *browser.Browser) error {
		if err := s.CheckClipboard(ctx, b); err != nil {
			return err
		}
		return do(b)
	})
}

// permitKeys refuses keys that copy, cut or paste where callers may not use the clipboard.
func permitKeys(ctx context.Context, t *call.Turn, chord keys.Chord) error {
	if !t.Page.UsesClipboard(chord) {
		return nil
	}
	return t.Service.CheckClipboard(ctx, t.Tab.Browser())
}

// permitButton refuses the middle mouse button where it may paste and callers may not use the clipboard.
func permitButton(ctx context.Context, t *call.Turn, button page.Button) error {
	if button != "middle" {
		return nil
	}
	return t.Service.CheckMiddleButton(ctx, t.Tab.Browser())
}
