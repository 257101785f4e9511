package op

// A UserInput is what a person does in a live view, which shows a tab as a picture. X and Y are CSS
// pixels of the viewport.
type UserInput struct {
	Type      string   `json:"type"`  // mouse, wheel, key, text, dialog or files
	Event     string   `json:"event"` // of the mouse: click, move, down or up
	X         *float64 `json:"x"`
	Y         *float64 `json:"y"`
	Button    string   `json:"button"`    // of the mouse: left, right or middle; left when left out
	Modifiers []string `json:"modifiers"` // keys that are held during a click or, from its press to its release, a drag, with the names that click takes
	DeltaX    float64  `json:"deltaX"`    // of the wheel, in CSS pixels
	DeltaY    float64  `json:"deltaY"`
	Key       string   `json:"key"`
	Text      string   `json:"text"`   // also the answer to a prompt
	Accept    bool     `json:"accept"` // true accepts a dialog, false dismisses it
	Paths     []string `json:"paths"`  // of files, as POST /files answers them, for the next file chooser
}
