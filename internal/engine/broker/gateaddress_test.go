package broker

import (
	"errors"
	"strconv"
	"testing"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/engine/cdp"
)

// A paused request is forgotten when it is released, or has gone. It is kept while it may still be
// paused.
func TestPausedRequestsAreForgotten(t *testing.T) {
	gone := &cdp.Error{Code: invalidParams, Message: "Invalid InterceptionId."}
	for _, test := range []struct {
		method string
		err    error
		kept   bool
	}{
		{"Fetch.continueRequest", nil, false},
		{"Fetch.failRequest", gone, false},
		{"Fetch.disable", nil, false},
		{"Fetch.fulfillRequest", &cdp.Error{Code: invalidParams, Message: "Invalid header"}, true},
		{"Fetch.continueResponse", errors.New("no answer"), true},
		{"Fetch.getResponseBody", nil, true},
		{"Fetch.disable", errors.New("no answer"), true},
	} {
		c, s := &client{}, &session{}
		c.notePaused(s, "1", "http://one.test/")
		c.forgetPaused(s, &request{Method: test.method, Params: json.Value(`{"requestId": "1"}`)}, test.err)
		if _, kept := s.paused.url("1"); kept != test.kept {
			t.Errorf("%s, %v: kept is %t", test.method, test.err, kept)
		}
	}
}

// Of many paused requests, the newest ones are kept.
func TestOldestPausedRequestsAreDropped(t *testing.T) {
	var p pausedRequests
	const all = 5 * maxPaused
	for i := range all {
		p.add(strconv.Itoa(i), "http://one.test/")
	}
	for i := range maxPaused {
		if _, known := p.url(strconv.Itoa(all - 1 - i)); !known {
			t.Fatalf("the request before the last %d is forgotten", i)
		}
	}
	if n := len(p.newer) + len(p.older); n > 2*maxPaused {
		t.Errorf("%d are kept", n)
	}
}
