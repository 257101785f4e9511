package extension

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
)

// Several sessions of a debuggee may pause its requests. Chromium pauses a request once, if any of them
// wants it. The sessions get it one after the other, in the order in which they were attached. So
// chela's own, which judges, is the first. Who continues a request gives it to the next, with what was
// changed. The last one sends it.

// A pausedRequest is a request that Chromium has paused, or its response, or a demand for a login.
type pausedRequest struct {
	paused
	event   message
	by      *session   // who decides now
	next    []*session // who is asked then
	method  string     // command that continues it
	changes map[string]json.RawMessage
}

// maxResponses bounds the requests whose responses sessions wait for. Some never come.
const maxResponses = 1000

// requestPausedLocked gives a request to the first session that wants it.
func (t *transport) requestPausedLocked(d *debuggee, m message) bool {
	p := &pausedRequest{event: m, method: "Fetch.continueRequest"}
	p.RequestID = requestIDOf(m.Params)
	if p.login = m.Method == "Fetch.authRequired"; p.login {
		p.method = "Fetch.continueWithAuth"
	}
	switch {
	case len(d.sessions) == 0 || p.RequestID == "":
		return false
	case len(d.sessions) == 1: // it gets all
		p.next = d.sessions[:1:1]
		delete(d.responses, p.RequestID)
	default:
		json.Unmarshal(m.Params, &p.paused)
		p.next = d.askedLocked(p.paused)
	}
	d.paused[p.RequestID] = p
	t.askNextLocked(d, p.RequestID)
	return false
}

// requestIDOf reads the id of a request. It comes first, so the bodies that follow are not read.
func requestIDOf(params json.RawMessage) (id string) {
	d := json.NewDecoder(bytes.NewReader(params))
	d.Token()
	for d.More() {
		if name, err := d.Token(); err != nil {
			return ""
		} else if name == "requestId" {
			d.Decode(&id)
			return id
		}
		var other json.RawMessage
		d.Decode(&other)
	}
	return ""
}

// askedLocked are the sessions that want a request. The extension may have had it paused before any
// session asked for that.
func (d *debuggee) askedLocked(r paused) (asked []*session) {
	if !slices.ContainsFunc(d.sessions, func(s *session) bool { return s.fetch != nil }) {
		return d.sessions[:1:1]
	}
	waiting := d.responses[r.RequestID]
	if r.hasResponse() {
		delete(d.responses, r.RequestID)
	}
	for _, s := range d.sessions {
		if s.fetch.wants(r) || r.hasResponse() && slices.Contains(waiting, s) {
			asked = append(asked, s)
		}
	}
	return asked
}

// askNextLocked gives a paused request to the next session. If there is none it goes on.
func (t *transport) askNextLocked(d *debuggee, id string) {
	p := d.paused[id]
	if len(p.next) > 0 {
		p.by, p.next = p.next[0], p.next[1:]
		t.emitLocked(p.by.id, p.event.Method, p.described())
		return
	}
	delete(d.paused, id)
	t.sendLocked(d, p.method, p.decision(id))
}

// decision is what continues a request, with all changes.
func (p *pausedRequest) decision(id string) json.RawMessage {
	params := map[string]any{"requestId": id}
	if p.login {
		params["authChallengeResponse"] = map[string]string{"response": "Default"}
	}
	for name, value := range p.changes {
		params[name] = value
	}
	return encode(params)
}

// decideLocked takes what a session has decided about a paused request. The request ends when one
// session does not continue it.
func (t *transport) decideLocked(s *session, r request) {
	d, id := s.on, requestIDOf(r.Params)
	p := d.paused[id]
	switch {
	case p == nil:
		t.passLocked(s, r)
	case p.by != s:
		t.failLocked(r, -32602, "Invalid InterceptionId.")
	case r.Method == "Fetch.failRequest" || r.Method == "Fetch.fulfillRequest" || p.login && !isDefault(r.Params):
		delete(d.paused, id)
		t.passLocked(s, r)
	default:
		t.continueLocked(s, r, p)
	}
}

// isDefault reports whether a session leaves a login to the next one.
func isDefault(params json.RawMessage) bool {
	var p struct {
		AuthChallengeResponse struct{ Response string }
	}
	json.Unmarshal(params, &p)
	return p.AuthChallengeResponse.Response == "Default"
}

// continueLocked gives a request to the next session that wants it, and sends it after the last.
func (t *transport) continueLocked(s *session, r request, p *pausedRequest) {
	var params struct {
		URL               string
		InterceptResponse bool
	}
	json.Unmarshal(r.Params, &params)
	d, id := s.on, p.RequestID
	if params.InterceptResponse {
		d.awaitResponseLocked(id, s)
	}
	if params.URL != "" {
		p.Request.URL = params.URL
		if first := d.sessions[0]; s != first && first.fetch.wants(p.paused) { // it judges the new address as well
			p.next = append([]*session{first}, without(p.next, first)...)
		}
	}
	if len(p.next) == 0 && p.changes == nil { // nobody else has had it
		delete(d.paused, id)
		t.passLocked(s, r)
		return
	}
	p.change(r)
	if len(p.next) > 0 {
		t.resultLocked(r, empty)
		t.askNextLocked(d, id)
		return
	}
	delete(d.paused, id)
	r.Method, r.Params = p.method, p.decision(id)
	t.passLocked(s, r)
}

func (d *debuggee) awaitResponseLocked(id string, s *session) {
	if len(d.responses) == maxResponses {
		clear(d.responses)
	}
	d.responses[id] = append(d.responses[id], s)
}

// change keeps what a session has changed when it continued the request.
func (p *pausedRequest) change(r request) {
	fields := map[string]json.RawMessage{}
	json.Unmarshal(r.Params, &fields)
	delete(fields, "requestId")
	if r.Method == "Fetch.continueResponse" {
		p.method = r.Method
	}
	if p.changes == nil {
		p.changes = map[string]json.RawMessage{}
	}
	for name, value := range fields {
		if name != "interceptResponse" || string(value) == "true" {
			p.changes[name] = value
		}
	}
}

// described is the event for the next session: the request with what the earlier ones have changed.
func (p *pausedRequest) described() json.RawMessage {
	if len(p.changes) == 0 || p.login {
		return p.event.Params
	}
	event, request := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	json.Unmarshal(p.event.Params, &event)
	json.Unmarshal(event["request"], &request)
	for name, value := range p.changes {
		switch name {
		case "url", "method":
			request[name] = value
		case "headers":
			request[name] = headersOf(value)
		case "postData":
			var text string
			json.Unmarshal(value, &text)
			body, _ := base64.StdEncoding.DecodeString(text)
			request[name] = encode(string(body))
			request["hasPostData"] = json.RawMessage(`true`)
			request["postDataEntries"] = encode([]map[string]string{{"bytes": text}})
		case "responseCode":
			event["responseStatusCode"] = value
		case "responsePhrase":
			event["responseStatusText"] = value
		case "responseHeaders":
			event[name] = value
		}
	}
	event["request"] = encode(request)
	return encode(event)
}

// headersOf makes the headers of an event from those of a command.
func headersOf(list json.RawMessage) json.RawMessage {
	var entries []struct{ Name, Value string }
	json.Unmarshal(list, &entries)
	headers := map[string]string{}
	for _, entry := range entries {
		headers[entry.Name] = entry.Value
	}
	return encode(headers)
}
