package snapshot

// behindCuts marks the lines of a tree t that the other reading may not have reached, since its walk of a
// frame ended early. They are neither new nor gone. They have no match, and come after the last line
// of the frame that both readings have. The parameters matches and others have the matches of the
// lines of t and of the other tree.
func (d *diff) behindCuts(t, other *tree, matches, others []int) []bool {
	marked := make([]bool, len(t.nodes))
	for i := 1; i < len(other.nodes); i++ {
		if !other.line(i).isCut {
			continue
		}
		of := other.nodes[i].parent // the line of the iframe, or the whole page
		around := others[of]
		if around == none {
			continue
		}
		last, end := around, around+t.nodes[around].size
		for c := i - 1; c > of && last == around; c-- {
			if to := others[c]; to > around && to < end {
				last = to
			}
		}
		for y := last + 1; y < end; y++ {
			if matches[y] == none && !marked[y] && !t.line(y).isCut {
				marked[y] = true
				d.uncompared++
			}
		}
	}
	return marked
}
