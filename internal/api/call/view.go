package call

import "chela/internal/engine/page"

// EfficientChars is the limit of characters in mode efficient, if the request has none.
const EfficientChars = 8000

// efficientDepth is how many levels of the tree mode efficient shows.
const efficientDepth = 6

// Efficient returns a view in mode efficient: only elements that can be acted on, compact, with a
// limit of characters.
func Efficient(v page.View, chars int) page.View {
	v.Role, v.Interactive, v.Compact, v.Depth, v.MaxChars = true, true, true, efficientDepth, chars
	v.Fold = !v.Scoped
	return v
}
