package op

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

type madeFile struct {
	Name PageText `json:"name" doc:"name"`
	Path File     `json:"path,omitempty" doc:"file"`
}

type made struct {
	Picture File       `json:"picture,omitempty" doc:"file"`
	One     *madeFile  `json:"one,omitempty" doc:"file"`
	More    []madeFile `json:"more,omitempty" doc:"files"`
	Inner   *made      `json:"inner,omitempty" doc:"the same again"`
	Text    PageText   `json:"text,omitempty" doc:"of a page"`
}

type around struct {
	Downloads []madeFile `json:"downloads,omitempty" doc:"files"`
}

func making[Res any](settings ...Setting) *Op {
	return Define("POST /make", "make", "Make.", func(context.Context, any, struct{}) (r Res, err error) { return r, nil }, settings...)
}

func TestFiles(t *testing.T) {
	o, none := making[made](Envelope[around]()), making[struct {
		Text PageText `json:"text" doc:"of a page"`
	}](Envelope[around]())
	for _, test := range []struct {
		op     *Op
		answer string
		want   []string
	}{
		{o, `{"picture":"/a.png"}`, []string{"/a.png"}},
		{o, `{"picture":"","one":{"path":"/b","name":"/c"}}`, []string{"/b"}},
		{o, `{"more":[{"path":"/a"},{"name":"x"},{"path":"/b"},{"path":"/a"}]}`, []string{"/a", "/b"}},
		{o, `{"inner":{"picture":"/i"},"downloads":[{"path":"/d"}],"picture":"/p"}`, []string{"/p", "/i", "/d"}},
		{o, `{"text":"{\"picture\":\"/a.png\"}"}`, nil},
		{o, `{"picture":7}`, nil},
		{o, `[]`, nil},
		{none, `{"downloads":[{"path":"/d"}]}`, []string{"/d"}},
		{none, `{"text":"\"path\":\"/d\""}`, nil},
	} {
		if got := test.op.Files(json.RawMessage(test.answer)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.answer, got, test.want)
		}
	}
	if !o.MakesFile() || none.MakesFile() {
		t.Error("an operation makes a file if its own result has one")
	}
}

// Another machine may write the names of fields in any way. No path of it is left in the answer.
func TestCopyFilesOfOthers(t *testing.T) {
	o := making[made](Envelope[around]())
	for _, answer := range []string{`{"picture" : "/a.png"}`, `{"p\u0069cture":"/a.png"}`, `{"PICTURE":"/a.png"}`, `{"picture":"/x","Picture":"/a.png"}`} {
		got, err := o.CopyFiles(json.RawMessage(answer), func(string) (string, error) { return "", nil })
		if err != nil || strings.Contains(string(got), "/a.png") {
			t.Errorf("%s became %s, %v", answer, got, err)
		}
	}
}

func TestMoveFiles(t *testing.T) {
	const answer = `{"text":"\"path\":\"/a\" /a","path":"/a","more":[{"path":"/a b\u003c"}],"other":"/ab"}`
	got := MoveFiles(json.RawMessage(answer), map[string]string{"/a": `C:\x`, "/a b<": "/y", "/z": "/w"})
	if want := `{"text":"\"path\":\"/a\" /a","path":"C:\\x","more":[{"path":"/y"}],"other":"/ab"}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Paths are also replaced in lists, and in JSON with spaces or unusual escapes. A path that takes
// the place of another is not replaced again, and names of fields stay.
func TestMoveFilesAnywhere(t *testing.T) {
	const answer = `{"list" : ["/a", "/b"], "/a": "\u002fa", "size": 1e999, "b": "/b"}`
	got := MoveFiles(json.RawMessage(answer), map[string]string{"/a": "/b", "/b": "/c"})
	if want := `{"list" : ["/b", "/c"], "/a": "/b", "size": 1e999, "b": "/c"}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
