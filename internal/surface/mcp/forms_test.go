package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

type renderRequest struct {
	URL    string `json:"url" alias:"targetUrl" doc:"address"`
	Mode   string `json:"mode" enum:"picture,text" wrong:"No such mode" missing:"No mode" doc:"what to answer"`
	Length int    `json:"max_length,omitempty" min:"1" default:"9" doc:"of the text"`
	Script string `json:"script,omitempty" script:"true" doc:"to run"`
}

var rendering = &op.Table{Ops: []*op.Op{
	row[on, tabList]("GET /tabs", "tabs", "List the tabs."),
	row[renderRequest, ok]("POST /render", "render {url}", "Render a page.", op.Rare, op.When("url"),
		op.AlsoTool("page_text", "mode=text url max_length script", "The text of a page.")),
}}

// noting is a runner that notes what it runs.
type noting struct{ ran string }

func (n *noting) Run(_ context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	raw, err := json.Marshal(args)
	if err == nil {
		err = o.Check(args)
	}
	n.ran = fmt.Sprint(o.Name(), " ", string(raw))
	return json.RawMessage(`{"ok":true}`), err
}

func TestActionsThatNeedNoName(t *testing.T) {
	n := new(noting)
	s := connectTo(t, Tool{Table: rendering, Runner: n})
	for _, test := range []struct{ args, want string }{
		{`{"url":"http://a/","mode":"text"}`, `render {"mode":"text","url":"http://a/"}`},
		{`{"url":"http://a/","mode":"text","max_length":3}`, `render {"max_length":3,"mode":"text","url":"http://a/"}`},
	} {
		if res := call(t, s, test.args); res.IsError || n.ran != test.want {
			t.Errorf("%s: ran %s, %s, want %s", test.args, n.ran, firstText(res), test.want)
		}
	}
	for args, want := range map[string]string{
		`{"url":"http://a/"}`:              "error: invalid_request\nNo mode",
		`{"url":"http://a/","mode":"zap"}`: "error: invalid_request\nNo such mode",
		`{"mode":"text"}`:                  "error: invalid_request\ntargetUrl required",
	} {
		if res := call(t, s, args); !res.IsError || firstText(res) != want {
			t.Errorf("%s: got %s, want %s", args, firstText(res), want)
		}
	}
}

// An operation can be a tool of its own, with some of its parameters.
func TestForms(t *testing.T) {
	n := new(noting)
	s := connectTo(t, Tool{Table: rendering, Runner: n, Forms: true})
	list, err := s.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 2 {
		t.Fatalf("got %+v, %v", list, err)
	}
	i := slices.IndexFunc(list.Tools, func(tool *sdk.Tool) bool { return tool.Name == "page_text" })
	schema, _ := json.Marshal(list.Tools[i].InputSchema)
	const want = `{"properties":{"max_length":{"default":9,"description":"of the text","minimum":1,"type":"integer"},"url":{"description":"address","type":"string"}},"required":["url"],"type":"object"}`
	if string(schema) != want {
		t.Errorf("got %s, want %s", schema, want)
	}
	for _, test := range []struct{ args, want string }{
		{`{"url":"http://a/","max_length":3}`, `render {"max_length":3,"mode":"text","url":"http://a/"}`},
		{`{"url":"http://a/","mode":"picture"}`, `render {"mode":"text","url":"http://a/"}`},
	} {
		res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "page_text", Arguments: json.RawMessage(test.args)})
		if err != nil || res.IsError || n.ran != test.want {
			t.Errorf("%s: ran %s, %v %v, want %s", test.args, n.ran, res, err, test.want)
		}
	}
}
