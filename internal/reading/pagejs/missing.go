package pagejs

// Missing says why an action on an element is not possible: what the element lacks, or what is in
// the way. Functions of the page script return it in the field "missing". Without that field, the
// function has succeeded.
type Missing string

const (
	Gone        Missing = "gone"        // the element is no longer in the document
	Hidden      Missing = "hidden"      // the element is not rendered, or without a size, which is then "which"
	Outside     Missing = "outside"     // no scrolling brings the element into the viewport
	OffPage     Missing = "offpage"     // the element rests far off the page; hovering another element may bring it into view
	Clipped     Missing = "clipped"     // the element is cut off by a box without a size, which "by" describes; hovering another element may open it
	Delegated   Missing = "delegated"   // the element is a checkbox or the like, and the element "by" around it takes its clicks
	Covered     Missing = "covered"     // another element is hit at each point of the element, or is a modal dialog; "by" describes it
	Unclickable Missing = "unclickable" // the pointer-events of the element are none; "by" describes what is hit instead
	Moving      Missing = "moving"      // the box of the element did not come to rest
	Disabled    Missing = "disabled"    // the element, or one around it, is disabled
	Inert       Missing = "inert"       // the part of the page with the element is inert, or ignores the mouse; "by" describes the dialog or list that is open, if any
	ReadOnly    Missing = "readonly"    // the text of the element cannot be changed
	Untyped     Missing = "untyped"     // the element takes no text; for a choice of options: it is neither a select element nor a list
	Slider      Missing = "slider"      // the element is a slider that is not an input, so that keys move it
	Unfillable  Missing = "unfillable"  // the element is an input of a type that is not filled, such as a button
	Number      Missing = "number"      // the element is a number input, and the text is no number
	Format      Missing = "format"      // the element did not accept the value: it has the wrong format for a date, a color or the like
	Unfocusable Missing = "unfocusable" // focus() does not focus the element
	Refocused   Missing = "refocused"   // the element got the focus, and the page moved it on at once; "by" describes what has it now
	Choice      Missing = "choice"      // the element is an option of a drop-down list, and no click can reach such an option; "which" is its label
	Beyond      Missing = "beyond"      // the position is outside of the element's box; "which" is its size
	Single      Missing = "single"      // several values were given for a select element that takes one
	Option      Missing = "option"      // no option has the value "which"; "options" lists the values that exist
	Unread      Missing = "unread"      // the deadline came before the end of a long list; no option up to there is "which", "options" has the last ones
	Ambiguous   Missing = "ambiguous"   // several options have the label "which"; "options" tells them apart
	Closed      Missing = "closed"      // the element opened no list when it was clicked
	Menu        Missing = "menu"        // the element opened a menu in place of a list; "entries" lists its entries
	StandIn     Missing = "standin"     // another control is shown instead of the select element, and was not changed: "by" describes it, "which" is what it shows
)

// AllMissing lists every Missing that the page script can return.
var AllMissing = []Missing{
	Gone, Hidden, Outside, OffPage, Clipped, Delegated, Covered, Unclickable, Moving, Disabled, Inert, ReadOnly, Untyped, Slider, Unfillable,
	Number, Format, Unfocusable, Refocused, Choice, Beyond, Single, Option, Unread, Ambiguous, Closed, Menu, StandIn,
}
