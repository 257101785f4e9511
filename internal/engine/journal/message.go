package journal

import (
	"strings"
	"time"

	"chela/internal/wall/excerpt"
)

// These limit the texts of an entry, in characters. Longer texts are cut, and the field Cut says by
// how much.
const (
	maxText  = 2048
	maxStack = 4096
)

// A Message is a message on the console, logged by a script or by the browser.
type Message struct {
	Type     string // the type in Playwright's words: log, info, warning, error, debug, dir, table, trace, startGroup …; or verbose
	Text     string
	Cut      int // how many characters of the text were cut
	At       time.Time
	Location Location

	bytes int // see [list]
}

// A Location is a place in a script or document. Lines and columns count from 0.
type Location struct {
	URL          string
	Line, Column int
}

// An Error is an exception, or a rejected promise, that no script has caught.
type Error struct {
	Name     string // such as TypeError; "" if the thrown value is not an Error object
	Message  string
	Stack    string // "" if there is none
	Cut      int    // how many characters of name, message and stack were cut
	At       time.Time
	Location Location
	Document string // loader id of the document that the tab showed; "" if none was reported yet

	bytes int // see [list]
}

// Rank returns how severe a level is. A filter by a level shows messages of at least its rank. An
// unknown level counts as info. So do types that have no level, such as table, and the browser's
// detailed messages (verbose), as in OpenClaw.
func Rank(level string) int {
	switch strings.ToLower(level) {
	case "error":
		return 3
	case "warning", "warn":
		return 2
	case "debug":
		return 0
	}
	return 1
}

func (m *Message) shorten() {
	m.Text, m.Cut = cut(m.Text, maxText, m.Cut)
	m.Location.shorten()
}

func (e *Error) shorten() {
	e.Name, e.Cut = cut(e.Name, maxText, e.Cut)
	e.Message, e.Cut = cut(e.Message, maxText, e.Cut)
	e.Stack, e.Cut = cut(e.Stack, maxStack, e.Cut)
	e.Location.shorten()
}

func (l *Location) shorten() { l.URL, _ = cut(l.URL, maxText, 0) }

// cut returns the first n characters of s. It also returns how many characters were cut in all:
// those that earlier calls have cut (before), and those that this call has cut. A text of at most n
// bytes has no more than n characters, so most texts need not be counted.
func cut(s string, n, before int) (string, int) {
	if len(s) <= n {
		return s, before
	}
	first, more := excerpt.First(s, n)
	if more == 0 {
		return s, before
	}
	return strings.Clone(first), before + more // a slice of s would keep all of s in memory
}

// overhead is roughly how many bytes an entry takes in addition to its texts.
const overhead = 128

// size estimates how many bytes an entry takes. overhead stands for what Go allocates besides the
// texts.
func (m *Message) size() int     { return overhead + len(m.Type) + len(m.Text) + len(m.Location.URL) }
func (m *Message) counted() *int { return &m.bytes }

func (e *Error) size() int {
	return overhead + len(e.Name) + len(e.Message) + len(e.Stack) + len(e.Location.URL)
}
func (e *Error) counted() *int { return &e.bytes }
