package api

import (
	"encoding/json"
	"strings"
	"testing"

	"chela/internal/op"
)

// The outcome of an action has the action's answer, shortened if it is long. Code that shows
// outcomes can decode it again.
func TestOutcomeHasTheAnswer(t *testing.T) {
	for _, s := range []struct{ kind, answer, outcome, text string }{
		{"press", `{}`, `{"ok":true}`, ""},
		{"find", `{"matches":[{"ref":"e1","line":"- link"}],"total":1}`,
			`{"ok":true,"kind":"find","matches":[{"ref":"e1","line":"- link"}],"total":1}`, "- link"},
		{"screenshot", `{"path":"/a.png"}`, `{"ok":true,"kind":"screenshot","path":"/a.png"}`, "/a.png"},
		{"expect", `{"met":true,"line":"- link"}`, `{"ok":true,"kind":"expect","line":"- link","met":true}`, "as expected: - link"},
		{"expect", `{"met":false,"instead":"2"}`,
			`{"ok":false,"kind":"expect","error":"not as expected; instead there is: 2","code":"not_met",` +
				`"hint":"take a snapshot to see what the page shows, or wait longer with timeoutMs","instead":"2","met":false}`, "not as expected; instead there is: 2"},
		{"expect", `{"met":false}`, `{"ok":false,"kind":"expect","error":"not as expected","code":"not_met",` +
			`"hint":"take a snapshot to see what the page shows, or wait longer with timeoutMs","met":false}`, "not as expected"},
		{"evaluate", `{"result":{"a":1}}`, `{"ok":true,"kind":"evaluate","result":{"a":1}}`, `{"a":1}`},
		{"evaluate", `{"result":"0123456789abc"}`, `{"ok":true,"kind":"evaluate","result":"0123456789… (3 more characters)","truncated":true}`, `"0123456789… (3 more characters)"`},
		{"type", `{"value":"0123456789abc"}`, `{"ok":true,"kind":"type","truncated":true,"value":"0123456789… (3 more characters)"}`, `it holds "0123456789… (3 more characters)" now`},
	} {
		o := outcomeOf(actTable().Named(s.kind), json.RawMessage(s.answer), 10)
		raw, err := json.Marshal(o)
		if err != nil || string(raw) != s.outcome {
			t.Errorf("%s %s:\ngot  %s, %v\nwant %s", s.kind, s.answer, raw, err, s.outcome)
		}
		var again outcome
		if err := json.Unmarshal(raw, &again); err != nil || again.text() != s.text {
			t.Errorf("%s %s: the text is %q, %v, want %q", s.kind, s.answer, again.text(), err, s.text)
		}
	}
}

// Fields of the same name have the same type in all results, because one type, outcome, has the
// fields of all.
func TestOutcomesAgree(t *testing.T) {
	types := map[string]any{}
	for _, o := range actTable().Ops {
		properties, _ := op.Schema(o.Result)["properties"].(op.Object)
		for name, schema := range properties {
			kind := schema.(op.Object)["type"]
			if known, ok := types[name]; ok && known != kind && !strings.Contains("result results", name) {
				t.Errorf("%s of %s is of type %v, and of type %v elsewhere", name, o.Name(), kind, known)
			}
			types[name] = kind
		}
	}
}
