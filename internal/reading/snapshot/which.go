package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"chela/internal/wall/excerpt"
)

// tellApart sets Match.In of some matches to what surrounds them, so that a reader can distinguish
// them: see wordsApart. The matches were made from the first hits. If the parameter near is true, all
// matches get an In. Otherwise only matches that read the same get one.
func (f *finder) tellApart(matches []Match, hits []hit, near bool) {
	alike := map[wording][]int{} // the items of hits that read the same, in the order of the page
	for _, h := range hits {
		w := f.wording(h.item, near)
		alike[w] = append(alike[w], h.item)
	}
	shown := map[wording][]int{} // the items of alike whose matches are in the list matches
	for k := range matches {
		w := f.wording(hits[k].item, near)
		shown[w] = append(shown[w], hits[k].item)
	}
	in := map[int]string{}
	for w, items := range shown {
		if slices.Sort(alike[w]); len(alike[w]) > 1 {
			maps.Copy(in, f.wordsApart(alike[w], items))
		}
	}
	for k := range matches {
		matches[k].In = excerpt.Shorten(in[hits[k].item], longLabel)
	}
}

// A wording is the words and states of a line, without its ref, and without the focus.
type wording struct{ role, name, text, states, placeholder, description string }

// wording returns the wording of an item. If the parameter same is true, all items get an empty
// wording, so that they count as equal.
func (f *finder) wording(i int, same bool) wording {
	if same {
		return wording{}
	}
	it := &f.items[i]
	return wording{it.role, it.name, it.text, strings.TrimSpace(strings.TrimSuffix(it.states, "active")), it.placeholder, it.description}
}

// wordsApart returns words that distinguish items, for each index in the list items. The list all
// includes the list items. The words are the rest of the row or card, or else the heading above or the
// landmark around. If several items have the same heading, they are the beginning of a longer part.
func (f *finder) wordsApart(all, items []int) map[int]string {
	words, sections := f.wordsAround(all, items, f.row), map[string][]int{}
	for i := range words {
		if words[i] == "" {
			words[i] = f.section(i)
			sections[words[i]] = append(sections[words[i]], i)
		}
	}
	for _, same := range sections {
		if len(same) > 1 {
			for i, begins := range f.wordsAround(all, same, f.beginning) {
				words[i] = cmp.Or(begins, words[i])
			}
		}
	}
	return words
}

// wordsAround returns words that distinguish items, for each index in the list items. The function
// wordsOf returns the words around one of the list all. A word that is around each of the items, and
// around those before and after them, distinguishes nothing and is left out.
func (f *finder) wordsAround(all, items []int, wordsOf func(all []int, i int) []string) map[int]string {
	around, times := map[int][]string{}, map[string]int{}
	for _, i := range items {
		k, _ := slices.BinarySearch(all, i)
		for _, j := range all[max(0, k-1):min(k+2, len(all))] {
			if _, known := around[j]; !known {
				around[j] = wordsOf(all, j)
				for _, said := range around[j] {
					times[said]++
				}
			}
		}
	}
	words := map[int]string{}
	for _, i := range items {
		own := slices.DeleteFunc(around[i], func(s string) bool { return times[s] == len(around) })
		words[i] = strings.Join(own, " ")
	}
	return words
}

// row returns the other words in the largest element that contains item i and no further item of
// the list all. It returns nothing if there is no such element, or if it has more lines than a row.
// The lines of item i, such as the options of a list, do not count.
func (f *finder) row(all []int, i int) []string {
	depth := f.apart(all, i)
	row, whole := f.places.inside(i, depth, rowLines+f.linesOf(i).last-i)
	if depth > f.places.all[i].depth || !whole {
		return nil
	}
	return f.othersIn(row, i)
}

// beginning returns the words of the first lines of that element, whatever its length.
func (f *finder) beginning(all []int, i int) []string {
	depth := f.apart(all, i)
	if depth > f.places.all[i].depth {
		return nil
	}
	part, _ := f.places.inside(i, depth, len(f.items))
	return f.othersIn(span{part.first, min(part.first+labelItems, i)}, i)
}

// apart returns the depth of the largest element that contains item i and no further item of the list
// all. If there is no such element, the depth is larger than that of the item.
func (f *finder) apart(all []int, i int) int {
	k, _ := slices.BinarySearch(all, i)
	depth := 1
	if k > 0 {
		depth = f.places.shared(all[k-1], i) + 1
	}
	if k+1 < len(all) {
		depth = max(depth, f.places.shared(i, all[k+1])+1)
	}
	return depth
}

// linesOf returns the lines of the element of item i.
func (f *finder) linesOf(i int) span {
	own, _ := f.places.inside(i, f.places.all[i].depth, len(f.items))
	return own
}

// othersIn returns what the lines of a row say, each text once. A text is also left out if a line
// around its line says it. So are item i and what is in it.
func (f *finder) othersIn(row span, i int) (said []string) {
	own := f.linesOf(i)
	for j := row.first; j <= row.last; j++ {
		if j >= i && j <= own.last {
			continue
		}
		for _, s := range f.items[j].said() {
			if s != f.items[i].name && !slices.Contains(said, s) && !f.isSaidAround(row, j, s) {
				said = append(said, s)
			}
		}
	}
	return said
}

// isSaidAround reports whether one of the lines around item j, inside a row, says the text s.
func (f *finder) isSaidAround(row span, j int, s string) bool {
	for p := f.parents[j]; p >= row.first; p = f.parents[p] {
		if slices.ContainsFunc(f.items[p].said(), func(around string) bool { return strings.Contains(around, s) }) {
			return true
		}
	}
	return false
}

// landmarkRoles are the roles of the parts that a page consists of.
var landmarkRoles = set("alertdialog banner complementary contentinfo dialog form main navigation region search")

// headed is the maximum number of wrapper elements around a heading. What the heading is about is
// outside of these.
const headed = 2

// section returns the closest heading before an item that is about it, or the landmark
// that it is in; "" if there is neither.
func (f *finder) section(i int) string {
	both := f.places.all[i].depth
	for j := i - 1; j >= 0; j-- {
		both = min(both, f.places.all[j+1].shared)
		it := &f.items[j]
		above := f.places.all[j].depth - both // elements around j that are not around i
		switch {
		case it.role == "heading" && above <= headed && it.name != "":
			return it.name
		case above == 0 && landmarkRoles(it.role):
			return strings.TrimSpace(it.role + " " + it.name)
		}
	}
	return ""
}
