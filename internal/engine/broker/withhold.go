package broker

import (
	"strings"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
)

// withholds reports whether an event of a tab is kept from the client. While nothing of the page may
// be read (see [page.Page.Withheld]), the client gets only events without content, see hasContent. A
// picture of a recording is acknowledged here, so that Chromium sends the next one later.
func (c *client) withholds(s *session, ev cdp.Event) bool {
	if s.tab == nil || !hasContent(ev.Method) || s.tab.Page().Withheld() == nil {
		return false
	}
	if frame, ok := cdp.Decode(ev, page.ScreencastFrame); ok {
		s.Forward("Page.screencastFrameAck", encode(map[string]int64{"sessionId": frame.SessionID}), maxReply, func(json.Value, error) {})
	}
	return true
}

// hasContent reports whether an event says what a page shows, does or receives. Other events must not
// be lost: they say which targets, documents and script contexts there are, or that the page waits for
// the client.
func hasContent(method string) bool {
	domain, name, _ := strings.Cut(method, ".")
	switch domain {
	case "Debugger", "Fetch", "Inspector", "Target":
		return false
	case "Page":
		return name == "screencastFrame" || name == "compilationCacheProduced"
	case "Runtime":
		return !strings.HasPrefix(name, "executionContext")
	}
	return true
}
