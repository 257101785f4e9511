package browser

import (
	"slices"
	"testing"
)

// Another machine gets the addresses of tabs without the logins in them, and the tab says so.
func TestLoginsInAddressesStay(t *testing.T) {
	for address, want := range map[string]string{
		"http://ada:secret@a.test:80/b?c#d": "http://a.test:80/b?c#d", "https://ada@a.test": "https://a.test", "http://a%40b:c@d@a.test?e@f": "http://a.test?e@f",
		"http://a.test/b@c": "", "http://a.test?b@c": "", "http://a.test#b@c": "", "data:,a@b": "", "data:,http://a@b": "", "view-source:http://ada:secret@a.test/": "view-source:http://a.test/", "about:blank": "", "": "",
	} {
		m := Memory{Tabs: []SavedTab{{ID: "t1", URL: address}}}
		got := m.portable(nil).Tabs[0]
		lost := slices.Contains(got.Lost, "login in its address")
		if want == "" && (got.URL != address || lost) || want != "" && (got.URL != want || !lost) {
			t.Errorf("%q became %q, and the login was lost: %v", address, got.URL, lost)
		}
		if m.Tabs[0].URL != address {
			t.Errorf("this machine has lost %q", address)
		}
	}
}
