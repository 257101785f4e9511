package op

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// A Target says where a call shall run, as far as its caller says so. Its zero value leaves that to
// the [Runner]. A Runner that has only one place ignores it.
type Target struct {
	Place  string // [Here] or [OnNode]; "": the caller names no place
	Node   string // name of the node; "": the Runner chooses one
	Labels string // labels that the node must have, such as gpu=no,region=eu; "": any node
}

// The places that a caller can name.
const (
	Here   = "host" // the machine of the server
	OnNode = "node" // another machine, see package fleet/node
)

// The parameters by which a call names its target. No operation has parameters of these names, and
// each operation can be called with them.
const (
	targetParam = "target"
	nodeParam   = "node"
)

type targetKey struct{}

// WithTarget returns a context for calls that shall run at this target.
func WithTarget(ctx context.Context, t Target) context.Context {
	return context.WithValue(ctx, targetKey{}, t)
}

// TargetOf returns the target at which the call of ctx shall run.
func TargetOf(ctx context.Context) Target {
	t, _ := ctx.Value(targetKey{}).(Target)
	return t
}

// Naming returns the target with the node that a caller has written: the name of a node, or labels
// that the node must have. A name has no equals sign.
func (t Target) Naming(node string) Target {
	if strings.Contains(node, "=") {
		t.Labels = node
		return t
	}
	t.Node = node
	return t
}

// Remote reports whether the call shall run on a node.
func (t Target) Remote() bool { return t.Place == OnNode || t.naming() != "" }

func (t Target) naming() string { return cmp.Or(t.Node, t.Labels) }

// AddTo adds a target to the arguments of a call that is sent to a server.
func (t Target) AddTo(args Args) {
	for name, value := range map[string]string{targetParam: t.Place, nodeParam: t.naming()} {
		if value != "" {
			args[name], _ = json.Marshal(value) // a string can be encoded
		}
	}
}

// TakeTarget removes the target from the arguments of a call and returns it. The error is for
// arguments that name no valid target. The error has OpenClaw's text where OpenClaw has one.
func TakeTarget(args Args) (t Target, err error) {
	if err := CheckTarget(args); err != nil {
		return t, err
	}
	t = Target{Place: text(args[targetParam])}.Naming(text(args[nodeParam]))
	delete(args, targetParam)
	delete(args, nodeParam)
	return t, t.check()
}

// CheckTarget returns an error if an argument that names a target is not a string.
func CheckTarget(args Args) error {
	for _, name := range []string{targetParam, nodeParam} {
		if raw, given := args[name]; given && !isText(raw) {
			return Errorf(Invalid, "%s must be a string", name)
		}
	}
	return nil
}

// isText reports whether raw is a string. Null counts as one: as an empty text.
func isText(raw json.RawMessage) bool {
	var s string
	return json.Unmarshal(raw, &s) == nil
}

func (t Target) check() error {
	switch {
	case !slices.Contains([]string{"", Here, OnNode}, t.Place):
		return Errorf(Invalid, "target must be %s or %s", Here, OnNode)
	case t.naming() != "" && t.Place == Here:
		return Errorf(Invalid, `node is only supported with target="node".`)
	}
	return nil
}
