package observe

import (
	"testing"

	"github.com/chromedp/cdproto/runtime"
)

// The stack of an error that Chromium reports without its value hides secrets in addresses, as other
// stacks do.
func TestStackWithoutValueHidesSecretParameters(t *testing.T) {
	e := errorOf(&runtime.ExceptionDetails{Text: "Uncaught (in promise) Error: there", StackTrace: &runtime.StackTrace{CallFrames: []*runtime.CallFrame{
		{FunctionName: "fails", URL: "https://cdn.test/a.js?access_token=abc", LineNumber: 1, ColumnNumber: 2}, {},
	}}})
	want := "Error: there\n    at fails (https://cdn.test/a.js?access_token=[secret]:2:3)\n    at <anonymous> (<anonymous>:1:1)"
	if e.Stack != want {
		t.Errorf("got %q, want %q", e.Stack, want)
	}
}
