package op

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Call is an operation with valid arguments, ready to run.
type Call struct {
	Op *Op

	// Budget is how long the call may take.
	Budget time.Duration

	req request
}

// Read decodes and checks the arguments of a call. The error says what is wrong with them; it is an
// [*Error] for callers.
func (o *Op) Read(args Args) (*Call, error) {
	req, err := o.read(args)
	if err != nil {
		return nil, err
	}
	return &Call{o, req.budget, req}, nil
}

// Request returns the decoded arguments: a value of the operation's request type.
func (c *Call) Request() any { return c.req.value }

// Run runs the operation on target. After Budget its context ends with the cause [ErrDeadline]. The
// result is JSON. Its field "ignored" lists the names of arguments that the operation does not
// know.
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

// Run decodes and checks args, and runs the operation on target, see [Call.Run].
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

// Budget returns how long a call with args may take. If args are not valid, it is the operation's
// default.
func (o *Op) Budget(args Args) time.Duration {
	req, err := o.read(args)
	if err != nil {
		return o.limits.def
	}
	return req.budget
}

// LimitNamed adds the limit of timeoutMs to an error whose hint is to give more time. It does so if
// the caller gave that much already, and would follow the hint again and again. An operation whose
// timeoutMs is something else than its deadline has no such limit.
func (o *Op) LimitNamed(args Args, err error) error {
	name, most := deadline().Name, o.limits.max.Milliseconds()
	e, known := errors.AsType[*Error](err)
	if !known || !strings.Contains(e.Hint, name) || deadlineOf(args) < most {
		return err
	}
	if p, _ := o.Param(name); !p.isDeadline() {
		return err
	}
	limited := *e
	limited.Hint = fmt.Sprintf("%s; here %s is at most %d", e.Hint, name, most)
	return &limited
}
