package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/chromedp/cdproto/accessibility"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// semanticAttributes maps properties of the accessibility tree to the attributes that they stand
// for. A custom element can set these properties through its ElementInternals.
var semanticAttributes = map[accessibility.PropertyName]string{
	accessibility.PropertyNameChecked:   "aria-checked",
	accessibility.PropertyNamePressed:   "aria-pressed",
	accessibility.PropertyNameExpanded:  "aria-expanded",
	accessibility.PropertyNameSelected:  "aria-selected",
	accessibility.PropertyNameDisabled:  "aria-disabled",
	accessibility.PropertyNameInvalid:   "aria-invalid",
	accessibility.PropertyNameRequired:  "aria-required",
	accessibility.PropertyNameReadonly:  "aria-readonly",
	accessibility.PropertyNameBusy:      "aria-busy",
	accessibility.PropertyNameLevel:     "aria-level",
	accessibility.PropertyNameValuetext: "aria-valuetext",
}

// meantIfFalse has the attributes that matter even with the value false: they then say that the
// element can be expanded, checked or pressed.
var meantIfFalse = map[string]bool{"aria-expanded": true, "aria-checked": true, "aria-pressed": true}

// AskInternals gives the page script the role, name and states that custom elements have set
// through ElementInternals. It asks for the elements that the script's walk has met, and reports
// whether anything is new. No script can read an element's ElementInternals, but Chromium's
// accessibility tree shows them. So each element is looked up in that tree, and the page script
// treats its properties there like ARIA attributes of the element.
//
// The Accessibility domain is enabled meanwhile: Chromium then builds the tree once. Otherwise
// Chromium would build the tree for each element.
func AskInternals(ctx context.Context, w *frame.World) (changed bool, err error) {
	group := "chela-internals-" + w.UniqueID // a group per frame, since frames are read at the same time
	defer cdp.Send(w.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	elements, err := w.Objects(ctx, group, "function(){return chela.takeCustoms()}")
	if _, large := errors.AsType[*cdp.LargeError](err); large {
		return false, nil // the elements are shown, but without what they say only there
	}
	if err != nil {
		return false, err
	}
	cdp.Send(w.Session, accessibility.Enable, protocol.Empty{})
	nodes := make([]accessibility.GetPartialAXTreeParams, len(elements))
	for i, id := range elements {
		nodes[i] = accessibility.GetPartialAXTreeParams{ObjectID: id, FetchRelatives: new(false)}
	}
	var args []any
	var list []map[string]string
	err = askEach(ctx, w, accessibility.GetPartialAXTree, nodes, func(i int, res accessibility.GetPartialAXTreeResult) {
		if len(res.Nodes) > 0 && !withheld(res.Nodes[0]) {
			args, list = append(args, elements[i]), append(list, semanticsOf(res.Nodes[0]))
		}
	})
	cdp.Send(w.Session, accessibility.Disable, protocol.Empty{})
	if err != nil {
		return false, err
	}
	if len(list) == 0 {
		return false, nil
	}
	return frame.Call[bool](ctx, w, "setSemantics", append(args, list)...)
}

// withheld reports whether the tree leaves a node out although the node may have semantics, for
// example because it is behind a modal dialog.
func withheld(n *accessibility.Node) bool {
	saysNothing := func(r *accessibility.Property) bool { return r.Name == accessibility.PropertyNameUninteresting }
	return n.Ignored && !slices.ContainsFunc(n.IgnoredReasons, saysNothing)
}

// semanticsOf returns the properties of a node of the accessibility tree as attributes.
func semanticsOf(n *accessibility.Node) map[string]string {
	attributes := map[string]string{"role": AXText(n.Role)}
	set := func(name, value string) {
		if value != "" {
			attributes[name] = value
		}
	}
	if namedByAuthor(n.Name) {
		set("aria-label", AXText(n.Name))
	}
	set("aria-description", AXText(n.Description))
	set("aria-valuenow", AXText(n.Value))
	for _, p := range n.Properties {
		name, known := semanticAttributes[p.Name]
		if value := AXText(p.Value); known && (value != "false" || meantIfFalse[name]) {
			set(name, value)
		}
	}
	return attributes
}

// namedByAuthor reports whether a name comes from labels or attributes, and not from the text in
// the element. A name from the attribute title does not count, because the page script reads that
// attribute itself.
func namedByAuthor(name *accessibility.Value) bool {
	if name == nil {
		return false
	}
	for _, source := range name.Sources {
		if source.Superseded || source.Value == nil && source.AttributeValue == nil || AXText(source.Value) == "" {
			continue
		}
		authored := source.Type == accessibility.ValueSourceTypeAttribute || source.Type == accessibility.ValueSourceTypeRelatedElement
		return authored && source.Attribute != "title"
	}
	return false
}

// AXText returns a value of the tree as text: a string as it is, any other value as JSON.
func AXText(v *accessibility.Value) string {
	if v == nil || len(v.Value) == 0 {
		return ""
	}
	var s string
	if json.Unmarshal(v.Value, &s) == nil {
		return s
	}
	return string(v.Value)
}
