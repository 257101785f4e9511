package extension

import (
	"slices"
	"strings"
)

// always has the domains whose events Chromium sends without an enable command. Events of any other
// domain go to the sessions that have enabled it.
var always = map[string]bool{"Target": true, "Inspector": true, "Input": true, "Emulation": true, "IO": true, "Storage": true, "Tracing": true}

// conditions maps each event that a session gets only after a certain command to that command.
var conditions = map[string]string{
	"Page.lifecycleEvent":    lifecycleSetting,
	"Page.fileChooserOpened": "Page.setInterceptFileChooserDialog",
	"Page.screencastFrame":   "Page.startScreencast",
	"Input.dragIntercepted":  "Input.setInterceptDrags",
}

// gets reports whether a session gets an event. If a debuggee has only one session, this session
// gets all events: Chromium has filtered them already.
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

// When a session enables a domain, Chromium announces what exists already, such as script contexts.
// It does so only when the domain was disabled. For further sessions, the functions in replays send
// these events.
var replays = map[string]func(*transport, *session){
	"Runtime": (*transport).replayContextsLocked,
}

// enableLocked enables a domain for a session. The command is sent to Chromium even if the domain
// is enabled. So the reply comes after the events that the command causes, and for an unknown
// domain the client gets Chromium's error.
func (t *transport) enableLocked(s *session, r request) {
	domain, _, _ := strings.Cut(r.Method, ".")
	again := s.enabled[domain]
	s.enabled[domain] = true
	if replay := replays[domain]; replay != nil && !again {
		replay(t, s)
	}
	t.passLocked(s, r)
}

// disableLocked disables a domain for a session, and takes back what the session has set in it. If
// no other session has enabled the domain, the command is sent to Chromium, which does both itself.
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

// leaveDomainsLocked disables the domains that a session had enabled and that no other session has
// enabled. It is called when the session has ended.
func (t *transport) leaveDomainsLocked(s *session) {
	for domain := range s.enabled {
		if !s.on.hasEnabled(domain) {
			t.sendLocked(s.on, domain+".disable", nil)
			t.disabledLocked(s.on, domain)
		}
	}
}

// disabledLocked forgets the script contexts and settings that Chromium forgets when it disables a
// domain.
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
