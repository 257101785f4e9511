package broker

import (
	"testing"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

// While nothing of a page may be read, events with content are withheld. Those that a program needs
// to go on still come.
func TestContentOfEvents(t *testing.T) {
	for method, want := range map[string]bool{
		"Page.screencastFrame":            true,
		"Page.downloadWillBegin":          true,
		"Page.downloadProgress":           true,
		"Page.windowOpen":                 true,
		"Page.eventOfTomorrow":            true,
		"Runtime.bindingCalled":           true,
		"Network.dataReceived":            true,
		"DOM.attributeModified":           true,
		"Unheard.of":                      true,
		"Page.frameNavigated":             false,
		"Page.fileChooserOpened":          false,
		"Page.lifecycleEvent":             false,
		"Fetch.requestPaused":             false,
		"Debugger.scriptParsed":           false,
		"Inspector.targetCrashed":         false,
		"Runtime.executionContextCreated": false,
	} {
		if got := hasContent(method); got != want {
			t.Errorf("%s: %t", method, got)
		}
	}
}

// An event that must come is sent without its content while nothing of the page may be read.
func TestEventsWithoutContent(t *testing.T) {
	for _, test := range []struct{ method, params, want string }{
		{"Page.javascriptDialogClosed", `{"frameId": "F", "result": true, "userInput": "secret"}`, `{"frameId":"F","result":true,"userInput":""}`},
		{
			"Page.javascriptDialogOpening", `{"url": "http://one.test/", "message": "secret", "type": "prompt", "hasBrowserHandler": false, "defaultPrompt": "secret"}`,
			`{"hasBrowserHandler":false,"message":"","type":"prompt","url":"http://one.test/"}`,
		},
		{
			"Fetch.requestPaused", `{"requestId": "1", "request": {"url": "http://one.test/", "method": "POST", "headers": {"Cookie": "secret"}, "postData": "secret",
				"hasPostData": true, "postDataEntries": [{"bytes": "secret"}]}, "responseHeaders": [{"name": "Set-Cookie", "value": "secret"}]}`,
			`{"request":{"headers":{},"method":"POST","url":"http://one.test/"},"requestId":"1"}`,
		},
		{"Fetch.authRequired", `{"requestId": "1", "request": {"headers": {"Cookie": "secret"}}}`, `{"request":{"headers":{}},"requestId":"1"}`},
		{"Debugger.paused", `{"callFrames": [{"this": "secret"}], "reason": "exception", "data": {"description": "secret"}}`, `{"callFrames":[],"reason":"exception"}`},
		{"Debugger.paused", `[]`, `{}`},
		{
			"Debugger.scriptParsed", `{"scriptId": "1", "url": "http://one.test/", "sourceMapURL": "data:secret", "stackTrace": {"description": "secret"}}`,
			`{"scriptId":"1","sourceMapURL":"","url":"http://one.test/"}`,
		},
		{"Target.attachedToTarget", `{"sessionId": "1", "targetInfo": {"title": "secret", "type": "page"}}`, `{"sessionId":"1","targetInfo":{"title":"","type":"page"}}`},
	} {
		got := replace(json.Value(test.params), contents[test.method])
		if err := got.Canonicalize(); err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.method, got, err, test.want)
		}
	}
}
