package hidden

import "unicode"

// A set is a fast lookup for the characters of a large text. Searching several tables for each
// character would take longer than the rest of the work. Characters of the basic plane, which are
// most of any text, have a bit each.
type set struct {
	basic  [1 << 16 / 64]uint64
	others []*unicode.RangeTable
	but    *unicode.RangeTable
}

// newSet returns the set of the characters in some tables. The parameter but is a table of
// characters that are left out; it may be nil.
func newSet(but *unicode.RangeTable, tables ...*unicode.RangeTable) *set {
	if but == nil {
		but = &unicode.RangeTable{}
	}
	s := &set{others: tables, but: but}
	for _, t := range tables {
		for _, each := range t.R16 {
			for r := rune(each.Lo); r <= rune(each.Hi); r += rune(each.Stride) {
				if !unicode.Is(but, r) {
					s.basic[r/64] |= 1 << (r % 64)
				}
			}
		}
	}
	return s
}

func (s *set) has(r rune) bool {
	if 0 <= r && r < 1<<16 {
		return s.basic[r/64]&(1<<(r%64)) != 0
	}
	return unicode.In(r, s.others...) && !unicode.Is(s.but, r)
}
