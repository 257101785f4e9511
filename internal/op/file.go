package op

import (
	"bytes"
	"encoding/json"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
)

var fileType = reflect.TypeFor[File]()

// Files returns the paths of the files that an answer of the operation names, in its
// result or its envelope, each once.
func (o *Op) Files(answer json.RawMessage) []string {
	found := FilesIn(o.Result, answer)
	for _, path := range FilesIn(o.Envelope, answer) {
		if !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	return found
}

// MakesFile reports whether the operation's result has a field for a file. Files of the envelope,
// such as a download that a click has begun, do not count: they are not the purpose of the call.
func (o *Op) MakesFile() bool { return len(fileFields(o.Result)) > 0 }

// FilesIn returns the paths of the files in the JSON of a value of type t, each once. An answer may
// be large, as a snapshot is. So it is decoded only if it contains the name of a field for files.
func FilesIn(t reflect.Type, raw json.RawMessage) (paths []string) {
	if t == nil || !slices.ContainsFunc(patterns(t), func(field []byte) bool { return bytes.Contains(raw, field) }) {
		return nil
	}
	return decodedFiles(t, raw)
}

// decodedFiles does what FilesIn does, and always decodes. Another machine may write the names of
// fields in a way that FilesIn does not look for.
func decodedFiles(t reflect.Type, raw json.RawMessage) (paths []string) {
	collectFiles(t, raw, func(path string) {
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	})
	return paths
}

// known caches the results of patterns by type, since finding the fields takes longer than a whole
// call.
var known sync.Map

// patterns returns the names of the fields for files, as they are written in JSON, with quotes and
// colon. Within a string of JSON such quotes would be escaped.
func patterns(t reflect.Type) [][]byte {
	if all, ok := known.Load(t); ok {
		return all.([][]byte)
	}
	var all [][]byte
	for _, name := range fileFields(t) {
		all = append(all, []byte(`"`+name+`":`))
	}
	known.Store(t, all)
	return all
}

// fileFields lists the names of the fields with files in t, and in the types that t consists of.
func fileFields(t reflect.Type) []string { return fieldsOfType(fileType, t, nil) }

// fieldsOfType lists the names of the fields that have the wanted type, in t and in the types that
// t consists of. The parameter within has the types that contain t: a type that contains itself is
// searched once.
func fieldsOfType(wanted, t reflect.Type, within []reflect.Type) (names []string) {
	switch {
	case t == nil || slices.Contains(within, t):
		return nil
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return fieldsOfType(wanted, t.Elem(), within)
	case t.Kind() != reflect.Struct || describesItself(t):
		return nil
	}
	within = append(slices.Clone(within), t)
	add := func(f reflect.StructField) {
		if isOf(wanted, f.Type) {
			names = append(names, fieldOf(t, f).Name)
		}
		names = append(names, fieldsOfType(wanted, f.Type, within)...)
	}
	eachField(t, add)
	for _, variant := range VariantsOf(t) {
		if variant.Result.Kind() == reflect.Struct {
			eachField(variant.Result, add)
		}
	}
	return names
}

// isOf reports whether values of type t are of the wanted type. Pointers to such values and lists
// of them also count.
func isOf(wanted, t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t == wanted
}

// describesItself reports whether a type provides its own schema, for example because others have
// defined its format. Such a type has no fields for files that chela has made.
func describesItself(t reflect.Type) bool {
	_, ok := reflect.New(t).Interface().(interface{ JSONSchema() Object })
	return ok
}

// collectFiles calls the function found with each file in the JSON of a value of type t. It ignores
// values of other types, since the answer may come from another version.
func collectFiles(t reflect.Type, raw json.RawMessage, found func(path string)) {
	switch {
	case t == fileType:
		found(text(raw))
	case t.Kind() == reflect.Pointer:
		collectFiles(t.Elem(), raw, found)
	case t.Kind() == reflect.Slice:
		var list []json.RawMessage
		json.Unmarshal(raw, &list)
		for _, each := range list {
			collectFiles(t.Elem(), each, found)
		}
	case t.Kind() == reflect.Map, t.Kind() == reflect.Struct:
		var fields map[string]json.RawMessage
		json.Unmarshal(raw, &fields)
		if t.Kind() == reflect.Map {
			for _, each := range fields {
				collectFiles(t.Elem(), each, found)
			}
			return
		}
		for _, f := range FieldsOf(t) {
			if f.Type != fileType && len(fileFields(f.Type)) == 0 {
				continue
			}
			for name, each := range fields {
				if strings.EqualFold(name, f.Name) { // as package json reads fields
					collectFiles(f.Type, each, found)
				}
			}
		}
	}
}

// CopyFiles copies the files that an answer names to this machine, because the paths in it are
// paths of another machine. The function fetch copies one file and returns the path of the copy, or
// "" if there is none. CopyFiles returns the answer with the paths of the copies.
func (o *Op) CopyFiles(answer json.RawMessage, fetch func(there string) (here string, err error)) (json.RawMessage, error) {
	var files []string
	for _, t := range []reflect.Type{o.Result, o.Envelope} {
		if t != nil {
			files = append(files, decodedFiles(t, answer)...)
		}
	}
	if len(files) == 0 {
		return answer, nil
	}
	copies := map[string]string{}
	for _, there := range files {
		here, err := fetch(there)
		if err != nil {
			return nil, err
		}
		copies[there] = here
	}
	return MoveFiles(answer, copies), nil
}

// BaseName returns the name of a file without its folders. The path is of another machine, so its
// separators may be those of another system.
func BaseName(there string) string { return path.Base(strings.ReplaceAll(there, `\`, "/")) }

// MoveFiles returns an answer in which the paths of files are replaced. The map to has the new path
// for each old one. Everything else stays as it is, also the order of the fields. In an answer
// that is not JSON, nothing is replaced after the mistake.
func MoveFiles(answer json.RawMessage, to map[string]string) json.RawMessage {
	var moved bytes.Buffer
	tokens := json.NewDecoder(bytes.NewReader(answer))
	tokens.UseNumber() // a number of any size is a token
	done := 0
	for {
		before := tokens.InputOffset()
		token, err := tokens.Token()
		if err != nil {
			break
		}
		end := int(tokens.InputOffset())
		path, isText := token.(string)
		after, known := to[path]
		if !isText || !known || isName(answer[end:]) {
			continue
		}
		moved.Write(answer[done : int(before)+bytes.IndexByte(answer[before:], '"')])
		encoded, _ := encode(after) // a string can be encoded
		moved.Write(PlainJSON(encoded))
		done = end
	}
	moved.Write(answer[done:])
	return moved.Bytes()
}

// isName reports whether the text of JSON before rest is the name of a field.
func isName(rest []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(":")) }
