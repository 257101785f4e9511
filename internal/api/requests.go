package api

import (
	"context"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/engine/journal"
	"chela/internal/op"
	"chela/internal/wall/excerpt"
)

// A requestsRequest lists requests. As in OpenClaw, the filter must occur in a text as it is, in
// the same upper and lower case.
type requestsRequest struct {
	watchRequest
	Filter string `json:"filter,omitempty" doc:"only requests with this text in their address or resource type" tool:"+"`
	Clear  bool   `json:"clear,omitempty" doc:"empty the list after this call has read it" tool:"+"`
}

// requestsResult is a list of requests.
type requestsResult struct {
	watched
	Requests []listedRequest `json:"requests" doc:"the requests, the oldest first"`
	keptList
}

// listedRequest is one request, or one hop of a redirect. Status and OK are absent until
// there is an answer.
type listedRequest struct {
	ID        string      `json:"id" doc:"id of the request: r12"`
	Timestamp string      `json:"timestamp" doc:"when the request was sent"`
	Method    op.PageText `json:"method" doc:"GET, POST …"`
	URL       op.PageText `json:"url" doc:"address, at most 2048 characters"`
	Type      string      `json:"resourceType" doc:"document, script, stylesheet, image, fetch, xhr, websocket …"`
	Status    int         `json:"status,omitempty" doc:"HTTP status of the answer"`
	OK        *bool       `json:"ok,omitempty" doc:"the request has succeeded: its status is 200 to 299, or 101 for a WebSocket, and nothing failed later"`
	Failure   string      `json:"failureText,omitempty" doc:"why there is no response, or only a part of it"`
	Reason    op.PageText `json:"reason,omitempty" doc:"the rule that blocked the request, if one did"`
	Socket    *socket     `json:"webSocket,omitempty" doc:"for a WebSocket: how many frames it has carried"`
}

// socket says how far a WebSocket has come. Its frames are not kept.
type socket struct {
	Sent     int  `json:"framesSent" doc:"how many frames the page has sent"`
	Received int  `json:"framesReceived" doc:"how many frames the page has received"`
	Closed   bool `json:"closed" doc:"the WebSocket is closed"`
}

// said returns the state in words.
func (s *socket) said() string {
	state := map[bool]string{true: "closed", false: "open"}[s.Closed]
	return fmt.Sprintf("%s, %d frames sent, %d received", state, s.Sent, s.Received)
}

// maxListedURL is how many characters of an address are listed.
const maxListedURL = 2048

// listed converts a request to an entry of a list. A failed request may also have a status: its
// response began, and then broke off or was blocked.
func listed(r journal.Request) listedRequest {
	l := listedRequest{
		ID: r.ID, Timestamp: timestamp(r.At), Method: op.PageText(r.Method), URL: op.PageText(beginning(r.URLWithoutSecrets(), maxListedURL)), Type: r.Type,
		Status: r.Response.Status, Failure: r.Failure, Reason: op.PageText(r.Reason),
	}
	if r.Response.Status != 0 || r.Failure != "" {
		l.OK = new(r.OK())
	}
	if r.Type == journal.WebSocket {
		l.Socket = &socket{r.Frames.Sent, r.Frames.Received, r.Ended > 0}
	}
	return l
}

// beginning returns the first characters of a text. Characters are code points of Unicode, so that
// none is cut in two.
func beginning(s string, chars int) string {
	first, _ := excerpt.First(s, chars)
	return first
}

// requests lists the requests that match a filter. If Clear is set, the whole list is emptied. The
// filter looks at the whole address, including the end of a long one. The secrets in both are hidden
// before, so that a caller cannot find out a secret by guessing its beginning. The number of dropped
// requests, which were too old to be kept or came too fast, does not depend on the filter.
func requests(ctx context.Context, s *call.Service, r requestsRequest) (requestsResult, error) {
	tab, w, err := journalOf(ctx, s, r.On)
	if err != nil {
		return requestsResult{}, err
	}
	read := tab.Journal().Requests
	// Reading and emptying are one step, so no request gets lost between the two.
	if r.Clear {
		read = tab.Journal().TakeRequests
	}
	all, dropped := read()
	found, filter := []listedRequest{}, journal.WithoutURLSecrets(r.Filter)
	for _, each := range all {
		if strings.Contains(each.URLWithoutSecrets(), filter) || strings.Contains(each.Type, filter) {
			found = append(found, listed(each))
		}
	}
	list, kept := newest(found, r.Limit, dropped)
	return requestsResult{w, list, kept}, nil
}

// outcome says in a word how a request ended. The form for a response, such as 200 ok, is
// OpenClaw's.
func (l listedRequest) outcome() string {
	switch {
	case l.OK == nil:
		return "pending"
	case *l.OK:
		return fmt.Sprint(l.Status, " ok")
	case l.Status == 0:
		return "failed"
	}
	return fmt.Sprint(l.Status)
}

// said returns the request as a line. A failure stands at its end in brackets, as in OpenClaw.
func (l listedRequest) said() string {
	line := fmt.Sprintf("%s %s %s", l.Method, l.outcome(), l.URL)
	switch {
	case l.Reason != "":
		line += fmt.Sprintf(" (%s, %s)", l.Failure, l.Reason)
	case l.Failure != "":
		line += fmt.Sprintf(" (%s)", l.Failure)
	case l.Socket != nil:
		line += fmt.Sprintf(" (%s)", l.Socket.said())
	}
	return line
}

// noRequests is OpenClaw's text for an empty list.
const noRequests = "No requests recorded."

// Terminal returns a line for each request.
func (r requestsResult) Terminal() string {
	if len(r.Requests) == 0 {
		return noRequests
	}
	var lines []string
	for _, each := range r.Requests {
		lines = append(lines, each.Timestamp+" "+entry(each.said()))
	}
	return strings.Join(lines, "\n")
}

// Text returns a line for each request, with the id by which it can be asked for.
func (r requestsResult) Text() string {
	var lines []string
	for _, each := range r.Requests {
		lines = append(lines, fmt.Sprintf("%s %s %s", each.ID, each.Type, entry(each.said())))
	}
	return r.forAgent(lines, noRequests, "ask for a narrower filter")
}
