package api

import (
	"context"
	"fmt"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/capture"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/snapshot"
)

// defaultChars is how many characters of a page are in an answer if the request does not say. They
// fit a model's context.
const defaultChars = 40000

// ariaChars is the limit of an aria snapshot if the request has none. On most pages the limit of
// nodes is reached first.
const ariaChars = 200000

// A snapshotRequest reads the page. Its format depends on its parameters: see role.
type snapshotRequest struct {
	call.On
	op.LenientTimeout
	call.Seeing
	Format      string `json:"format,omitempty" alias:"snapshotFormat" enum:"ai,aria" unknown:"Invalid --format: expected aria or ai" doc:"ai: text to read and act on; aria: the accessibility tree of the browser, for which interactive, compact, depth, selector, frame and urls have no effect, and which may have 50,000 nodes at most" tool:"-"`
	Mode        string `json:"mode,omitempty" enum:"efficient" doc:"efficient: only what can be acted on, in compact form: 6 levels, the first ten of many similar items, 8000 characters"`
	Efficient   bool   `json:"efficient,omitempty" doc:"the same as mode efficient" tool:"-"`
	Refs        string `json:"refs,omitempty" enum:"role,aria,all" doc:"all: every line has a ref, not only what can be acted on; role and aria have no effect" tool:"+"`
	Interactive bool   `json:"interactive,omitempty" doc:"only what can be acted on"`
	Compact     bool   `json:"compact,omitempty" doc:"without wrappers that have no content of their own" tool:"-"`
	Depth       *int   `json:"depth,omitempty" min:"0" unknown:"Invalid --depth: must be an integer >= 0" doc:"levels of the tree to show" tool:"+"`
	Selector    string `json:"selector,omitempty" doc:"only the first element that this CSS selector matches"`
	Frame       string `json:"frame,omitempty" doc:"only the content of the iframe that this CSS selector matches" tool:"+"`
	URLs        bool   `json:"urls,omitempty" doc:"with the addresses of links"`
	Labels      bool   `json:"labels,omitempty" doc:"with a picture that has the refs drawn on it"`
	MaxChars    *int   `json:"maxChars,omitempty" min:"0" doc:"characters to show, 0 for all; when left out 40000, 8000 in mode efficient, 200000 of an aria snapshot"`
	Limit       int    `json:"limit,omitempty" min:"1" doc:"nodes of an aria snapshot, at most 2000; 500 when left out" tool:"-"`
	Query       string `json:"query,omitempty" doc:"only lines with all of these words, ignoring case; find also puts the best first" tool:"+"`
}

// Check refuses parameters that an aria snapshot, which is a list of nodes, cannot fulfil. An
// unknown format means ai, as in OpenClaw.
func (r snapshotRequest) Check() error {
	if r.Format == "aria" && r.Hidden == snapshot.MarkHidden {
		return op.Errorf(op.Invalid, "hidden=mark requires format=ai")
	}
	if r.Format == "aria" && (r.Labels || r.Mode != "" || r.Efficient) {
		return op.Errorf(op.Invalid, "labels/mode=efficient require format=ai")
	}
	return nil
}

// with applies the configured mode to a request without parameters.
func (r snapshotRequest) with(mode string) snapshotRequest {
	plain := r.Format == "" && r.Mode == "" && r.Refs == "" && !r.role()
	if r.Efficient || plain && mode == "efficient" {
		r.Mode = "efficient"
	}
	return r
}

// role reports whether the request asks for the role format: it has a parameter that only that
// format has.
func (r snapshotRequest) role() bool {
	return r.Labels || r.URLs || r.Mode != "" || r.Efficient || r.Interactive || r.Compact ||
		r.Depth != nil || r.Selector != "" || r.Frame != ""
}

// view returns what the request wants to see. Mode efficient sets several fields at once. The depth
// and the number of characters of the request have precedence over those of the mode.
func (r snapshotRequest) view() page.View {
	v := page.View{Selector: r.Selector, Frame: r.Frame, Options: snapshot.Options{
		Role: r.role(), Interactive: r.Interactive, Compact: r.Compact, URLs: r.URLs, AllRefs: r.Refs == "all",
		MaxChars: defaultChars, Scoped: r.Selector != "" || r.Frame != "",
	}}
	if r.Mode == "efficient" {
		v = call.Efficient(v, call.EfficientChars)
	}
	if r.Depth != nil {
		v.Depth = max(1, *r.Depth)
	}
	v.MaxChars = r.chars(v.MaxChars)
	v.Fold, v.Searched = v.Fold && !r.Labels, r.Query != ""
	return v
}

// chars returns how many characters the answer may have.
func (r snapshotRequest) chars(otherwise int) int {
	if r.MaxChars == nil {
		return otherwise
	}
	return *r.MaxChars
}

// snapshotResult is a page as text.
type snapshotResult struct {
	Format      string                  `json:"format" doc:"ai or aria"`
	Snapshot    *op.PageText            `json:"snapshot,omitempty" doc:"the page as text" tool:"document"`
	Refs        map[string]snapshot.Ref `json:"refs,omitzero" doc:"what each ref stands for"`
	Stats       *snapshot.Stats         `json:"stats,omitempty" doc:"size of the text"`
	NoMatch     bool                    `json:"noMatch,omitempty" doc:"no element matches the selector"`
	Truncated   bool                    `json:"truncated,omitempty" doc:"the page has more than is shown: the text was cut, or leaves out similar lines and says how many"`
	Hidden      *snapshot.Unseen        `json:"hidden,omitempty" doc:"how much text was left out because a person cannot see it"`
	NewElements *int                    `json:"newElements,omitempty" doc:"how many elements are new since the last snapshot with the same options"`
	Nodes       []snapshot.AriaNode     `json:"nodes,omitzero" doc:"nodes of the accessibility tree"`
	*Labelled
	Matches *int    `json:"matchCount,omitempty" doc:"how many lines match the query"`
	Picture op.File `json:"imagePath,omitempty" doc:"picture with the refs drawn on it"`
	Type    string  `json:"imageType,omitempty" doc:"png or jpeg"`
}

// Text returns the page in the form that a person or a model reads.
func (s snapshotResult) Text() string {
	if s.Snapshot == nil {
		return snapshot.AriaList{Nodes: s.Nodes, Truncated: s.Truncated, Unseen: s.unseen()}.Text()
	}
	return words.Lines(string(*s.Snapshot), string(s.Picture))
}

// noElement says that a selector matches nothing: the text is "(empty)" then, as in OpenClaw.
const noElement = "no element matches the selector"

// Warning says that the selector matches nothing.
func (s snapshotResult) Warning() string { return words.If(s.NoMatch, noElement) }

// Note says how many lines match a query, with OpenClaw's text, or that nothing matches the selector.
func (s snapshotResult) Note() string {
	switch {
	case s.NoMatch:
		return noElement
	case s.Matches == nil:
		return ""
	case *s.Matches == 0:
		return "No matching lines in the returned snapshot. Refine the query or take a broader snapshot."
	case s.Truncated:
		return fmt.Sprintf("%d matching line(s) in the returned snapshot (source truncated).", *s.Matches)
	}
	return fmt.Sprintf("%d matching line(s) in the returned snapshot.", *s.Matches)
}

func (s snapshotResult) unseen() snapshot.Unseen {
	if s.Hidden == nil {
		return snapshot.Unseen{}
	}
	return *s.Hidden
}

// Structured reports whether the command line saves the snapshot as JSON and not as text: aria is a
// format for programs.
func (s snapshotResult) Structured() bool { return s.Format == "aria" }

// Want says that the answer lists the dialogs: clients look there for the outcome of a dialog.
func (r snapshotRequest) Want() call.Want {
	w := r.On.Want()
	w.ListsDialogs, w.Unread = true, r.unread()
	return w
}

// unread returns the snapshot of a page that a dialog blocks. It is empty but has all fields, so
// that clients can read it like any other.
func (r snapshotRequest) unread() snapshotResult {
	if r.Format == "aria" {
		return snapshotResult{Format: "aria", Nodes: []snapshot.AriaNode{}}
	}
	return snapshotResult{Format: "ai", Snapshot: new(op.PageText("")), Refs: map[string]snapshot.Ref{}}
}

// takeSnapshot answers the text and, if Labels is set, also a picture with the refs of that text.
// Both are made in one turn, so no act of another call comes between them.
func takeSnapshot(ctx context.Context, t *call.Turn, r snapshotRequest) (snapshotResult, error) {
	r = r.with(defaultMode(ctx, t))
	if r.Format == "aria" {
		return readAria(ctx, t, r)
	}
	v := r.view()
	v.Hidden = t.Hidden(r.Seeing)
	s, err := t.Page.Snapshot(ctx, v)
	var matches *int
	if r.Query != "" {
		matches = new(int)
		s, *matches = s.Matching(r.Query)
	}
	out := snapshotResult{
		Format: "ai", Snapshot: new(op.PageText(s.Text)), Refs: s.Refs, Stats: &s.Stats, Truncated: s.Truncated || s.Folded, NewElements: s.NewElements, NoMatch: s.Missing,
		Hidden: op.OrNull(s.Unseen), Matches: matches,
	}
	if err != nil || !r.Labels {
		return out, err
	}
	shot, pic, err := takePicture(ctx, t, capture.Shot{}, true, v.Hidden)
	if err == nil {
		err = shot.save(t, pic)
	}
	out.Labelled, out.Picture, out.Type = shot.Labelled, shot.Path, shot.kind
	return out, err
}

// defaultMode returns the configured mode of snapshots. As in OpenClaw, it applies to commands and
// the agent tool, not to programs that call the HTTP API.
func defaultMode(ctx context.Context, t *call.Turn) string {
	if op.SurfaceOf(ctx) == op.OverHTTP {
		return ""
	}
	return t.Service.Config.Current().Browser.SnapshotDefaults.Mode
}

// readAria returns the nodes of Chromium's accessibility tree.
func readAria(ctx context.Context, t *call.Turn, r snapshotRequest) (snapshotResult, error) {
	list, err := t.Page.Aria(ctx, r.Frame, snapshot.AriaOptions{
		Limit: r.Limit, MaxChars: r.chars(ariaChars), OmitHidden: t.Hidden(r.Seeing) != "",
	})
	out := snapshotResult{Format: "aria", Truncated: list.Truncated, Hidden: op.OrNull(list.Unseen)}
	if r.Query != "" {
		out.Matches = new(int)
		list, *out.Matches = list.Matching(r.Query)
	}
	out.Nodes = list.Nodes
	return out, err
}
