package api

import (
	"cmp"
	"context"
	"fmt"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/op"
	"chela/internal/reading/snapshot"
)

// A findRequest looks for some lines of the page. The answer has these lines, and not the whole
// text of the page.
type findRequest struct {
	call.On
	op.Timeout
	call.Seeing
	Text     string `json:"text,omitempty" doc:"words that the line has in its name, text, value, placeholder or description, ignoring case and order. A number that a line has by itself is not looked for in longer ones. If no such line can be acted on, the controls of its row or card follow"`
	Role     string `json:"role,omitempty" doc:"role of the element: button, link, textbox, cell"`
	Near     string `json:"near,omitempty" doc:"words of another line, row or card: matches that are close to it, such as in the same row, come first"`
	Limit    int    `json:"limit,omitempty" min:"1" max:"200" default:"20" doc:"lines to show"`
	MaxChars *int   `json:"maxChars,omitempty" min:"0" doc:"characters of lines to show, 0 for all; 40000 when left out"`
}

// Check refuses near alone: it only changes the order of the matches.
func (r findRequest) Check() error {
	if r.Text == "" && r.Role == "" {
		return op.Errorf(op.Invalid, "find requires text or role")
	}
	return nil
}

// findResult is the lines that fit.
type findResult struct {
	Matches  []foundLine `json:"matches" doc:"the lines, the best first"`
	Total    int         `json:"total" doc:"how many lines match or follow"`
	Unread   string      `json:"unread,omitempty" doc:"why a part of the page was not searched"`
	Unplaced bool        `json:"nearNothing,omitempty" doc:"the words of near are nowhere on the page, so the matches are in the order of the page"`
}

// A foundLine is a line that matches. Each has a ref, even if a snapshot would give it none.
type foundLine struct {
	Ref  string      `json:"ref,omitempty" doc:"ref of the element to act on; if the line is a text, of the element around it"`
	Line op.PageText `json:"line" doc:"the line in the snapshot, with its ref" tool:"refs"`
	In   op.PageText `json:"in,omitempty" doc:"with near, of a control that follows, or if several matches read the same: other text of the match's row or card, else its heading or landmark, or the beginning of its part of the page; of a text, the element around if it has the ref and holds more"`
}

// Text returns the note, and then the lines as they stand in a snapshot.
func (f findResult) Text() string {
	all := []string{f.Note()}
	for _, m := range f.Matches {
		line := string(m.Line)
		if m.In != "" {
			line += " (in: " + snapshot.WithoutRefs(string(m.In)) + ")"
		}
		all = append(all, line)
	}
	if f.Total > len(f.Matches) {
		all = append(all, fmt.Sprintf("… and %d more", f.Total-len(f.Matches)))
	}
	return words.Lines(all...)
}

// Note says what the lines cannot show, such as how many more match.
func (f findResult) Note() string {
	switch {
	case f.Total == 0 && f.Unread != "":
		return "nothing found in what was read " + f.Unread
	case f.Total == 0:
		return "nothing found"
	}
	return words.Lines(
		words.Prefixed("a part of the page was not searched: ", f.Unread),
		words.If(f.Unplaced, "near nothing: the page says the words of near nowhere; the matches are in the order of the page"),
	)
}

// defaultFound is how many lines are shown if the request does not say.
const defaultFound = 20

// find looks for lines in the page as a snapshot would show it. It answers the best few of a page
// whose whole text would fill a model's context. If nothing matches, that is not an error.
func find(ctx context.Context, t *call.Turn, r findRequest) (findResult, error) {
	limit, chars := cmp.Or(r.Limit, defaultFound), defaultChars
	if r.MaxChars != nil {
		chars = *r.MaxChars
	}
	query := snapshot.Query{Text: r.Text, Role: r.Role, Near: r.Near}
	found, err := t.Page.Find(ctx, query, t.Hidden(r.Seeing), limit, chars)
	result := findResult{Matches: []foundLine{}, Total: found.Total, Unread: found.Unread, Unplaced: found.Unplaced}
	for _, m := range found.Matches {
		result.Matches = append(result.Matches, foundLine{m.Ref, op.PageText(m.Line), op.PageText(m.In)})
	}
	return result, err
}
