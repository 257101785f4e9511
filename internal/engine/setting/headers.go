package setting

import "slices"

// OriginHeaders are headers that are added to requests to an origin.
type OriginHeaders struct {
	Origin  Origin            `json:"origin"`
	Headers map[string]string `json:"headers"`
}

// BindFirst moves the headers and logins that are set for FirstOrigin to the given origin, where
// they replace earlier ones. It reports whether there were any.
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
