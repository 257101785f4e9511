package api

import (
	"context"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/wall/excerpt"
)

// An expectRequest says what the page is expected to show. All that it names has to
// hold at the same time.
type expectRequest struct {
	call.On
	op.Timeout
	call.Seeing
	Text    string  `json:"text,omitempty" doc:"the page shows this text, ignoring case"`
	Gone    string  `json:"gone,omitempty" doc:"the page does not show this text"`
	URL     string  `json:"url,omitempty" doc:"the address is this, contains this, or fits this glob (** crosses slashes), and the page has loaded"`
	Ref     string  `json:"ref,omitempty" digits:"true" doc:"element that value, checked and enabled are about; text and count then look only inside it"`
	Value   *string `json:"value,omitempty" verbatim:"true" doc:"the field holds this text; in a select, the option with this value or label is chosen"`
	Checked *bool   `json:"checked,omitempty" flag:"checked,!unchecked" doc:"true: the element is checked; false: it is not"`
	Enabled *bool   `json:"enabled,omitempty" flag:"enabled,!disabled" doc:"true: the element is enabled; false: it is disabled"`
	Role    string  `json:"role,omitempty" doc:"role of the lines that text and count are about: button, link, listitem"`
	Count   *int    `json:"count,omitempty" min:"0" doc:"how many lines have the text and the role; with a ref, only inside that element. With a ref alone: how many items, rows or options the element has"`
}

// Check refuses combinations without a meaning. The parameters value, checked and enabled are about
// one element, while role and count need something else that chooses lines. Otherwise an
// expectation that names nothing would hold at once, and look as if something had been checked.
func (r expectRequest) Check() error {
	of := r.Value != nil || r.Checked != nil || r.Enabled != nil
	counted := r.Count != nil && (r.Text != "" || r.Role != "" || r.Ref != "")
	switch {
	case of && r.Ref == "":
		return op.Errorf(op.Invalid, "expect requires ref with value, checked and enabled").Hinted("take a snapshot and give a ref from it")
	case r.Count != nil && !counted:
		return op.Errorf(op.Invalid, "expect requires text, role or ref with count")
	case r.Role != "" && r.Text == "" && r.Count == nil:
		return op.Errorf(op.Invalid, "expect requires text or count with role")
	case !of && !counted && r.Text == "" && r.Gone == "" && r.URL == "":
		return op.Errorf(op.Invalid, "expect requires at least one of: text, gone, url, or ref with value, checked, enabled or count")
	}
	return nil
}

// WaitTime returns what is added to the deadline: the time for the answer. So the page has all of
// timeoutMs.
func (r expectRequest) WaitTime() time.Duration { return page.AnswerTime }

// Want says that an expectation may run while other calls act in the tab, as wait may.
func (r expectRequest) Want() call.Want {
	w := r.On.Want()
	w.Beside, w.Unread = true, expectResult{Instead: "a dialog of the page is open"}
	return w
}

// An expectResult says whether the page is as expected.
type expectResult struct {
	Met     bool        `json:"met" doc:"the page is as expected"`
	Line    op.PageText `json:"line,omitempty" doc:"what was found: a line of the snapshot, with its ref, or the address; absent if the page is not as expected" tool:"refs"`
	Instead op.PageText `json:"instead,omitempty" doc:"what is there instead: the closest line, the value, the address, the count, or what was not read" tool:"refs"`
}

// Text returns the error of an expectation that the page does not fulfil, or else the line that
// fulfils it.
func (e expectResult) Text() string {
	switch err := e.Failure(); {
	case err != nil:
		return err.Error()
	case e.Line == "":
		return "as expected"
	}
	return "as expected: " + string(e.Line)
}

// Failure returns the error of an expectation that the page does not fulfil. The call itself has
// succeeded, since it answered the question. A batch stops at this error, and the command exits
// with 1.
func (e expectResult) Failure() error {
	if e.Met {
		return nil
	}
	text := op.PageText("not as expected")
	if e.Instead != "" {
		text += "; instead there is: " + e.Instead
	}
	return &op.Error{Code: op.NotMet, Message: text, Hint: "take a snapshot to see what the page shows, or wait longer with timeoutMs"}
}

// expect waits until the page is as expected, at most until the deadline.
func expect(ctx context.Context, t *call.Turn, r expectRequest) (expectResult, error) {
	found, err := t.Page.Assert(ctx, page.Assertion{
		URL: r.URL, Text: r.Text, Gone: r.Gone, Ref: r.Ref, Value: r.Value, Checked: r.Checked, Enabled: r.Enabled, Role: r.Role, Count: r.Count,
		Hidden: t.Hidden(r.Seeing),
	})
	return expectResult{Met: found.Holds, Line: shortLine(found.Line), Instead: shortLine(found.Instead)}, err
}

// maxLine is how many characters of a line are shown. One line can have all the text of a page.
const maxLine = 400

// shortLine returns a text of the page as a part of one line, shortened.
func shortLine(s string) op.PageText {
	return op.PageText(excerpt.Shorten(strings.Join(strings.Fields(s), " "), maxLine))
}
