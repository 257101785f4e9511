package op

import (
	"context"
	"encoding/json"
	"time"
)

// A Call is an operation with arguments that have been read and can be meant:
// all that is left is to run it.
type Call struct {
	Op *Op

	// Budget is the time that the call may take.
	Budget time.Duration

	req request
}

// Read reads the arguments of a call. An error says what is wrong with them;
// nothing has been done then.
func (o *Op) Read(args Args) (*Call, error) {
	req, err := o.read(args)
	if err != nil {
		return nil, err
	}
	return &Call{o, req.budget, req}, nil
}

// Request is what the arguments mean: a value of the operation's request type.
func (c *Call) Request() any { return c.req.value }

// Run runs the operation on target, within its budget.
func (c *Call) Run(ctx context.Context, target any) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Budget, ErrDeadline)
	defer cancel()
	res, err := c.Op.run(ctx, target, c.req.value)
	if err != nil {
		return nil, err
	}
	if len(c.req.ignored) == 0 {
		return encode(res)
	}
	return Merge(res, struct {
		Ignored []string `json:"ignored"`
	}{c.req.ignored})
}

// Run reads args and runs the operation on target, within its deadline.
func (o *Op) Run(ctx context.Context, target any, args Args) (json.RawMessage, error) {
	call, err := o.Read(args)
	if err != nil {
		return nil, err
	}
	return call.Run(ctx, target)
}

// Check reports what is wrong with args, without running anything.
func (o *Op) Check(args Args) error {
	_, err := o.read(args)
	return err
}

// Budget is the time that a call with args may take.
func (o *Op) Budget(args Args) time.Duration {
	req, err := o.read(args)
	if err != nil {
		return o.limits.def
	}
	return req.budget
}
