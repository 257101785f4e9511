package call

import (
	"time"

	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// DialogLists are the open and the closed dialogs of a tab.
type DialogLists struct {
	Pending   []DialogInfo `json:"pending" doc:"dialogs that wait for an answer"`
	Recent    []DialogInfo `json:"recent" doc:"the last dialogs that were closed; in the answer of an act, only those that were closed meanwhile"`
	Dismissed int          `json:"dismissed,omitempty" doc:"how many more were dismissed at once, because a document had opened more than 20 within 10 seconds"`
}

// A DialogInfo is an alert, confirm, prompt or beforeunload question of a page.
type DialogInfo struct {
	ID           string      `json:"id" doc:"id of the dialog"`
	Type         string      `json:"type" doc:"alert, confirm, prompt or beforeunload"`
	Message      op.PageText `json:"message" doc:"what the page asks"`
	DefaultValue op.PageText `json:"defaultValue,omitempty" doc:"what a prompt suggests"`
	URL          op.PageText `json:"url" doc:"address of the frame that opened the dialog" tool:"-"`
	OpenedAt     time.Time   `json:"openedAt" doc:"when the dialog opened" tool:"-"`
	ClosedAt     *time.Time  `json:"closedAt,omitempty" doc:"when the dialog closed" tool:"-"`
	ClosedBy     string      `json:"closedBy,omitempty" doc:"what closed the dialog. agent: a call; armed: an answer given in advance; timeout: chela, because nobody answered; remote: the page or a person"`
	Accepted     *bool       `json:"accepted,omitempty" doc:"whether the answer of chela was to accept the dialog; left out if chela gave none"`
}

// Title names a dialog by its id, its kind and what it asks.
func (d DialogInfo) Title() string {
	return d.ID + " " + words.Question(d.Type, string(d.Message), string(d.DefaultValue))
}

// Answer says for a person how chela answered the dialog; "" if it did not.
func (d DialogInfo) Answer() string {
	switch {
	case d.Accepted == nil:
		return ""
	case *d.Accepted:
		return "accepted"
	}
	return "dismissed"
}

// DialogsOf lists the dialogs of a page.
func DialogsOf(d page.Dialogs) DialogLists {
	return DialogLists{dialogList(d.Pending), dialogList(d.Recent), d.Dismissed}
}

// dialogList returns a list that is never nil, so that an empty one is [] in JSON and not null.
func dialogList(dialogs []page.Dialog) []DialogInfo {
	list := make([]DialogInfo, len(dialogs))
	for i, d := range dialogs {
		list[i] = DialogInfo{
			ID: d.ID, Type: d.Type, Message: words.Shown(d.Message), DefaultValue: words.Shown(d.DefaultValue), URL: words.Shown(d.URL),
			OpenedAt: d.OpenedAt, ClosedAt: d.ClosedAt, ClosedBy: d.ClosedBy,
		}
		if d.IsAnswered() {
			list[i].Accepted = &d.Accepted
		}
	}
	return list
}
