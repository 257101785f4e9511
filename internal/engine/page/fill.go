package page

import (
	"context"
	"time"

	"chela/internal/engine/frame"
)

// A Field is a field of a form, with the value that it gets.
//
// Filling a field takes two round trips: the page script prepares it (edit.js), then the text is
// inserted. For all fields of a form but the first, one round trip is enough. The call that confirms
// the text of a field also prepares the next field.
type Field struct {
	*Element
	Value string

	prepared *frame.World // the document in which awaitEdit has prepared the field: the text can be inserted; nil: it is not prepared
	until    time.Time    // the guard of the prepared field lets nothing pass after this time
}

// Fill sets the value of a control of any kind. For a select element, or an ARIA list or combobox that
// takes no text, Value is a value or label of an option. For a checkbox, radio or switch it is true or
// false. Other controls get it as text.
// Most controls take text, so the page script is first asked to prepare the control for text. If
// the control is of another kind, the page script answers which kind it is. The parameter next is
// the field that is filled next, or nil. Fill returns what Type or Select returns.
func (f *Field) Fill(ctx context.Context, next *Field) (holds *string, err error) {
	if w := f.takePrepared(ctx); w != nil {
		return f.insert(ctx, f.Value, w, next)
	}
	how, err := f.prepareEdit(ctx, f.Value, manner{fill: true})
	switch {
	case err != nil:
		return nil, err
	case how.Sort == "select":
		return f.Select(ctx, []string{f.Value})
	case how.Sort == "check":
		return nil, f.SetChecked(ctx, f.Value == "true")
	}
	return f.enter(ctx, f.Value, how, next)
}

// takePrepared returns the document in which the field is prepared, which it is for one insertion.
// It returns nil if it is not, or if the guard leaves less than half of the time for the text.
func (f *Field) takePrepared(ctx context.Context) *frame.World {
	w := f.prepared
	f.prepared = nil
	if w == nil || time.Until(f.until) <= remaining(ctx)/2 {
		return nil
	}
	if report, wanted := reportOfSubjects(ctx); wanted {
		f.reportSubject(report, &point{})
	}
	return w
}

// after returns the argument with which awaitEdit prepares the field when e has its text, and a
// context for that call. With this context, the page script also describes the field. The argument
// is nil if there is no field, or if it must be prepared by itself.
func (f *Field) after(ctx context.Context, e *Element) (context.Context, any) {
	if f == nil || f.frame != e.frame || f.page.isLent() {
		return ctx, nil
	}
	f.until = ScriptDeadline(ctx)
	argument := map[string]any{"n": f.ref.Number, "text": f.Value, "o": f.editOptions(ctx, f.Value, manner{fill: true})}
	if _, wanted := reportOfSubjects(ctx); wanted {
		ctx = frame.Describe(ctx, f.ref.Number, func(s frame.Subject) { f.inFrame = s })
	}
	return ctx, argument
}

// HeldNow returns what fields hold that got a text or an option before, nil for one that holds its
// Value. A page may change a field when it loses the focus, or when another is filled. Fields that
// cannot be judged are left out: those of other kinds, and those whose document is gone. A page
// that does not answer within effectTime is not judged.
func HeldNow(ctx context.Context, fields []*Field) map[*Field]*string {
	ctx, cancel := context.WithTimeout(ctx, effectTime)
	defer cancel()
	inFrame := map[*frame.Frame][]*Field{}
	for _, f := range fields {
		inFrame[f.frame] = append(inFrame[f.frame], f)
	}
	type held []*struct{ Holds *string }
	answers := map[*frame.Frame]frame.Answer[held]{}
	for in, all := range inFrame {
		w, err := all[0].world(ctx)
		if err != nil {
			continue
		}
		var asked []map[string]any
		for _, f := range all {
			asked = append(asked, map[string]any{"n": f.ref.Number, "text": f.Value})
		}
		answers[in] = frame.Send[held](ctx, w, "heldNow", asked)
	}
	now := map[*Field]*string{}
	for in, sent := range answers {
		answer, err := sent.Wait(ctx)
		if err != nil || len(answer) != len(inFrame[in]) {
			continue
		}
		for i, f := range inFrame[in] {
			if answer[i] != nil {
				now[f] = answer[i].Holds
			}
		}
	}
	return now
}
