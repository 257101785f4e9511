package browser

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A LabelError says that a tab cannot have a label.
type LabelError struct {
	Label  string
	LikeID bool // the label looks like an id of a tab: t and a number, or 32 hexadecimal digits
}

func (e *LabelError) Error() string {
	if e.LikeID {
		return fmt.Sprintf("label %q looks like the id of a tab", e.Label)
	}
	return fmt.Sprintf("label %q is not 1 to 64 ASCII letters, digits, and characters of _.:-", e.Label)
}

// CheckLabel returns a [*LabelError] if a tab cannot have this label.
func CheckLabel(label string) error {
	outside := func(r rune) bool {
		return !(r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_.:-", r))
	}
	if label == "" || len(label) > 64 || strings.ContainsFunc(label, outside) {
		return &LabelError{Label: label}
	}
	if number, ok := strings.CutPrefix(label, "t"); ok && number != "" && isNumber(number) || isTargetID(label) {
		return &LabelError{Label: label, LikeID: true}
	}
	return nil
}

// isTargetID reports whether a name has the form of Chromium's ids of targets.
func isTargetID(name string) bool {
	return len(name) == 32 && strings.Trim(name, "0123456789ABCDEFabcdef") == ""
}

// SetLabel gives the tab a label, which must have passed [CheckLabel]. Another tab of the same session
// with this label loses it. The result is the handle of that tab, or "".
func (t *Tab) SetLabel(label string) (before string) {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, other := range b.tabs.list {
		if other != t && other.label == label && other.owner == t.owner {
			other.label, before = "", other.ID
			b.keepSharedLocked(other)
		}
	}
	t.label = label
	b.kept.raise()
	b.keepSharedLocked(t)
	return before
}
