package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A fillRequest fills fields of a form, one after the other. Its method read decodes the fields,
// because values may be text, numbers or booleans, and each error has to name its field.
type fillRequest struct {
	call.Acting
	Fields formFields `json:"fields" entered:"text" sealed:"value" wrong:"fill requires fields" unknown:"fields must be an array" doc:"the fields: a list of {ref, value, type}; type is text, checkbox or radio, by default text; secret:NAME as the value stands for a secret" tool:"[{ref, value}]"`
}

// formFields are the fields of a request, each as JSON in the form of [formField]. The method read
// decodes them.
type formFields []json.RawMessage

// Like returns the type that describes the JSON in schemas, see [op.Alike].
func (formFields) Like() reflect.Type { return reflect.TypeFor[[]formField]() }

// A formField is how a program writes a field.
type formField struct {
	Ref   string `json:"ref" doc:"element, from a snapshot"`
	Type  string `json:"type,omitempty" doc:"text, checkbox or radio; by default text"`
	Value any    `json:"value,omitempty" doc:"what to fill in: a text, a number, true or false; secret:NAME stands for a secret"`
}

// A field is a field of a form, with the value to fill in.
type field struct {
	Ref   string
	Type  string
	Value op.Sealed
}

// Check reads all fields before the first is filled. A form that is half filled because the last
// field was misspelled is worse than one that was not begun.
func (r fillRequest) Check() error {
	_, err := r.read()
	return err
}

// read returns the fields.
func (r fillRequest) read() ([]field, error) {
	if len(r.Fields) == 0 {
		return nil, op.Errorf(op.ActInvalid, "fill requires fields")
	}
	fields := make([]field, len(r.Fields))
	for i, raw := range r.Fields {
		f, err := readField(raw)
		if err != nil {
			return nil, op.Errorf(op.ActInvalid, "fields[%d] %v", i, err)
		}
		fields[i] = f
	}
	return fields, nil
}

// readField reads one field. Keys that are not known are refused, because a misspelled one
// would leave the field empty. The messages are OpenClaw's.
func readField(raw json.RawMessage) (f field, err error) {
	var object map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&object) != nil || object == nil {
		return f, errors.New("must be an object")
	}
	for key, value := range object {
		text, plain := plainText(value)
		switch key {
		case "ref":
			f.Ref = strings.TrimSpace(text)
		case "type":
			f.Type = strings.TrimSpace(text)
		case "value":
			if f.Value = op.Sealed(text); !plain {
				return f, errors.New("value must be a string, number, boolean, or null")
			}
		default:
			return f, fmt.Errorf("unsupported field key %q; supported keys are ref, type, value", key)
		}
	}
	if f.Ref == "" {
		return f, errors.New("must include ref")
	}
	if f.checked() {
		return f, f.readState()
	}
	return f, nil
}

// readState reads the value of a field that is checked or not, and makes it true or false. As in
// OpenClaw, no value means false. Other words are refused, because they would uncheck what is checked.
func (f *field) readState() error {
	if _, ok := f.Value.Secret(); ok {
		return errors.New("is to be checked, and takes no secret")
	}
	state, ok := op.ParseBool(f.Value.Text())
	if !ok && strings.TrimSpace(f.Value.Text()) != "" {
		return fmt.Errorf("value must be true or false for a %s", f.Type)
	}
	f.Value = op.Sealed(fmt.Sprint(state))
	return nil
}

// checked reports whether the field is not filled with text, but checked or not.
func (f field) checked() bool { return f.Type == "checkbox" || f.Type == "radio" }

// plainText returns a value as text; false for lists and objects.
func plainText(value any) (text string, ok bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case bool, json.Number:
		return fmt.Sprint(v), true
	}
	return "", false
}

// fillResult says how many fields were filled, and which of them hold another value than they were
// given.
type fillResult struct {
	Filled int              `json:"filled" doc:"how many fields were filled"`
	Differ []differingField `json:"differ,omitempty" doc:"fields that do not hold the given value, because the page changed it"`

	of int // how many fields the call has
}

// differingField is a field that holds another value than it was given.
type differingField struct {
	Ref   string      `json:"ref" doc:"the field"`
	Value op.PageText `json:"value" doc:"what the field holds now; empty for a secret"`
	Note  string      `json:"note,omitempty" doc:"a note that the field does not hold the exact secret"`
}

func (d differingField) text() string {
	if d.Note != "" {
		return "ref " + d.Ref + ": " + d.Note
	}
	return holds("ref "+d.Ref, &d.Value)
}

// Text says how many fields were filled, and which hold another value.
func (f fillResult) Text() string {
	all := []string{fmt.Sprintf("filled %d field(s)", f.Filled)}
	for _, d := range f.Differ {
		all = append(all, d.text())
	}
	return words.Lines(all...)
}

// SoFar adds to an error how many fields were filled before it, and which of them hold another value.
// They stay as they are.
func (f fillResult) SoFar(e *op.Error) {
	if f.Filled == 0 {
		return
	}
	e.Message += op.PageText(fmt.Sprintf(" (%d of %d fields were filled before", f.Filled, f.of))
	e.Details = map[string]any{"filled": f.Filled, "of": f.of}
	for _, d := range f.Differ {
		e.Message += op.PageText("; " + d.text())
	}
	if len(f.Differ) > 0 {
		e.Details["differ"] = f.Differ
	}
	e.Message += ")"
	e.Sent = true
}

// How long filling one field may take, by default and at most.
const (
	defaultField = 8 * time.Second
	longestField = 120 * time.Second
)

// perField returns the deadline of one field.
func (r fillRequest) perField() time.Duration {
	if r.TimeoutMs > 0 {
		return timeOf(r.TimeoutMs, longestField)
	}
	return defaultField
}

// WaitTime returns the time for the fields after the first, since the deadline of a request is for
// each field.
func (r fillRequest) WaitTime() time.Duration {
	return r.Settle() + time.Duration(max(0, len(r.Fields)-1))*r.perField()
}

// fill fills the fields in order, in one turn, and stops at the first that cannot be
// filled. Those before it stay filled: a form cannot be put back, because its page may have
// reacted to each of them. Each field is looked up when it is its turn, since filling one
// may have changed the others.
func fill(ctx context.Context, t *call.Turn, r fillRequest) (done fillResult, err error) {
	fields, err := r.read()
	if err != nil {
		return done, err
	}
	done.of = len(fields)
	var filled []filledField
	err = t.Page.Act(ctx, func(ctx context.Context) error {
		var known, next *page.Field
		for i, f := range fields {
			known, next = next, nil
			if i+1 < len(fields) {
				next = fields[i+1].known(ctx, t)
			}
			limited, cancel := context.WithTimeoutCause(ctx, r.perField(), op.ErrDeadline)
			entered, err := fillField(limited, t, f, known, next)
			cancel()
			if err != nil {
				return err
			}
			filled = append(filled, entered)
		}
		return nil
	})
	done.Filled = len(filled)
	if len(fields) > 1 {
		lookAgain(ctx, filled)
	}
	for _, f := range filled {
		if f.differs != nil {
			done.Differ = append(done.Differ, *f.differs)
		} else if f.text != nil {
			t.Gave(f.Ref, f.text.Value)
		}
	}
	return done, err
}

// A filledField is a field that was filled. The text is the field of the page if it got a text. What it
// holds instead of the value is differs, or nil.
type filledField struct {
	field
	text    *page.Field
	differs *differingField
}

// holding returns the field with what it holds, nil if that is the value.
func (f filledField) holding(value *string) filledField {
	if f.differs = nil; value != nil {
		f.differs = &differingField{Ref: f.Ref, Value: op.PageText(*value)}
	}
	return f
}

// lookAgain looks once more what the fields hold, after the last of them was filled.
func lookAgain(ctx context.Context, filled []filledField) {
	var texts []*page.Field
	for _, f := range filled {
		if f.text != nil {
			texts = append(texts, f.text)
		}
	}
	now := page.HeldNow(ctx, texts)
	for i, f := range filled {
		if value, judged := now[f.text]; judged {
			filled[i] = f.holding(value)
		}
	}
}

// known returns the field of the page that gets a text. It returns nil if the field gets a secret or
// is to be checked. It also returns nil if only the page can say which element the ref stands for.
func (f field) known(ctx context.Context, t *call.Turn) *page.Field {
	_, secret := f.Value.Secret()
	if r, ok := page.ParseRef(f.Ref); secret || f.checked() || !ok || r.AX {
		return nil
	}
	el, err := t.Page.Element(ctx, f.Ref)
	if err != nil {
		return nil
	}
	return &page.Field{Element: el, Value: f.Value.Text()}
}

// fillField fills one field. A checkbox or radio button is checked if the value is "true", and
// otherwise unchecked. The parameter known is the field of the page, or nil. The parameter next is the
// field that is filled next, so that the page can prepare it, or nil.
func fillField(ctx context.Context, t *call.Turn, f field, known, next *page.Field) (filledField, error) {
	filled, text := filledField{field: f}, f.Value.Text()
	if known == nil {
		el, err := t.Page.Element(ctx, f.Ref)
		if err != nil {
			return filled, err
		}
		known = &page.Field{Element: el, Value: text}
	}
	if name, ok := f.Value.Secret(); ok {
		note, err := enterSecret(ctx, t, known.Element, name)
		if note != "" {
			filled.differs = &differingField{Ref: f.Ref, Note: note}
		}
		return filled, err
	}
	if f.checked() {
		return filled, known.SetChecked(ctx, text == "true")
	}
	value, err := known.Fill(ctx, next)
	filled.text = known
	return filled.holding(value), err
}
