package page

import (
	"context"
	"io"

	"chela/internal/engine/cdp"
	"chela/internal/engine/transfer"
)

// Fetch sends a GET from a frame of the tab, with the cookies of that frame, and writes the body of
// the response. Errors are a [*transfer.FetchError], a [*guard.Refused], the error of writing, and
// why the page or ctx ended.
func (p *Page) Fetch(ctx context.Context, frameID, url string, to io.Writer) error {
	if err := p.CheckURL(ctx, url); err != nil {
		return err
	}
	return transfer.Fetch(ctx, p.processOf(frameID), frameID, url, to)
}

// processOf returns the session of a frame's process, or the tab's session if there is no such
// frame.
func (p *Page) processOf(frameID string) *cdp.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.frames.ByID(frameID); f != nil {
		return f.Session
	}
	return p.session
}

// ReadBlob writes what a blob: URL refers to. The URL must be of a document in the tab: the one in
// the frame with this id. If the page has revoked the URL, the error is a [*transfer.FetchError].
// Other errors are the same as for [Page.Fetch].
func (p *Page) ReadBlob(ctx context.Context, frameID, url string, to io.Writer) error {
	w := p.ourWorld(frameID)
	if w == nil {
		return &transfer.FetchError{Why: "its document has gone"}
	}
	return transfer.ReadBlob(ctx, w, url, to)
}
