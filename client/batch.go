package client

import (
	"encoding/json"
)

// An Action is one action of a batch: a request that acts in the tab, navigates it or reads it.
//
//	client.BatchRequest{Actions: client.Actions{
//		client.TypeRequest{Ref: "e3", Text: "Ada"},
//		client.ClickRequest{Ref: "e9"},
//	}}
type Action interface{ action() (kind string) }

// Actions are what a batch does, in order.
type Actions []Action

// MarshalJSON writes each action as the fields of its request, with the field kind added.
func (all Actions) MarshalJSON() ([]byte, error) {
	list := make([]map[string]json.RawMessage, len(all))
	for i, a := range all {
		fields, err := fieldsOf(a)
		if err != nil {
			return nil, err
		}
		list[i] = fields
		list[i]["kind"] = quote(a.action())
	}
	return json.Marshal(list)
}
