package op

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A Setting is an additional property of an operation, given to [Define].
type Setting func(*Op)

// A Trait is a property of an operation that changes how surfaces treat it.
type Trait string

// The traits.
const (
	runsScript   Trait = "runs-script"
	untrusted    Trait = "untrusted"
	neverStart   Trait = "never-start"
	alone        Trait = "alone"
	endsServer   Trait = "ends-server"
	notForAgents Trait = "not-for-agents"
	rare         Trait = "rare"
	asks         Trait = "asks"
	whenDisabled Trait = "when-disabled"
	manages      Trait = "manages"
	confined     Trait = "confined"
	looks        Trait = "looks"
	forGuests    Trait = "for-guests"
	forViewers   Trait = "for-viewers"
	byHand       Trait = "by-hand"
	releases     Trait = "releases"
)

// RunsScript marks an operation that runs a script of the caller. It is disabled when the
// configuration forbids scripts. Single parameters are marked by the tag script:"true".
var RunsScript = trait(runsScript)

// Untrusted marks an operation whose whole result comes from the page.
var Untrusted = trait(untrusted)

// NeverStart marks an operation for which the command line does not start a server. It is about what
// the running server has in memory. If none runs, lists and shutdown say so, and all other operations
// fail. An operation that changes what is saved in the state directory must not have this trait.
var NeverStart = trait(neverStart)

// Alone marks an operation that the command line answers by itself while no server runs, from the
// configuration and what is in the state directory. It must not write anything there.
var Alone = trait(alone)

// EndsServer marks an operation after which the server ends. Its answer comes before that. The
// command line waits until the server has ended, so that the next command finds no browser running
// and the state directory unlocked.
var EndsServer = trait(endsServer)

// NotForAgents marks an operation that the agent tool does not offer. One of three reasons applies.
// It may affect other users of the server, or it may reveal or change what protects the user, such
// as logins. Or the tool has another action that does the same.
var NotForAgents = trait(notForAgents)

// Rare marks an operation that the agent tool describes only in its help. The tool's definition has
// only its name, since the definition is a part of every conversation and costs tokens.
var Rare = trait(rare)

// Asks marks an operation that checks whether something is the case. If the answer is no, its
// result reports a failure (see [Failer]). That is an error for a script and in a batch, but not
// for a model that has asked.
var Asks = trait(asks)

// WhenDisabled marks an operation that is allowed even while the configuration disables browsers.
// It must not start one.
var WhenDisabled = trait(whenDisabled)

// Manages marks an operation on a browser and its tabs, and not on what a tab shows. In the user's
// own browser, such a call of an agent gets more time: the user may have to allow the connection
// first.
var Manages = trait(manages)

// Confined marks an operation that a session with limits may call. Such a session may open only
// some hosts, for example. The operation lists, reads and changes only what belongs to the session,
// and opens only what the session may open. All other operations are refused to such sessions.
var Confined = trait(confined)

// Looks marks an operation that only looks at a tab, or changes only what chela itself keeps about
// it. It is done even while a person has taken over the tab. Operations whose route is a GET need
// no mark.
var Looks = trait(looks)

// ForGuests marks an operation that a guest may call: a person with whom a tab is shared, so that
// the person can act in it. The operation is about one tab, named by profile and targetId.
var ForGuests = trait(forGuests)

// ForViewers marks an operation that a guest may call even if the tab is shared only to look at it.
var ForViewers = trait(forViewers)

// ByHand marks an operation that a guest may do by the mouse and the keys of the live view, where
// [Table.Input] makes its arguments. A guest may not call it in any other way: arguments of the
// guest's own could have a script or name a secret.
var ByHand = trait(byHand)

// Releases marks an operation that releases a key or a mouse button. A batch does it even after an act
// has led to another document, where the key or button would else stay down.
var Releases = trait(releases)

func trait(t Trait) Setting { return func(o *Op) { o.traits = append(o.traits, t) } }

// RunsScript reports whether the operation runs a script of the caller.
func (o *Op) RunsScript() bool { return slices.Contains(o.traits, runsScript) }

// Releases reports whether the operation releases a key or a mouse button.
func (o *Op) Releases() bool { return slices.Contains(o.traits, releases) }

// Untrusted reports whether the whole result comes from the page.
func (o *Op) Untrusted() bool { return slices.Contains(o.traits, untrusted) }

// NeverStart reports whether a call must not start a server.
func (o *Op) NeverStart() bool { return slices.Contains(o.traits, neverStart) || o.Alone() }

// NeedsNoServer reports whether it is an answer, and no failure, that no server runs: nothing can be
// listed then, or the server has ended already.
func (o *Op) NeedsNoServer() bool {
	return o.NeverStart() && (o.Routes[0].Method == http.MethodGet || o.EndsServer())
}

// Alone reports whether a call is answered without a server while none runs.
func (o *Op) Alone() bool { return slices.Contains(o.traits, alone) }

// Manages reports whether the operation is about a browser and its tabs.
func (o *Op) Manages() bool { return slices.Contains(o.traits, manages) }

// Confined reports whether a session with limits may call the operation.
func (o *Op) Confined() bool { return slices.Contains(o.traits, confined) }

// Touches reports whether a call with these arguments acts in a tab, navigates it or changes its
// settings. While a person has taken over the tab, such a call waits. A script of the caller may do
// anything.
func (o *Op) Touches(args Args) bool {
	if _, script := o.Script(args); script {
		return true
	}
	return o.Routes[0].Method != http.MethodGet && !slices.Contains(o.traits, looks)
}

// ForGuest reports whether a guest may call the operation. If onlyView is set, the guest may look
// at the tab, and not act in it.
func (o *Op) ForGuest(onlyView bool) bool {
	return slices.Contains(o.traits, forViewers) || !onlyView && slices.Contains(o.traits, forGuests)
}

// ByHand reports whether a guest may do the operation by input in the live view.
func (o *Op) ByHand() bool { return slices.Contains(o.traits, byHand) }

// EndsServer reports whether the server ends after the operation.
func (o *Op) EndsServer() bool { return slices.Contains(o.traits, endsServer) }

// WhenDisabled reports whether the operation is answered even when browsers are
// switched off.
func (o *Op) WhenDisabled() bool { return slices.Contains(o.traits, whenDisabled) }

// ForAgents reports whether the agent tool offers the operation.
func (o *Op) ForAgents() bool { return !slices.Contains(o.traits, notForAgents) }

// Rare reports whether the agent tool describes the operation only in its help.
func (o *Op) Rare() bool { return slices.Contains(o.traits, rare) }

// Asks reports whether the operation answers a question with yes or no, as expect does.
func (o *Op) Asks() bool { return slices.Contains(o.traits, asks) }

// When makes the agent tool choose the operation for a call that names no action and has this
// parameter.
func When(param string) Setting { return func(o *Op) { o.when = param } }

// ChosenBy reports whether the agent tool chooses the operation for a call with these arguments
// that names no action.
func (o *Op) ChosenBy(args Args) bool { return o.when != "" && text(args[o.when]) != "" }

// Lacks reports whether a call that names no action is probably meant for this operation, although
// it lacks the parameter that would choose the operation. The call then has another parameter that
// the operation requires.
func (o *Op) Lacks(args Args) bool {
	return o.when != "" && slices.ContainsFunc(o.Params(), func(p Param) bool {
		return p.Required && p.Name != o.when && text(args[p.Name]) != "" && p.Accepts(args[p.Name])
	})
}

// ChosenWithoutAction reports whether the agent tool may choose the operation for a call that names
// no action.
func (o *Op) ChosenWithoutAction() bool { return o.when != "" }

// A ToolForm describes an operation as a separate tool.
type ToolForm struct {
	Name   string
	Doc    string
	Params []string // the parameters that the tool offers
	Fixed  Args     // parameters whose values are fixed
}

// AlsoTool also offers the operation to agents as a separate tool, if chela mcp was started with
// such tools. The parameters that the tool takes are in params. A parameter with a fixed value is
// listed with that value, as in mode=extract.
func AlsoTool(name, params, doc string) Setting {
	form := ToolForm{Name: name, Doc: doc, Fixed: Args{}}
	for param := range strings.FieldsSeq(params) {
		if param, value, fixed := strings.Cut(param, "="); fixed {
			form.Fixed[param], _ = json.Marshal(value) // a string can be encoded
			continue
		}
		form.Params = append(form.Params, param)
	}
	return func(o *Op) { o.Tools = append(o.Tools, form) }
}

// ErrDeadline is the cause of a context that ended at an operation's deadline.
var ErrDeadline = errors.New("the deadline has passed")

type limits struct{ def, min, max time.Duration }

var defaultLimits = limits{20 * time.Second, 500 * time.Millisecond, 120 * time.Second}

// String returns the limits for the description of timeoutMs. An operation without a default takes as
// long as the calls in it may take.
func (l limits) String() string {
	if l.def == 0 {
		return fmt.Sprintf(", at most %d; when left out, the sum of its parts", l.max.Milliseconds())
	}
	return fmt.Sprintf(", at most %d; when left out, %d", l.max.Milliseconds(), l.def.Milliseconds())
}

// Limit sets how long the operation may take. The first time is the default. If the caller gives
// timeoutMs, it is kept between the two other times.
func Limit(def, least, most time.Duration) Setting {
	return func(o *Op) { o.limits = limits{def, least, most} }
}

// Also adds a route.
func Also(route string) Setting {
	return func(o *Op) { o.Routes = append(o.Routes, parseRoute(route)) }
}

// AlsoCalled adds another name of the command.
func AlsoCalled(words string) Setting { return AlsoCalledSaying(words, "") }

// AlsoCalledSaying adds another name of the command. If the command is called by this name, its
// result is written as the sentence in the parameter says, see [Says].
func AlsoCalledSaying(words, says string) Setting {
	return func(o *Op) { o.Aliases = append(o.Aliases, Alias{words, says}) }
}

// Says gives the sentence that the command line prints as the result. Names in braces stand for
// fields of the result, or else for arguments; {arg.name} always stands for the argument. A part in
// brackets is left out if a name in it has no value.
func Says(text string) Setting { return func(o *Op) { o.Says = text } }

// Example gives an example of the command line: what follows the words of the command. A command
// that is complete without arguments needs none.
func Example(arguments string) Setting { return func(o *Op) { o.Example = arguments } }

// InvalidAs sets the code of errors about invalid arguments.
func InvalidAs(c Code) Setting { return func(o *Op) { o.invalid = c } }

// Refuse makes e the error for requests with one of these fields, which the operation does not have.
func Refuse(e *Error, fields ...string) Setting {
	return func(o *Op) {
		for _, field := range fields {
			o.refused = append(o.refused, refusal{field, e})
		}
	}
}

// A refusal is the error for requests with a field, see [Refuse] and [WhenTwice].
type refusal struct {
	field string
	err   *Error
}

// refusalOf returns the error for a field that the operation does not have; nil if there is none.
func (o *Op) refusalOf(field string) *Error { return errorFor(o.refused, field) }

// errorFor returns the error for a field; nil if there is none.
func errorFor(all []refusal, field string) *Error {
	for _, r := range all {
		if r.field == field {
			return r.err
		}
	}
	return nil
}

// Envelope says that the answer of the operation has the fields of the struct E, besides those of its
// result.
func Envelope[E any]() Setting { return func(o *Op) { o.Envelope = reflect.TypeFor[E]() } }

// WhenCut bounds how much of a page a model gets in the result of the operation. The advice is what
// the model should do when that content is cut. Operations without WhenCut return the whole content
// of a page, and models get far more of it.
func WhenCut(advice string) Setting { return func(o *Op) { o.WhenCut = advice } }

// Group sets the section of help and documentation that the operation is in.
func Group(title string) Setting { return func(o *Op) { o.Group = title } }
