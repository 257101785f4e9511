package api

import (
	"encoding/json"
	"maps"

	"chela/internal/op"
)

// Change changes the arguments of the actions, see [op.CallList]. The function chooseStep gets a copy
// of the arguments, because it removes the kind from them.
func (actions) Change(raw json.RawMessage, change func(*op.Op, op.Args) (op.Args, error)) (json.RawMessage, error) {
	var list []op.Args
	if json.Unmarshal(raw, &list) != nil || checkBounds(raw) != nil {
		return raw, nil
	}
	for i, args := range list {
		o, err := chooseStep(maps.Clone(args))
		if err != nil {
			continue
		}
		if list[i], err = change(o, args); err != nil {
			return nil, err
		}
	}
	whole, err := json.Marshal(list)
	if err != nil {
		return raw, nil
	}
	return whole, nil
}
