package api

import (
	"encoding/json"
	"maps"

	"chela/internal/op"
)

// Complete adds the schemes that are missing in the addresses of a batch's actions, see
// [op.Op.Complete]. JSON that cannot be read is returned unchanged: the error comes when the
// request is read. The function chooseStep gets a copy of the arguments, because it removes the
// kind from them.
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
