package extension

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// intercepting has both sessions pause all requests, and the second one also the responses.
func intercepting(t *testing.T) (w *worker, conn *cdp.Conn, one, other *cdp.Session) {
	t.Helper()
	w, conn, one, other = two(t)
	w.passes(other, "Fetch.enable", fields{"patterns": []fields{{"urlPattern": "http*"}, {"requestStage": "Response", "resourceType": "Image"}}, "handleAuthRequests": true},
		`{"handleAuthRequests":true,"patterns":[{"urlPattern":"http*"},{"requestStage":"Response","resourceType":"Image"}]}`)
	w.passes(one, "Fetch.enable", fields{},
		`{"patterns":[{"urlPattern":"*"},{"urlPattern":"http*"},{"requestStage":"Response","resourceType":"Image"}],"handleAuthRequests":true}`)
	return w, conn, one, other
}

func (w *worker) pauses(id, url string, more fields) {
	w.t.Helper()
	event := fields{"requestId": id, "resourceType": "Document", "request": fields{"url": url, "method": "GET", "headers": fields{}}}
	for name, value := range more {
		event[name] = value
	}
	w.event(1, "", "Fetch.requestPaused", event)
}

// holds expects that a session gets a paused request, and returns it.
func holds(t *testing.T, s *cdp.Session, id string) string {
	t.Helper()
	params := string(next(t, s, "Fetch.requestPaused"))
	if !strings.Contains(params, `"`+id+`"`) {
		t.Fatalf("paused is %s, want %s", params, id)
	}
	return params
}

// A paused request goes from session to session, in the order in which they were attached. Each
// gets it with the changes of those before.
func TestRequestGoesFromSessionToSession(t *testing.T) {
	w, _, one, other := intercepting(t)
	w.pauses("1", "http://a/", nil)
	holds(t, one, "1")
	if _, err := ask(other, "Fetch.continueRequest", fields{"requestId": "1"}).Wait(soon(t)); err == nil {
		t.Error("the second session has continued what the first one holds")
	}
	answered(t, ask(one, "Fetch.continueRequest", fields{"requestId": "1", "headers": []fields{{"name": "X", "value": "1"}}, "interceptResponse": true}))
	if params := holds(t, other, "1"); !strings.Contains(params, `"headers":{"X":"1"}`) {
		t.Errorf("the second session sees %s", params)
	}
	reply := ask(other, "Fetch.continueRequest", fields{"requestId": "1", "method": "PUT"})
	w.gets("Fetch.continueRequest", `{"headers":[{"name":"X","value":"1"}],"interceptResponse":true,"method":"PUT","requestId":"1"}`)
	answered(t, reply)

	w.pauses("1", "http://a/", fields{"responseStatusCode": 200})
	holds(t, one, "1") // the first session asked for the response, the other did not
	w.passes(one, "Fetch.continueResponse", fields{"requestId": "1", "responseCode": 201}, `{"requestId":"1","responseCode":201}`)
}

func TestRequestEndsWhereASessionEndsIt(t *testing.T) {
	w, _, one, other := intercepting(t)
	w.pauses("1", "http://a/", nil)
	holds(t, one, "1")
	w.passes(one, "Fetch.failRequest", fields{"requestId": "1", "errorReason": "Failed"}, `{"errorReason":"Failed","requestId":"1"}`)
	w.pauses("2", "data:x", nil) // the second session does not want this request
	holds(t, one, "2")
	w.passes(one, "Fetch.continueRequest", fields{"requestId": "2"}, `{"requestId":"2"}`)
	w.pauses("3", "http://a/", fields{"responseStatusCode": 200, "resourceType": "Image"})
	holds(t, other, "3")
	w.passes(other, "Fetch.fulfillRequest", fields{"requestId": "3", "responseCode": 200}, `{"requestId":"3","responseCode":200}`)
	w.pauses("4", "http://a/", fields{"responseStatusCode": 200}) // no session wants this request
	w.gets("Fetch.continueRequest", `{"requestId":"4"}`)
}

// If a later session changes the address of a request, the first session judges the new address.
func TestFirstSessionSeesAChangedAddress(t *testing.T) {
	w, _, one, other := intercepting(t)
	w.pauses("1", "http://a/", nil)
	holds(t, one, "1")
	answered(t, ask(one, "Fetch.continueRequest", fields{"requestId": "1"}))
	holds(t, other, "1")
	answered(t, ask(other, "Fetch.continueRequest", fields{"requestId": "1", "url": "http://10.0.0.1/"}))
	var seen struct{ Request struct{ URL string } }
	if json.Unmarshal([]byte(holds(t, one, "1")), &seen); seen.Request.URL != "http://10.0.0.1/" {
		t.Errorf("the first session sees %+v", seen)
	}
	w.passes(one, "Fetch.failRequest", fields{"requestId": "1", "errorReason": "AccessDenied"}, `{"errorReason":"AccessDenied","requestId":"1"}`)
}

// chela's own session gets a request first, even if it was attached after the session of a program.
func TestOwnSessionJudgesFirst(t *testing.T) {
	w, conn, one, other := two(t)
	detach(t, conn, one)
	again := attachAgain(t, conn)
	w.passes(other, "Fetch.enable", nil, "")
	w.passes(again, "Fetch.enable", nil, `{"patterns":[{"urlPattern":"*"},{"urlPattern":"*"}]}`)
	w.pauses("1", "http://a/", nil)
	holds(t, again, "1")
	answered(t, ask(again, "Fetch.continueRequest", fields{"requestId": "1"}))
	holds(t, other, "1")
}

// A demand for a login goes to the sessions that handle logins.
func TestLoginGoesToWhoHandlesIt(t *testing.T) {
	w, _, _, other := intercepting(t)
	challenge := fields{"requestId": "1", "resourceType": "Document", "request": fields{"url": "http://a/"}}
	w.event(1, "", "Fetch.authRequired", challenge)
	next(t, other, "Fetch.authRequired")
	answer := fields{"requestId": "1", "authChallengeResponse": fields{"response": "ProvideCredentials"}}
	w.passes(other, "Fetch.continueWithAuth", answer, `{"authChallengeResponse":{"response":"ProvideCredentials"},"requestId":"1"}`)
	reply := ask(other, "Fetch.disable", nil)
	w.gets("Fetch.enable", `{"patterns":[{"urlPattern":"*"}]}`)
	answered(t, reply)
	w.event(1, "", "Fetch.authRequired", challenge)
	w.gets("Fetch.continueWithAuth", `{"authChallengeResponse":{"response":"Default"},"requestId":"1"}`)
}

// When a session ends, the requests that it holds go to the next session, or are sent.
func TestRequestsOfASessionThatEnds(t *testing.T) {
	w, conn, one, other := intercepting(t)
	w.pauses("1", "http://a/", nil)
	holds(t, one, "1")
	answered(t, ask(one, "Fetch.continueRequest", fields{"requestId": "1", "method": "PUT"}))
	holds(t, other, "1")
	w.pauses("2", "http://a/", nil)
	holds(t, one, "2")
	detach(t, conn, other)
	w.gets("Fetch.continueRequest", `{"method":"PUT","requestId":"1"}`)
	w.gets("Fetch.enable", `{"patterns":[{"urlPattern":"*"}]}`)
	w.passes(one, "Fetch.continueRequest", fields{"requestId": "2"}, `{"requestId":"2"}`)
	w.passes(one, "Fetch.disable", nil, "")
}

func TestPatternsOfRequests(t *testing.T) {
	for _, c := range []struct {
		pattern, address string
		fits             bool
	}{
		{"", "http://a/", true},
		{"http*", "https://a/\n", true},
		{"*.png", "http://a/b.png", true},
		{"*.png", "http://a/b.pngx", false},
		{"http://a/?", "http://a/", true},
		{"http://a/?", "http://a/xy", false},
		{`http://a/\?x`, "http://a/?x", true},
		{`http://a/\?x`, "http://a/x", false},
	} {
		if got := (&requestPattern{URLPattern: c.pattern}).fits(paused{Request: struct{ URL string }{c.address}}); got != c.fits {
			t.Errorf("%q fits %q: %v", c.pattern, c.address, got)
		}
	}
}

// A request may wait for a session that has not sent Fetch.enable: the extension pauses the first
// requests of popups. When that session ends, the request goes on.
func TestRequestOfASessionThatHasNotAsked(t *testing.T) {
	w, conn, one, _ := two(t)
	w.pauses("1", "http://a/", nil)
	holds(t, one, "1")
	call(t, conn.Root(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: target.SessionID(one.ID)})
	w.gets("Fetch.continueRequest", `{"requestId":"1"}`)
}
