package op

import (
	"encoding/json"
	"reflect"
)

// A Texter is a result that is shown as text and not as JSON.
type Texter interface{ Text() string }

// A Noter is a result with a line that a model reads first, before what comes from the page. Its
// text for people ([Texter]) may also begin with this line, which is then taken out of that text.
type Noter interface{ Note() string }

// A Failer is a result that can report a failure of a part of the operation. A batch, for example,
// answers with the results of all its actions, even when some of them failed. Failure returns nil
// if nothing failed.
type Failer interface{ Failure() error }

// Failure returns the failure that an answer of the operation reports, see [Failer].
func (o *Op) Failure(answer json.RawMessage) error {
	if f, ok := As[Failer](o.Result, answer); ok {
		return f.Failure()
	}
	return nil
}

// A Resumer is a result that may not be the last one. To get the rest, the caller has to call again
// with the arguments that Resume returns; nil: this is the last one. The command line does so by
// itself.
type Resumer interface{ Resume() Args }

// Resume returns the arguments for the next call, see [Resumer].
func (o *Op) Resume(answer json.RawMessage) Args {
	if r, ok := As[Resumer](o.Result, answer); ok {
		return r.Resume()
	}
	return nil
}

// As decodes an answer into a value of type t, or of the type that t points to. It returns the
// value if the value implements I.
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

// A Various result has, besides its own fields, the fields of the result of one of several
// operations. For example, an action of a batch has the fields of its own result. Fields of the
// same name must have the same type in all of these results.
type Various interface{ Variants() []*Op }

// VariantsOf returns the operations whose results a value of the type can have, if it is [Various];
// else none.
func VariantsOf(t reflect.Type) []*Op {
	if v, ok := reflect.New(t).Interface().(Various); ok {
		return v.Variants()
	}
	return nil
}
