package around

import "testing"

// Checking, clearing and focusing answer as acts do: with what they began.
func TestFieldActs(t *testing.T) {
	tab := shared.Open(t, html(`<label><input type=checkbox> Terms</label><label>City <input value=Rome></label><label>Fixed <input value=x oninput="value = 'x'"></label>`))
	terms, city, fixed := tab.Ref("Terms"), tab.Ref("City"), tab.Ref("Fixed")
	for _, s := range []struct{ kind, ref, effects, value string }{
		{"check", terms, "changed", ""},
		{"check", terms, "", ""},
		{"uncheck", terms, "changed", ""},
		{"focus", city, "", ""},
		{"clear", city, "changed", ""},
		{"clear", fixed, "changed", "x"},
	} {
		a := tab.Act(s.kind, args{"ref": s.ref})
		if a.Text("effects.0") != s.effects || a.Text("value") != s.value {
			t.Errorf("%s: %s", s.kind, a.Raw)
		}
	}
	tab.Do("POST /act", args{"kind": "check", "ref": city}).Fails(t, 422, "ACT_OPERATION_FAILED", "is nothing that can be checked")
	tab.Do("POST /act", args{"kind": "check"}).Fails(t, 400, "ACT_INVALID_REQUEST", "ref is required")
}
