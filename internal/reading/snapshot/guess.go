package snapshot

// A guess says which line of the later snapshot a given line of the earlier one most likely is.
// Both lines contain much of the same.
type guess struct {
	line  int  // index of the guessed line; 0: there is no guess
	plain bool // the line in the earlier snapshot contains nothing by which it can be recognized
	votes
}

// The votes for a guess are the lines inside both lines that match each other. They count lines,
// and separately refs. A page that keeps its elements but changes all texts can be recognized only
// by its refs.
type votes struct {
	lines int // matched lines whose text is nowhere else on the page
	refs  int // matched lines that are the same element
}

func (v votes) plus(w votes) votes { return votes{v.lines + w.lines, v.refs + w.refs} }

// guess finds, for each line without a match, the line that contains most of the same. It goes from
// the last line to the first, so inner ones come before outer ones. Each child of a line has a
// match or a best guess, and votes for the parent of that match. It also passes on the votes that
// its own match or guess got. A line whose text is on the page once votes for the line with the
// same text.
//
// So a row is recognized by the cells in it, and a table by its rows. The work is one pass over all
// lines, as each line hands its votes up only once. Lines whose text is on the page several times,
// such as a button Edit in each row, do not vote. They would vote for any row.
func (m *matching) guess() {
	onceA, onceB := uniqueLines(&m.a, m.to), uniqueLines(&m.b, m.from)
	signsA, signsB := recognizable(&m.a, onceA, m.to), recognizable(&m.b, onceB, m.from)
	m.guesses = make([]guess, len(m.a.nodes))
	best := make([]guess, len(m.a.nodes)) // for each line of the earlier snapshot, the best guess, even if it is not likely enough
	poll := map[int]votes{}
	for x := len(m.a.nodes) - 1; x > 0; x-- {
		if m.to[x] != none {
			best[x] = guess{line: m.to[x], votes: votes{1, 1}.plus(minVotes(signsA[x], signsB[m.to[x]]))}
			continue
		}
		clear(poll)
		m.a.eachChild(x, func(c int) {
			if y := best[c].line; y > 0 {
				up := m.b.nodes[y].parent
				poll[up] = poll[up].plus(best[c].votes)
			}
		})
		words := m.a.words(x)
		if y := onceB[words]; y > 0 && onceA[words] == x {
			poll[y] = poll[y].plus(votes{1, 0})
		}
		best[x] = mostVoted(poll)
		m.guesses[x].plain = signsA[x].lines == 0
		y := best[x].line
		if y == 0 || m.a.nodes[x].size == 1 || m.b.nodes[y].size == 1 {
			continue
		}
		if m.votesSuffice(x, y, best[x].votes, signsA[x], signsB[y]) {
			m.guesses[x].line = y
		}
	}
}

// minVotes returns, of each kind of votes, the smaller number. If two lines are matched, the lines
// that both contain count as votes for their parents. So a paragraph with nothing but a list in it
// is the same paragraph, whatever has changed in the list.
func minVotes(v, w votes) votes { return votes{min(v.lines, w.lines), min(v.refs, w.refs)} }

// mostVoted returns the line with the most votes, the first of several. The order of a map is
// random; taking the first line of several makes the result the same each time.
func mostVoted(poll map[int]votes) (g guess) {
	for y, v := range poll {
		if y > 0 && (v.lines > g.lines || v.lines == g.lines && y < g.line) {
			g.line, g.votes = y, v
		}
	}
	return g
}

// fewLines is how many lines a row or a card has at most. When most of one has changed, it is
// better read as a new one than as a list of changes.
const fewLines = 16

// votesSuffice reports whether the votes v are enough to match x with y. The arguments before and
// after count everything by which the contents of x and of y can be recognized. For a row or a
// card, more than half of that must be in both. For something larger, such as a table, a quarter is
// enough, or half of the elements that have the same refs.
//
// A table is still the same table when most of its rows have changed (another page of results). The
// change is then better described by the rows. If half of a row has changed, it is rather another
// row.
func (m *matching) votesSuffice(x, y int, v, before, after votes) bool {
	if max(m.a.nodes[x].size, m.b.nodes[y].size) <= fewLines && !m.a.structure(x) {
		return 2*v.lines > min(before.lines, after.lines)
	}
	return 4*v.lines >= min(before.lines, after.lines) || v.refs > 0 && 2*v.refs >= min(before.refs, after.refs)
}

// structure reports whether a line has several children with contents of their own, as a table has,
// and a row has not. Without this test, a small table would be taken for a row, because it has no
// more lines than a row of a large table.
func (t *tree) structure(i int) bool {
	n := 0
	t.eachChild(i, func(c int) {
		if t.nodes[c].size > 1 {
			n++
		}
	})
	return n > 1 || t.nodes[i].height > 2
}

// uniqueLines returns, by the hash of its text, each line without a match whose text says something
// and is on no other line. Other texts have 0. Lines that have a match already are left out, but
// their texts count: a text that is also on one of them is not unique.
func uniqueLines(t *tree, match []int) map[uint64]int {
	found := map[uint64]int{}
	for i := 1; i < len(t.nodes); i++ {
		if match[i] != none {
			continue
		}
		words := t.words(i)
		if _, again := found[words]; again || t.pageWords(i) == "" {
			found[words] = 0
		} else {
			found[words] = i
		}
	}
	for i := 1; i < len(t.nodes) && len(found) > 0; i++ {
		if match[i] == none {
			continue
		}
		if _, again := found[t.words(i)]; again {
			found[t.words(i)] = 0
		}
	}
	return found
}

// recognizable returns, by line, how many of the lines inside it can be recognized. These are lines
// with a match, and lines whose text is on the page once. The sums are made from the last line to
// the first, so that inner lines are counted before they are added to outer ones.
func recognizable(t *tree, once map[uint64]int, match []int) []votes {
	signs := make([]votes, len(t.nodes))
	for i := len(t.nodes) - 1; i > 0; i-- {
		own := votes{}
		if match[i] != none {
			own = votes{1, 1}
		} else if once[t.words(i)] == i {
			own = votes{1, 0}
		}
		up := t.nodes[i].parent
		signs[up] = signs[up].plus(signs[i]).plus(own)
	}
	return signs
}
