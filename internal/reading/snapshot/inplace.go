package snapshot

import "slices"

// fewInPlace is the maximum number of neighboring changed lines that joinInPlace matches by their
// place. If more lines have changed, they are probably other items.
const fewInPlace = 3

// joinInPlace joins lines that contain no other lines and have no match yet. Two such lines are
// joined if they stand in the same place between matched lines, and have the same role. The words
// of such a line have changed, as in a counter or a cell.
func (m *matching) joinInPlace() {
	last := none
	for c := 1; c < len(m.to); c++ {
		x := m.a.nodes[c].parent
		y := m.to[x]
		if m.to[c] != none || y == none || x == last {
			continue
		}
		last = x
		old, now := m.a.children(x), m.b.children(y)
		at := 0 // index in old after the match of the last matched line of now
		for j := 0; j < len(now); j++ {
			if before := m.from[now[j]]; before != none {
				at = after(old, before)
				continue
			}
			n := gap(m.from, now[j:])
			if n <= fewInPlace && n == gap(m.to, old[at:]) && m.joined(old[at+n:], now[j+n:]) {
				m.joinAlike(old[at:at+n], now[j:j+n])
			}
			j += n - 1
		}
	}
}

// after returns the index that follows a line in an ascending list of lines. If the line is not in
// the list, it returns the length of the list.
func after(lines []int, line int) int {
	at, found := slices.BinarySearch(lines, line)
	if !found {
		return len(lines)
	}
	return at + 1
}

// gap returns how many of the first lines of a list have no match.
func gap(match, lines []int) (n int) {
	for n < len(lines) && match[lines[n]] == none {
		n++
	}
	return n
}

// joined reports whether two lists of lines begin with lines that match each other, or are both
// empty.
func (m *matching) joined(old, now []int) bool {
	if len(old) == 0 || len(now) == 0 {
		return len(old) == len(now)
	}
	return m.to[old[0]] == now[0]
}

// joinAlike matches the lines of two lists that have the same place in their lists. Two lines match if
// they have the same role, and neither has lines inside it.
func (m *matching) joinAlike(old, now []int) {
	for k, x := range old {
		if y := now[k]; m.a.nodes[x].size == 1 && m.b.nodes[y].size == 1 && role(m.a.text(x)) == role(m.b.text(y)) {
			m.to[x], m.from[y] = y, x
		}
	}
}
