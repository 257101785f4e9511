package api

import (
	"testing"

	"chela/internal/op"
)

// A guest may do by hand what the mouse, the keys and the answers to dialogs become. Files of this
// machine are no part of that. No other operation may be done by hand.
func TestWhatGuestsDoByHand(t *testing.T) {
	table, x := Table(), new(float64)
	byHand := map[string]bool{}
	for _, in := range []op.UserInput{
		{Type: "mouse", Event: "click", X: x, Y: x}, {Type: "mouse", Event: "move", X: x, Y: x}, {Type: "mouse", Event: "down", X: x, Y: x},
		{Type: "mouse", Event: "down", X: x, Y: x, Modifiers: []string{"Shift"}}, {Type: "wheel", X: x, Y: x}, {Type: "key", Key: "a"}, {Type: "text", Text: "secret:site/password"}, {Type: "dialog", Accept: true},
	} {
		o, _, err := table.Input(in)
		if err != nil {
			t.Fatal(err)
		}
		byHand[o.Name()] = true
		if !o.ByHand() && !o.ForGuest(false) {
			t.Errorf("%s %s is refused to a guest", in.Type, in.Event)
		}
	}
	o, _, err := table.Input(op.UserInput{Type: "files", Paths: []string{"report.pdf"}})
	if err != nil || o.ByHand() || o.ForGuest(false) {
		t.Errorf("a guest may give files: %v", err)
	}
	for _, o := range table.Ops {
		if o.ByHand() && !byHand[o.Name()] {
			t.Errorf("no input becomes %s, and a guest may do it by hand", o.Name())
		}
	}
}
