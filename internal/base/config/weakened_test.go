package config

import (
	"slices"
	"testing"
)

// A setting that weakens the protection is listed. A setting that only looks as if it did is not.
func TestWeakened(t *testing.T) {
	c, err := load(t, `{browser: {noSandbox: true, extraArgs: [], systemClipboard: false, proxy: "http://a.lan:1",
		ssrfPolicy: {dangerouslyAllowPrivateNetwork: false, allowedHostnames: ["localhost"]},
		profiles: {work: {exposeCdp: true, cdpPort: 18811, ignoreHTTPSErrors: false}, other: {ignoreHTTPSErrors: true}}}}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	got := c.Weakened()
	slices.Sort(got)
	want := []string{"browser.noSandbox", "browser.profiles.other.ignoreHTTPSErrors", "browser.profiles.work.exposeCdp",
		"browser.proxy", "browser.ssrfPolicy.allowedHostnames"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The variable has an effect only if the file has no policy.
func TestWeakenedByEnvironment(t *testing.T) {
	for text, want := range map[string]int{`{}`: 1, `{browser: {ssrfPolicy: {}}}`: 0} {
		c, err := load(t, text, Flags{})
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(AllowPrivateNetwork, "1")
		if got := c.Weakened(); len(got) != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// Each setting that is listed as weakening exists.
func TestWeakeningExists(t *testing.T) {
	for _, w := range Weakening {
		isKey := slices.ContainsFunc(Keys(), func(k Key) bool { return k.Path == w.Name && !k.Later })
		isVariable := slices.ContainsFunc(Environment, func(v Variable) bool { return v.Name == w.Name })
		if isKey == isVariable || w.Effect == "" {
			t.Errorf("%s is no setting", w.Name)
		}
	}
}
