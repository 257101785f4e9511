package op

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"chela/internal/wall/secret"
)

type (
	callerKey   struct{}
	guestKey    struct{}
	progressKey struct{}
)

// CallerHeader is the HTTP header by which clients name themselves.
const CallerHeader = "X-Chela-Caller"

// ProgressHeader is the HTTP header by which a caller asks for the progress of its call. The server
// then sends it informational responses (102) before the answer. Each has a [ProgressReport] as
// JSON in a header of the same name.
const ProgressHeader = "X-Chela-Progress"

// A ProgressReport is what an operation has reported by [Progress].
type ProgressReport struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Doing string `json:"doing"`
}

// maxCaller is the longest name of a caller, in characters; longer ones are cut.
const maxCaller = 80

// WithCaller returns a context for calls of the named caller. Characters that are not printed are
// left out of the name.
func WithCaller(ctx context.Context, name string) context.Context {
	printed := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name))
	return context.WithValue(ctx, callerKey{}, string(printed[:min(len(printed), maxCaller)]))
}

// Caller returns the name of the caller of ctx, or "" if it has none. The caller chose the name
// itself: by CHELA_CALLER, by the header X-Chela-Caller, or as an MCP client that introduces
// itself. So it proves nothing, and is used only in logs and messages.
func Caller(ctx context.Context) string {
	name, _ := ctx.Value(callerKey{}).(string)
	return name
}

// A Guest is a person with whom a tab is shared, and who may use that tab alone.
type Guest struct {
	Share    string // id of the share
	Profile  string
	Tab      string // handle of the tab
	Browser  string // which paired browser has the tab; "": it is in none
	OnlyView bool   // the guest may look at the tab, and not use it
}

// WithGuest returns a context for calls of a guest. Only the server sets it, so that no caller can
// choose it.
func WithGuest(ctx context.Context, g Guest) context.Context {
	return context.WithValue(ctx, guestKey{}, g)
}

// GuestOf returns the guest who makes the call of ctx, or the zero Guest if no guest makes it.
func GuestOf(ctx context.Context) Guest {
	g, _ := ctx.Value(guestKey{}).(Guest)
	return g
}

type profilesKey struct{}

// WithProfiles returns a context for calls that may see these profiles only. If the list is nil, they
// see all. It is for operations that concern all profiles: a node checks the profile that a call
// names.
func WithProfiles(ctx context.Context, names []string) context.Context {
	return context.WithValue(ctx, profilesKey{}, names)
}

// Sees reports whether the call of ctx may see a profile.
func Sees(ctx context.Context, profile string) bool {
	names, _ := ctx.Value(profilesKey{}).([]string)
	return names == nil || slices.Contains(names, profile)
}

// A ProgressFunc receives what [Progress] reports. Several goroutines of the operation may call it
// at once. It should return soon, since they wait for it.
type ProgressFunc func(done, total int, doing string)

// WithProgress returns a context in which operations report their progress to the given function.
// If it is nil, nobody listens.
func WithProgress(ctx context.Context, report ProgressFunc) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// Progress reports how far the operation of ctx has come, if its caller listens: done of total, in
// any unit. A total of 0 means that it is not known. The parameter doing says in a few words what
// the operation does now; it may be "". Reports do not change the answer.
//
// The callers that listen are terminals, MCP clients that send a progress token, and HTTP clients
// that send [ProgressHeader].
func Progress(ctx context.Context, done, total int, doing string) {
	if report, _ := ctx.Value(progressKey{}).(ProgressFunc); report != nil {
		report(done, total, secret.Mask(doing))
	}
}

// WantsProgress reports whether anybody listens to the progress of ctx.
func WantsProgress(ctx context.Context) bool {
	report, _ := ctx.Value(progressKey{}).(ProgressFunc)
	return report != nil
}
