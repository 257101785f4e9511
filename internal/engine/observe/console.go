package observe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	protolog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/base/lazyregexp"
	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/wall/proxy"
)

// consoleCalled records a call of a console function, with the place of the call. If no script is
// on the call stack, Chromium reports no place.
func (o *Observer) consoleCalled(s *cdp.Session, ev runtime.EventConsoleAPICalled) {
	texts := make([]string, len(ev.Args))
	for i, arg := range ev.Args {
		texts[i] = textOf(arg)
	}
	m := journal.Message{Type: string(ev.Type), Text: strings.Join(texts, " "), At: milliseconds(ev.Timestamp)}
	if ev.StackTrace != nil && len(ev.StackTrace.CallFrames) > 0 {
		m.Location = locationOf(ev.StackTrace.CallFrames[0])
		m.Location.URL = journal.WithoutURLSecrets(m.Location.URL)
	}
	o.journal.AddMessage(m)
	o.releaseObjects(s, ev.Args...)
}

// entryAdded records what the browser itself reports about the page, such as a resource that could
// not be loaded. It skips messages of workers, because the workers' own sessions also report them.
// It skips a missing favicon, because Chromium and not the page has requested it, see requestSent.
// Such a message names the addresses of requests, so it hides what the list of requests hides.
func (o *Observer) entryAdded(s *cdp.Session, ev protolog.EventEntryAdded) {
	if e := ev.Entry; e != nil && e.Source != protolog.EntrySourceWorker && !(e.Source == protolog.EntrySourceNetwork && isIcon(e.URL)) {
		text := e.Text
		for _, failure := range []string{proxy.Unreachable, blockedByJudge} {
			if before, ok := strings.CutSuffix(text, failure); ok && e.URL != "" {
				why, _ := Explain(o.network, e.URL, failure)
				text = before + why
			}
		}
		o.journal.AddMessage(journal.Message{
			Type: string(e.Level), Text: journal.TextWithoutSecrets(text), At: milliseconds(e.Timestamp),
			Location: journal.Location{URL: journal.WithoutURLSecrets(e.URL), Line: int(e.LineNumber)},
		})
		o.releaseObjects(s, e.Args...)
	}
}

// exceptionThrown records an uncaught exception or an unhandled promise rejection.
func (o *Observer) exceptionThrown(s *cdp.Session, ev runtime.EventExceptionThrown) {
	d := ev.ExceptionDetails
	if d == nil {
		return
	}
	e := errorOf(d)
	e.At, e.Document = milliseconds(ev.Timestamp), o.document
	o.journal.AddError(e)
	if d.Exception != nil {
		o.releaseObjects(s, d.Exception)
	}
}

// frameNavigated keeps the document that the tab shows.
func (o *Observer) frameNavigated(_ *cdp.Session, ev page.EventFrameNavigated) {
	if ev.Frame != nil && ev.Frame.ParentID == "" {
		o.document = string(ev.Frame.LoaderID)
	}
}

// errorOf splits an exception into its parts. Chromium describes an Error by its stack, which
// begins with the name and the message. It describes any other thrown value by that value.
func errorOf(d *runtime.ExceptionDetails) journal.Error {
	e := journal.Error{
		Message:  d.Text,
		Location: journal.Location{URL: journal.WithoutURLSecrets(d.URL), Line: int(d.LineNumber), Column: int(d.ColumnNumber)},
	}
	if d.Exception == nil {
		return withoutValue(e, d)
	}
	described := cmp.Or(d.Exception.Description, textOf(d.Exception))
	e.Message = described
	if d.Exception.Subtype != runtime.RemoteObjectSubtypeError {
		return e
	}
	const call = "\n    at "
	if head, calls, ok := strings.Cut(described, call); ok {
		e.Message, e.Stack = head, head+call+journal.TextWithoutSecrets(calls)
	}
	e.Name = d.Exception.ClassName
	if name, message, ok := strings.Cut(e.Message, ": "); ok && !strings.ContainsAny(name, " \n") {
		e.Name, e.Message = name, message
	} else if e.Message == e.Name { // the exception has no message
		e.Message = ""
	}
	if p := d.Exception.Preview; p != nil {
		if i := slices.IndexFunc(p.Properties, func(p *runtime.PropertyPreview) bool { return p.Name == "name" }); i >= 0 {
			e.Name = p.Properties[i].Value
		}
	}
	return e
}

// withoutValue completes an exception that Chromium reports without its value. This happens for
// scripts that a caller of chela runs, because such a script has no origin. The text then begins
// with "Uncaught", the name of an error precedes the message, and the stack is a separate list.
func withoutValue(e journal.Error, d *runtime.ExceptionDetails) journal.Error {
	thrown := uncaught().ReplaceAllString(d.Text, "")
	e.Message = thrown
	if parts := namedError().FindStringSubmatch(thrown); parts != nil {
		e.Name, e.Message = parts[1], parts[2]
	}
	if d.StackTrace != nil && len(d.StackTrace.CallFrames) > 0 {
		e.Stack = thrown
		for _, f := range d.StackTrace.CallFrames {
			e.Stack += fmt.Sprintf("\n    at %s (%s:%d:%d)", cmp.Or(f.FunctionName, "<anonymous>"), cmp.Or(journal.WithoutURLSecrets(f.URL), "<anonymous>"), f.LineNumber+1, f.ColumnNumber+1)
		}
	}
	return e
}

var (
	uncaught   = lazyregexp.New(`^Uncaught (\(in promise\) )?`)
	namedError = lazyregexp.New(`(?s)^((?:[A-Za-z_$][\w$]*)?(?:Error|Exception))(?:: (.*))?$`)
)

// textOf formats a value as Playwright's ConsoleMessage.text does. Values that JSON can represent
// arrive as JSON; others, such as NaN or 3n, as JavaScript writes them. For an object Chromium
// sends a description and a preview of its first properties. The description is the class, or the
// whole text of an Error.
func textOf(v *runtime.RemoteObject) string {
	switch {
	case v.Type == runtime.RemoteObjectTypeUndefined:
		return "undefined"
	case len(v.Value) > 0:
		var s string
		if json.Unmarshal(v.Value, &s) == nil && v.Type == runtime.RemoteObjectTypeString {
			return s
		}
		return string(v.Value)
	case v.UnserializableValue != "":
		return string(v.UnserializableValue)
	case v.Preview == nil:
	case v.Description == "Object":
		return objectText(v.Preview)
	case v.Subtype == runtime.RemoteObjectSubtypeArray:
		return arrayText(v.Preview)
	}
	return v.Description
}

// objectText formats an object as {a: 1, b: two}. A preview has at most five properties.
func objectText(p *runtime.ObjectPreview) string {
	var parts []string
	for _, each := range p.Properties {
		parts = append(parts, each.Name+": "+propertyText(each))
	}
	return "{" + strings.Join(andMore(parts, p.Overflow), ", ") + "}"
}

// arrayText formats an array as [1, 2, empty x 3, 4]. A preview has at most a hundred items.
func arrayText(p *runtime.ObjectPreview) string {
	var parts []string
	next := 0
	for _, each := range p.Properties {
		i, err := strconv.Atoi(each.Name)
		if err != nil || i < next {
			continue
		}
		switch holes := i - next; {
		case holes == 1:
			parts = append(parts, "empty")
		case holes > 1:
			parts = append(parts, fmt.Sprintf("empty x %d", holes))
		}
		parts, next = append(parts, propertyText(each)), i+1
	}
	return "[" + strings.Join(andMore(parts, p.Overflow), ", ") + "]"
}

// propertyText formats a property of a preview. An accessor has no value, since it was not called.
func propertyText(p *runtime.PropertyPreview) string {
	if p.Type == runtime.PropertyPreviewTypeAccessor {
		return "(...)"
	}
	return p.Value
}

// andMore adds a mark to the parts of an object's text if some parts were left out.
func andMore(parts []string, more bool) []string {
	if more {
		return append(parts, "…")
	}
	return parts
}

// maxLogged is how many logged objects Chromium keeps for us, over all sessions of a page.
const maxLogged = 200

// logged counts the logged objects that Chromium keeps, and lists the sessions that have them.
// Sessions that have ended stay in the list until the next release.
type logged struct {
	sessions map[*cdp.Session]bool
	objects  int
}

// releaseObjects lets Chromium free the logged objects. Chromium keeps each of them as long as its
// document lives, so that a debugger can inspect it. Without the release, every logged object would
// cost the page memory.
func (o *Observer) releaseObjects(s *cdp.Session, values ...*runtime.RemoteObject) {
	for _, v := range values {
		if v.ObjectID != "" {
			o.logged.sessions[s] = true
			o.logged.objects++
		}
	}
	if o.logged.objects < maxLogged {
		return
	}
	for session := range o.logged.sessions {
		cdp.Send(session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: "console"})
	}
	o.logged = logged{sessions: map[*cdp.Session]bool{}}
}

// locationOf returns the place of a call. Lines and columns count from 0, as in Chromium.
func locationOf(c *runtime.CallFrame) journal.Location {
	return journal.Location{URL: c.URL, Line: int(c.LineNumber), Column: int(c.ColumnNumber)}
}

func milliseconds(t runtime.Timestamp) time.Time { return time.UnixMicro(int64(t.Float64() * 1000)) }

func seconds(t protocol.TimeSinceEpoch) time.Time { return time.UnixMicro(int64(t.Float64() * 1e6)) }
