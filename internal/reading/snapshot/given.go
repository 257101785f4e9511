package snapshot

import "strings"

// Given is what the caller of a delta has done to elements itself, by their refs. The value is the
// text that it has put into a field, or the option that it has chosen in a list. It is "" where the
// caller has only clicked. A delta leaves out the lines in which nothing else has changed, as the
// caller knows that.
type Given map[string]string

// explains reports whether a line has changed only by what the caller has done to it, or to its
// parent. Losing the focus does not count as a change: the line that has the focus now shows that.
// A nil Given explains nothing.
func (g Given) explains(before, after string, ref, parent string) bool {
	if g == nil {
		return false
	}
	was, is := withoutFocus(before), withoutFocus(after)
	text, own := g[ref]
	switch {
	case was == is:
		return own && ref != "" || after == is
	case own && ref != "" && text != "":
		old, _ := cutValue(was, ref)
		now, value := cutValue(is, ref)
		return old == now && value == text
	}
	option, chosen := g[parent]
	bare := strings.Replace(is, " [selected]", "", 1)
	return parent != "" && chosen && option != "" && role(is) == "option" && bare == strings.Replace(was, " [selected]", "", 1) &&
		(bare == is || pageWordsOf(is) == option)
}

func withoutFocus(line string) string { return strings.Replace(line, " [active]", "", 1) }

// cutValue separates a line with a ref from the value after it.
func cutValue(line, ref string) (head, value string) {
	mark := "[ref=" + ref + "]"
	head, rest, _ := strings.Cut(line, mark)
	value, ok := strings.CutPrefix(rest, ": ")
	if !ok && rest != "" {
		return line, ""
	}
	return head, value
}
