package page

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"chela/internal/base/hidden"
	"chela/internal/engine/frame"
	"chela/internal/engine/urls"
	"chela/internal/reading/snapshot"
)

// An Assertion is what a page is expected to show. All given conditions must hold at the same time.
type Assertion struct {
	URL  string // the address matches this pattern (see [urls.Matcher]), and its document has loaded
	Text string // a line of the page, or several together, show this text; case does not matter
	Gone string // no line shows this text

	// Ref is the ref of the element that the conditions below are about.
	Ref     string
	Value   *string // the element's value reads as this text: white space is collapsed, and invisible characters do not count
	Checked *bool   // the element is checked or, for an option, selected
	Enabled *bool   // the element can be acted on

	// Count is how many lines must have Text and Role, inside the element of Ref if one is given.
	// See [snapshot.Reading.Count]. With Count, Text is used for nothing else.
	Count *int
	Role  string // Text is in a line of this role

	Hidden string // how to treat hidden text, as in a [View]
}

// A Finding says whether an assertion holds.
type Finding struct {
	Holds   bool
	Line    string // if the assertion holds: the line of a snapshot that shows it, or the address
	Instead string // if the assertion does not hold: the line, value or address that the page has instead, or what was not read
}

// Assert waits until an assertion holds, or the deadline of ctx is near, and returns the last
// finding. It reads the page again when one of its documents or its address changes. The page
// reports such changes, so an idle page costs no messages. If the page answers at first, but not at
// the end, the last finding is the one before.
//
// It returns an [UnknownRefError] or [StaleRefError], an [ElementError] for an element that cannot
// be checked, ErrBusy, or why the turn ended.
func (p *Page) Assert(ctx context.Context, a Assertion) (Finding, error) {
	began := time.Now()
	found, err := p.check(ctx, a)
	if err != nil || found.Holds {
		return found, err
	}
	lastCheck := 2*time.Since(began) + margin/10 // time reserved for a last check at the end
	waiting, cancel := reserve(ctx, AnswerTime+min(lastCheck, remaining(ctx)/3))
	defer cancel()
	changed := p.watchNews(waiting)
	defer changed.end()
	for more := true; more; {
		more = changed.next(waiting)
		if cause := context.Cause(ctx); cause != nil {
			return found, cause
		}
		now, err := p.check(ctx, a)
		switch {
		case errors.Is(err, ErrBusy):
			return found, nil
		case err != nil || now.Holds:
			return now, err
		}
		found = now
	}
	return found, nil
}

// check returns whether an assertion holds now.
func (p *Page) check(ctx context.Context, a Assertion) (found Finding, err error) {
	if a.URL != "" {
		if found = p.checkURL(a.URL); !found.Holds || a == (Assertion{URL: a.URL, Hidden: a.Hidden}) {
			return found, nil
		}
	}
	facts, err := p.factsOf(ctx, a)
	if err != nil {
		return found, err
	}
	tree, err := p.readTree(ctx, View{Options: snapshot.Options{AllRefs: true}, Hidden: a.Hidden, search: true})
	if err != nil {
		return found, err
	}
	if facts != nil {
		a.Ref = facts.ref // the ref in the form that the lines of a snapshot have
	}
	found, is := a.in(snapshot.Read(tree), facts)
	p.noteRefs(is)
	return found, nil
}

func (p *Page) checkURL(pattern string) Finding {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.main()
	if loaded := f.State == frame.Loaded || f.Loader == ""; loaded && urls.Matcher(pattern)(f.Address()) {
		return Finding{Holds: true, Line: f.Address()}
	}
	return Finding{Instead: f.Address()}
}

// The method in checks the assertion against a reading of the page and the facts of its element. It
// returns the finding. The returned matches have the line that shows what is asserted, or the line
// that comes closest.
func (a Assertion) in(r *snapshot.Reading, facts *facts) (Finding, []snapshot.Match) {
	if facts != nil {
		if instead := facts.difference(a); instead != "" {
			return Finding{Instead: instead}, nil
		}
	}
	if a.Gone != "" {
		if line, shown := r.Shows(a.Gone); shown {
			return Finding{Instead: line.Line}, []snapshot.Match{line}
		}
		if unread := r.Unread(""); unread != "" {
			return Finding{Instead: unread}, nil
		}
	}
	if a.Count != nil {
		n, first, _ := r.Count(snapshot.Query{Text: a.Text, Role: a.Role}, a.Ref) // an element without a line is empty
		if n != *a.Count {
			return Finding{Instead: strconv.Itoa(n)}, nil
		}
		if unread := r.Unread(a.Ref); unread != "" {
			return Finding{Instead: unread}, nil
		}
		return holdsBy(first)
	}
	if a.Text != "" || a.Role != "" {
		line, shown := a.shows(r)
		if !shown {
			closest, _ := r.Closest(a.Text)
			instead := closest.Line
			if unread := r.Unread(a.Ref); unread != "" { // before the line, which may be cut
				instead = strings.TrimSuffix(unread+"; "+instead, "; ")
			}
			return Finding{Instead: instead}, []snapshot.Match{closest}
		}
		return holdsBy(line)
	}
	line, _ := r.Of(a.Ref)
	return holdsBy(line)
}

// shows returns the first line that shows Text, has Role and is inside the element of Ref. A field
// of the assertion that is empty is not a condition.
func (a Assertion) shows(r *snapshot.Reading) (snapshot.Match, bool) {
	if a.Role == "" && a.Ref == "" {
		return r.Shows(a.Text)
	}
	n, line, _ := r.Count(snapshot.Query{Text: a.Text, Role: a.Role}, a.Ref)
	return line, n > 0
}

// holdsBy returns a finding which says that an assertion holds, and the line that shows it. If the
// line has no ref, the list of matches is nil.
func holdsBy(line snapshot.Match) (Finding, []snapshot.Match) {
	if line.Ref == "" {
		return Finding{Holds: true, Line: line.Line}, nil
	}
	return Finding{Holds: true, Line: line.Line}, []snapshot.Match{line}
}

// facts are what the page script reports about an element, see facts.js.
type facts struct {
	report
	ref string // ref of the element

	Values  []string // texts that count as the element's value, such as value and label of an option
	Shown   string   // one of Values, for messages; a password is masked
	Checked any      // a bool, "mixed", or nil
	Enabled bool
}

// factsOf returns the facts of the element of an assertion, or nil if the assertion names none.
func (p *Page) factsOf(ctx context.Context, a Assertion) (*facts, error) {
	if a.Ref == "" {
		return nil, nil
	}
	e, err := p.Element(ctx, a.Ref)
	if err != nil {
		return nil, err
	}
	for fresh := false; ; fresh = true {
		f, err := ask[facts](ctx, e, "factsOf", fresh)
		switch {
		case err != nil:
			return nil, err
		case f.Missing != "":
			return nil, e.failure(f.report)
		case f.Internals && !fresh:
			if err := e.askInternals(ctx); err != nil {
				return nil, err
			}
		case f.Checked == nil && a.Checked != nil:
			return nil, e.failure(report{Missing: Uncheckable})
		default:
			f.ref = e.ref.String()
			return &f, nil
		}
	}
}

// difference returns how an element differs from what is expected, or "" if it does not.
func (f *facts) difference(a Assertion) string {
	switch {
	case a.Value != nil && !slices.ContainsFunc(f.Values, func(v string) bool { return asSeen(v) == asSeen(*a.Value) }):
		return strconv.Quote(f.Shown)
	case a.Checked != nil && f.Checked != any(*a.Checked):
		return map[any]string{true: "checked", false: "not checked"}[f.Checked] + mixed(f.Checked)
	case a.Enabled != nil && f.Enabled != *a.Enabled:
		return map[bool]string{true: "enabled", false: "disabled"}[f.Enabled]
	}
	return ""
}

func mixed(checked any) string {
	if word, ok := checked.(string); ok {
		return word
	}
	return ""
}

// asSeen returns a text as a snapshot shows it: without invisible characters, and with white space
// collapsed.
func asSeen(s string) string {
	seen := func(r rune) rune {
		if hidden.Unseen(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(seen, s)), " ")
}
