package op

import (
	"encoding/json"
	"reflect"
)

// A Texter is a result that a reader gets as text, and not as JSON.
type Texter interface{ Text() string }

// A Failer is a result that can say that the operation failed in part: each act
// of a batch has an outcome of its own, so the batch has an answer either way.
// Failure is nil when all was done.
type Failer interface{ Failure() error }

// Failure says what of an operation was not done, by its answer.
func (o *Op) Failure(answer json.RawMessage) error {
	if f, ok := As[Failer](o.Result, answer); ok {
		return f.Failure()
	}
	return nil
}

// As reads JSON as a value of type t, or of what t points to, and returns it if
// that has the methods of I.
func As[I any](t reflect.Type, answer json.RawMessage) (result I, ok bool) {
	if t == nil {
		return result, false
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	value := reflect.New(t)
	if _, ok := value.Interface().(I); !ok || json.Unmarshal(answer, value.Interface()) != nil {
		return result, false
	}
	result, ok = value.Interface().(I)
	return result, ok
}
