package op

import (
	"errors"
	"reflect"
	"slices"
	"time"
)

// A Setting says something more about an operation than its row's words.
type Setting func(*Op)

// A Trait is something true of an operation that every surface must heed.
type Trait string

// The traits.
const (
	runsScript   Trait = "runs-script"
	untrusted    Trait = "untrusted"
	neverStart   Trait = "never-start"
	endsServer   Trait = "ends-server"
	notForAgents Trait = "not-for-agents"
	rare         Trait = "rare"
)

// RunsScript marks an operation that runs a script of the caller: it is off
// when the settings forbid scripts. Parameters can be marked alone, by the tag
// script:"true".
var RunsScript = trait(runsScript)

// Untrusted marks an operation whose whole result comes from the page.
var Untrusted = trait(untrusted)

// NeverStart marks an operation that is about the server itself, so calling it
// does not start one.
var NeverStart = trait(neverStart)

// EndsServer marks an operation after which the server ends. It answers before;
// a command line waits until the server has ended, so that the browsers have gone
// and the state directory is free when the next command runs.
var EndsServer = trait(endsServer)

// NotForAgents marks an operation that the agent tool refuses, because it
// affects the other users of the server.
var NotForAgents = trait(notForAgents)

// Rare marks an operation that the agent tool describes only in its help. Its
// definition, which is a part of every conversation, has just the name.
var Rare = trait(rare)

func trait(t Trait) Setting { return func(o *Op) { o.traits = append(o.traits, t) } }

// RunsScript reports whether the operation runs a script of the caller.
func (o *Op) RunsScript() bool { return slices.Contains(o.traits, runsScript) }

// Untrusted reports whether the whole result comes from the page.
func (o *Op) Untrusted() bool { return slices.Contains(o.traits, untrusted) }

// NeverStart reports whether a call must not start a server.
func (o *Op) NeverStart() bool { return slices.Contains(o.traits, neverStart) }

// EndsServer reports whether the server ends after the operation.
func (o *Op) EndsServer() bool { return slices.Contains(o.traits, endsServer) }

// ForAgents reports whether the agent tool offers the operation.
func (o *Op) ForAgents() bool { return !slices.Contains(o.traits, notForAgents) }

// Rare reports whether the agent tool describes the operation only in its help.
func (o *Op) Rare() bool { return slices.Contains(o.traits, rare) }

// ErrDeadline is the cause of a context that ended at an operation's deadline.
var ErrDeadline = errors.New("the deadline has passed")

type limits struct{ def, min, max time.Duration }

var defaultLimits = limits{20 * time.Second, 500 * time.Millisecond, 120 * time.Second}

// Limit says how long the operation may take: by default, and the least and
// most that a caller can ask for.
func Limit(def, least, most time.Duration) Setting {
	return func(o *Op) { o.limits = limits{def, least, most} }
}

// Also gives the operation a further route.
func Also(route string) Setting {
	return func(o *Op) { o.Routes = append(o.Routes, parseRoute(route)) }
}

// AlsoCalled gives the operation another word on the command line.
func AlsoCalled(words string) Setting { return AlsoCalledSaying(words, "") }

// AlsoCalledSaying gives the operation another word on the command line, and
// another sentence there.
func AlsoCalledSaying(words, says string) Setting {
	return func(o *Op) { o.Aliases = append(o.Aliases, Alias{words, says}) }
}

// Says gives the result in words: names in braces are fields of the result, or
// else arguments; {arg.name} is always the argument.
func Says(text string) Setting { return func(o *Op) { o.Says = text } }

// Example gives an example of the command line: what follows the words of the
// command. A command that is complete without arguments needs none.
func Example(arguments string) Setting { return func(o *Op) { o.Example = arguments } }

// InvalidAs names the code for requests that cannot be meant.
func InvalidAs(c Code) Setting { return func(o *Op) { o.invalid = c } }

// Refuse answers requests that carry this field, which is not the operation's, with e.
func Refuse(field string, e *Error) Setting {
	return func(o *Op) {
		if o.refused == nil {
			o.refused = map[string]*Error{}
		}
		o.refused[field] = e
	}
}

// Envelope names the struct whose fields every result has beside its own.
func Envelope[E any]() Setting { return func(o *Op) { o.Envelope = reflect.TypeFor[E]() } }

// Group names the chapter that the operation stands in, in help and documentation.
func Group(title string) Setting { return func(o *Op) { o.Group = title } }
