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
	var kept []string
	for line := range strings.SplitSeq(s.Text, "\n") {
		if line != "" && line != cutMarker && line[0] != '(' && hasAll(strings.ToLower(line), words) {
			kept = append(kept, line)
		}
	}
	text := strings.Join(kept, "\n")
	refs := map[string]Ref{}
	for ref, r := range s.Refs {
		if strings.Contains(text, "[ref="+ref+"]") {
			refs[ref] = r
		}
	}
	s.Text, s.Refs, s.Stats = text, refs, Stats{Lines: len(kept), Chars: excerpt.Units(text), Refs: len(refs)}
	for _, r := range refs {
		if interactiveRoles(r.Role) {
			s.Stats.Interactive++
		}
	}
	return s, len(kept)
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
