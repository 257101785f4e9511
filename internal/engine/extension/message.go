package extension

import "encoding/json"

// maxFrame limits the size of a message of either side, in bytes.
const maxFrame = 64 << 20

// A message is a frame that the extension sends after the handshake. Only the fields of one kind of
// message are set.
type message struct {
	Hello *hello `json:"hello"` // the first message: the complete state
	Pong  int64  `json:"pong"`  // the number in the ping that is answered

	N       int64           `json:"n"`       // number of an event or a change
	Tab     int             `json:"tab"`     // the tab of the event; 0: no event of a tab
	Session string          `json:"session"` // child session of the tab; empty: the tab's own
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Change  *change         `json:"change"`

	ID     int64           `json:"id"` // id of the command that this message replies to
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

// A hello is the complete state of the extension. Run names one run of the extension: it lasts
// until the browser ends or the extension is reloaded, as do its attachments to tabs.
type hello struct {
	Run       string  `json:"run"`
	Worker    string  `json:"worker"`
	N         int64   `json:"n"`       // events and changes up to this number are included
	Version   string  `json:"version"` // version of the extension
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
	Popup     bool            `json:"popup"`  // the tab's window is a popup
	Group     int             `json:"group"`  // -1: none
	Name      string          `json:"name"`   // name of the session that the tab's group belongs to
	Opener    int             `json:"opener"` // id of the shared tab that opened it; 0: none
	Active    bool            `json:"active"` // the tab is in front in its window
	Discarded bool            `json:"discarded"`
	Attached  bool            `json:"attached"` // the extension's debugger is attached
	Shared    string          `json:"shared"`   // how the tab was shared: button, group, popup, opened
	Opened    bool            `json:"opened"`   // a session has opened it, or a page of such a tab
	Handle    string          `json:"handle"`   // handle of the tab: the extension keeps it, and the label, for the server
	Label     string          `json:"label"`
	Refs      int             `json:"refs"` // Refs and Frames are as in [cdp.SharedTab]
	Frames    int             `json:"frames"`
	Held      string          `json:"held"`   // why the tab cannot be attached now
	Dialog    json.RawMessage `json:"dialog"` // parameters of Page.javascriptDialogOpening, while it is open
}

// A child is a session of chrome.debugger below a tab's session, with a cross-site frame or a
// worker.
type child struct {
	Tab     int             `json:"tab"`
	Parent  string          `json:"parent"` // the session above this one; empty: the tab's own
	Session string          `json:"session"`
	Info    json.RawMessage `json:"info"`
}

// A change is one change of the shared tabs. Only one field is set.
type change struct {
	Tab      *Tab      `json:"tab"` // a tab that is new or has changed
	Gone     int       `json:"gone"`
	Unshared int       `json:"unshared"`
	Replaced [2]int    `json:"replaced"` // ids of a tab before and after Chromium gave the tab a new one
	Detached int       `json:"detached"`
	Attached int       `json:"attached"` // id of a tab to which the extension has attached the debugger by itself
	Download *download `json:"download"`
	Stopped  *bool     `json:"stopped"`
}

// A failure is why a command was refused.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}
