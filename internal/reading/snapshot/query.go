package snapshot

import (
	"strings"

	"chela/internal/wall/excerpt"
)

// Matching keeps the lines of a snapshot that have all words of a query, in any case, with their
// refs. It also returns how many there are. The lines keep their indents. Lines that chela has
// written about the page, such as notes, are not searched.
func (s Snapshot) Matching(query string) (Snapshot, int) {
	words := strings.Fields(strings.ToLower(query))
	var lines []Line
	var text strings.Builder
	for _, l := range s.Lines {
		if !l.isNote && hasAll(strings.ToLower(withoutNewMark(l)), words) {
			lines = append(lines, l)
			text.WriteString(indent[:2*l.Depth] + l.Text + "\n")
		}
	}
	s.Lines, s.Text = lines, strings.TrimSuffix(text.String(), "\n")
	s.Refs = s.refsOfLines(s.Refs)
	s.Stats = Stats{Lines: len(lines), Chars: excerpt.Units(s.Text), Refs: len(s.Refs)}
	for _, r := range s.Refs {
		if interactiveRoles(r.Role) {
			s.Stats.Interactive++
		}
	}
	return s, len(lines)
}

// Matching does for nodes what [Snapshot.Matching] does for lines.
func (l AriaList) Matching(query string) (AriaList, int) {
	words := strings.Fields(strings.ToLower(query))
	kept := []AriaNode{}
	for _, n := range l.Nodes {
		if hasAll(strings.ToLower(n.line()+" "+n.Description), words) {
			kept = append(kept, n)
		}
	}
	l.Nodes = kept
	return l, len(kept)
}

func hasAll(line string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(line, word) {
			return false
		}
	}
	return true
}
