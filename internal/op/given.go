package op

import (
	"encoding/json"
	"reflect"
)

// A Given is a file that the arguments of a call name.
type Given struct {
	Path  string
	Input bool // the file is an [Input]; otherwise an [Upload]
}

// ReplaceGiven changes the arguments of a call. It replaces each file that they name, also in the
// calls of a [CallList], by what the function replace returns for it. If replace returns an error,
// the search ends with that error.
func (o *Op) ReplaceGiven(args Args, replace func(Given) (string, error)) error {
	for _, p := range o.Params() {
		for _, name := range p.names() {
			raw := p.normal(args[name])
			if raw == nil {
				continue
			}
			replaced, err := p.replaceGiven(raw, replace)
			if err != nil {
				return err
			}
			if replaced != nil {
				args[name] = replaced
			}
		}
	}
	return nil
}

// replaceGiven replaces the files in the value of a parameter; nil if p is not for files.
func (p Param) replaceGiven(raw json.RawMessage, replace func(Given) (string, error)) (json.RawMessage, error) {
	switch p.Type {
	case reflect.TypeFor[Upload](), reflect.TypeFor[Input]():
		return replaceOne(raw, p.Type == reflect.TypeFor[Input](), replace)
	case reflect.TypeFor[[]Upload]():
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return nil, Errorf(Invalid, "%s must be a list of paths", p.Name)
		}
		for i := range list {
			var err error
			if list[i], err = replaceOne(list[i], false, replace); err != nil {
				return nil, err
			}
		}
		return json.Marshal(list)
	}
	if calls, ok := reflect.Zero(p.Type).Interface().(CallList); ok {
		return calls.Change(raw, func(o *Op, args Args) (Args, error) { return args, o.ReplaceGiven(args, replace) })
	}
	return nil, nil
}

func replaceOne(raw json.RawMessage, input bool, replace func(Given) (string, error)) (json.RawMessage, error) {
	var path string
	if json.Unmarshal(raw, &path) != nil || path == "" || input && Input(path).IsContent() {
		return raw, nil // the Runner reports what is wrong with the argument
	}
	path, err := replace(Given{path, input})
	if err != nil {
		return nil, err
	}
	return quote(path), nil
}

// A Saving is an argument that says where to save a file.
type Saving struct {
	Name, Path string // name and value of the argument; "": there is none
	Record     bool   // the argument is a [Record], and not a [Place]
}

// Saved returns the argument that says where to save a file.
func (o *Op) Saved(args Args) Saving {
	for _, p := range o.Params() {
		record := p.Type == reflect.TypeFor[Record]()
		if !record && p.Type != reflect.TypeFor[Place]() {
			continue
		}
		for _, name := range p.names() {
			if path := text(args[name]); path != "" {
				return Saving{name, path, record}
			}
		}
	}
	return Saving{}
}
