package extension

import "encoding/json"

// maxFrame limits the size of a message in either direction, in bytes.
const maxFrame = 64 << 20

// A message is a frame that the extension sends after the handshake. Only the fields of one kind of
// message are set.
type message struct {
	Hello *hello `json:"hello"` // the first message: the complete state
	Pong  int64  `json:"pong"`  // the number in the ping that this message answers

	N       int64           `json:"n"`       // number of this event or change; it rises while a service worker runs; 0: this is neither
	Tab     int             `json:"tab"`     // id of the tab that has sent the event; 0: this is no event
	Session string          `json:"session"` // child session of the tab; empty: the tab's own
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Change  *change         `json:"change"` // what has changed, if this is a change

	ID     int64           `json:"id"` // id of the command that this message replies to
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

// A hello is the complete state of the extension. Run is a random name for one run of the
// extension. A run ends when the browser ends or the extension is reloaded; its debugger is then
// detached from all tabs. The service worker may be restarted many times in one run.
type hello struct {
	Run       string  `json:"run"`
	Worker    string  `json:"worker"`  // random name of the service worker, which numbers its events
	N         int64   `json:"n"`       // number of the last event or change that this state includes
	Version   string  `json:"version"` // version of the extension
	UserAgent string  `json:"userAgent"`
	Browser   string  `json:"browser"` // product and version, as in Chromium/156.0.8078.79
	Stopped   bool    `json:"stopped"` // the person has stopped all agents
	Lost      bool    `json:"lost"`    // events may be missing
	Tabs      []Tab   `json:"tabs"`
	Children  []child `json:"kids"`
}

// A Tab is a shared tab.
type Tab struct {
	ID        int             `json:"tabId"`
	Target    string          `json:"target"` // target id in the DevTools protocol; "": not known
	URL       string          `json:"url"`
	Title     string          `json:"title"`
	Window    int             `json:"window"`
	Popup     bool            `json:"popup"`     // the tab's window is a popup
	Group     int             `json:"group"`     // id of the tab's group; -1: none
	Name      string          `json:"name"`      // name of the session that the tab is shared with; "": all
	Opener    int             `json:"opener"`    // id of the shared tab that opened it; 0: none
	Active    bool            `json:"active"`    // the tab is in front in its window
	Discarded bool            `json:"discarded"` // Chromium has freed the memory of the tab
	Attached  bool            `json:"attached"`  // the extension's debugger is attached
	Shared    string          `json:"shared"`    // how the tab was shared: button, group, popup, opened
	Opened    bool            `json:"opened"`    // the tab was opened by a session, or by a page in a tab that a session has opened
	Handle    string          `json:"handle"`    // Handle and Label: the extension remembers them for the server
	Label     string          `json:"label"`
	Refs      int             `json:"refs"` // Refs and Frames are as in [cdp.SharedTab]
	Frames    int             `json:"frames"`
	Held      string          `json:"held"`             // why the debugger cannot be attached now; "": it can
	Dialog    json.RawMessage `json:"dialog,omitempty"` // parameters of Page.javascriptDialogOpening, while the dialog is open
}

// A child is a session of chrome.debugger below a tab's session, with a cross-site frame or a
// worker.
type child struct {
	Tab     int             `json:"tab"`
	Parent  string          `json:"parent"` // id of the session above this one; empty: the tab's own session
	Session string          `json:"session"`
	Info    json.RawMessage `json:"info"` // the TargetInfo of Target.attachedToTarget
}

// A change is one change of the shared tabs. Only one field is set.
type change struct {
	Tab      *Tab      `json:"tab"`      // a tab that is new or has changed
	Gone     int       `json:"gone"`     // id of a tab that was closed
	Unshared int       `json:"unshared"` // id of a tab that is no longer shared
	Replaced [2]int    `json:"replaced"` // the former and the new id of a tab to which Chromium has given another id
	Detached int       `json:"detached"` // id of a tab from which the debugger was detached
	Attached int       `json:"attached"` // id of a tab to which the extension has attached the debugger by itself
	Download *download `json:"download"`
	Stopped  *bool     `json:"stopped"` // whether the person has stopped all agents
}

// A failure is the error in the reply to a command.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}
