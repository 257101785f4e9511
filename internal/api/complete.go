package api

import (
	"encoding/json"
	"maps"

	"chela/internal/op"
)

// Complete adds the schemes that are missing in the addresses of a batch's actions, see
// [op.Op.Complete]. What cannot be read stays as it is: reading it says why. The operation of an
// action is chosen by a copy of the arguments, as choosing removes the kind from them.
func (actions) Complete(raw json.RawMessage) json.RawMessage {
	var list []op.Args
	if json.Unmarshal(raw, &list) != nil || checkBounds(raw) != nil {
		return raw
	}
	for i, args := range list {
		if o, err := chooseStep(maps.Clone(args)); err == nil {
			list[i] = o.Complete(args)
		}
	}
	whole, err := json.Marshal(list)
	if err != nil {
		return raw
	}
	return whole
}
