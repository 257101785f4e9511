package server

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"

	"chela/internal/op"
)

// act runs the viewer's input (mouse and keys), one input after the other, as calls of the session
// [op.Person]. So limits and leases apply to them, and the journal has them, as with any other call.
func (v *viewer) act() {
	ctx := op.WithSession(v.ctx, op.Person)
	if op.GuestOf(ctx).Share == "" { // a guest keeps the name that withGuest has given
		ctx = op.WithCaller(ctx, "live view")
	}
	ctx = op.WithTarget(ctx, op.Target{Place: op.Here})
	for {
		in, ok := v.inputs.next(ctx)
		if !ok {
			v.release(ctx)
			return
		}
		v.mouse.follow(in)
		if err := v.do(ctx, in); err != nil && ctx.Err() == nil {
			v.refuse(err)
		}
	}
}

// A mouse is what a viewer has done with the mouse.
type mouse struct {
	last    op.UserInput   // the last event that has a point
	pressed []op.UserInput // the presses of the buttons that are down, with the modifiers that they hold
}

// follow records an input, which the page may still refuse.
func (m *mouse) follow(in op.UserInput) {
	if in.Type != "mouse" || in.X == nil || in.Y == nil {
		return
	}
	m.last = in
	in.Button = cmp.Or(in.Button, "left")
	ofButton := func(press op.UserInput) bool { return press.Button == in.Button }
	switch in.Event {
	case "down":
		if slices.Contains(buttons, in.Button) && !slices.ContainsFunc(m.pressed, ofButton) {
			m.pressed = append(m.pressed, in)
		}
	case "up":
		m.pressed = slices.DeleteFunc(m.pressed, ofButton)
	}
}

// buttons are the names of the mouse buttons.
var buttons = []string{"left", "middle", "right"}

// releaseTime limits how long the release of the mouse waits for its turn after a viewer has gone.
// When the server shuts down, it ends with the calls.
const releaseTime = 5 * time.Second

// release releases the buttons and modifier keys that the viewer has left down. Otherwise the next act
// of an agent would be a part of the viewer's drag.
func (v *viewer) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	defer context.AfterFunc(v.server.calls, cancel)()
	for _, up := range v.mouse.releases() {
		v.do(ctx, up) // if it fails, the page releases the button after a while
	}
}

// releases returns the inputs that release the buttons at the last point, and the modifier keys.
func (m *mouse) releases() []op.UserInput {
	ups := slices.Clone(m.pressed)
	for i := range ups {
		ups[i].Event, ups[i].X, ups[i].Y = "up", m.last.X, m.last.Y
	}
	return ups
}

// do runs the operation for one input.
func (v *viewer) do(ctx context.Context, in op.UserInput) error {
	in, err := v.onPage(in)
	if err != nil {
		return err
	}
	o, args, err := v.server.o.Table().Input(in)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"profile": v.stream.Profile, "targetId": v.stream.Tab.ID} {
		args[name], _ = json.Marshal(value) // a string can be encoded
	}
	answer, err := v.server.o.Runner.Run(byHand(ctx), o, args)
	if err != nil {
		return err
	}
	if in.Event != "move" && prevented(answer) {
		return op.Errorf(op.Conflict, "a dialog of the page is open, so this was not done").Hinted("answer the dialog first")
	}
	return o.Failure(answer) // a press and a release are batches
}

// prevented reports whether a dialog of the page has kept an act, or all acts of a batch, from being done.
func prevented(answer json.RawMessage) bool {
	var a struct {
		NotDone bool
		Aborted *struct {
			Reason      string
			AfterAction int
		}
	}
	json.Unmarshal(answer, &a) // answers without these fields are of other operations
	return a.NotDone || a.Aborted != nil && a.Aborted.Reason == "dialog" && a.Aborted.AfterAction == 0
}

// onPage converts the coordinates of an input from pixels of the last picture to CSS pixels of the
// viewport.
func (v *viewer) onPage(in op.UserInput) (op.UserInput, error) {
	for _, n := range []*float64{in.X, in.Y, &in.DeltaX, &in.DeltaY} {
		if n != nil && math.Abs(*n) > maxPixels {
			return in, op.Errorf(op.Invalid, "%g pixels are too many", *n)
		}
	}
	if in.X == nil || in.Y == nil {
		return in, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seq == 0 {
		return in, op.Errorf(op.Conflict, "no picture was sent yet, so its coordinates mean nothing").Hinted("wait for the first frame")
	}
	in.X, in.Y = new(*in.X*float64(v.last.Width)/float64(v.last.Size.X)), new(*in.Y*float64(v.last.Height)/float64(v.last.Size.Y))
	return in, nil
}

// maxPixels limits the coordinates of an input, and what it scrolls by. Sums and products of such
// numbers are finite.
const maxPixels = 1e6

// maxInputs limits how many inputs of a viewer may wait.
const maxInputs = 64

// inputs is the queue of a viewer's inputs that the page has not received yet. While the page is slow,
// consecutive mouse moves become one, and so do consecutive turns of the wheel, as in a browser.
type inputs struct {
	mu    sync.Mutex // guards the rest
	queue []op.UserInput
	more  chan struct{} // has a value if the queue may have grown
}

func newInputs() inputs { return inputs{more: make(chan struct{}, 1)} }

// add adds an input, and reports whether there is room.
func (i *inputs) add(in op.UserInput) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch last := len(i.queue) - 1; {
	case last >= 0 && joins(i.queue[last], in):
		in.DeltaX, in.DeltaY = in.DeltaX+i.queue[last].DeltaX, in.DeltaY+i.queue[last].DeltaY
		i.queue[last] = in
	case len(i.queue) == maxInputs:
		return false
	default:
		i.queue = append(i.queue, in)
	}
	select {
	case i.more <- struct{}{}:
	default:
	}
	return true
}

// joins reports whether an input can be joined with the one before it.
func joins(before, in op.UserInput) bool {
	move := in.Type == "mouse" && in.Event == "move"
	return before.Type == in.Type && before.Event == in.Event && (move || in.Type == "wheel")
}

// next waits for the next input. It returns false when ctx ends.
func (i *inputs) next(ctx context.Context) (op.UserInput, bool) {
	for {
		i.mu.Lock()
		if len(i.queue) > 0 {
			in := i.queue[0]
			i.queue = i.queue[1:]
			i.mu.Unlock()
			return in, true
		}
		i.mu.Unlock()
		select {
		case <-i.more:
		case <-ctx.Done():
			return op.UserInput{}, false
		}
	}
}
