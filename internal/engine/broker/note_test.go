package broker

import "testing"

func TestNoted(t *testing.T) {
	for message, want := range map[string]bool{
		`{"method": "Page.navigate"}`:                                                true,
		`{"method": "Page.close"}`:                                                   true,
		`{"method": "Page.handleJavaScriptDialog"}`:                                  true,
		`{"method": "Page.addScriptToEvaluateOnNewDocument"}`:                        true,
		`{"method": "Debugger.evaluateOnCallFrame"}`:                                 true,
		`{"method": "DOM.setOuterHTML"}`:                                             true,
		`{"method": "DOMStorage.clear"}`:                                             true,
		`{"method": "Network.deleteCookies"}`:                                        true,
		`{"method": "Storage.setCookies"}`:                                           true,
		`{"method": "Fetch.fulfillRequest"}`:                                         true,
		`{"method": "Unheard.of"}`:                                                   true,
		`{"method": "Page.captureScreenshot"}`:                                       true,
		`{"method": "DOM.getOuterHTML"}`:                                             true,
		`{"method": "Network.getCookies"}`:                                           true,
		`{"method": "DOM.describeNode"}`:                                             true,
		`{"method": "DOM.requestChildNodes"}`:                                        true,
		`{"method": "DOM.getAttributes"}`:                                            true,
		`{"method": "Accessibility.getPartialAXTree"}`:                               true,
		`{"method": "Runtime.getProperties"}`:                                        true,
		`{"method": "Runtime.awaitPromise"}`:                                         true,
		`{"method": "CSS.getStyleSheetText"}`:                                        true,
		`{"method": "Fetch.takeResponseBodyAsStream"}`:                               true,
		`{"method": "IO.read"}`:                                                      true,
		`{"method": "Network.searchInResponseBody"}`:                                 true,
		`{"method": "Page.getNavigationHistory"}`:                                    true,
		`{"method": "Input.dispatchMouseEvent", "params": {"type": "mousePressed"}}`: true,

		`{"method": "Input.dispatchMouseEvent", "params": {"type": "mouseMoved"}}`: false,
		`{"method": "Input.dispatchKeyEvent", "params": {"type": "keyUp"}}`:        false,
		`{"method": "Page.enable"}`:             false,
		`{"method": "Page.getFrameTree"}`:       false,
		`{"method": "Page.screencastFrameAck"}`: false,
		`{"method": "Debugger.resume"}`:         false,
		`{"method": "Fetch.disable"}`:           false,
		`{"method": "Fetch.failRequest"}`:       false,

		`{"method": "Fetch.continueRequest", "params": {"requestId": "1", "interceptResponse": true}}`: false,
		`{"method": "Fetch.continueRequest", "params": {"requestId": "1", "postData": "YQ=="}}`:        true,
		`{"method": "Fetch.continueRequest", "params": {"requestId": "1", "headers": []}}`:             true,
		`{"method": "Fetch.continueResponse", "params": {"requestId": "1"}}`:                           false,
		`{"method": "Fetch.continueResponse", "params": {"requestId": "1", "responseCode": 200}}`:      true,
		`{"method": "Fetch.continueWithAuth"}`:                                                         true,
		`{"method": "Emulation.setFocusEmulationEnabled"}`:                                             false,
	} {
		r, err := parse([]byte(`{"id": 1, ` + message[1:]))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.isNoted(); got != want {
			t.Errorf("%s: %v", message, got)
		}
	}
	for method := range commandsIn(unnoted) {
		if gateOf(method) == nil {
			t.Errorf("%s is not recorded, and has no gate", method)
		}
	}
}
