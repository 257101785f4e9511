package extension

import (
	"encoding/json"
	"testing"
)

// The values of several sessions are merged. When a session ends, its value no longer counts.
func TestSettingsOfSessions(t *testing.T) {
	w, conn, one, other := two(t)
	zone, bypass, headers := "Emulation.setTimezoneOverride", "Network.setBypassServiceWorker", "Network.setExtraHTTPHeaders"
	w.passes(one, zone, fields{"timezoneId": "UTC"}, `{"timezoneId":"UTC"}`)
	w.passes(other, zone, fields{"timezoneId": "Asia/Tokyo"}, `{"timezoneId":"Asia/Tokyo"}`)
	w.passes(one, bypass, fields{"bypass": true}, `{"bypass":true}`)
	w.passes(other, bypass, fields{"bypass": false}, `{"bypass":true}`)
	w.passes(one, headers, fields{"headers": fields{"a": "1", "b": "1"}}, `{"headers":{"a":"1","b":"1"}}`)
	w.passes(other, headers, fields{"headers": fields{"b": "2"}}, `{"headers":{"a":"1","b":"2"}}`)
	w.passes(other, "Emulation.setGeolocationOverride", fields{"latitude": 1}, `{"latitude":1}`)
	detach(t, conn, other)
	got := map[string]string{}
	for range 3 { // three values change; the bypass has the same merged value as before
		f := w.expect()
		got[f.Method] = string(f.Params)
		w.reply(f, nil)
	}
	for method, want := range map[string]string{zone: `{"timezoneId":"UTC"}`, headers: `{"headers":{"a":"1","b":"1"}}`, "Emulation.clearGeolocationOverride": `{}`} {
		if !sameJSON(json.RawMessage(got[method]), json.RawMessage(want)) {
			t.Errorf("%s: %s, want %s", method, got[method], want)
		}
	}
}

// A session that clears a setting leaves the settings of other sessions in force.
func TestClearingASetting(t *testing.T) {
	w, _, one, other := two(t)
	set, cleared := "Emulation.setDeviceMetricsOverride", "Emulation.clearDeviceMetricsOverride"
	w.passes(one, set, fields{"width": 1}, `{"width":1}`)
	w.passes(other, set, fields{"width": 2}, `{"width":2}`)
	reply := ask(other, cleared, nil)
	w.gets(set, `{"width":1}`)
	answered(t, reply)
	w.passes(one, cleared, nil, "")
}

// Disabling a domain takes back what the session has set in it, but not what others have set.
func TestDisablingTakesSettingsBack(t *testing.T) {
	w, _, one, other := two(t)
	w.passes(one, "Network.enable", nil, "")
	w.passes(other, "Network.enable", nil, "")
	w.passes(other, "Network.setCacheDisabled", fields{"cacheDisabled": true}, `{"cacheDisabled":true}`)
	reply := ask(other, "Network.disable", nil)
	w.gets("Network.setCacheDisabled", `{"cacheDisabled":false}`)
	answered(t, reply)
}

// Each setting is cleared by a command that is not itself a setting, or by itself.
func TestTableOfSettings(t *testing.T) {
	for method, s := range settings {
		if settings[s.undo] != nil || handlers[method] != nil || !json.Valid([]byte(s.off)) {
			t.Errorf("%s: %+v", method, s)
		}
	}
}

func TestMergedValues(t *testing.T) {
	for _, c := range []struct {
		merge    func([]json.RawMessage) json.RawMessage
		one, two string
		together string
	}{
		{last, `{"a":1}`, `{"a":2}`, `{"a":2}`},
		{anyOn, `{"enabled":true}`, `{"enabled":false}`, `{"enabled":true}`},
		{anyOn, `{"enabled":false}`, `{"enabled":false,"x":1}`, `{"enabled":false,"x":1}`},
		{joined, `{"urls":["a"]}`, `{"urls":["b"]}`, `{"urls":["a","b"]}`},
	} {
		if got := c.merge([]json.RawMessage{json.RawMessage(c.one), json.RawMessage(c.two)}); string(got) != c.together {
			t.Errorf("%s and %s: %s, want %s", c.one, c.two, got, c.together)
		}
	}
}
