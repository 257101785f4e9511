package call

import "chela/internal/engine/browser"

// Emptied says that an isolated session has lost what it had. It is in the first answer about a tab
// that the session has opened after that.
type Emptied struct {
	Emptied bool `json:"emptied,omitempty" doc:"cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed"`
}

// TakeEmptied returns whether the session of a tab was emptied, once.
func TakeEmptied(tab *browser.Tab) Emptied { return Emptied{tab.TakeEmptied()} }

// InWords returns the sentence that a person or a model reads.
func (e Emptied) InWords() string {
	if !e.Emptied {
		return ""
	}
	return "what this isolated session had is gone: cookies, storage and permissions"
}
