package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chela/internal/api/call"
	"chela/internal/op"
)

// Limits of a batch: the number of its actions, with those of batches inside it, and the levels of
// nesting.
const (
	maxActions = 100
	maxNesting = 5
)

// actions is the list of what a batch does. All actions are checked while the list is read, before
// the first is done. A missing parameter or an unknown kind anywhere refuses the whole batch.
// Otherwise such a mistake in the last action would be found after the others were done.
type actions []step

// A step is one action of a batch: an act, a navigation or a reading.
type step struct {
	*op.Call
	args  op.Args
	goes  bool // the step is a navigation
	loose bool // the step only reads the page, or releases a key or button, so it can be done in whatever document the tab shows
}

// UnmarshalJSON reads and checks the list of actions.
func (a *actions) UnmarshalJSON(raw []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return op.Errorf(op.ActInvalid, "batch actions must be a list")
	}
	if err := checkBounds(raw); err != nil {
		return err
	}
	for i, act := range list {
		s, err := readStep(act)
		if err != nil {
			return atAction(i, err)
		}
		*a = append(*a, s)
	}
	return nil
}

// JSONSchema says that the actions are a list of objects. The fields of each depend on its kind.
func (actions) JSONSchema() op.Object {
	return op.Object{"type": "array", "items": op.Object{"type": "object"}}
}

// Calls lists the operations that a batch may have as actions, each with its kind.
func (actions) Calls() (all []op.ListedCall) {
	for _, o := range actTable().Ops {
		all = append(all, op.ListedCall{Kind: kindOf(o), Op: o})
	}
	return all
}

// checkBounds returns an error if a batch has too many actions, counting those of the batches in it,
// or if batches are nested too deep. It runs before the actions are decoded. Decoding a batch goes
// through the JSON of all batches in it again, which takes long for thousands of levels.
func checkBounds(raw []byte) error {
	var tree any
	json.Unmarshal(raw, &tree) // has been found to be JSON
	total := 0
	var count func(list any, depth int) error
	count = func(list any, depth int) error {
		if depth > maxNesting {
			return op.Errorf(op.ActInvalid, "batch nesting exceeds maximum depth of %d", maxNesting)
		}
		all, _ := list.([]any)
		if total += len(all); total > maxActions {
			return op.Errorf(op.ActInvalid, "batch exceeds maximum of %d actions", maxActions)
		}
		for _, each := range all {
			act, _ := each.(map[string]any)
			if inner, ok := act["actions"]; ok {
				if err := count(inner, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return count(tree, 1)
}

// readStep reads one act.
func readStep(raw json.RawMessage) (step, error) {
	var args op.Args
	if json.Unmarshal(raw, &args) != nil || args == nil {
		return step{}, op.Errorf(op.ActInvalid, "batch actions must be objects")
	}
	o, err := chooseStep(args)
	if err != nil {
		return step{}, err
	}
	if err := checkStep(o, args); err != nil {
		return step{}, err
	}
	call, err := o.Read(args)
	loose := slices.Contains(actTable().readings, o) || o.Releases()
	return step{call, args, slices.Contains(actTable().navigations, o), loose}, err
}

// chooseStep returns the operation that an action names by its kind, as in POST /act. Navigations
// and readings have no kind there, so they are chosen by their name.
func chooseStep(args op.Args) (*op.Op, error) {
	o, err := actTable().Choose("POST", "/act", args)
	if err == nil {
		return o, nil
	}
	var kind string
	json.Unmarshal(args["kind"], &kind)
	var kinds []string
	for _, o := range actTable().Ops {
		if o.Is(kind) {
			delete(args, "kind")
			return o, nil
		}
		kinds = append(kinds, kindOf(o))
	}
	if e := *op.AsError(err); e.Hint != "" {
		e.Hint = op.DidYouMean(kind, kinds)
		return nil, &e
	}
	return nil, err
}

// kindOf returns the name that an action has in a batch.
func kindOf(o *op.Op) string { return cmp.Or(o.Routes[0].Value, o.Name()) }

// ofBatch are the parameters that a caller gives to the batch as a whole, and not to its acts.
var ofBatch = []string{"snapshot", "settleMs", "maxChars"}

// checkStep refuses parameters that an action cannot have in a batch. The errors have
// OpenClaw's code for wrong arguments of acts.
func checkStep(o *op.Op, args op.Args) error {
	for _, name := range ofBatch {
		if !isAct(o) {
			break
		}
		if raw := args[name]; len(raw) > 0 && string(raw) != "null" {
			return op.Errorf(op.ActInvalid, "%s is not supported in a batched action", name).
				Hinted("give it to the batch: it is for what all acts have done together")
		}
	}
	// The actions must be a list: checkBounds does not look at actions inside a string.
	if raw := args["actions"]; o.Name() == "batch" && (len(raw) == 0 || raw[0] != '[') {
		return op.Errorf(op.ActInvalid, "batch requires actions")
	}
	return nil
}

// atAction adds to an error which action of the batch it is about.
func atAction(i int, err error) error {
	e := *op.AsError(err)
	where := fmt.Sprintf("see action %d of the batch", i+1)
	e.Hint = strings.TrimSuffix(where+"; "+e.Hint, "; ")
	return &e
}

// isAct reports whether an operation is an act. All acts have the parameter settleMs, navigations
// and readings do not.
func isAct(o *op.Op) bool {
	_, awaits := o.Param("settleMs")
	return awaits
}

// within returns the step with a limit on the characters of its result; 0 means no limit. An action
// that asks for fewer characters keeps its own limit. The request is read again with the limit as
// its maxChars, because the operation itself knows best where to cut its text.
func (s step) within(most int) (step, error) {
	if _, bounded := s.Op.Param("maxChars"); !bounded || isAct(s.Op) {
		return s, nil
	}
	var own int
	if json.Unmarshal(s.args["maxChars"], &own) == nil && own > 0 && (most == 0 || own < most) {
		return s, nil
	}
	args := maps.Clone(s.args)
	args["maxChars"], _ = json.Marshal(most)
	call, err := s.Op.Read(args)
	s.Call = call
	return s, err
}

// acts has the operations that a batch can have: all that run in a turn of a tab.
type acts struct {
	op.Table
	navigations, readings []*op.Op
}

// actTable returns the operations that a batch can have. They are made at the first call, because
// few commands need them. The init function in table.go sets the variable. An initializer here
// would be a cycle, since batch is one of the rows.
var actTable func() *acts

// closing returns the operation that closes the tab from within the turn of a batch.
func closing() *op.Op {
	return op.Define("POST /act kind=close", "close", "Close the tab.",
		func(ctx context.Context, t *call.Turn, _ struct{ call.Acting }) (call.Done, error) {
			return call.Done{}, call.Session(ctx, t.Tab.Browser()).Close(ctx, t.Tab)
		}, brief)
}
