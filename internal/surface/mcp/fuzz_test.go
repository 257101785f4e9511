package mcp

import (
	"encoding/json"
	"errors"
	"testing"

	"chela/internal/op"
)

// Whatever a model writes, the tool either finds an operation that agents may use, or returns an error
// with a message.
func FuzzUnderstand(f *testing.F) {
	for _, call := range []string{
		`{"action":"click","ref":"e1"}`, `{"action":"act","request":{"kind":"click","ref":"e1"}}`, `{"action":"act","request":"{\"kind\":\"click\"}","target_id":"t1"}`,
		`{"action":"CLICK","request":{"ref":1}}`, `{"action":"act","kind":"nope"}`, `{"action":1}`, `{"action":"wait","mode":["load"]}`, `{"action":"storage","request":null}`,
	} {
		f.Add([]byte(call))
	}
	tool := Tool{Table: table}
	f.Fuzz(func(t *testing.T, call []byte) {
		var args op.Args
		if json.Unmarshal(call, &args) != nil || args == nil {
			return
		}
		o, rest, err := tool.understand(args)
		if err != nil {
			if e, ok := errors.AsType[*op.Error](err); !ok || e.Message == "" {
				t.Errorf("%s: %v", call, err)
			}
			return
		}
		if o == nil || !o.ForAgents() || rest["request"] != nil && !o.Is("request") && args["request"] == nil {
			t.Errorf("%s is %v with %v", call, o, rest)
		}
	})
}
