package page

import (
	"context"
	"fmt"
	"strings"

	"chela/internal/engine/frame"
	"chela/internal/reading/schema"
	"chela/internal/reading/snapshot"
	"chela/internal/wall/secret"
)

// maxFieldValues limits how many elements are read in one frame.
const maxFieldValues = 200_000

// Fields reads what a schema asks for. Selectors apply to the main frame's document, its shadow
// roots included; refs may be in any frame. Each frame with such a ref takes one call of the page
// script.
//
// The parameter hidden is explained at [View]. With [snapshot.OmitHidden], elements that are not
// rendered are skipped, and the [snapshot.Unseen] counts what was left out. The parameter most
// limits names and texts together, in UTF-16 code units. Reading takes at most three quarters of
// the remaining time. The [schema.Reading] says what was cut.
//
// An invalid selector, or a ref in a list, is a [*schema.Error]. Other errors are an
// [UnknownRefError], a [StaleRefError], ErrBusy, or why the turn ended.
func (p *Page) Fields(ctx context.Context, root *schema.Field, hidden string, most int) (schema.Reading, snapshot.Unseen, error) {
	r := fieldsReading{
		page: p, hidden: hidden, most: most,
		reading: schema.Reading{Root: root, URL: p.URL(), Apart: map[*schema.Field]schema.Value{}},
	}
	p.awaitReadable(ctx)
	if err := r.plan(ctx); err != nil {
		return schema.Reading{}, r.unseen, err
	}
	for _, part := range r.parts {
		if err := r.read(ctx, part); err != nil {
			return schema.Reading{}, r.unseen, err
		}
	}
	r.reading.Full = r.most == 0
	return r.reading, r.unseen, nil
}

// A fieldsReading is the state of one call of [Page.Fields].
type fieldsReading struct {
	page    *Page
	hidden  string
	most    int // how many more UTF-16 code units may be read
	parts   []*fieldsPart
	ids     []*schema.Field // the fields; an index is the field's number in the page script
	reading schema.Reading
	unseen  snapshot.Unseen
}

// A fieldsPart lists the fields that are read in one frame: those whose ref is in that frame. In
// the main frame it also has the root of the schema, which has no ref.
type fieldsPart struct {
	frame    *frame.Frame
	fields   []*schema.Field
	elements []*Element // for each field, the element that its ref names; nil for the root
}

// part returns the fieldsPart of a frame, which it adds if there is none.
func (r *fieldsReading) part(f *frame.Frame) *fieldsPart {
	for _, part := range r.parts {
		if part.frame == f {
			return part
		}
	}
	r.parts = append(r.parts, &fieldsPart{frame: f})
	return r.parts[len(r.parts)-1]
}

func (part *fieldsPart) add(f *schema.Field, el *Element) {
	part.fields, part.elements = append(part.fields, f), append(part.elements, el)
}

// plan finds the frames of the refs in the schema.
func (r *fieldsReading) plan(ctx context.Context) error {
	r.part(r.page.main()).add(r.reading.Root, nil)
	for f, within := range r.reading.Root.All() {
		if _, ok := ParseRef(f.Selector); !ok {
			continue
		}
		if within {
			return &schema.Error{
				Path: f.Path, Message: "is a ref in a list",
				Hint: "a ref is one element: move it out of the list, and use selectors in there",
			}
		}
		el, err := r.page.Element(ctx, f.Selector)
		if err != nil {
			return err
		}
		r.reading.Apart[f] = schema.Value{}
		r.part(el.frame).add(f, el)
	}
	return nil
}

// A fieldNode is a field in the form that the page script expects.
type fieldNode struct {
	ID       int         `json:"id"`
	Name     string      `json:"name"`
	Ref      int         `json:"ref"`
	Selector string      `json:"selector"`
	Attr     string      `json:"attr"`
	Type     schema.Type `json:"type"`
	List     bool        `json:"list"`
	Limit    int         `json:"limit"`
	Fields   []fieldNode `json:"fields"`
}

// node converts a field for the page script. If el is not nil, it is the element of the field's
// ref. An inner field with a ref of its own is read by a separate call. In this call, a field that
// is fast to read takes its place.
func (r *fieldsReading) node(f *schema.Field, el *Element) fieldNode {
	n := fieldNode{ID: len(r.ids), Name: f.Name, Selector: f.Selector, Attr: f.Attr, Type: f.Type, List: f.List, Limit: f.Limit}
	r.ids = append(r.ids, f)
	if f.Type == schema.Integer {
		n.Type = schema.Number
	}
	if el != nil {
		n.Ref, n.Selector = el.ref.Number, ""
	} else if _, apart := r.reading.Apart[f]; apart {
		return fieldNode{ID: n.ID, Type: schema.Exists}
	}
	for _, each := range f.Fields {
		n.Fields = append(n.Fields, r.node(each, nil))
	}
	return n
}

// fieldValues is the page script's answer with the values of fields.
type fieldValues struct {
	Values []any
	Left   int  // how many more characters may be read
	Late   bool // the time was over before all was read
	Unseen snapshot.Unseen
	Wrong  []any // the id of a field with an invalid selector, and why it is invalid; nil: all are valid
	Gone   *int  // index of the field whose ref has no element any more; nil: all have one
	unread
}

// read reads the fields of one frame.
func (r *fieldsReading) read(ctx context.Context, part *fieldsPart) error {
	nodes := make([]fieldNode, len(part.fields))
	for i, f := range part.fields {
		nodes[i] = r.node(f, part.elements[i])
	}
	is, err := r.ask(ctx, part, nodes)
	switch {
	case err != nil:
		return err
	case is.Wrong != nil:
		return r.wrongSelector(is.Wrong)
	case is.Gone != nil:
		return part.elements[*is.Gone].stale()
	}
	for i, f := range part.fields {
		value := schema.ValueOf(is.Values[i])
		if part.elements[i] == nil {
			r.reading.Value = value
		} else {
			r.reading.Apart[f] = value
		}
	}
	r.most = is.Left
	r.reading.Late = r.reading.Late || is.Late
	r.unseen.Texts += is.Unseen.Texts
	r.unseen.Chars += is.Unseen.Chars
	return nil
}

// ask has the page script read the fields of one frame, see makeReadable.
func (r *fieldsReading) ask(ctx context.Context, part *fieldsPart, nodes []fieldNode) (is fieldValues, err error) {
	el := part.elements[0]
	w, err := r.page.worldOf(ctx, part.frame)
	if err != nil {
		return is, el.orStale(err)
	}
	o := map[string]any{"nodes": nodes, "hidden": r.hidden, "maxChars": r.most, "beyond": secret.Longest(), "maxValues": maxFieldValues}
	whole, err := r.page.makeReadable(ctx, w, func(last, _ bool) (unread, error) {
		o["last"], o["maxMs"] = last, remaining(ctx).Milliseconds()*3/4
		is, err = frame.Call[fieldValues](ctx, w, "fields", o)
		return is.unread, err
	})
	r.reading.Unopened = r.reading.Unopened || !whole
	return is, el.orStale(err)
}

// wrongSelector returns the error for an invalid selector, with what may have been meant.
func (r *fieldsReading) wrongSelector(wrong []any) error {
	id, _ := wrong[0].(float64)
	f := r.ids[int(id)]
	e := &schema.Error{Path: f.SelectorPath, Message: fmt.Sprintf("is no CSS selector: %q", f.Selector)}
	switch {
	case strings.ContainsAny(f.Selector[:1], "+~"):
		e.Hint = "a selector is about what is in an element, and not beside it: begin further out"
	case strings.HasPrefix(f.Selector, "/"):
		e.Hint = "XPath is not known; write CSS"
	case strings.Contains(f.Selector, "@"):
		e.Hint = `an attribute is read by {"selector": "a", "attr": "href"}`
	}
	return e
}
