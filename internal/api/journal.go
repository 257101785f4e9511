package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/snapshot"
)

// watched describes the tab of a list. The url is the current one, not that of the entries.
type watched struct {
	OK       bool        `json:"ok" doc:"always true"`
	TargetID op.Handle   `json:"targetId" doc:"target id of the tab"`
	URL      op.PageText `json:"url" doc:"address that the tab shows"`
}

// A watchRequest lists entries of one kind.
type watchRequest struct {
	call.On
	Limit int `json:"limit,omitempty" min:"1" doc:"list only the newest, at most this many" tool:"-"`
}

// A keptList counts the entries that are not in a list. Without these numbers, a list of 500 would
// look as if it were complete.
type keptList struct {
	Truncated bool `json:"truncated,omitempty" doc:"older entries are left out, because there are more than the limit"`
	Total     int  `json:"total,omitempty" doc:"how many entries there are, if older ones are left out"`
	Dropped   int  `json:"dropped,omitempty" doc:"how many further entries were lost, because they were too old or came too fast"`
}

// journalOf finds the tab of a request, and waits until the events that Chromium has already sent
// are in the event log of that tab. So a caller that has just clicked sees what the click has
// logged. A browser is started if need be. It returns the errors of finding the tab.
//
// Unlike other calls, it does not reopen a page that has crashed, because the caller wants to know
// what led to the crash.
func journalOf(ctx context.Context, s *call.Service, on call.On) (tab *browser.Tab, w watched, err error) {
	person := op.Session(ctx) == op.Person // a person looks at any open tab, also one that an agent has leased
	err = s.Reach(ctx, call.Way{On: on, OnlyOpen: person, Leased: person}, func(_ browser.Session, found *browser.Tab) error {
		tab = found
		tab.SyncJournal(ctx)
		info := tab.Info()
		w = watched{true, op.Handle(info.TargetID), words.Shown(info.URL)}
		return nil
	})
	return tab, w, err
}

// newest returns the last limit entries of a list, or all for 0, and counts the others.
func newest[T any](list []T, limit, dropped int) ([]T, keptList) {
	kept := keptList{Dropped: dropped}
	if limit > 0 && len(list) > limit {
		kept.Truncated, kept.Total = true, len(list)
		list = list[len(list)-limit:]
	}
	return list, kept
}

// timestamp returns a time as JavaScript writes it. It is in UTC, with milliseconds, as in
// OpenClaw.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Limits of a list for an agent. An event log can have megabytes.
const (
	maxListed      = 50
	maxListedChars = 12_000
)

// forAgent returns the newest entries of a list, one in each line. If older entries are left out, a
// note before the list counts them. The parameter advice says in that note how to see them. The
// parameter none is the text for an empty list.
//
// The newest are kept, because an agent asks for what has just happened. Characters are counted as
// bytes, which is the same for most lists. Only models get this form: the command line and programs
// get the whole list.
func (k keptList) forAgent(lines []string, none, advice string) string {
	from, chars := len(lines), 0
	for from > 0 && len(lines)-from < maxListed && chars+len(lines[from-1]) <= maxListedChars {
		from--
		chars += len(lines[from])
	}
	if len(lines) > 0 && from == len(lines) {
		from-- // the newest entry is always shown, however long it is
	}
	return k.withNotes(lines[from:], len(lines), none, advice)
}

// inFull returns the entries of a list that agents do not get, one in each line. None is left out
// but by the limit of the request.
func (k keptList) inFull(lines []string, none string) string {
	return k.withNotes(lines, len(lines), none, "a higher limit shows them")
}

// withNotes returns the shown entries, and before them a note for each reason why others are
// missing. The parameter listed counts the entries of the result.
func (k keptList) withNotes(shown []string, listed int, none, advice string) string {
	var notes []string
	if older := max(k.Total, listed) - len(shown); older > 0 {
		notes = append(notes, fmt.Sprintf("[%d older ones are left out; %s]", older, advice))
	}
	if k.Dropped > 0 {
		notes = append(notes, fmt.Sprintf("[%d more are not kept]", k.Dropped))
	}
	if listed == 0 {
		notes = append(notes, none)
	}
	return strings.Join(append(notes, shown...), "\n")
}

// A consoleRequest lists messages. A level that is not known counts as info in requests, as
// in OpenClaw, and is an error on the command line.
type consoleRequest struct {
	watchRequest
	Level string `json:"level,omitempty" enum:"error,warn,info" lenient:"true" unknown:"--level must be error, warn, or info." doc:"only messages of at least this level" tool:"+"`
}

// consoleResult is a list of messages.
type consoleResult struct {
	watched
	Messages []consoleMessage `json:"messages" doc:"the messages, the oldest first"`
	keptList
}

// consoleMessage is one message. Its fields are those that Playwright's callers know.
type consoleMessage struct {
	Type      string      `json:"type" doc:"log, info, warning, error, debug, or another function of console; verbose for a message of the browser"`
	Text      op.PageText `json:"text" doc:"what was logged, at most 2048 characters"`
	Cut       bool        `json:"truncated,omitempty" doc:"the text was longer"`
	More      int         `json:"moreChars,omitempty" doc:"how many characters were cut off"`
	Timestamp string      `json:"timestamp" doc:"when it happened"`
	Location  location    `json:"location" doc:"script and line that logged the message; lines and columns count from 0"`
}

// location is a position in a script. OpenClaw has line and column under two names each, and
// clients use either.
type location struct {
	URL          op.PageText `json:"url" doc:"address of the script or document"`
	Line         int         `json:"line" doc:"line, from 0"`
	Column       int         `json:"column" doc:"column, from 0"`
	LineNumber   int         `json:"lineNumber" doc:"same as line"`
	ColumnNumber int         `json:"columnNumber" doc:"same as column"`
}

// locationOf converts a position for the answer. Its numbers count from 0, as in the protocol.
func locationOf(l journal.Location) location {
	return location{op.PageText(l.URL), l.Line, l.Column, l.Line, l.Column}
}

// console lists the messages that have at least the given level. Without a level it lists all,
// including debug messages, which have the lowest.
func console(ctx context.Context, s *call.Service, r consoleRequest) (consoleResult, error) {
	tab, w, err := journalOf(ctx, s, r.On)
	if err != nil {
		return consoleResult{}, err
	}
	all, dropped := tab.Journal().Messages()
	messages := []consoleMessage{}
	for _, m := range all {
		if r.Level == "" || journal.Rank(m.Type) >= journal.Rank(r.Level) {
			messages = append(messages, consoleMessage{m.Type, op.PageText(m.Text), m.Cut > 0, m.Cut, timestamp(m.At), locationOf(m.Location)})
		}
	}
	list, kept := newest(messages, r.Limit, dropped)
	return consoleResult{w, list, kept}, nil
}

// Terminal returns the list as JSON, as in OpenClaw: programs read it.
func (c consoleResult) Terminal() string {
	raw, _ := json.MarshalIndent(c.Messages, "", "  ") // cannot fail
	return string(raw)
}

// Text returns a line for each message. Lines of scripts count from 1 there, as in editors.
func (c consoleResult) Text() string {
	var lines []string
	for _, m := range c.Messages {
		line := fmt.Sprintf("[%s] %s", m.Type, entry(string(m.Text)))
		if m.Cut {
			line += fmt.Sprintf(" … (%d more characters)", m.More)
		}
		if m.Location.URL != "" {
			line += fmt.Sprintf(" (%s:%d)", entry(string(m.Location.URL)), m.Location.Line+1)
		}
		lines = append(lines, line)
	}
	return c.forAgent(lines, "No messages.", "ask for a stricter level")
}

// An errorsRequest lists errors.
type errorsRequest struct {
	watchRequest
	Clear bool `json:"clear,omitempty" doc:"empty the list after this call has read it" tool:"+"`
}

// errorsResult is a list of errors.
type errorsResult struct {
	watched
	Errors []pageError `json:"errors" doc:"the errors, the oldest first"`
	keptList
}

// pageError is one error. As in JavaScript, the message is without the name, and the stack begins
// with both.
type pageError struct {
	Message   op.PageText `json:"message" doc:"message of the error"`
	Name      op.PageText `json:"name,omitempty" doc:"kind of the error, such as TypeError"`
	Stack     op.PageText `json:"stack,omitempty" doc:"stack trace: the functions that led to the error"`
	Cut       bool        `json:"truncated,omitempty" doc:"the message or the stack was longer"`
	More      int         `json:"moreChars,omitempty" doc:"how many characters were cut off"`
	Timestamp string      `json:"timestamp" doc:"when it happened"`
}

// pageErrors lists the errors of scripts. If Clear is set, reading and emptying are one step, so
// that no error gets lost between the two.
func pageErrors(ctx context.Context, s *call.Service, r errorsRequest) (errorsResult, error) {
	tab, w, err := journalOf(ctx, s, r.On)
	if err != nil {
		return errorsResult{}, err
	}
	read := tab.Journal().Errors
	if r.Clear {
		read = tab.Journal().TakeErrors
	}
	all, dropped := read()
	list := make([]pageError, len(all))
	for i, e := range all {
		list[i] = pageError{op.PageText(e.Message), op.PageText(e.Name), op.PageText(e.Stack), e.Cut > 0, e.Cut, timestamp(e.At)}
	}
	list, kept := newest(list, r.Limit, dropped)
	return errorsResult{w, list, kept}, nil
}

// watchErrors begins to watch for errors that scripts do not catch. The function that it returns ends
// that. It returns a sentence about the first error, "" if there was none.
//
// Errors that the document had before do not count, since a timer or an analytics script may fail again
// and again. None counts if the act has led to more than changes of the document, such as a request.
func watchErrors(ctx context.Context, t *call.Turn) (failure func(context.Context) op.PageText) {
	t.Page.SyncJournal(ctx)
	earlier, _ := t.Tab.Journal().Errors()
	var first atomic.Pointer[journal.Error]
	stop := t.Tab.Journal().Listen(journal.Listener{Error: func(e journal.Error) {
		if !slices.ContainsFunc(earlier, func(old journal.Error) bool {
			return old.Name == e.Name && old.Message == e.Message && old.Document == e.Document
		}) {
			first.CompareAndSwap(nil, &e)
		}
	}})
	return func(ctx context.Context) op.PageText {
		t.Page.SyncJournal(ctx)
		stop()
		e := first.Load()
		if e == nil || t.HadEffectBesides(page.Changed) {
			return ""
		}
		return "A script of the page failed: " + shortLine(pageError{Name: op.PageText(e.Name), Message: op.PageText(e.Message)}.said())
	}
}

// said returns an error as JavaScript prints it: its name and message.
func (e pageError) said() string {
	if e.Name == "" {
		return string(e.Message)
	}
	return fmt.Sprintf("%s: %s", e.Name, e.Message)
}

// entry writes a text of the page as an entry of a list, and marks its further lines. A page could
// otherwise write lines that look like entries, like directives to the host of an agent, or like
// lines of a snapshot. Invisible characters are removed first, since one of them can split what
// looks like a ref, and surfaces remove it later.
func entry(text string) string {
	return strings.ReplaceAll(snapshot.WithoutRefs(op.Plain(text)), "\n", nextLine)
}

const nextLine = "\n  | "

// noErrors is OpenClaw's text for an empty list.
const noErrors = "No page errors."

// Terminal returns a line for each error. The form is OpenClaw's. Stacks are left out: they are in
// the JSON.
func (r errorsResult) Terminal() string {
	if len(r.Errors) == 0 {
		return noErrors
	}
	var lines []string
	for _, e := range r.Errors {
		lines = append(lines, e.Timestamp+" "+entry(e.said()))
	}
	return strings.Join(lines, "\n")
}

// Text returns each error with its stack. The first lines of a stack repeat name and message in V8,
// so only its calls are shown.
func (r errorsResult) Text() string {
	var lines []string
	for _, e := range r.Errors {
		line := entry(e.said())
		if _, calls, ok := strings.Cut(string(e.Stack), "\n    at "); ok {
			line += nextLine + entry("    at "+calls)
		}
		lines = append(lines, line)
	}
	return r.forAgent(lines, noErrors, "clear the list before you try again")
}
