package call

import "chela/internal/engine/page"

// EfficientChars is how many characters are answered of what can be acted on, when the request does
// not say.
const EfficientChars = 8000

// efficientDepth is how many levels of the tree mode efficient shows.
const efficientDepth = 6

// Efficient is a view in mode efficient: only what can be acted on, compact, with at most so many
// characters.
func Efficient(v page.View, chars int) page.View {
	v.Role, v.Interactive, v.Compact, v.Depth, v.MaxChars = true, true, true, efficientDepth, chars
	return v
}
