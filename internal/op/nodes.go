package op

import (
	"cmp"
	"slices"
)

// Traits that say where an operation may run, see package fleet/route.
const (
	changesProfiles Trait = "changes-profiles"
	onlyHere        Trait = "only-here"
	endsSession     Trait = "ends-session"
)

// ChangesProfiles marks an operation that makes or removes a profile, or its data. Only the machine
// that has the profile may do that, so no node does it for others.
var ChangesProfiles = trait(changesProfiles)

// OnlyHere marks an operation that is about the server itself or its machine, and is not done for
// other machines.
var OnlyHere = trait(onlyHere)

// EndsSession marks an operation that ends a session, on all machines that it has used.
var EndsSession = trait(endsSession)

// Anywhere marks an operation that needs no tab if it gets this parameter, which is an address to
// read. Calls with the parameter may run on any machine.
func Anywhere(param string) Setting { return func(o *Op) { o.anywhere = param } }

// ChangesProfiles reports whether the operation makes or removes a profile, or its data.
func (o *Op) ChangesProfiles() bool { return slices.Contains(o.traits, changesProfiles) }

// OnlyHere reports whether the operation is not done for other machines.
func (o *Op) OnlyHere() bool { return slices.Contains(o.traits, onlyHere) || o.EndsServer() }

// EndsSession reports whether the operation ends a session.
func (o *Op) EndsSession() bool { return slices.Contains(o.traits, endsSession) }

// LimitsTo returns the only hosts that the session may open once a call with these arguments is
// made; nil: the call sets no limit. The error says what is wrong with the arguments.
func (o *Op) LimitsTo(args Args) (hosts []string, err error) {
	req, err := o.read(args)
	if limiter, ok := req.value.(Limiter); ok {
		return limiter.LimitsTo(), nil
	}
	return nil, err
}

// SessionEnded returns the session that a call ends. The call is of an operation with [EndsSession],
// and is made in the given session, which ends if the call names no other.
func SessionEnded(session string, args Args) string { return cmp.Or(text(args["session"]), session) }

// ProfileIn returns the profile that the arguments name, as the operation reads it; "" if they name
// none, or the operation has no profile.
func (o *Op) ProfileIn(args Args) string {
	if _, ok := o.Param("profile"); !ok {
		return ""
	}
	return text(args["profile"])
}

// Anywhere reports whether a call with these arguments may run on any machine.
func (o *Op) Anywhere(args Args) bool {
	if o.anywhere == "" {
		return false
	}
	p, ok := o.Param(o.anywhere)
	return ok && o.has(args, p)
}

// AddressOf returns the address that a call is about, if the call may run on any machine; "" for
// other calls.
func (o *Op) AddressOf(args Args) string {
	if !o.Anywhere(args) {
		return ""
	}
	p, _ := o.Param(o.anywhere)
	for _, name := range p.names() {
		if address := text(args[name]); address != "" {
			return address
		}
	}
	return ""
}

// Repeatable reports whether a call with these arguments may be made a second time if nobody knows
// whether the first was done. That holds if the call only reads what anybody can read, and runs no
// script of the caller.
func (o *Op) Repeatable(args Args) bool {
	_, script := o.Script(args)
	return o.Anywhere(args) && !script
}
