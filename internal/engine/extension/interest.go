package extension

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// An interest has the parameters of a session's Fetch.enable: which requests the session wants to
// have paused.
type interest struct {
	Patterns           []*requestPattern `json:"patterns,omitempty"`
	HandleAuthRequests bool              `json:"handleAuthRequests,omitempty"`
}

type requestPattern struct {
	URLPattern   string `json:"urlPattern,omitempty"`
	ResourceType string `json:"resourceType,omitempty"`
	RequestStage string `json:"requestStage,omitempty"`

	address *regexp.Regexp // URLPattern as a regular expression; nil until it is first needed
}

// paused has the facts about a paused request that decide which sessions want it.
type paused struct {
	RequestID, ResourceType string
	Request                 struct{ URL string }
	ResponseStatusCode      int
	ResponseErrorReason     string

	login bool // the server demands a login; the other fields are in the event
}

func (r paused) hasResponse() bool { return r.ResponseStatusCode != 0 || r.ResponseErrorReason != "" }

func (i *interest) wants(r paused) bool {
	if i == nil || r.login && !i.HandleAuthRequests {
		return false
	}
	return slices.ContainsFunc(i.Patterns, func(p *requestPattern) bool { return p.fits(r) })
}

func (p *requestPattern) fits(r paused) bool {
	if p.ResourceType != "" && p.ResourceType != r.ResourceType {
		return false
	}
	if !r.login && (p.RequestStage == "Response") != r.hasResponse() {
		return false
	}
	if p.address == nil {
		p.address = addressPattern(p.URLPattern)
	}
	return p.address.MatchString(r.Request.URL)
}

// addressPattern converts a URL pattern of the Fetch domain to a regular expression. In the
// pattern, * stands for any text, and ? for one character or none. After a backslash, a character
// stands for itself.
func addressPattern(pattern string) *regexp.Regexp {
	if pattern == "" {
		pattern = "*"
	}
	var b strings.Builder
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped || r != '*' && r != '?' && r != '\\':
			b.WriteString(regexp.QuoteMeta(string(r)))
			escaped = false
		case r == '\\':
			escaped = true
		case r == '*':
			b.WriteString(".*")
		default:
			b.WriteString(".?")
		}
	}
	return regexp.MustCompile("(?s)^" + b.String() + "$")
}

// interceptLocked handles Fetch.enable of a session.
func (t *transport) interceptLocked(s *session, r request) {
	s.enabled["Fetch"] = true
	s.fetch = new(paramsOf[interest](r.Params))
	if len(s.fetch.Patterns) == 0 {
		s.fetch.Patterns = []*requestPattern{{URLPattern: "*"}}
	}
	if all := s.on.interests(); len(all) > 1 {
		r.Params = mergedInterest(all)
	}
	t.passLocked(s, r)
}

func (d *debuggee) interests() (all []*interest) {
	for _, s := range d.sessions {
		if s.fetch != nil {
			all = append(all, s.fetch)
		}
	}
	return all
}

// mergedInterest returns parameters of Fetch.enable that include what several sessions want.
func mergedInterest(all []*interest) json.RawMessage {
	merged := interest{}
	for _, each := range all {
		merged.Patterns = append(merged.Patterns, each.Patterns...)
		merged.HandleAuthRequests = merged.HandleAuthRequests || each.HandleAuthRequests
	}
	return encode(merged)
}

// interceptNoneLocked handles Fetch.disable of a session. Paused requests that wait for the session
// go on without its decision.
func (t *transport) interceptNoneLocked(s *session, r request) {
	delete(s.enabled, "Fetch")
	s.fetch = nil
	all := s.on.interests()
	if len(all) == 0 {
		clear(s.on.paused) // Chromium continues these requests
		t.passLocked(s, r)
		return
	}
	t.giveUpRequestsLocked(s)
	t.sendLocked(s.on, "Fetch.enable", mergedInterest(all))
	t.resultLocked(r, empty)
}

// stopInterceptingLocked stops pausing requests for a session that has ended.
func (t *transport) stopInterceptingLocked(s *session) {
	if s.fetch == nil {
		t.giveUpRequestsLocked(s) // it may have got requests because it was the only session
		return
	}
	delete(s.enabled, "Fetch")
	if all := s.on.interests(); len(all) > 0 {
		t.giveUpRequestsLocked(s)
		t.sendLocked(s.on, "Fetch.enable", mergedInterest(all))
		return
	}
	clear(s.on.paused)
	t.sendLocked(s.on, "Fetch.disable", nil)
}

// giveUpRequestsLocked passes on the paused requests that wait for a decision of a session, as if
// the session had continued them.
func (t *transport) giveUpRequestsLocked(s *session) {
	for id, p := range s.on.paused {
		p.next = without(p.next, s)
		if p.by == s {
			t.askNextLocked(s.on, id)
		}
	}
	for id, waiting := range s.on.responses {
		s.on.responses[id] = without(waiting, s)
	}
}
