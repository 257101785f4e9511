package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// An UneditableError says that a file is not edited. It belongs to another program, cannot be written,
// or has comments and unquoted keys: an edit would lose the comments.
type UneditableError struct {
	File   string
	Reason string
	Hint   string // what the user can do instead
}

func (e *UneditableError) Error() string { return e.File + " cannot be edited: " + e.Reason }

// edited returns a text in which the key at path has another value. The value nil removes the key.
// If the value is a [Profile], its keys are set one by one, and other keys of the profile in the
// file stay. If it is an [addition], it is appended to the list there. Comments, the order of keys
// and white space stay as they are. A byte order mark is removed. The error says that hujson cannot
// read the text. It reads JSON with comments and trailing commas, but not the unquoted keys and
// single quotes of JSON5.
func edited(text []byte, path []string, value any) ([]byte, error) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if value == nil {
		return removed(root, path)
	}
	e := editor{value: value, unit: "  "}
	if o, ok := root.Value.(*hujson.Object); ok && len(o.Members) > 0 {
		if indent, multi := indentOf(o); multi && indent != "" {
			e.unit = indent
		}
	}
	if err := e.set(&root, path, place{multi: true}); err != nil {
		return nil, err
	}
	return root.Pack(), nil
}

// removed returns a text without the key at path. If the key is there twice, both are removed.
func removed(root hujson.Value, path []string) ([]byte, error) {
	at, last := &root, len(path)-1
	for _, key := range path[:last] {
		o, ok := at.Value.(*hujson.Object)
		if !ok {
			return root.Pack(), nil
		}
		if at = valueOfKey(o, key); at == nil {
			return root.Pack(), nil
		}
	}
	pointer := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(path[last])
	patch, err := json.Marshal([]map[string]string{{"op": "remove", "path": pointer}})
	for o, ok := at.Value.(*hujson.Object); err == nil && ok && valueOfKey(o, path[last]) != nil; {
		err = at.Patch(patch)
	}
	return root.Pack(), err
}

// An editor sets one value.
type editor struct {
	value any
	unit  string // white space by which each level is indented
}

// A place describes the layout around a value, so that a new value gets the same.
type place struct {
	indent string
	multi  bool // the object or list around it is written on several lines
}

// set sets the value at path below v. Objects on the way are added where they are
// missing, or are null.
func (e *editor) set(v *hujson.Value, path []string, at place) error {
	o, ok := v.Value.(*hujson.Object)
	if p, profile := e.value.(Profile); profile && ok && len(path) == 0 {
		return e.setKeys(v, p, at)
	}
	if a, adds := e.value.(addition); adds && len(path) == 0 {
		return a.addTo(v)
	}
	if len(path) == 0 {
		value, err := e.written(at)
		v.Value = value
		return err
	}
	if !ok {
		o = new(hujson.Object)
		v.Value = o
	}
	below := place{at.indent + e.unit, at.multi}
	if len(o.Members) > 0 {
		if below.indent, below.multi = indentOf(o); !below.multi {
			below.indent = at.indent
		}
	}
	member := valueOfKey(o, path[0])
	if member == nil {
		member = add(o, path[0], at, below)
	}
	return e.set(member, path[1:], below)
}

// setKeys sets the given keys of a profile in its object, which may have other keys as well.
func (e *editor) setKeys(v *hujson.Value, p Profile, at place) error {
	keys, err := treeOf(p)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		each := editor{value: keys[key], unit: e.unit}
		if err := each.set(v, []string{key}, at); err != nil {
			return err
		}
	}
	return nil
}

// An addition is a text to append to a list, unless the list already has it.
type addition string

var errNoList = errors.New("the key has a value that is not a list")

// addTo adds the text to the list v. If v is null, it becomes a list first. The error is errNoList
// for any other value.
func (a addition) addTo(v *hujson.Value) error {
	if literal, ok := v.Value.(hujson.Literal); ok && string(literal) == "null" {
		v.Value = new(hujson.Array)
	}
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return errNoList
	}
	is := func(e hujson.Value) bool {
		text, ok := e.Value.(hujson.Literal)
		return ok && text.Kind() == '"' && text.String() == string(a)
	}
	if slices.ContainsFunc(list.Elements, is) {
		return nil
	}
	before, closing := a.placeIn(list)
	element := hujson.Value{BeforeExtra: hujson.Extra(before), Value: hujson.String(string(a))}
	if n := len(list.Elements); n > 0 && list.Elements[n-1].AfterExtra != nil { // in hujson, AfterExtra that is not nil means that a comma follows the last element
		element.AfterExtra = hujson.Extra{}
	}
	list.AfterExtra = hujson.Extra(closing)
	list.Elements = append(list.Elements, element)
	return nil
}

// placeIn returns the white space before a further element, and what stands between it and the
// closing bracket. Comments after the last element stay with that element. A new line is indented
// like the last one.
func (a addition) placeIn(list *hujson.Array) (before, closing string) {
	tail := string(list.AfterExtra)
	comments := strings.TrimRight(tail, " \t\r\n")
	closing = tail[len(comments):]
	if len(list.Elements) == 0 {
		return comments + cmp.Or(strings.TrimRight(closing, " \t"), strings.Repeat(" ", min(1, len(comments)))), closing
	}
	indent := " "
	last := string(list.Elements[len(list.Elements)-1].BeforeExtra)
	if i := strings.LastIndexByte(last, '\n'); i >= 0 {
		indent = last[i:]
		indent = indent[:1+len(indent[1:])-len(strings.TrimLeft(indent[1:], " \t"))]
	} else if strings.Contains(closing, "\n") {
		indent = "\n"
	}
	return comments + indent, closing
}

// valueOfKey returns the value of a key, or nil if the key is missing. If a key is there twice, the
// last one counts.
func valueOfKey(o *hujson.Object, key string) *hujson.Value {
	for i := range slices.Backward(o.Members) {
		if written, ok := o.Members[i].Name.Value.(hujson.Literal); ok && written.String() == key {
			return &o.Members[i].Value
		}
	}
	return nil
}

// written returns the value in the layout of the file: an object is on several lines if those
// around it are.
func (e *editor) written(at place) (hujson.ValueTrimmed, error) {
	raw, err := json.Marshal(e.value)
	if err == nil && at.multi && raw[0] == '{' && len(raw) > len("{}") {
		raw, err = json.MarshalIndent(e.value, at.indent, e.unit)
	}
	if err != nil {
		return nil, err
	}
	v, err := hujson.Parse(raw)
	return v.Value, err
}

// indentOf returns the white space before the members of an object; multi is false if
// they stand on one line.
func indentOf(o *hujson.Object) (indent string, multi bool) {
	before := string(o.Members[len(o.Members)-1].Name.BeforeExtra)
	i := strings.LastIndexByte(before, '\n')
	if i < 0 {
		return "", false
	}
	indent = before[i+1:]
	return indent[:len(indent)-len(strings.TrimLeft(indent, " \t"))], true
}

// add adds a member to the end of an object. Comments after the last member stay with that member.
// White space and a comma at the end stay. It returns the value of the new member, which is still
// empty.
func add(o *hujson.Object, name string, at, below place) *hujson.Value {
	tail := string(o.AfterExtra)
	comments := strings.TrimRight(tail, " \t\r\n")
	closing := tail[len(comments):]
	before := comments
	switch {
	case below.multi || strings.Contains(closing, "\n"):
		before += "\n" + below.indent
		if !strings.Contains(closing, "\n") {
			closing = "\n" + at.indent
		}
	case len(o.Members) > 0 || comments != "":
		before += " "
	}
	m := hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: hujson.Extra(before), Value: hujson.String(name)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: hujson.Literal("null")},
	}
	if n := len(o.Members); n > 0 && o.Members[n-1].Value.AfterExtra != nil { // in hujson, AfterExtra that is not nil means that a comma follows the last member
		m.Value.AfterExtra = hujson.Extra{}
	}
	o.AfterExtra = hujson.Extra(closing)
	o.Members = append(o.Members, m)
	return &o.Members[len(o.Members)-1].Value
}

// A RefusedError says why a key cannot have a new value. The file is valid, and was not changed.
type RefusedError struct {
	Key     string
	Problem string // begins with the key that is wrong then, which may be another one
}

func (e *RefusedError) Error() string { return e.Problem }

// assure returns the text that [edited] returns, if the configuration is valid with it. If only the
// new value makes it invalid, the error is a [*RefusedError].
func (c *Config) assure(text []byte, path []string, value any) ([]byte, error) {
	next, err := edited(text, path, value)
	if err != nil {
		return nil, &UneditableError{c.File, err.Error(), "edit it by hand; chela itself edits JSON with comments, which has quoted keys and strings in double quotes"}
	}
	saved, err := c.State.savedProfiles()
	if err != nil {
		return nil, err
	}
	err = c.valid(next, saved)
	wrong, ok := errors.AsType[*FileError](err)
	switch {
	case err == nil:
		return next, nil
	case !ok:
		return nil, err
	case len(text) == 0 || c.valid(text, saved) == nil:
		return nil, &RefusedError{strings.Join(path, "."), wrong.Problem}
	}
	wrong.Line = 0 // the line number is of the edited text, which is not written to the file
	return nil, wrong
}

// valid returns what is wrong with a text of the configuration file.
func (c *Config) valid(text []byte, saved map[string]any) error {
	tree, err := parse(c.File, text)
	if err != nil {
		return err
	}
	trial := new(defaults())
	if _, err = trial.merge(c.File, tree, text, saved); err != nil {
		return err
	}
	if e := trial.check(); e != nil {
		return &FileError{File: c.File, Problem: e.Error()}
	}
	return nil
}
