package snapshot

import (
	"slices"
	"strings"
)

// A Query says which lines of a snapshot are looked for.
type Query struct {
	Text string // all of these words are in it
	Role string // it is of this role
	Near string // lines close to one with all of these words come first
}

// Match is a line that fits a query.
type Match struct {
	Ref  string `json:"ref,omitempty"`
	Line string `json:"line"`
}

// Find returns at most limit lines that fit a query, the closest first, and how
// many there are. Among equals, those that can be acted on come first.
func Find(lines []Line, q Query, limit int) (matches []Match, total int) {
	var found []int
	for i, l := range lines {
		if q.fits(l) {
			found = append(found, i)
		}
	}
	near := q.landmarks(lines)
	slices.SortStableFunc(found, func(a, b int) int {
		if d := distance(near, a) - distance(near, b); d != 0 {
			return d
		}
		return rank(lines[a]) - rank(lines[b])
	})
	for _, i := range found[:min(limit, len(found))] {
		l := lines[i]
		matches = append(matches, Match{l.Ref, l.Text})
	}
	return matches, len(found)
}

func (q Query) fits(l Line) bool {
	return hasWords(l.Text, q.Text) && (q.Role == "" || l.role() == strings.ToLower(q.Role))
}

// role is the first word of the line.
func (l Line) role() string {
	word, _, _ := strings.Cut(strings.TrimPrefix(l.Text, "- "), " ")
	return strings.TrimSuffix(word, ":")
}

func hasWords(text, words string) bool {
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// landmarks are the lines that matches are to be near.
func (q Query) landmarks(lines []Line) (near []int) {
	if q.Near == "" {
		return nil
	}
	for i, l := range lines {
		if hasWords(l.Text, q.Near) {
			near = append(near, i)
		}
	}
	return near
}

// distance is how many lines lie between a line and the closest landmark.
func distance(near []int, line int) int {
	closest := 0
	for i, n := range near {
		if d := max(n-line, line-n); i == 0 || d < closest {
			closest = d
		}
	}
	return closest
}

func rank(l Line) int {
	if l.Ref != "" {
		return 0
	}
	return 1
}
