package op

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Args are an operation's arguments: a JSON object.
type Args map[string]json.RawMessage

// A Runner runs operations: the service itself, or a client of a server.
type Runner interface {
	Run(ctx context.Context, o *Op, args Args) (json.RawMessage, error)
}

// An Op is one operation.
type Op struct {
	Routes   []Route  // a client uses the first one whose path its arguments can fill
	Words    []string // the words of the operation's command, which are also its name
	Args     []Arg    // the command line: words and parameters
	Doc      string   // what the operation does; the first sentence is the summary
	Result   reflect.Type
	Envelope reflect.Type // a struct whose fields the answer has besides those of Result; nil: none
	Says     string       // the result as a sentence, with {names} of fields of the result or arguments
	Example  string       // an example of the command: what follows its own words
	Aliases  []Alias      // other words for the operation on the command line
	Group    string       // section of the operation in help and documentation
	WhenCut  string       // what a model should do when it gets only the beginning of the result; "": see [WhenCut]
	Tools    []ToolForm   // agent tools for this operation alone, see [AlsoTool]

	params    *params
	traits    []Trait
	limits    limits
	when      string
	anywhere  string // see [Anywhere]
	invalid   Code
	refused   []refusal
	differing []refusal // fields that must not have two different values
	read      func(Args) (request, error)
	run       func(ctx context.Context, target any, req any) (any, error)
}

// A Route is an HTTP route of an operation. If several operations share a path, the request's value
// of Field chooses the one with this Value.
type Route struct {
	Method, Path string
	Field, Value string
}

// An Arg is one word of a command line: a fixed word or a parameter.
type Arg struct {
	Word     string
	Param    string
	Variadic bool // {values...}
	Optional bool // {targetId?}
}

// An Alias is another way to write an operation on the command line.
type Alias struct {
	Words string
	Says  string // the result in words, if it differs from the operation's own
}

// A Checker is a request with rules that its tags cannot express, or with error
// messages of its own. Check is called before the operation runs.
type Checker interface{ Check() error }

// A Waiter is a request with waiting times chosen by the caller, such as how long the mouse is held
// down. WaitTime is added to its deadline.
type Waiter interface{ WaitTime() time.Duration }

// A Limiter is a request that limits its session to some hosts. LimitsTo returns these hosts; nil:
// the session gets no limit by this request.
type Limiter interface{ LimitsTo() []string }

// Define describes an operation by its HTTP route, its command line, what it does, and the function
// that does it.
//
//	Define("POST /act kind=click", "click {ref}", "Click an element.", click)
//
// Names in braces are fields of Req, by their JSON names; {name?} may be left out, {names...} takes
// all words that follow. Fields that the command line does not name become flags. A wrong
// description, such as a field without a doc tag, panics when it is first used; [Table.Check] uses
// all descriptions.
func Define[T, Req, Res any](route, cmd, doc string, fn func(context.Context, T, Req) (Res, error), settings ...Setting) *Op {
	o := &Op{Doc: doc, Result: reflect.TypeFor[Res](), invalid: Invalid, limits: defaultLimits}
	o.params = &params{of: reflect.TypeFor[Req]()}
	o.Routes = []Route{parseRoute(route)}
	o.parseCommand(cmd)
	for _, set := range settings {
		set(o)
	}
	o.read = func(args Args) (request, error) { return read[Req](o, args) }
	o.run = func(ctx context.Context, target, req any) (any, error) {
		return fn(ctx, target.(T), req.(Req))
	}
	return o
}

// A Within runs one call of an operation on T that [Lift] has made from an operation on U. It finds
// the U that the request is about, and passes it to the function do.
type Within[T, U any] = func(ctx context.Context, t T, o *Op, req any, do func(context.Context, U) (any, error)) (any, error)

// Lift turns operations on U into operations on T.
func Lift[T, U any](ops []*Op, within Within[T, U], settings ...Setting) []*Op {
	lifted := make([]*Op, len(ops))
	for i, inner := range ops {
		o := *inner
		for _, set := range settings {
			set(&o)
			set(inner) // inner reads the request, and needs the same settings for it
		}
		o.read = func(args Args) (request, error) { return inner.read(args) }
		o.run = func(ctx context.Context, target, req any) (any, error) {
			return within(ctx, target.(T), &o, req, func(ctx context.Context, u U) (any, error) {
				return inner.run(ctx, u, req)
			})
		}
		lifted[i] = &o
	}
	return lifted
}

// Params returns the fields of the operation's request. The description of the deadline has the
// operation's limits.
func (o *Op) Params() []Param { return o.params.all(o.limits) }

// params has the fields of a request type. They are found by reflection at the first use, since a
// command needs only those of its own operation.
type params struct {
	of   reflect.Type
	once sync.Once
	list []Param
}

func (p *params) all(l limits) []Param {
	p.once.Do(func() {
		p.list = paramsOf(p.of)
		for i := range p.list {
			if p.list[i].isDeadline() {
				p.list[i].Doc += l.String()
			}
		}
	})
	return p.list
}

// Name returns the operation's name in messages, in the documentation and as a tool action.
func (o *Op) Name() string { return strings.Join(o.Words, " ") }

// Is reports whether name is a name of the operation, however it is spelled: tab new, tab_new,
// tabNew.
func (o *Op) Is(name string) bool {
	same := func(own string) bool { return squash(own) == squash(name) }
	return same(o.Name()) || slices.ContainsFunc(o.Aliases, func(a Alias) bool { return same(a.Words) })
}

func squash(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(name))
}

// Summary returns the first sentence of Doc without its full stop, for lists.
func (o *Op) Summary() string {
	first, _, _ := strings.Cut(o.Doc, ". ")
	return strings.TrimSuffix(first, ".")
}

// Param returns the parameter with this name, or with this alias.
func (o *Op) Param(name string) (Param, bool) {
	i := slices.IndexFunc(o.Params(), func(p Param) bool { return p.Name == name || slices.Contains(p.Aliases, name) })
	if i < 0 {
		return Param{}, false
	}
	return o.Params()[i], true
}

// Reveals reports whether args ask for secrets in the answer, such as the cookies of a request.
func (o *Op) Reveals(args Args) bool {
	for name, raw := range args {
		if p, ok := o.Param(name); ok && p.Reveals && string(p.normal(raw)) == "true" {
			return true
		}
	}
	return false
}

// Script returns the parameter with which args give a script of the caller; ok is false if there is
// none. An empty script does not count.
func (o *Op) Script(args Args) (p Param, ok bool) {
	for _, p := range o.Params() {
		for _, name := range p.names() {
			if raw := string(p.normal(args[name])); p.Script && raw != "" && raw != `""` {
				return p, true
			}
		}
	}
	return p, false
}

// InPath reports whether the parameter called name stands in the route's path.
func (r Route) InPath(name string) bool { return strings.Contains(r.Path, "{"+name+"}") }

// Route returns the first route whose path args can fill, or else the first route.
func (o *Op) Route(args Args) Route {
	for _, r := range o.Routes {
		if !slices.ContainsFunc(o.Params(), func(p Param) bool { return r.InPath(p.Name) && text(args[p.Name]) == "" }) {
			return r
		}
	}
	return o.Routes[0]
}

// parseRoute parses "POST /act kind=click"; the last part may be missing.
func parseRoute(route string) Route {
	var r Route
	r.Method, route, _ = strings.Cut(route, " ")
	r.Path, route, _ = strings.Cut(route, " ")
	r.Field, r.Value, _ = strings.Cut(route, "=")
	return r
}

// parseCommand parses "select {ref} {values...}", see [Define].
func (o *Op) parseCommand(cmd string) {
	o.Args = make([]Arg, 0, 1+strings.Count(cmd, " "))
	for w := range strings.FieldsSeq(cmd) {
		name, isParam := strings.CutPrefix(w, "{")
		if !isParam {
			o.Words = append(o.Words, w)
			o.Args = append(o.Args, Arg{Word: w})
			continue
		}
		name = strings.TrimSuffix(name, "}")
		name, variadic := strings.CutSuffix(name, "...")
		name, optional := strings.CutSuffix(name, "?")
		o.Args = append(o.Args, Arg{Param: name, Variadic: variadic, Optional: optional})
	}
}
