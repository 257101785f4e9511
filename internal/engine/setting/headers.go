package setting

import (
	"iter"
	"slices"
)

// OriginHeaders are headers that are added to requests to an origin. A value may name a secret
// ("secret:name", see package secret) instead of containing it.
type OriginHeaders struct {
	Origin  Origin            `json:"origin"`
	Headers map[string]string `json:"headers"`
}

// Texts yields the texts of settings that may name secrets.
func (c Common) Texts() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, h := range c.Headers {
			for _, text := range h.Headers {
				if !yield(text) {
					return
				}
			}
		}
		for _, l := range c.Logins {
			if !yield(l.Username) || !yield(l.Password) {
				return
			}
		}
	}
}

// BindFirst makes the headers and logins for FirstOrigin apply to the given origin. There they
// replace earlier headers and logins. It reports whether there were any for FirstOrigin.
func (c *Common) BindFirst(origin Origin) bool {
	headers := slices.IndexFunc(c.Headers, func(h OriginHeaders) bool { return h.Origin == FirstOrigin })
	if headers >= 0 {
		bound := c.Headers[headers]
		bound.Origin = origin
		c.Headers = append(slices.DeleteFunc(slices.Clone(c.Headers), func(h OriginHeaders) bool {
			return h.Origin == origin || h.Origin == FirstOrigin
		}), bound)
	}
	logins := slices.IndexFunc(c.Logins, func(l *Login) bool { return l.Origin == FirstOrigin })
	if logins >= 0 {
		bound := &Login{Credentials: c.Logins[logins].Credentials}
		bound.Origin = origin
		c.Logins = append(slices.DeleteFunc(slices.Clone(c.Logins), func(l *Login) bool {
			return l.Origin == origin || l.Origin == FirstOrigin
		}), bound)
	}
	return headers >= 0 || logins >= 0
}
