package op

import (
	"encoding/json"
	"testing"
)

type handled1 struct {
	Title string   `json:"title" doc:"a title"`
	Tab   Handle   `json:"tabId" doc:"a handle"`
	Inner []inner  `json:"inner,omitempty" doc:"more"`
	Many  []Handle `json:"tabs,omitempty" doc:"handles"`
	Free  Object   `json:"free,omitempty" doc:"of the page"`
}

type inner struct {
	Tab *Handle `json:"targetId,omitempty" doc:"a handle"`
	N   int     `json:"n" doc:"a number"`
}

// All handles in an answer get the name of their node, in whatever field of the answer they are.
// Nothing else changes, neither a title that looks like a handle nor text of a page.
func TestMoveHandles(t *testing.T) {
	o := Define("GET /x", "x", "X.", nothingOf[handled1])
	onMac := func(h Handle) Handle { return h.OnNode("mac") }
	for _, test := range []struct{ answer, want string }{
		{`{"title":"t3","tabId":"t3"}`, `{"title":"t3","tabId":"mac/t3"}`},
		{`{"tabId":"","z":[1, {"tabId":"t1"}],"title":"a"}`, `{"tabId":"","z":[1, {"tabId":"t1"}],"title":"a"}`},
		{`{"inner":[{"targetId":"AB","n":1},{"n":2}],"tabs":["t1","t2"]}`, `{"inner":[{"targetId":"mac/AB","n":1},{"n":2}],"tabs":["mac/t1","mac/t2"]}`},
		{`{"free":{"tabId":"t1"}}`, `{"free":{"tabId":"t1"}}`},
		{`{"inner":"wrong"}`, `{"inner":"wrong"}`},
		{`broken`, `broken`},
	} {
		if got := o.MoveHandles(json.RawMessage(test.answer), onMac); string(got) != test.want {
			t.Errorf("%s became %s, want %s", test.answer, got, test.want)
		}
	}
}

func TestTakeNode(t *testing.T) {
	for _, test := range []struct{ args, node, left, err string }{
		{`{"targetId":"mac/t3"}`, "mac", `{"targetId":"t3"}`, ""},
		{`{"targetId":"t3"}`, "", `{"targetId":"t3"}`, ""},
		{`{"actions":[{"kind":"click","targetId":"mac/t1"},{"kind":"press"}]}`, "mac", `{"actions":[{"kind":"click","targetId":"t1"},{"kind":"press"}]}`, ""},
		{`{"actions":[{"actions":[{"targetId":"mac/t1"}]}],"targetId":"mac/t1"}`, "mac", `{"actions":[{"actions":[{"targetId":"t1"}]}],"targetId":"t1"}`, ""},
		{`{"targetId":"mac/t1","actions":[{"targetId":"pc/t1"}]}`, "", "", "the tabs of one call must be on one node, and not on mac and pc"},
	} {
		var args Args
		json.Unmarshal([]byte(test.args), &args)
		node, err := TakeNode(args)
		left, _ := json.Marshal(args)
		switch {
		case test.err != "" && (err == nil || err.Error() != test.err):
			t.Errorf("%s: got %v, want %s", test.args, err, test.err)
		case test.err == "" && (err != nil || node != test.node || string(left) != test.left):
			t.Errorf("%s: got %q %s, %v, want %q %s", test.args, node, left, err, test.node, test.left)
		}
	}
}
