package setting

import (
	"fmt"
	"slices"
	"testing"
)

// values lists the headers and logins as origin=value, in order of their origins.
func values(c Common) (list []string) {
	for _, h := range c.Headers {
		list = append(list, fmt.Sprintf("%s=%s", h.Origin, h.Headers["A"]))
	}
	for _, l := range c.Logins {
		list = append(list, fmt.Sprintf("%s=%s", l.Origin, l.Password))
	}
	slices.Sort(list)
	return list
}

func header(o Origin, value string) *OriginHeaders {
	return &OriginHeaders{o, map[string]string{"A": value}}
}

func login(o Origin, password string) *Login {
	return &Login{Credentials: Credentials{Origin: o, Password: password}}
}

// What a session has set for its first origin waits for that session. To undo a binding does not
// change what others have set meanwhile.
func TestBindFirst(t *testing.T) {
	const site, other = Origin("https://a.test"), Origin("https://b.test")
	first := FirstOrigin("x")
	set := func() Common {
		return Common{Headers: []*OriginHeaders{header(site, "old"), header(first, "1")}, Logins: []*Login{login(first, "p"), login(FirstOrigin(""), "q")}}
	}
	c := set()
	for _, session := range []string{"", "y"} {
		if undo := c.BindFirst(FirstOrigin(session), other); (undo != nil) != (session == "") {
			t.Errorf("session %q has bound something: %v", session, undo != nil)
		}
	}
	if got, want := values(c), []string{"first:x=1", "first:x=p", "https://a.test=old", "https://b.test=q"}; !slices.Equal(got, want) {
		t.Errorf("bound by other sessions: %q, want %q", got, want)
	}
	for _, s := range []struct {
		name      string
		meanwhile func(*Common)
		want      []string
	}{
		{"nothing", func(*Common) {}, []string{"first:x=1", "first:x=p", "first=q", "https://a.test=old"}},
		{"cleared", func(c *Common) { c.Headers, c.Logins = nil, nil }, nil},
		{
			"set for the same origin", func(c *Common) { c.Headers = []*OriginHeaders{header(site, "1")} },
			[]string{"first:x=p", "first=q", "https://a.test=1"},
		},
		{
			"set for another origin", func(c *Common) { c.Headers = append(c.Headers, header(other, "2")) },
			[]string{"first:x=1", "first:x=p", "first=q", "https://a.test=old", "https://b.test=2"},
		},
		{
			"set for the first origin", func(c *Common) { c.Logins = append(c.Logins, login(first, "new")) },
			[]string{"first:x=1", "first:x=new", "first=q", "https://a.test=old"},
		},
	} {
		c := set()
		undo := c.BindFirst(first, site)
		if got, want := values(c), []string{"first=q", "https://a.test=1", "https://a.test=p"}; !slices.Equal(got, want) {
			t.Errorf("bound: %q, want %q", got, want)
		}
		s.meanwhile(&c)
		undo(&c)
		if got := values(c); !slices.Equal(got, s.want) {
			t.Errorf("%s meanwhile: %q, want %q", s.name, got, s.want)
		}
	}
}
