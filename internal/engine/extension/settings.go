package extension

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// A setting is a value that a command sets, such as an emulated media type. Chromium has one value
// for each debuggee. The transport merges this value from those of the debuggee's sessions.
type setting struct {
	undo string // command that clears the setting; empty: the command that sets it also clears it
	off  string // parameters with which undo clears the setting

	// merge makes one value from those of several sessions, in the order in which they were set.
	merge func(values []json.RawMessage) json.RawMessage
}

// written is the value of a setting that one session has set. A debuggee keeps these values in the
// order in which they were last set.
type written struct {
	by    *session
	value json.RawMessage // parameters of the command
}

const lifecycleSetting = "Page.setLifecycleEventsEnabled"

// settings has the commands that set a value, with how the value is cleared, and how the values of
// several sessions are merged. When a session ends, the merged value of the others is set again.
var settings = map[string]*setting{
	"Emulation.setAutoDarkModeOverride":           {"", `{}`, last},
	"Emulation.setAutomationOverride":             {"", `{"enabled":false}`, anyOn},
	"Emulation.setCPUThrottlingRate":              {"", `{"rate":1}`, last},
	"Emulation.setDefaultBackgroundColorOverride": {"", `{}`, last},
	"Emulation.setDeviceMetricsOverride":          {"Emulation.clearDeviceMetricsOverride", `{}`, last},
	"Emulation.setDocumentCookieDisabled":         {"", `{"disabled":false}`, anyOn},
	"Emulation.setEmitTouchEventsForMouse":        {"", `{"enabled":false}`, last},
	"Emulation.setEmulatedMedia":                  {"", `{"media":"","features":[]}`, last},
	"Emulation.setEmulatedVisionDeficiency":       {"", `{"type":"none"}`, last},
	"Emulation.setFocusEmulationEnabled":          {"", `{"enabled":false}`, anyOn},
	"Emulation.setGeolocationOverride":            {"Emulation.clearGeolocationOverride", `{}`, last},
	"Emulation.setIdleOverride":                   {"Emulation.clearIdleOverride", `{}`, last},
	"Emulation.setLocaleOverride":                 {"", `{}`, last},
	"Emulation.setScriptExecutionDisabled":        {"", `{"value":false}`, anyOn},
	"Emulation.setScrollbarsHidden":               {"", `{"hidden":false}`, anyOn},
	"Emulation.setTimezoneOverride":               {"", `{"timezoneId":""}`, last},
	"Emulation.setTouchEmulationEnabled":          {"", `{"enabled":false}`, last},
	"Emulation.setUserAgentOverride":              {"", `{"userAgent":""}`, last},
	"Input.setInterceptDrags":                     {"", `{"enabled":false}`, anyOn},
	"Log.startViolationsReport":                   {"Log.stopViolationsReport", `{}`, last},
	"Network.emulateNetworkConditions":            {"", `{"offline":false,"latency":0,"downloadThroughput":-1,"uploadThroughput":-1}`, last},
	"Network.setBlockedURLs":                      {"", `{"urls":[]}`, joined},
	"Network.setBypassServiceWorker":              {"", `{"bypass":false}`, anyOn},
	"Network.setCacheDisabled":                    {"", `{"cacheDisabled":false}`, anyOn},
	"Network.setExtraHTTPHeaders":                 {"", `{"headers":{}}`, joined},
	"Network.setUserAgentOverride":                {"", `{"userAgent":""}`, last},
	"Page.setAdBlockingEnabled":                   {"", `{"enabled":false}`, anyOn},
	"Page.setBypassCSP":                           {"", `{"enabled":false}`, anyOn},
	"Page.setInterceptFileChooserDialog":          {"", `{"enabled":false}`, anyOn},
	lifecycleSetting:                              {"", `{"enabled":false}`, anyOn},
	"Page.startScreencast":                        {"Page.stopScreencast", `{}`, last},
	"Runtime.setAsyncCallStackDepth":              {"", `{"maxDepth":0}`, last},
	"Security.setIgnoreCertificateErrors":         {"", `{"ignore":false}`, anyOn},
}

// clears maps each command that clears a setting to the one that sets it.
var clears = func() map[string]string {
	all := map[string]string{}
	for method, s := range settings {
		if s.undo != "" {
			all[s.undo] = method
		}
	}
	return all
}()

// last returns the value that was set last.
func last(values []json.RawMessage) json.RawMessage { return values[len(values)-1] }

// anyOn returns the last value that switches the setting on. If no value does, it returns the last
// of all.
func anyOn(values []json.RawMessage) json.RawMessage {
	for _, value := range slices.Backward(values) {
		if isOn(value) {
			return value
		}
	}
	return last(values)
}

// isOn reports whether a value switches something on. That is so if one of its fields is true, or
// if no field is false: Page.startScreencast, for example, has no field that is true or false.
func isOn(value json.RawMessage) bool {
	fields := map[string]any{}
	json.Unmarshal(value, &fields)
	on, off := false, false
	for _, field := range fields {
		on, off = on || field == true, off || field == false
	}
	return on || !off
}

// joined merges the lists and objects in all values, such as headers. If several values have an
// entry of the same name, the last one counts.
func joined(values []json.RawMessage) json.RawMessage {
	all := map[string]any{}
	for _, value := range values {
		fields := map[string]any{}
		json.Unmarshal(value, &fields)
		for name, field := range fields {
			switch field := field.(type) {
			case []any:
				list, _ := all[name].([]any)
				all[name] = append(list, field...)
			case map[string]any:
				if all[name] == nil {
					all[name] = map[string]any{}
				}
				for key, v := range field {
					all[name].(map[string]any)[key] = v
				}
			default:
				all[name] = field
			}
		}
	}
	return encode(all)
}

// setLocked sets a value for a session. Chromium gets the value that is merged from those of all
// sessions.
func (t *transport) setLocked(s *session, r request) {
	list := append(withoutWriter(s.on.settings[r.Method], s), written{s, r.Params})
	s.on.settings[r.Method] = list
	if r.Method == lifecycleSetting {
		t.setLifecycleLocked(s, r)
		return
	}
	r.Params = valueOf(r.Method, list)
	t.passLocked(s, r)
}

// valueOf returns the value for the debuggee, merged from the values of its sessions.
func valueOf(method string, list []written) json.RawMessage {
	if len(list) == 1 {
		return list[0].value
	}
	var values []json.RawMessage
	for _, w := range list {
		values = append(values, w.value)
	}
	return settings[method].merge(values)
}

// clearLocked clears a setting of a session.
func (t *transport) clearLocked(s *session, r request) {
	method := clears[r.Method]
	list := withoutWriter(s.on.settings[method], s)
	if len(list) == 0 {
		delete(s.on.settings, method)
	} else {
		s.on.settings[method] = list
		r.Method, r.Params = method, valueOf(method, list)
	}
	t.passLocked(s, r)
}

// unsetLocked clears those settings of a session whose commands begin with the given prefix.
func (t *transport) unsetLocked(s *session, prefix string) {
	d := s.on
	for method, all := range d.settings {
		list := withoutWriter(all, s)
		if len(list) == len(all) || !strings.HasPrefix(method, prefix) {
			continue
		}
		before := valueOf(method, all)
		d.settings[method] = list
		if len(list) > 0 {
			if now := valueOf(method, list); !sameJSON(before, now) {
				t.sendLocked(d, method, now)
			}
			continue
		}
		delete(d.settings, method)
		undo := method
		if settings[method].undo != "" {
			undo = settings[method].undo
		}
		t.sendLocked(d, undo, json.RawMessage(settings[method].off))
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var one, other any
	json.Unmarshal(a, &one)
	json.Unmarshal(b, &other)
	return reflect.DeepEqual(one, other)
}

func withoutWriter(list []written, s *session) []written {
	return slices.DeleteFunc(slices.Clone(list), func(w written) bool { return w.by == s })
}

// hasAsked reports whether a session has switched on a setting. If several sessions have started a
// screencast, only the last one counts: it gets the pictures.
func (d *debuggee) hasAsked(s *session, method string) bool {
	list := d.settings[method]
	if method == "Page.startScreencast" {
		return len(list) > 0 && list[len(list)-1].by == s
	}
	return slices.ContainsFunc(list, func(w written) bool { return w.by == s && isOn(w.value) })
}
