package snapshot

import (
	"fmt"
	"strings"

	"chela/internal/base/excerpt"
)

// A change is a line of a delta.
type change struct {
	text string
	rank int // changes with a higher rank are cut first
}

// add adds a change of line y of the later snapshot.
func (d *diff) add(y int, text string) {
	d.changes = append(d.changes, change{text, d.rank(y)})
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

// addLast adds a change that has no line in the later snapshot.
func (d *diff) addLast(text string) { d.changes = append(d.changes, change{text, goneBy}) }

// joinChanges joins as many changes as fit into maxChars UTF-16 units, in their order. Changes of
// the lowest ranks are kept first. Delta.Changes counts all of them, including those that are cut.
// Whole changes are cut, never a part of a line.
func joinChanges(changes []change, maxChars int) Delta {
	d := Delta{Changes: len(changes)}
	kept := fitting(changes, maxChars)
	var all []string
	for i, c := range changes {
		if kept == nil || kept[i] {
			all = append(all, c.text)
		}
	}
	if missing := len(changes) - len(all); missing > 0 {
		d.Truncated = true
		all = append(all, fmt.Sprintf(deltaMarker, missing, plural("change", missing)))
	}
	d.Text = strings.Join(all, "\n")
	return d
}

// fitting reports which changes fit into maxChars UTF-16 units together with the marker; nil means
// all of them.
func fitting(changes []change, maxChars int) []bool {
	size := 0
	for _, c := range changes {
		size += excerpt.Units(c.text) + 1
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
			if room -= excerpt.Units(c.text) + 1; room < 0 {
				return kept
			}
			kept[i] = true
		}
	}
	return kept
}

const deltaMarker = "[...TRUNCATED - %d more %s: a snapshot or a larger maxChars shows all, find those with given words]"
