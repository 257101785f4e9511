package cdp

import (
	"testing"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/google/go-cmp/cmp"
)

const hex32 = "0123456789ABCDEF0123456789ABCDEF"

var frames = []struct {
	name, frame string
	cut         bool
	want        message
}{
	{"reply", `{"id":7,"result":{}}`, true, message{ID: 7, Result: json.Value(`{}`)}},
	{"reply of a session", `{"id":7,"result":{"a":{}},"sessionId":"` + hex32 + `"}`, true,
		message{ID: 7, Result: json.Value(`{"a":{}}`), SessionID: hex32}},
	{"result that ends like a session", `{"id":7,"result":{"a":1,"sessionId":"` + hex32 + `"}}`, true,
		message{ID: 7, Result: json.Value(`{"a":1,"sessionId":"` + hex32 + `"}`)}},
	{"result that talks of results", `{"id":7,"result":{"a":",\"result\":{}"}}`, true,
		message{ID: 7, Result: json.Value(`{"a":",\"result\":{}"}`)}},
	{"event", `{"method":"A.b","params":{"c":1}}`, true, message{Method: "A.b", Params: json.Value(`{"c":1}`)}},
	{"event of a session", `{"method":"A.b","params":{"c":1},"sessionId":"x-1"}`, true,
		message{Method: "A.b", Params: json.Value(`{"c":1}`), SessionID: "x-1"}},
	{"invalid UTF-8", "{\"id\":7,\"result\":{\"a\":\"\xff\"}}", true, message{ID: 7, Result: json.Value("{\"a\":\"\xff\"}")}},

	{"refusal", `{"id":7,"error":{"code":1,"message":"m"}}`, false, message{ID: 7, Error: &Error{Code: 1, Message: "m"}}},
	{"spaces", `{"id": 7, "result": {}}`, false, message{ID: 7, Result: json.Value(`{}`)}},
	{"another order", `{"result":{},"id":7}`, false, message{ID: 7, Result: json.Value(`{}`)}},
	{"no params", `{"method":"A.b"}`, false, message{Method: "A.b"}},
	{"escaped session", `{"id":7,"result":{},"sessionId":"\u0041"}`, false,
		message{ID: 7, Result: json.Value(`{}`), SessionID: "A"}},
	{"escaped method", `{"method":"\u0041.b","params":{}}`, false, message{Method: "A.b", Params: json.Value(`{}`)}},
	{"result that is no object", `{"id":7,"result":[]}`, false, message{ID: 7, Result: json.Value(`[]`)}},
	{"one more field", `{"id":7,"result":{},"more":1}`, false, message{ID: 7, Result: json.Value(`{}`)}},
}

func TestCut(t *testing.T) {
	for _, test := range frames {
		t.Run(test.name, func(t *testing.T) {
			if _, ok := splitFrame([]byte(test.frame)); ok != test.cut {
				t.Errorf("cut = %v, want %v", ok, test.cut)
			}
			got, ok := parse([]byte(test.frame))
			if diff := cmp.Diff(test.want, got); !ok || diff != "" {
				t.Errorf("parse = %v (-want +got):\n%s", ok, diff)
			}
		})
	}
}

// FuzzSplitFrame compares splitFrame with the decoder. If the value that splitFrame finds is valid JSON,
// the decoder must find the same. The value is otherwise refused later, when it is decoded.
func FuzzSplitFrame(f *testing.F) {
	for _, seed := range frames {
		f.Add([]byte(seed.frame))
	}
	for _, seed := range []string{``, `{}`, `{"id":}`, `{"id":,"result":{}}`, `{"id":99999999999999999999,"result":{}}`, `{"method":"`, `{"id":1,"result":{}"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		got, ok := splitFrame(frame)
		parse(frame)
		if !ok {
			return
		}
		if value := append(got.Result, got.Params...); !value.IsValid(lenient) {
			return
		}
		var want message
		if err := json.Unmarshal(frame, &want, lenient); err != nil {
			t.Fatalf("splitFrame reads %q, the decoder says: %v", frame, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("cut of %q (-decoder +cut):\n%s", frame, diff)
		}
	})
}
