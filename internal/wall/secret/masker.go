package secret

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coregx/ahocorasick"

	"chela/internal/base/hidden"
)

// A masker finds the forms of all values in one pass. It never changes: for each new value a new
// masker is made.
//
// The automaton finds the first bytes of forms, their anchors. An automaton for whole forms would have
// many hundred states for each value. A value has about 15 forms, and the one for texts has a dozen
// ways to write a character.
type masker struct {
	automaton *ahocorasick.Automaton
	anchors   []string  // sorted
	forms     [][]*form // by anchor
	longest   int       // bytes of the longest anchor
	reach     int       // bytes that a value can take, at most, in any of its forms
	end       time.Time // the earliest end of a one-time code; zero: there is no code
}

// maxClasses is the number of different bytes in anchors up to which the library can put the other
// bytes into one class. With more, its class numbers overflow.
const maxClasses = 250

// newMasker returns a masker for values; nil if there are none.
func newMasker(values []*value) *masker {
	if len(values) == 0 {
		return nil
	}
	byAnchor := map[string][]*form{}
	m := &masker{}
	add := func(f *form) {
		m.reach = max(m.reach, f.longest())
		f.anchors(func(anchor string) {
			if have := byAnchor[anchor]; !slices.Contains(have, f) {
				byAnchor[anchor] = append(have, f)
			}
		})
	}
	for _, v := range values {
		if !v.end.IsZero() && (m.end.IsZero() || v.end.Before(m.end)) {
			m.end = v.end
		}
		for _, f := range v.forms {
			add(f)
		}
		// A marker in a text that was masked before stays as it is. That holds even if a part of the
		// name in it equals a secret value.
		add(literal(marker(v.name)))
	}
	used := map[byte]bool{}
	for anchor := range byAnchor {
		m.anchors = append(m.anchors, anchor)
		m.longest = max(m.longest, len(anchor))
		for i := range len(anchor) {
			used[anchor[i]] = true
		}
	}
	slices.Sort(m.anchors)
	for _, anchor := range m.anchors {
		m.forms = append(m.forms, byAnchor[anchor])
	}
	automaton, err := ahocorasick.NewBuilder().SetByteClasses(len(used) <= maxClasses).AddStrings(m.anchors).Build()
	if err != nil { // only without a pattern, or for an empty one
		panic(err)
	}
	m.automaton = automaton
	return m
}

// A hit is an occurrence of a value.
type hit struct {
	start, end int
	form       *form
}

// find returns the occurrences in a text, sorted by their start; of two with the same start the
// longer one comes first. Text that is appended later can change only occurrences that begin at the
// offset open or after it.
//
// An occurrence may have invisible characters in it. Later some surfaces remove some of these from
// texts of pages, and would put the value together.
func (m *masker) find(text []byte) (hits []hit, open int) {
	hits, open = m.findExact(text)
	if visible, gaps := withoutInvisible(text); len(gaps) > 0 {
		more, openVisible := m.findExact(visible)
		for _, h := range more {
			hits = append(hits, hit{indexBefore(gaps, h.start), indexBefore(gaps, h.end-1) + 1, h.form})
		}
		open = min(open, indexBefore(gaps, openVisible))
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	return hits, open
}

// A gap is where bytes were removed from a text.
type gap struct {
	at      int // index in the text that is left
	removed int // how many bytes were removed up to there
}

// indexBefore returns which index the i-th byte had before bytes were removed at the gaps.
func indexBefore(gaps []gap, i int) int {
	n, _ := slices.BinarySearchFunc(gaps, i+1, func(g gap, i int) int { return g.at - i })
	if n == 0 {
		return i
	}
	return i + gaps[n-1].removed
}

// withoutInvisible returns a text without its invisible characters, and the gaps where they were. It
// returns nothing if text has no such character. A character that the end cuts off may become one.
func withoutInvisible(text []byte) (visible []byte, gaps []gap) {
	done := 0
	remove := func(from, to int) {
		if gaps == nil {
			visible = make([]byte, 0, len(text))
		}
		visible = append(visible, text[done:from]...)
		if n := len(gaps); n > 0 && gaps[n-1].at == len(visible) {
			gaps = gaps[:n-1]
		}
		gaps = append(gaps, gap{len(visible), to - len(visible)})
		done = to
	}
	end := cutOff(text)
	for i := 0; i < end; {
		r, size := utf8.DecodeRune(text[i:])
		if invisible(r) {
			remove(i, i+size)
		}
		i += size
	}
	if end < len(text) {
		remove(end, len(text))
	}
	if gaps == nil {
		return nil, nil
	}
	return append(visible, text[done:]...), gaps
}

// cutOff returns where the character begins that the end of a text cuts off. If there is none, it
// returns the length of the text.
func cutOff(text []byte) int {
	for i := max(0, len(text)-utf8.UTFMax+1); i < len(text); i++ {
		if !utf8.FullRune(text[i:]) {
			return i
		}
	}
	return len(text)
}

func invisible(r rune) bool { return r >= utf8.RuneSelf && hidden.Deceives(r) }

// findExact does what find does, for values without invisible characters in between. It does not
// sort.
func (m *masker) findExact(text []byte) (hits []hit, open int) {
	open = m.cut(text)
	var now time.Time
	for _, found := range m.automaton.FindAllOverlapping(text) {
		for _, f := range m.forms[found.PatternID] {
			end, more := f.at(text, found.Start)
			if end < 0 && !more {
				continue
			}
			if now.IsZero() {
				now = time.Now()
			}
			if f.of.hasEnded(now) {
				continue
			}
			if more {
				open = min(open, found.Start)
			}
			if end >= 0 {
				hits = append(hits, hit{found.Start, end, f})
			}
		}
	}
	return hits, open
}

// cut returns the start of the first anchor that the end of the text may have cut off. If there is
// none, it returns the length of the text.
func (m *masker) cut(text []byte) int {
	for start := max(0, len(text)-m.longest+1); start < len(text); start++ {
		tail := string(text[start:])
		if i, _ := slices.BinarySearch(m.anchors, tail); i < len(m.anchors) && strings.HasPrefix(m.anchors[i], tail) && m.anchors[i] != tail || m.hasLonger(tail, i) {
			return start
		}
	}
	return len(text)
}

// hasLonger reports whether the i-th anchor is equal to tail, and the anchor after it begins with
// tail.
func (m *masker) hasLonger(tail string, i int) bool {
	return i+1 < len(m.anchors) && m.anchors[i] == tail && strings.HasPrefix(m.anchors[i+1], tail)
}

// replace appends text[from:upTo] to out, with marks in place of the hits that begin in it. The
// result end is upTo or, if a hit ends after that, the end of the hit. Hits that overlap are
// replaced together by the mark of the first one, so no part of a value is left.
func replace(out, text []byte, hits []hit, from, upTo int) (_ []byte, end int) {
	for _, h := range hits {
		switch {
		case h.start >= upTo:
		case h.start >= from:
			out = append(append(out, text[from:h.start]...), h.form.mark...)
			from = h.end
		default:
			from = max(from, h.end)
		}
	}
	if from < upTo {
		return append(out, text[from:upTo]...), upTo
	}
	return out, from
}
