package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/op"
)

// An outcome is the result of an action of a batch, or its error. In JSON it is one object with the
// fields of the outcome and those of the action's own answer, as in OpenClaw. So clients read a
// snapshot in a batch like any other:
//
//	{"ok": true, "kind": "snapshot", "snapshot": "- link …", "truncated": false}
type outcome struct {
	OK        bool            `json:"ok" doc:"the action was done"`
	Skipped   bool            `json:"skipped,omitempty" doc:"the action was left out because of a navigation, although a later one was done"`
	Kind      string          `json:"kind,omitempty" doc:"kind of the action; absent if it has no result" tool:"-"`
	Error     op.PageText     `json:"error,omitempty" doc:"why the action failed" tool:"-"`
	Code      op.Code         `json:"code,omitempty" doc:"code of the error"`
	Hint      op.PageText     `json:"hint,omitempty" doc:"what to do next" tool:"-"`
	Details   map[string]any  `json:"details,omitempty" doc:"details of the error"`
	Sent      bool            `json:"sent,omitempty" doc:"the action's input was sent to the page, but the page may not have handled it"`
	Navigated bool            `json:"navigated,omitempty" doc:"the page has navigated during the action"`
	URL       op.PageText     `json:"url,omitempty" doc:"address that the page has navigated to"`
	Result    json.RawMessage `json:"result,omitempty" doc:"value of the script"`
	Truncated bool            `json:"truncated,omitempty" doc:"a text of this result was cut"`
	Results   json.RawMessage `json:"results,omitempty" doc:"for a batch in the batch: the result of each of its actions"`
	Aborted   *aborted        `json:"aborted,omitempty" doc:"for a batch in the batch: why it stopped before its end"`
	Ignored   []string        `json:"ignored,omitempty" doc:"fields that the action does not know"`

	own op.Args // the other fields of the action's answer
}

// plainOutcome has the fields of an outcome but not its methods, so encoding it does not call
// MarshalJSON again.
type plainOutcome outcome

// Variants returns the operations whose answers an outcome can contain.
func (outcome) Variants() []*op.Op { return actTable().Ops }

// MarshalJSON writes the fields of the outcome and those of the action's answer as one object.
func (o outcome) MarshalJSON() ([]byte, error) {
	if len(o.own) == 0 {
		return json.Marshal(plainOutcome(o))
	}
	return op.Merge(plainOutcome(o), o.own)
}

// UnmarshalJSON reverses MarshalJSON: all fields that the outcome does not have belong to the
// answer. The command line and the agent tool read the answers of a server with it.
func (o *outcome) UnmarshalJSON(raw []byte) error {
	if err := json.Unmarshal(raw, (*plainOutcome)(o)); err != nil {
		return err
	}
	json.Unmarshal(raw, &o.own)
	maps.DeleteFunc(o.own, func(name string, _ json.RawMessage) bool { return slices.Contains(outcomeFields(), name) })
	return nil
}

// outcomeFields are the names of the fields that all outcomes have.
var outcomeFields = sync.OnceValue(func() []string { return fieldNames(reflect.TypeFor[outcome]()) })

// fieldNames returns the names that the fields of a struct have in JSON.
func fieldNames(t reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// failedOutcome returns the outcome of an action that ended with an error.
func failedOutcome(err error) outcome {
	var o outcome
	o.fail(op.AsError(call.Explain(err)))
	return o
}

// fail makes the outcome one of an action that failed with e. The answer that the action may have
// given nevertheless is kept.
func (o *outcome) fail(e *op.Error) {
	o.OK, o.Error, o.Code, o.Hint, o.Details, o.Sent = false, e.Message, e.Code, op.PageText(e.Hint), e.Details, e.Sent
}

// failed reports whether the action was begun and not done.
func (o outcome) failed() bool { return !o.OK && !o.Skipped }

// outcomeOf makes the outcome of an action from its answer. The parameter most limits the
// characters of each text; 0 means no limit. A batch inside the batch counts as failed if one of
// its actions failed. An expectation counts as failed if it is not met.
func outcomeOf(action *op.Op, answer json.RawMessage, most int) outcome {
	var o outcome
	var nested batchResult
	json.Unmarshal(answer, &o)
	json.Unmarshal(answer, &nested)
	o.OK = true
	o.bound(most)
	if len(o.own) > 0 || o.Result != nil {
		o.Kind = kindOf(action)
	}
	if i := nested.firstFailed(); i >= 0 {
		bad := nested.Results[i]
		o.OK, o.Error, o.Code, o.Hint, o.Sent = false, bad.Error, bad.Code, bad.Hint, bad.Sent
	} else if err := action.Failure(answer); err != nil {
		o.fail(op.AsError(err))
	}
	return o
}

// bound cuts the result of a script and the texts of an outcome. The parameter most is the limit
// for each of them, in characters. A hundred readings of the usual length would be more than a
// model can take. Lists and objects in other fields are left whole, as half of one would not be
// JSON.
func (o *outcome) bound(most int) {
	if most == 0 {
		return
	}
	if o.Result != nil {
		cut := bounded(o.Result, most)
		o.Result, o.Truncated = cut.Result, o.Truncated || cut.Truncated
	}
	for name, raw := range o.own {
		if raw[0] == '"' {
			cut := bounded(raw, most)
			o.own[name], o.Truncated = cut.Result, o.Truncated || cut.Truncated
		}
	}
}

// text returns the text that the action's own operation makes of the answer; "" if it makes none.
// The operation is found by its kind, because an outcome that was read from JSON has no other link to
// it.
func (o outcome) text() string {
	if o.Result != nil {
		return string(o.Result)
	}
	for _, action := range actTable().Ops {
		if o.Kind != kindOf(action) {
			continue
		}
		answer, err := op.Merge(plainOutcome(o), o.own)
		if result, ok := op.As[op.Texter](action.Result, answer); ok && err == nil {
			return words.Lines(result.Text(), warning(result))
		}
		if reached, ok := op.As[*destination](action.Result, answer); ok && err == nil {
			return reached.Terminal()
		}
	}
	return ""
}

// warning returns the line that a result has beside its text; "" if it has none.
func warning(result any) string {
	if w, ok := result.(interface{ Warning() string }); ok {
		return w.Warning()
	}
	return ""
}

// ignoredText names the fields that had no effect. A caller that has misspelled one must learn that.
func (o outcome) ignoredText() string {
	if len(o.Ignored) == 0 {
		return ""
	}
	return "ignored: " + strings.Join(o.Ignored, ", ")
}

// A shortened result has a shorter form for the answer of a batch, which may have a hundred
// results.
type shortened interface{ short() any }

// short leaves out the list of refs, since each line of the snapshot's text has its ref.
func (s snapshotResult) short() any {
	s.Refs, s.Stats = nil, nil
	return s
}

// short leaves out the positions of the labels, which the picture shows. It changes a copy of the
// Labelled, because the caller's result has a pointer to the same one.
func (s screenshotResult) short() any {
	if s.Labelled != nil {
		drawn := *s.Labelled
		drawn.Annotations = []annotation{}
		s.Labelled = &drawn
	}
	return s
}
