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

// BindFirst makes the headers and logins for first, the FirstOrigin of a session, apply to the given
// origin. There they replace earlier headers and logins. The function undo reverses that, and nothing
// else: what others have set or cleared meanwhile stays. It is nil if there were none for first.
func (c *Common) BindFirst(first, origin Origin) (undo func(*Common)) {
	headers, logins := bind(&c.Headers, first, origin), bind(&c.Logins, first, origin)
	if headers.replaced == nil && logins.replaced == nil {
		return nil
	}
	return func(c *Common) {
		headers.undo(&c.Headers)
		logins.undo(&c.Logins)
	}
}

// DropFirst removes the headers and logins for the FirstOrigin of a session that has ended. A later
// session with the same key must not get them.
func (c *Common) DropFirst(session string) {
	c.Headers, c.Logins = without(c.Headers, FirstOrigin(session)), without(c.Logins, FirstOrigin(session))
}

// without returns a copy of a list that lacks the settings for an origin.
func without[T perOrigin[T]](list []T, o Origin) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return x.origin() == o })
}

// perOrigin is a setting for an origin: headers or a login. It is a pointer, which tells it apart
// from an equal setting that was made later.
type perOrigin[T any] interface {
	comparable
	origin() Origin
	at(Origin) T // returns a copy for another origin
}

func (h *OriginHeaders) origin() Origin { return h.Origin }

func (h *OriginHeaders) at(o Origin) *OriginHeaders { return &OriginHeaders{o, h.Headers} }

func (l *Login) origin() Origin { return l.Origin }

func (l *Login) at(o Origin) *Login {
	return &Login{Credentials: Credentials{o, l.Username, l.Password}}
}

// A binding is what bind has changed in a list. Its zero value is no change.
type binding[T perOrigin[T]] struct {
	bound    T
	replaced []T
}

// bind replaces the settings for first and for origin by the setting for first, at origin. If there
// is none for first, it changes nothing.
func bind[T perOrigin[T]](list *[]T, first, origin Origin) (b binding[T]) {
	i := slices.IndexFunc(*list, func(x T) bool { return x.origin() == first })
	if i < 0 {
		return b
	}
	b.bound = (*list)[i].at(origin)
	*list = append(slices.DeleteFunc(slices.Clone(*list), func(x T) bool {
		replaced := x.origin() == first || x.origin() == origin
		if replaced {
			b.replaced = append(b.replaced, x)
		}
		return replaced
	}), b.bound)
	return b
}

// undo puts back the replaced settings, unless their origin has a new setting. If the bound setting
// is gone, it changes nothing.
func (b binding[T]) undo(list *[]T) {
	i := slices.Index(*list, b.bound)
	if i < 0 {
		return
	}
	now := slices.Delete(slices.Clone(*list), i, i+1)
	for _, x := range b.replaced {
		if !slices.ContainsFunc(now, func(y T) bool { return y.origin() == x.origin() }) {
			now = append(now, x)
		}
	}
	*list = now
}
