package extension

import (
	"slices"
	"strings"
)

// always are the domains whose events need no enable. All others go to the sessions that have enabled
// their domain.
var always = map[string]bool{"Target": true, "Inspector": true, "Input": true, "Emulation": true, "IO": true, "Storage": true, "Tracing": true}

// conditions are events that a session gets only if it has asked for them by a setting.
var conditions = map[string]string{
	"Page.lifecycleEvent":    lifecycleSetting,
	"Page.fileChooserOpened": "Page.setInterceptFileChooserDialog",
	"Page.screencastFrame":   "Page.startScreencast",
	"Input.dragIntercepted":  "Input.setInterceptDrags",
}

// gets reports whether an event goes to a session. The only session of a debuggee gets all: Chromium
// has filtered them already.
func (s *session) gets(m message) bool {
	domain, _, _ := strings.Cut(m.Method, ".")
	switch condition := conditions[m.Method]; {
	case len(s.on.sessions) == 1:
		return true
	case condition != "" && !s.on.hasAsked(s, condition):
		return false
	}
	return always[domain] || s.enabled[domain]
}

// replays are what Chromium announces when a session enables a domain, from what is kept. It would not
// announce it again in the session that it knows of.
var replays = map[string]func(*transport, *session){
	"Runtime": (*transport).replayContextsLocked,
}

// enableLocked enables a domain for a session. Chromium gets the command each time: its reply then
// comes after the events that are due, and it refuses unknown domains.
func (t *transport) enableLocked(s *session, r request) {
	domain, _, _ := strings.Cut(r.Method, ".")
	again := s.enabled[domain]
	s.enabled[domain] = true
	if replay := replays[domain]; replay != nil && !again {
		replay(t, s)
	}
	t.passLocked(s, r)
}

// disableLocked disables a domain for a session, with what the session has set in it. Chromium itself
// takes that back if no other session has the domain enabled.
func (t *transport) disableLocked(s *session, r request) {
	domain, _, _ := strings.Cut(r.Method, ".")
	delete(s.enabled, domain)
	if !s.on.hasEnabled(domain) {
		t.passLocked(s, r)
		t.disabledLocked(s.on, domain)
		return
	}
	t.unsetLocked(s, domain+".")
	switch domain {
	case "Page":
		t.removeScriptsLocked(s)
	case "Runtime":
		t.removeBindingsLocked(s)
	}
	t.resultLocked(r, empty)
}

func (d *debuggee) hasEnabled(domain string) bool {
	return slices.ContainsFunc(d.sessions, func(s *session) bool { return s.enabled[domain] })
}

// leaveDomainsLocked disables what a session had enabled that has ended, unless others have.
func (t *transport) leaveDomainsLocked(s *session) {
	for domain := range s.enabled {
		if !s.on.hasEnabled(domain) {
			t.sendLocked(s.on, domain+".disable", nil)
			t.disabledLocked(s.on, domain)
		}
	}
}

// disabledLocked forgets what Chromium forgets when it disables a domain.
func (t *transport) disabledLocked(d *debuggee, domain string) {
	if domain == "Runtime" {
		d.contexts = nil
	}
	for method := range d.settings {
		if strings.HasPrefix(method, domain+".") {
			delete(d.settings, method)
		}
	}
}
