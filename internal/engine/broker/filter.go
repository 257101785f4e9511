package broker

import "slices"

// A filter chooses targets by their types, as in Target.setAutoAttach: the first entry with the
// target's type decides.
type filter []filterEntry

type filterEntry struct {
	Type    string `json:"type,omitempty"` // type of the target; "": any
	Exclude bool   `json:"exclude,omitempty"`
}

// usualFilter is the filter that Chromium uses if a client gives none.
var usualFilter = filter{{"browser", true}, {"tab", true}, {}}

func (f filter) has(kind string) bool {
	i := slices.IndexFunc(f, func(e filterEntry) bool { return e.Type == "" || e.Type == kind })
	return i >= 0 && !f[i].Exclude
}

// orUsual returns the filter of a client or, if it gave none, usualFilter.
func (f filter) orUsual() filter {
	if f == nil {
		return usualFilter
	}
	return f
}
