package call

import (
	"context"

	"chela/internal/engine/browser"
	"chela/internal/op"
)

// Emptied says that an isolated session has lost what it had. It is in the first answer to the session
// about one of its tabs after that.
type Emptied struct {
	Emptied bool `json:"emptied,omitempty" doc:"cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed"`
}

// TakeEmptied returns once whether the session of a call was emptied, whose tab is in the answer.
func TakeEmptied(ctx context.Context, tab *browser.Tab) Emptied {
	return Emptied{tab.TakeEmptied(op.Session(ctx))}
}

// InWords returns the sentence that a person or a model reads.
func (e Emptied) InWords() string {
	if !e.Emptied {
		return ""
	}
	return "what this isolated session had is gone: cookies, storage and permissions"
}
