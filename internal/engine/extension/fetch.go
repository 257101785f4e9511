package extension

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
)

// Several sessions of a debuggee may pause its requests. Chromium pauses a request once, if any
// session wants it. The sessions get the request one after the other, in the order in which they
// were attached. Only chela's own session, which applies the network policy, always comes first.
// When a session continues the request, the next one gets it with the changes so far. After the
// last session, the request is sent.

// A pausedRequest is what Chromium has paused: a request before it is sent, its response, or a
// server's demand for a login.
type pausedRequest struct {
	paused
	event   message                    // Chromium's event about it
	by      *session                   // the session that decides about the request now
	next    []*session                 // the sessions that decide after that
	method  string                     // the command that continues the request
	changes map[string]json.RawMessage // parameters of the commands by which sessions have continued it
}

// maxResponses limits the entries of debuggee.responses. Some responses never come, so their
// entries would stay.
const maxResponses = 1000

// requestPausedLocked passes a paused request to the first session that wants it.
func (t *transport) requestPausedLocked(d *debuggee, m message) bool {
	p := &pausedRequest{event: m, method: "Fetch.continueRequest"}
	p.RequestID = requestIDOf(m.Params)
	if p.login = m.Method == "Fetch.authRequired"; p.login {
		p.method = "Fetch.continueWithAuth"
	}
	switch {
	case len(d.sessions) == 0 || p.RequestID == "":
		return false
	case len(d.sessions) == 1: // the only session gets all paused requests
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

// requestIDOf returns the id of a request in the parameters of an event or command. The id is the
// first parameter, so a long body after it is not decoded.
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

// askedLocked returns the sessions that want a paused request. If no session has sent Fetch.enable
// yet, an earlier transport has left it enabled: then askedLocked returns the first session.
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

// askNextLocked passes a paused request to the next session. If there is none, it continues the
// request.
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

// decision returns the parameters of the command that continues a request, with the changes of all
// sessions.
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

// decideLocked handles a session's command about a paused request. A command that fails or answers
// the request decides it: no other session gets the request.
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

// isDefault reports whether a session's answer to a demand for a login is "Default", which leaves
// the decision to the next session.
func isDefault(params json.RawMessage) bool {
	return paramsOf[struct {
		AuthChallengeResponse struct {
			Response string `json:"response"`
		} `json:"authChallengeResponse"`
	}](params).AuthChallengeResponse.Response == "Default"
}

// continueLocked handles a command that continues a request: the next session that wants the
// request gets it. After the last one, the request is sent.
func (t *transport) continueLocked(s *session, r request, p *pausedRequest) {
	params := paramsOf[struct {
		URL               string `json:"url"`
		InterceptResponse bool   `json:"interceptResponse"`
	}](r.Params)
	d, id := s.on, p.RequestID
	if params.InterceptResponse {
		d.awaitResponseLocked(id, s)
	}
	if params.URL != "" {
		p.Request.URL = params.URL
		if first := d.sessions[0]; s != first && first.fetch.wants(p.paused) { // the first session is chela's own: it must also judge the new address
			p.next = append([]*session{first}, without(p.next, first)...)
		}
	}
	if len(p.next) == 0 && p.changes == nil { // no other session has changed the request, or still wants it
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

// change adds the parameters by which a session continues the request to p.changes.
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

// described returns the parameters of the event for the next session: those of Chromium, with the
// changes of earlier sessions.
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

// headersOf converts headers from a list, as commands have them, to an object, as events have them.
func headersOf(list json.RawMessage) json.RawMessage {
	var entries []struct{ Name, Value string }
	json.Unmarshal(list, &entries)
	headers := map[string]string{}
	for _, entry := range entries {
		headers[entry.Name] = entry.Value
	}
	return encode(headers)
}
