package broker

import (
	"slices"
	"strings"
	"time"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"

	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
)

// pass sends an event of a session to the client. The event is about a tab; nil: about none. While
// nothing of its page may be read (see [page.Page.Withheld]), the client gets no event that has
// content, and others without their content.
// A picture of a recording is acknowledged here later, so that Chromium then sends the next one.
func (c *client) pass(s *session, tab *browser.Tab, ev cdp.Event) {
	replaced := contents[ev.Method]
	if tab == nil || replaced == nil && !hasContent(ev.Method) || tab.Page().Withheld() == nil {
		c.emit(s, ev.Method, ev.Params)
		return
	}
	if replaced != nil {
		c.emit(s, ev.Method, replace(ev.Params, replaced))
		return
	}
	if frame, ok := cdp.Decode(ev, page.ScreencastFrame); ok {
		time.AfterFunc(withheldTime, func() {
			s.Forward("Page.screencastFrameAck", encode(map[string]int64{"sessionId": frame.SessionID}), maxReply, func(json.Value, error) {})
		})
	}
}

// withheldTime is how long Chromium waits for the acknowledgement of a withheld picture: until then, it
// makes no more of them.
const withheldTime = time.Second

// A replacement has values for some fields of an object. A field whose value is nil is removed. Another
// replacement is for the fields of the object in that field.
type replacement map[string]any

// contents has what replaces the content of events that the client must know of. After most of them,
// the page waits for the client.
var contents = map[string]replacement{
	"Debugger.paused":              {"callFrames": []any{}, "data": nil, "asyncStackTrace": nil},
	"Debugger.scriptFailedToParse": {"sourceMapURL": "", "stackTrace": nil},
	"Debugger.scriptParsed":        {"sourceMapURL": "", "stackTrace": nil},
	"Fetch.authRequired":           {"request": requestContent},
	"Fetch.requestPaused":          {"request": requestContent, "responseHeaders": nil},
	"Page.javascriptDialogClosed":  {"userInput": ""},
	"Page.javascriptDialogOpening": {"message": "", "defaultPrompt": nil},
	"Target.attachedToTarget":      {"targetInfo": replacement{"title": ""}},
}

var requestContent = replacement{"headers": struct{}{}, "hasPostData": nil, "postData": nil, "postDataEntries": nil}

// replace returns an object with some of its fields replaced. An object that cannot be read becomes an
// empty one.
func replace(object json.Value, with replacement) json.Value {
	fields := map[string]json.Value{}
	if json.Unmarshal(object, &fields, lenient) != nil {
		return empty
	}
	for name, value := range with {
		switch inner, is := value.(replacement); {
		case is:
			fields[name] = replace(fields[name], inner)
		case value == nil:
			delete(fields, name)
		default:
			fields[name] = encode(value)
		}
	}
	return encode(fields)
}

// structure lists the events of the domain Page that say which documents there are, or that the page
// waits for the client.
const structure = "backForwardCacheNotUsed documentOpened domContentEventFired fileChooserOpened frameAttached frameClearedScheduledNavigation " +
	"frameDetached frameNavigated frameRequestedNavigation frameResized frameScheduledNavigation frameStartedLoading frameStartedNavigating " +
	"frameStoppedLoading frameSubtreeWillBeDetached interstitialHidden interstitialShown lifecycleEvent loadEventFired navigatedWithinDocument " +
	"screencastVisibilityChanged"

// hasContent reports whether an event says what a page shows, does or receives. Other events must not
// be lost: they say which targets, documents and script contexts there are, or that the page waits for
// the client.
func hasContent(method string) bool {
	domain, name, _ := strings.Cut(method, ".")
	switch domain {
	case "Debugger", "Fetch", "Inspector", "Target":
		return false
	case "Page":
		return !slices.Contains(strings.Fields(structure), name)
	case "Runtime":
		return !strings.HasPrefix(name, "executionContext")
	}
	return true
}
