package call

import (
	"cmp"

	"chela/internal/reading/snapshot"
)

// Seeing is embedded by requests whose answer has text of a page. By default, agents get only what
// the user sees. A page could otherwise give them instructions that the user does not notice.
type Seeing struct {
	Hidden string `json:"hidden,omitempty" enum:"show,omit,mark" default:"show" agents:"omit" doc:"what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown" tool:"-"`
}

// Hide sets how this turn shows hidden text in its answers. A batch calls it: the setting holds for
// all actions of the batch whose own requests do not say otherwise.
func (t *Turn) Hide(r Seeing) { t.hides = cmp.Or(r.Hidden, t.hides) }

// Hidden returns how a call in this turn shows hidden text: a value for the field Hidden of
// [page.View]. If the request does not say so, the setting of Hide holds.
func (t *Turn) Hidden(r Seeing) string { return Seeing{cmp.Or(r.Hidden, t.hides)}.Hides() }

// Hides returns how the request shows hidden text: a value for the field Hidden of [page.View].
func (r Seeing) Hides() string {
	if r.Hidden == snapshot.OmitHidden || r.Hidden == snapshot.MarkHidden {
		return r.Hidden
	}
	return ""
}
