package server

import (
	"context"
	"encoding/json"
	"sync"

	"chela/internal/op"
)

// act runs the viewer's input (mouse and keys), one input after the other, as calls of the session
// [op.Person]. So limits and leases apply to them, and the journal has them, as with any other call.
func (v *viewer) act() {
	ctx := op.WithCaller(op.WithSession(v.ctx, op.Person), "live view")
	ctx = op.WithTarget(ctx, op.Target{Place: op.Here})
	for {
		in, ok := v.inputs.next(ctx)
		if !ok {
			return
		}
		if err := v.do(ctx, in); err != nil && ctx.Err() == nil {
			v.refuse(err)
		}
	}
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
	_, err = v.server.o.Runner.Run(byHand(ctx), o, args)
	return err
}

// onPage converts the coordinates of an input from pixels of the last picture to CSS pixels of the
// viewport.
func (v *viewer) onPage(in op.UserInput) (op.UserInput, error) {
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
