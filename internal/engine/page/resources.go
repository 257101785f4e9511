package page

import (
	"context"
	"io"
	"iter"
	"slices"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
	"chela/internal/engine/transfer"
)

// A Resource is a file that a document needs for its look: a style sheet, a picture, a font.
type Resource struct {
	URL, MIMEType string
	Content       []byte
}

// maxResource is the maximum size of one resource, in bytes.
const maxResource = 2 << 20

// Resources returns the files that the tab's documents have loaded and Chromium still has in
// memory. It skips files for which known returns true, and files that cannot be read. If ctx ends,
// no more files come. The files are not taken from network responses, because files that were loaded
// before the call would then be missing. A few are asked for at a time, since they may be large.
func (p *Page) Resources(ctx context.Context, known func(url string) bool) iter.Seq[Resource] {
	return func(yield func(Resource) bool) {
		for _, s := range p.documentSessions() {
			for some := range slices.Chunk(resourcesOf(ctx, s, known), maxAsked) {
				for _, q := range some {
					q.ask(s)
				}
				for _, q := range some {
					if r, ok := q.answer(ctx); ok && !yield(r) {
						return
					}
				}
			}
		}
	}
}

// maxAsked is how many resources Resources asks for at the same time.
const maxAsked = 8

// resourcesOf lists the resources that the documents of a session need, except known ones.
func resourcesOf(ctx context.Context, s *cdp.Session, known func(url string) bool) (list []*resourceQuery) {
	tree, err := cdp.Call(ctx, s, proto.GetResourceTree, protocol.Empty{})
	if err != nil || tree.FrameTree == nil {
		return nil
	}
	eachResource(tree.FrameTree, func(f *protocol.Frame, r *proto.FrameResource) {
		if needed(r) && !known(r.URL) {
			list = append(list, &resourceQuery{frame: f.ID, resource: r})
		}
	})
	return list
}

// documentSessions returns the sessions that have documents: all except workers.
func (p *Page) documentSessions() (list []*cdp.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s, kind := range p.sessions {
		if kind != setting.Worker {
			list = append(list, s)
		}
	}
	return list
}

// eachResource calls fn for the resources of a frame and of the frames in it.
func eachResource(tree *proto.FrameResourceTree, fn func(*protocol.Frame, *proto.FrameResource)) {
	for _, r := range tree.Resources {
		fn(tree.Frame, r)
	}
	for _, child := range tree.ChildFrames {
		eachResource(child, fn)
	}
}

// needed reports whether a document needs a resource for its look when it is shown without scripts.
func needed(r *proto.FrameResource) bool {
	switch r.Type {
	case network.ResourceTypeStylesheet, network.ResourceTypeImage, network.ResourceTypeFont:
		return !r.Failed && !r.Canceled && strings.HasPrefix(r.URL, "http") && r.ContentSize <= maxResource
	}
	return false
}

// A resourceQuery asks for the content of one resource.
type resourceQuery struct {
	frame    protocol.FrameID
	resource *proto.FrameResource
	reply    *cdp.Reply[proto.GetResourceContentResult]
}

func (q *resourceQuery) ask(s *cdp.Session) {
	q.reply = cdp.Send(s, proto.GetResourceContent, proto.GetResourceContentParams{FrameID: q.frame, URL: q.resource.URL})
}

func (q *resourceQuery) answer(ctx context.Context) (Resource, bool) {
	res, err := q.reply.Wait(ctx)
	if err != nil {
		return Resource{}, false
	}
	r := Resource{URL: q.resource.URL, MIMEType: q.resource.MimeType, Content: res.Content}
	return r, len(r.Content) <= maxResource
}

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
// the frame with this id. Errors are the same as for [transfer.ReadBlob].
func (p *Page) ReadBlob(ctx context.Context, frameID, url string, to io.Writer) error {
	w := p.ourWorld(frameID)
	if w == nil {
		return &transfer.FetchError{Why: "its document has gone"}
	}
	return transfer.ReadBlob(ctx, w, url, to)
}
