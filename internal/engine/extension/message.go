package extension

import "encoding/json"

// maxFrame limits the messages of both sides, in bytes.
const maxFrame = 64 << 20

// A message is what the extension sends after it was accepted. Only the fields of one kind are set.
type message struct {
	Hello *hello `json:"hello"` // the first one: all that there is
	Pong  int64  `json:"pong"`  // what the ping said that this answers

	N       int64           `json:"n"`       // number of an event or a change
	Tab     int             `json:"tab"`     // an event of this tab
	Session string          `json:"session"` // of a child of the tab; empty: the tab's own
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Change  *change         `json:"change"`

	ID     int64           `json:"id"` // of the command that this replies to
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

// A hello is the state of the extension. A run lasts as long as its attachments can: until the
// browser ends or the extension is reloaded.
type hello struct {
	Run       string  `json:"run"`
	Worker    string  `json:"worker"`
	N         int64   `json:"n"`       // events and changes up to this number are included
	Version   string  `json:"version"` // of the extension
	UserAgent string  `json:"userAgent"`
	Browser   string  `json:"browser"` // product and version, as in Chromium/156.0.8078.79
	Stopped   bool    `json:"stopped"`
	Lost      bool    `json:"lost"` // events may be missing
	Tabs      []Tab   `json:"tabs"`
	Children  []child `json:"kids"`
}

// A Tab is a tab that is shared.
type Tab struct {
	ID        int             `json:"tabId"`
	Target    string          `json:"target"` // id in the DevTools protocol
	URL       string          `json:"url"`
	Title     string          `json:"title"`
	Window    int             `json:"window"`
	Popup     bool            `json:"popup"`  // its window is a popup
	Group     int             `json:"group"`  // -1: none
	Name      string          `json:"name"`   // of the session that the group belongs to
	Opener    int             `json:"opener"` // the tab that opened it; 0: none that is shared
	Active    bool            `json:"active"` // in front in its window
	Discarded bool            `json:"discarded"`
	Attached  bool            `json:"attached"` // to the extension's debugger
	Shared    string          `json:"shared"`   // how: button, group, popup, opened
	Opened    bool            `json:"opened"`   // by a session, or by a page of such a tab
	Handle    string          `json:"handle"`   // by which callers know it, and its label: kept for the server
	Label     string          `json:"label"`
	Refs      int             `json:"refs"` // as in [cdp.SharedTab], as Frames
	Frames    int             `json:"frames"`
	Held      string          `json:"held"`   // why it cannot be attached now
	Dialog    json.RawMessage `json:"dialog"` // parameters of Page.javascriptDialogOpening, while it is open
}

// A child is a session below a tab's session: of a frame of another site, or of a worker.
type child struct {
	Tab     int             `json:"tab"`
	Parent  string          `json:"parent"` // session; empty: the tab's own
	Session string          `json:"session"`
	Info    json.RawMessage `json:"info"`
}

// A change is a change of the shared tabs. One field is set.
type change struct {
	Tab      *Tab      `json:"tab"` // is new, or differs
	Gone     int       `json:"gone"`
	Unshared int       `json:"unshared"`
	Replaced [2]int    `json:"replaced"` // the second is the first in a new tab
	Detached int       `json:"detached"`
	Attached int       `json:"attached"` // by the extension itself
	Download *download `json:"download"`
	Stopped  *bool     `json:"stopped"`
}

// A failure is why a command was refused.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}
