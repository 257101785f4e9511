package call

import "chela/internal/engine/page"

// DefaultChars is how many characters of a page are answered when the request does not say, so that
// they fit a model's context.
const DefaultChars = 40000

// EfficientChars is how many they are of what can be acted on.
const EfficientChars = 8000

// efficientDepth is how many levels of the tree mode efficient shows.
const efficientDepth = 6

// Efficient is a view in mode efficient: only what can be acted on, compact, with at most so many
// characters.
func Efficient(v page.View, chars int) page.View {
	v.Role, v.Interactive, v.Compact, v.Depth, v.MaxChars = true, true, true, efficientDepth, chars
	return v
}
