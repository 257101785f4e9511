package snapshot

import "strings"

// A Delta is what has changed between two snapshots of a page.
type Delta struct {
	Text      string `json:"snapshot"` // + a new line, ~ one that changed, - one that has gone
	Changes   int    `json:"changes"`
	Truncated bool   `json:"truncated,omitempty"`
}

// Compare returns what has changed, in the order of the page. A line with a ref
// is the same line as long as it has that ref; others are told by what they say.
func Compare(before, after []Line, maxChars int) Delta {
	was, refs := map[string]int{}, map[string]string{}
	for _, l := range before {
		was[l.Text]++
		if l.Ref != "" {
			refs[l.Ref] = l.Text
		}
	}
	var changes []string
	still := map[string]bool{}
	for _, l := range after {
		still[l.Ref] = true
		old, known := refs[l.Ref]
		switch text := unmarked(l); {
		case l.Ref != "" && known && old != text:
			changes = append(changes, "~ "+bareLine(text))
			was[old]--
		case was[text] > 0:
			was[text]--
		default:
			changes = append(changes, "+ "+bareLine(text))
		}
	}
	for _, l := range before {
		if was[l.Text] > 0 {
			was[l.Text]--
			changes = append(changes, "- "+bareLine(l.Text))
		}
	}
	return cutDelta(changes, maxChars)
}

// unmarked is the text of a line without the mark of what is new.
func unmarked(l Line) string { return strings.TrimSuffix(l.Text, " [new]") }

// bareLine is a line without the dash that a tree's lines begin with.
func bareLine(text string) string { return strings.TrimPrefix(text, "- ") }

// cutDelta joins changes, as many as fit.
func cutDelta(changes []string, maxChars int) Delta {
	d := Delta{Changes: len(changes)}
	room := maxChars
	for i, c := range changes {
		room -= len(c) + 1
		if maxChars > 0 && room < len(deltaMarker) {
			d.Truncated = true
			changes = append(changes[:i:i], deltaMarker)
			break
		}
	}
	d.Text = strings.Join(changes, "\n")
	return d
}

const deltaMarker = "[...TRUNCATED - take a snapshot to see all]"
