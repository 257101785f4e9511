package config

import (
	"strings"
	"testing"
)

// An alias means the profile of the file that has this name. If there is none, it means the default
// profile if that has the other alias, else chela's own.
func TestProfileName(t *testing.T) {
	for _, c := range []struct{ file, name, want string }{
		{`{}`, "", "chela"},
		{`{}`, "clawd", "chela"},
		{`{browser: {defaultProfile: "openclaw"}}`, "", "chela"},
		{`{browser: {profiles: {openclaw: {cdpPort: 18800}}, defaultProfile: "openclaw"}}`, "", "openclaw"},
		{`{browser: {profiles: {openclaw: {cdpPort: 18800}}, defaultProfile: "openclaw"}}`, "clawd", "openclaw"},
		{`{browser: {profiles: {clawd: {cdpPort: 18800}}}}`, "openclaw", "chela"},
		{`{browser: {profiles: {clawd: {cdpPort: 18800}}}}`, "chela", "chela"},
		{`{browser: {profiles: {clawd: {cdpPort: 18800}, openclaw: {cdpPort: 18801}}}}`, "clawd", "clawd"},
	} {
		conf, err := load(t, c.file, Flags{})
		if err != nil {
			t.Fatal(err)
		}
		if got := conf.Browser.ProfileName(c.name); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.file, c.name, got, c.want)
		}
	}
}

// Two browsers cannot open one debugging port, so the second would not start.
func TestOnePortForTwoProfiles(t *testing.T) {
	for file, want := range map[string]string{
		`{browser: {profiles: {a: {cdpPort: 18801, exposeCdp: true}, b: {cdpPort: 18801, exposeCdp: true}}}}`: "the profiles a and b expose the same cdpPort",
		`{browser: {profiles: {a: {cdpPort: 18801, exposeCdp: true}, b: {cdpPort: 18802, exposeCdp: true}}}}`: "",
		`{browser: {profiles: {a: {cdpPort: 18801}, b: {cdpPort: 18801, exposeCdp: true}}}}`:                  "",
		`{browser: {profiles: {a: {exposeCdp: true}, b: {exposeCdp: true}}}}`:                                 "",
	} {
		c, err := load(t, file, Flags{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.Warnings, "\n"); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: warnings %q, want %q", file, got, want)
		}
	}
}
