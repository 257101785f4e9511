package api

import (
	"encoding/json"
	"strconv"

	"chela/internal/op"
)

// An Index is a position in a list. Requests count from 0, people count from 1.
type Index int

// UnmarshalText reads the position that a person wrote, which counts from 1.
func (i *Index) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 {
		return op.Errorf(op.Invalid, "index must be a positive integer")
	}
	*i = Index(n - 1)
	return nil
}

// UnmarshalJSON reads the position that a program wrote, which counts from 0. As elsewhere, the number
// may be in a text.
func (i *Index) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = []byte(text)
	}
	var n int
	if json.Unmarshal(raw, &n) != nil || n < 0 {
		return op.Errorf(op.Invalid, "index must be a non-negative integer")
	}
	*i = Index(n)
	return nil
}

// String returns the index as a person writes it, counted from 1.
func (i Index) String() string { return strconv.Itoa(int(i) + 1) }

// JSONSchema says that it is a number.
func (Index) JSONSchema() op.Object { return op.Object{"type": "integer", "minimum": 0} }
