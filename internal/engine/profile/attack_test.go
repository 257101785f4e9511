package profile

import (
	"slices"
	"testing"

	"chela/internal/wall/guard"
)

// The page does not try forms of the address that the policy allows. If the policy allows the
// address itself, the page tries chela's ports, at all forms.
func TestPlanOfAnAttack(t *testing.T) {
	for _, test := range []struct {
		name    string
		rules   guard.Rules
		own     bool
		allowed []string
	}{
		{"standard", guard.Rules{}, false, nil},
		{"private", guard.Rules{AllowPrivateNetwork: new(true)}, true, nil},
		{"address", guard.Rules{AllowedHostnames: []string{"127.0.0.1"}}, true, nil},
		{"localhost", guard.Rules{AllowedHostnames: []string{"localhost"}}, false, []string{"localhost", "LOCALHOST."}},
		{"below localhost", guard.Rules{AllowedHostnames: []string{"any.localhost"}}, false, []string{"any.localhost"}},
		{"a wildcard is no exception", guard.Rules{AllowedHostnames: []string{"*.localhost"}}, false, nil},
		{"a list", guard.Rules{AllowPrivateNetwork: new(true), HostnameAllowlist: []string{"any.localhost"}}, false, []string{"any.localhost"}},
	} {
		policy, err := test.rules.Policy()
		if err != nil {
			t.Fatal(err)
		}
		a, forms := planAttack(policy)
		if a.OwnPorts != test.own || !slices.Equal(a.Allowed, test.allowed) || len(forms)+len(a.Allowed) != len(attackedForms) {
			t.Errorf("%s: own ports %v, allowed %q, tried %q", test.name, a.OwnPorts, a.Allowed, forms)
		}
	}
}
