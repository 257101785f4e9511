package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/op"
)

func TestReadActions(t *testing.T) {
	const press = `{"kind":"press","key":"a"}`
	nested := func(depth int) string {
		return "[" + strings.Repeat(`{"kind":"batch","actions":[`, depth-1) + press + strings.Repeat("]}", depth-1) + "]"
	}
	tests := []struct{ name, actions, code, says, hint string }{
		{"two", "[" + press + "," + press + "]", "", "", ""},
		{"five levels", nested(5), "", "", ""},
		{"six levels", nested(6), "ACT_INVALID_REQUEST", "batch nesting exceeds maximum depth of 5", ""},
		{"thousands of levels", nested(4000), "ACT_INVALID_REQUEST", "batch nesting exceeds maximum depth of 5", ""},
		{"a hundred in two batches", "[" + strings.Repeat(`{"kind":"batch","actions":[`+press+"]},", 49) + press + "," + press + "]", "", "", ""},
		{"a hundred and one in two batches", "[" + strings.Repeat(`{"kind":"batch","actions":[`+press+"]},", 50) + press + "]", "ACT_INVALID_REQUEST", "batch exceeds maximum of 100 actions", ""},
		{"text", `"press"`, "ACT_INVALID_REQUEST", "batch actions must be a list", ""},
		{"a list of text", `["x"]`, "ACT_INVALID_REQUEST", "batch actions must be objects", "action 1"},
		{"no kind", `[{"key":"a"}]`, "ACT_KIND_REQUIRED", "kind is required", "action 1"},
		{"unknown kind", "[" + press + `,{"kind":"pres"}]`, "ACT_KIND_REQUIRED", `unknown kind "pres"`, `action 2 of the batch; did you mean "press"?`},
		{"what the kind requires", `[{"kind":"click"}]`, "ACT_INVALID_REQUEST", "click requires ref", "action 1"},
		{"a value out of bounds", `[{"kind":"wait","timeMs":99999}]`, "ACT_INVALID_REQUEST", "wait timeMs exceeds", "action 1"},
		{"a selector", `[{"kind":"click","selector":"#a"}]`, "ACT_SELECTOR_UNSUPPORTED", "'selector' is not supported", "action 1"},
		{"a snapshot of its own", `[{"kind":"press","key":"a","snapshot":"delta"}]`, "ACT_INVALID_REQUEST", "snapshot is not supported in a batched action", "give it to the batch"},
		{"a settle time of its own", `[{"kind":"press","key":"a","settleMs":0}]`, "ACT_INVALID_REQUEST", "settleMs is not supported in a batched action", "give it to the batch"},
		{"a snapshot of a nested batch", `[{"kind":"batch","snapshot":"delta","actions":[` + press + `]}]`, "ACT_INVALID_REQUEST", "snapshot is not supported in a batched action", ""},
		{"null is nothing", `[{"kind":"press","key":"a","snapshot":null}]`, "", "", ""},
		{"what navigates and reads", `[{"kind":"navigate","url":"http://a/"},{"kind":"snapshot","maxChars":100},{"kind":"find","text":"a"},{"kind":"expect","gone":"a"},{"kind":"screenshot"}]`, "", "", ""},
		{"names in other spellings", `[{"kind":"click_coords","x":1,"y":1},{"kind":"scrollintoview","ref":"e1"},{"kind":"Screenshot"}]`, "", "", ""},
		{"what is no action of a tab", `[{"kind":"tabs"}]`, "ACT_KIND_REQUIRED", `unknown kind "tabs"`, "action 1"},
		{"almost a name", `[{"kind":"snapshoot"}]`, "ACT_KIND_REQUIRED", `unknown kind "snapshoot"`, `did you mean "snapshot"?`},
		{"what a reading requires", `[{"kind":"find"}]`, "invalid_request", "find requires text or role", "action 1"},
		{"nested without acts", `[{"kind":"batch"}]`, "ACT_INVALID_REQUEST", "batch requires actions", ""},
		{"nested in text", `[{"kind":"batch","actions":"[]"}]`, "ACT_INVALID_REQUEST", "batch requires actions", ""},
		{"a dialog's answer", `[{"kind":"press","key":"a","dialog":{"accept":true}}]`, "", "", ""},
		{"a blank tab", `[{"kind":"press","key":"a","targetId":" "}]`, "ACT_INVALID_REQUEST", "targetId must not be blank", "action 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var a actions
			err := json.Unmarshal([]byte(test.actions), &a)
			e, _ := errors.AsType[*op.Error](err)
			switch {
			case test.code == "" && err != nil:
				t.Errorf("got %v", err)
			case test.code != "" && (e == nil || string(e.Code) != test.code || !strings.Contains(e.Error(), test.says) || !strings.Contains(e.Hint, test.hint)):
				t.Errorf("got %+v, want %s %q, hint %q", err, test.code, test.says, test.hint)
			}
		})
	}
}

// After an act has led to another document, a batch still reads, and releases what is held down.
func TestActionsInAnyDocument(t *testing.T) {
	var a actions
	if err := json.Unmarshal([]byte(`[{"kind":"snapshot"},{"kind":"keyup","key":"a"},{"kind":"mouseUp"},{"kind":"keydown","key":"a"},{"kind":"mouseDown"}]`), &a); err != nil {
		t.Fatal(err)
	}
	for i, s := range a {
		if want := i < 3; s.loose != want {
			t.Errorf("%s: got %v, want %v", s.Op.Name(), s.loose, want)
		}
	}
}

func TestBatchBudget(t *testing.T) {
	for _, test := range []struct {
		args string
		want time.Duration
	}{
		{`{"actions":[{"kind":"press","key":"a"},{"kind":"wait","timeMs":100}]}`, 8*time.Second + 20*time.Second + 100*time.Millisecond + page.AnswerTime},
		{`{"actions":[{"kind":"batch","actions":[{"kind":"press","key":"a"},{"kind":"press","key":"a"}]}]}`, 16 * time.Second},
		{`{"actions":[{"kind":"batch","timeoutMs":900,"actions":[{"kind":"press","key":"a"}]}]}`, 900 * time.Millisecond},
		{`{"timeoutMs":700,"actions":[{"kind":"press","key":"a"}]}`, 700 * time.Millisecond},
		{`{"timeoutMs":"700","actions":[{"kind":"press","key":"a"}]}`, 700 * time.Millisecond},
		{`{"timeoutMs":1,"actions":[{"kind":"press","key":"a"}]}`, 500 * time.Millisecond},
		{`{"timeoutMs":700,"settleMs":300,"actions":[{"kind":"press","key":"a"}]}`, time.Second},
	} {
		var args op.Args
		if err := json.Unmarshal([]byte(test.args), &args); err != nil {
			t.Fatal(err)
		}
		if got := Table().Named("batch").Budget(args); got != test.want {
			t.Errorf("%s: got %v, want %v", test.args, got, test.want)
		}
	}
}

func TestBatchInWords(t *testing.T) {
	for _, test := range []struct{ name, results, text, failure string }{
		{"done", `{"results":[{"ok":true},{"ok":true}]}`, "batch ran 2 action(s)", ""},
		{"with a script", `{"results":[{"ok":true,"result":{"a":1}}]}`, "batch ran 1 action(s)\naction 1: {\"a\":1}", ""},
		{"failed", `{"results":[{"ok":true},{"ok":false,"error":"gone"}]}`, "batch ran 2 action(s), 1 failed", "batch failed: action 2: gone"},
		{"two failed", `{"results":[{"ok":false,"error":"gone"},{"ok":true},{"ok":false,"error":"covered"}]}`, "batch ran 3 action(s), 2 failed", "batch failed: action 1: gone; action 3: covered"},
		{"stopped", `{"results":[{"ok":true,"navigated":true}],"aborted":{"reason":"navigation","afterAction":1,"skipped":2}}`,
			"batch ran 1 action(s)\nBatch stopped after action 1: page navigated; 2 action(s) skipped. Take a fresh snapshot before continuing.", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b batchResult
			if err := json.Unmarshal([]byte(test.results), &b); err != nil {
				t.Fatal(err)
			}
			failure := ""
			if err := b.Failure(); err != nil {
				failure = err.Error()
			}
			if b.Text() != test.text || failure != test.failure {
				t.Errorf("got %q, %q", b.Text(), failure)
			}
		})
	}
}

// A batch fails when an act of a batch inside it fails. Its outcome holds the outcome of each act.
func TestOutcomeOfANestedBatch(t *testing.T) {
	for _, test := range []struct {
		answer string
		ok     bool
		error  string
	}{
		{`{}`, true, ""},
		{`{"filled":2}`, true, ""},
		{`{"results":[{"ok":true}]}`, true, ""},
		{`{"results":[{"ok":true},{"ok":false,"error":"gone","code":"stale_ref"}]}`, false, "gone"},
		{`{"results":[{"ok":false,"error":"gone","code":"stale_ref"},{"ok":true}]}`, false, "gone"},
	} {
		if o := outcomeOf(actTable().Named("batch"), json.RawMessage(test.answer), 0); o.OK != test.ok || string(o.Error) != test.error {
			t.Errorf("%s: got %+v", test.answer, o)
		}
	}
}

// The hint of a failed batch does not lead to the repetition of what was done before.
func TestHintOfAFailedBatch(t *testing.T) {
	for results, want := range map[string]string{
		`[{"ok":false,"error":"late","hint":"try again"}]`:                                                                           "try again",
		`[{"ok":true},{"ok":false,"error":"late","hint":"try again"}]`:                                                               "try again; done: action 1, so leave out what was done",
		`[{"ok":true},{"ok":false,"error":"late","hint":"try again"},{"skipped":true},{"ok":true}]`:                                  "try again; done: action 1, 4, so leave out what was done",
		`[{"ok":false,"error":"late","hint":"try again"},{"ok":false,"error":"gone"}]`:                                               "try again",
		`[{"ok":false,"error":"blocked","code":"navigation_blocked","hint":"names a host of the page"},{"ok":false,"error":"gone"}]`: "",
	} {
		var b batchResult
		if err := json.Unmarshal([]byte(`{"results":`+results+`}`), &b); err != nil {
			t.Fatal(err)
		}
		if got := op.HintOf(b.Failure()); got != want {
			t.Errorf("%s: got %q, want %q", results, got, want)
		}
	}
	if hint, _ := reflect.TypeFor[outcome]().FieldByName("Hint"); hint.Type != reflect.TypeFor[op.PageText]() {
		t.Error("the hint of an action may name a host of the page, and is not marked as a page's text")
	}
}
