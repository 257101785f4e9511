package page

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/reading/pagejs"
)

// A Document is what a frame shows, as data for a trace. See pagejs/document.js.
type Document struct {
	Frame string    `json:"-"` // id of the frame
	Main  bool      `json:"-"` // the frame is the tab's main frame
	At    time.Time // when the frame was asked for its document

	URL           string
	Doctype       string
	Width, Height int             // size of the frame's viewport, in CSS pixels
	HTML          json.RawMessage // the root element as a node of a Playwright trace
	Nodes         int             // how many nodes HTML has
	Cut           bool            // the document has more nodes than maxDocumentNodes, or more text than maxDocumentChars
}

// Limits of one document in a trace.
const (
	maxDocumentNodes = 100_000
	maxDocumentChars = 5_000_000
)

// Documents describes what all frames of the tab show, the main frame first. The element of ref is
// marked with the id of the call that acts on it; ref "" marks none. A frame is left out if it does
// not answer before ctx ends, or is replaced meanwhile. A gap in a trace is no reason to fail a
// call.
func (p *Page) Documents(ctx context.Context, call, ref string) []Document {
	var asked []*documentQuery
	for _, f := range p.framesWithWorlds() {
		asked = append(asked, p.askDocument(ctx, f, call, ref))
	}
	var documents []Document
	for _, q := range asked {
		if d, ok := q.answer(ctx); ok {
			documents = append(documents, d)
		}
	}
	return documents
}

// framesWithWorlds lists the frames that have a document to describe, the main frame first.
func (p *Page) framesWithWorlds() (list []framedWorld) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.main().World; w != nil {
		list = append(list, framedWorld{p.main(), w})
	}
	for f := range p.frames.All() {
		if f.World != nil && f != p.main() && !f.Crashed {
			list = append(list, framedWorld{f, f.World})
		}
	}
	return list
}

// A framedWorld is a frame with the page script's world in its document.
type framedWorld struct {
	frame *frame.Frame
	world *frame.World
}

// A documentQuery is the pending call of document.js in one frame.
type documentQuery struct {
	frame *frame.Frame
	main  bool
	at    time.Time
	reply *cdp.Reply[runtime.CallFunctionOnResult]
}

// askDocument sends the call of document.js to a frame, and does not wait for its answer. The
// answer names iframes by their frame ids, so that the trace viewer finds their documents.
func (p *Page) askDocument(ctx context.Context, f framedWorld, call, ref string) *documentQuery {
	inside := [][]any{}
	for _, child := range p.children(f.frame) {
		if owner, err := p.owner(ctx, child); err == nil {
			inside = append(inside, []any{owner, child.ID})
		}
	}
	options := map[string]any{
		"frames": inside, "call": call, "target": p.numberIn(f.frame, ref), "maxNodes": maxDocumentNodes, "maxChars": maxDocumentChars,
	}
	return &documentQuery{
		frame: f.frame, main: f.frame == p.main(), at: time.Now(),
		reply: cdp.Send(f.world.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: pagejs.Document, UniqueContextID: f.world.UniqueID,
			Arguments: []*runtime.CallArgument{frame.Value(options)}, ReturnByValue: new(true), Silent: new(true),
		}),
	}
}

// numberIn returns the number of the element of a ref, if it is in this frame; else 0.
func (p *Page) numberIn(f *frame.Frame, ref string) int {
	r, ok := ParseRef(ref)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !ok || r.AX || p.frames.ByNumber(r.Frame) != f {
		return 0
	}
	return r.Number
}

// answer waits for the frame's answer; ok is false if there is none.
func (q *documentQuery) answer(ctx context.Context) (d Document, ok bool) {
	res, err := q.reply.Wait(ctx)
	if err != nil || res.ExceptionDetails != nil {
		return d, false
	}
	var text string
	if json.Unmarshal(res.Result.Value, &text) != nil || json.Unmarshal([]byte(text), &d) != nil {
		return d, false
	}
	d.Frame, d.Main, d.At = q.frame.ID, q.main, q.at
	return d, true
}
