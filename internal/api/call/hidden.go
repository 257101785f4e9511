package call

import (
	"cmp"

	"chela/internal/reading/snapshot"
)

// Seeing is embedded by requests that answer text of a page. Agents get by default what
// the user sees: a page could otherwise give them orders that the user does not notice.
type Seeing struct {
	Hidden string `json:"hidden,omitempty" enum:"show,omit,mark" default:"show" agents:"omit" doc:"text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it" tool:"-"`
}

// Hide sets how hidden text is shown by the requests of this turn that do not say it, such as the
// actions of a batch.
func (t *Turn) Hide(r Seeing) { t.hides = cmp.Or(r.Hidden, t.hides) }

// Hidden says how hidden text is shown, in the values of a [page.View].
func (t *Turn) Hidden(r Seeing) string { return Seeing{cmp.Or(r.Hidden, t.hides)}.Hides() }

// Hides says how hidden text is shown, in the values of a [page.View].
func (r Seeing) Hides() string {
	if r.Hidden == snapshot.OmitHidden || r.Hidden == snapshot.MarkHidden {
		return r.Hidden
	}
	return ""
}
