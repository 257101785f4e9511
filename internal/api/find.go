package api

import (
	"context"
	"fmt"

	"chela/internal/op"
	"chela/internal/page"
	"chela/internal/snapshot"
)

type findRequest struct {
	On
	op.Timeout
	Text  string `json:"text,omitempty" doc:"words that the line has, in any case and order"`
	Role  string `json:"role,omitempty" doc:"role of the element: button, link, textbox, cell"`
	Near  string `json:"near,omitempty" doc:"words of a line that the match is close to: the closest come first"`
	Limit int    `json:"limit,omitempty" min:"1" max:"200" default:"20" doc:"lines to show"`
}

func (r findRequest) Check() error {
	if r.Text == "" && r.Role == "" {
		return op.Errorf(op.Invalid, "find requires text or role")
	}
	return nil
}

// Found is the lines that fit.
type Found struct {
	Matches []foundLine `json:"matches" doc:"the lines, the best first"`
	Total   int         `json:"total" doc:"how many lines fit"`
}

type foundLine struct {
	Ref  string     `json:"ref,omitempty" doc:"element to act on"`
	Line op.Foreign `json:"line" doc:"its line in the snapshot"`
}

// Text is the lines as they stand in a snapshot.
func (f Found) Text() string {
	if f.Total == 0 {
		return "nothing found"
	}
	var all []string
	for _, m := range f.Matches {
		all = append(all, string(m.Line))
	}
	if f.Total > len(f.Matches) {
		all = append(all, fmt.Sprintf("… and %d more", f.Total-len(f.Matches)))
	}
	return lines(all...)
}

// defaultFound is how many lines are shown when nobody says.
const defaultFound = 20

// find looks for lines in the page as a snapshot would show it.
func find(ctx context.Context, t *Turn, r findRequest) (Found, error) {
	s, err := t.Snapshot(ctx, page.View{Purpose: "find"})
	if err != nil {
		return Found{}, err
	}
	limit := r.Limit
	if limit == 0 {
		limit = defaultFound
	}
	matches, total := snapshot.Find(s.Lines, snapshot.Query{Text: r.Text, Role: r.Role, Near: r.Near}, limit)
	found := Found{Matches: []foundLine{}, Total: total}
	for _, m := range matches {
		found.Matches = append(found.Matches, foundLine{m.Ref, op.Foreign(m.Line)})
	}
	return found, nil
}
