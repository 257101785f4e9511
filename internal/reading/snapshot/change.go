package snapshot

import (
	"fmt"
	"strings"

	"chela/internal/wall/excerpt"
)

// A change is a line of a delta.
type change struct {
	sign   byte   // the first character of the line, see Delta; 0 for a line that chela adds, such as a note about refs
	text   string // the rest of the line
	level  int    // level of indentation
	rank   int    // changes with a higher rank are cut first
	around string // the unchanged line that says where the change is, see diff.around; "" if there is none
}

// line returns the change as it is written. A change inside another written line (around) is
// indented once more.
func (c change) line() string {
	if c.sign == 0 {
		return c.text
	}
	if c.around != "" {
		c.level++
	}
	return string(c.sign) + " " + indent[:2*c.level] + c.text
}

// add adds a change of line y of the later snapshot. The parameter level is how many new lines
// contain that line.
func (d *diff) add(sign byte, y, level int, text string) {
	c, up := change{sign: sign, text: text, level: level, rank: d.rank(y)}, d.b.nodes[y].parent
	if choiceRoles(role(d.b.deltaText(y))) {
		d.choice = y
	}
	if level == 0 && up > 0 && up == d.choice {
		c.level = 1 // the line of the drop-down is a change itself, just before
	} else if level == 0 {
		c.around = d.around(up)
	} else if last := len(d.changes) - 1; last >= 0 {
		c.around = d.changes[last].around // as for the enclosing new line, which was added just before
	}
	d.changes = append(d.changes, c)
}

// Ranks of a change: the lower the rank, the more important the change. The rank depends on where
// the change is. An act often opens a dialog, and the parts outside of the main part mostly stay as
// they are.
const (
	inDialog = iota
	inMain
	elsewhere
	goneBy
)

// rank returns the rank of a change of line y of the later snapshot.
func (d *diff) rank(y int) int {
	for ; y > 0; y = d.b.nodes[y].parent {
		if r := rankOf(role(d.b.deltaText(y))); r < elsewhere {
			return r
		}
	}
	return elsewhere
}

func rankOf(role string) int {
	switch role {
	case "dialog", "alertdialog", "alert":
		return inDialog
	case "main":
		return inMain
	}
	return elsewhere
}

// addMoved adds line y of the later snapshot, which has moved, with its place.
func (d *diff) addMoved(sign byte, y int, across bool) {
	d.add(sign, y, 0, d.b.brief(y, d.place(y, across)))
	if across {
		d.changes[len(d.changes)-1].around = "" // the line itself says what it has moved into
	}
}

// addGone adds line x of the earlier snapshot, which has gone.
func (d *diff) addGone(x int, text string) {
	around := d.around(d.to[d.a.nodes[x].parent])
	d.changes = append(d.changes, change{sign: '-', text: text, rank: goneBy, around: around})
}

// joinChanges joins as many changes as fit into maxChars UTF-16 units, in their order. Changes of
// the lowest ranks are kept first. Delta.Changes counts all of them, including those that are cut.
// Whole changes are cut, never a part of a line.
func joinChanges(changes []change, maxChars int) Delta {
	d := Delta{Changes: len(changes)}
	kept := fitting(changes, maxChars)
	var all []string
	missing, around := len(changes), ""
	for i, c := range changes {
		if kept != nil && !kept[i] {
			continue
		}
		if missing--; c.around != around && c.around != "" {
			all = append(all, "  "+c.around)
		}
		around = c.around
		all = append(all, c.line())
	}
	if missing > 0 {
		d.Truncated = true
		all = append(all, fmt.Sprintf(deltaMarker, missing, plural("change", missing)))
	}
	d.Text = strings.Join(all, "\n")
	return d
}

// fitting reports which changes fit into maxChars UTF-16 units together with the marker; nil means
// all of them. Each change is counted together with its line around, although changes beside each
// other may share that line.
func fitting(changes []change, maxChars int) []bool {
	size := 0
	for _, c := range changes {
		size += c.units()
	}
	if maxChars == 0 || size-1 <= maxChars {
		return nil
	}
	room := maxChars - len(deltaMarker) - len("99999")
	kept := make([]bool, len(changes))
	for rank := inDialog; rank <= goneBy; rank++ {
		for i, c := range changes {
			if c.rank != rank {
				continue
			}
			if room -= c.units(); room < 0 {
				return kept
			}
			kept[i] = true
		}
	}
	return kept
}

// units returns how many UTF-16 units a change needs at most.
func (c change) units() int {
	return excerpt.Units(c.line()) + 1 + excerpt.Units(c.around) + len("  \n")
}

const deltaMarker = "[...TRUNCATED - %d more %s: a snapshot or a larger maxChars shows all, find those with given words]"
