package api

import (
	"slices"
	"sync"

	"chela/internal/api/call"
	"chela/internal/api/doctor"
	"chela/internal/op"
)

// Table lists every operation. To add one, write a row here and a function in the file of its
// topic. HTTP routes, commands, actions of the agent tool, help and documentation are made from the
// rows.
//
// A row begins with the HTTP route, the words of the command with its positional arguments, and a
// sentence that describes the operation. Then come its function and its properties, such as
// deadlines. Functions on tabs take a [call.Turn]; op.Lift makes of them operations that find the
// tab and wait for its turn. On the routes in Shared, a field of the request chooses one of several
// operations. Shared has the error for a value that chooses none.
//
// The table is made at the first call, because making it is a large part of the program's start. A
// server makes it concurrently with the rest of its start, and some commands never need it.
var Table = sync.OnceValue(func() *op.Table {
	t := &op.Table{
		Ops: slices.Concat(
			chapter("Browser", browserRows()),
			chapter("Tabs", tabRows(), op.Lift(goRows(), call.OnTab, op.Envelope[call.TabAnswer](), op.Confined)),
			chapter("Sessions", sessionRows()),
			chapter("People", personRows(), askRows()),
			chapter("Secrets", secretRows()),
			chapter("Extension", extensionRows()),
			chapter("Reading", op.Lift(slices.Concat(readRows(), showRows()), call.Reading, op.Envelope[call.TabAnswer](), op.Confined, op.Looks)),
			chapter("Rendering", fetchRows(), renderRows(), op.Lift(extractRows(), lookAt, op.Envelope[shownAnswer](), op.Confined, op.Looks)),
			chapter("Watching", watchRows(), op.Lift(responseRows(), call.OnTab, op.Envelope[call.TabAnswer](), op.Confined, op.Looks), []*op.Op{harRow()}, traceRows(), videoRows(), recorderRows(), screencastRows(), []*op.Op{reportRow()}),
			chapter("Acting", op.Lift(actRows(), call.OnTab, act...)),
			chapter("Files and dialogs", hookRows()),
			chapter("Settings", settingRows(), op.Lift(setRows(), call.SettingOnly, op.Envelope[call.TabAnswer]())),
			chapter("Requests", routesRow(), op.Lift(slices.Concat(originRows(), routeRows()), call.SettingOnly, op.Envelope[call.TabAnswer]())),
			chapter("State of sites", stateRows(), op.Lift(storageRows(), onStorage, op.Envelope[call.TabAnswer](), op.Confined)),
		),
		Shared: map[string]op.SharedPath{
			"POST /act":         {Action: "act", Unknown: op.Errorf(op.ActKindRequired, "kind is required")},
			"POST /tabs/action": {Unknown: op.Errorf(op.Invalid, "unknown tab action")},
		},
	}
	t.Input = func(in op.UserInput) (*op.Op, op.Args, error) { return input(t, in) }
	return t
})

func init() {
	actTable = sync.OnceValue(func() *acts {
		a := &acts{navigations: op.Lift(goRows(), inBatch, op.Envelope[call.TabAnswer](), op.Confined), readings: op.Lift(readRows(), inBatch, op.Envelope[call.TabAnswer](), op.Confined, op.Looks)}
		a.Ops = slices.Concat(op.Lift(append(actRows(), closing()), inBatch, act...), a.navigations, a.readings)
		a.Shared = Table().Shared
		return a
	})
}

// chapter groups operations under a title, for help and documentation.
func chapter(title string, rows ...[]*op.Op) []*op.Op {
	all := slices.Concat(rows...)
	for _, o := range all {
		op.Group(title)(o)
	}
	return all
}

// act has the settings that all acts have in common.
var act = []op.Setting{
	op.Envelope[call.ActAnswer](),
	op.InvalidAs(op.ActInvalid),
	op.Confined,
	op.WhenCut("inspect the affected targetId with action=snapshot"),
	noSelector,
	oneTarget,
}

// oneTarget is OpenClaw's error for acts whose target differs between query and body.
var oneTarget = op.WhenTwice("targetId", op.Errorf(op.ActTargetMismatch, "action targetId must match request targetId").
	Hinted("give targetId once"))

// noSelector is OpenClaw's error for acts on a CSS selector; a drag has two of them. A ref stands for
// the element that the caller has seen; a selector may match another one by the time of the act.
var noSelector = op.Refuse(op.Errorf(op.ActSelectorUnsupported,
	"Error: 'selector' is not supported. Use 'ref' from snapshot instead.\nTake a snapshot and act on the ref that it shows.").
	Hinted("take a snapshot and use a ref"), "selector", "startSelector", "endSelector")

// Advice to agents that get only the beginning of a result, with OpenClaw's texts.
var (
	lessOfPage     = op.WhenCut("retry with a smaller maxChars or limit")
	lessOfDownload = op.WhenCut("retry with a specific targetId and download ref")
)

// browserRows returns the operations on a browser as a whole. Those with NeverStart or Alone start
// no server. The others change what is saved, so that they need one: stop also forgets saved tabs.
func browserRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /", "status", "Show whether the browser runs, and how.", status, op.Confined, op.Alone, op.WhenDisabled, op.Manages),
		op.Define("POST /start", "start", "Start the browser.",
			start, op.Confined, op.Limit(45*s, 1*s, 120*s), op.Example("--headless"), op.Rare, op.Manages),
		op.Define("POST /stop", "stop",
			"Stop the browser. Its tabs close. Its cookies are kept, but forget deletes session cookies.",
			stop, op.Limit(20*s, 1*s, 60*s), op.Example("--forget"), op.Rare, op.Manages),
		op.Define("GET /profiles", "profiles", "List the profiles.", profiles, op.Confined, op.WhenDisabled, op.Manages, op.Alone),
		op.Define("POST /profiles/create", "profiles create {name}", "Make a profile: a browser with logins, tabs and a color of its own.",
			createProfile, op.ChangesProfiles, op.NotForAgents, op.AlsoCalled("create-profile"), op.Example("work --color '#0066CC'")),
		op.Define("DELETE /profiles/{name}", "profiles delete {name}", "Stop a profile's browser, and move the profile's data to the trash.",
			deleteProfile, op.ChangesProfiles, op.Limit(20*s, 1*s, 60*s), op.NotForAgents, op.AlsoCalled("delete-profile"), op.Example("work")),
		op.Define("POST /reset-profile", "reset-profile", "Stop a profile's browser and move its data to the trash: logins, cookies, settings.",
			resetProfile, op.ChangesProfiles, op.Limit(20*s, 1*s, 60*s), op.NotForAgents, op.Example("--profile work")),
		op.Define("GET /doctor", "doctor", "Check that this machine has all that a browser needs.",
			doctor.Run, op.Asks, op.Limit(45*s, 1*s, 120*s), op.Example("--deep"), op.Rare, op.WhenDisabled),
		op.Define("GET /fleet", "fleet", "List the nodes of the fleet: other machines with browsers that calls can use.",
			fleet, op.OnlyHere, op.Rare, op.WhenDisabled),
		op.Define("POST /shutdown", "shutdown", "Stop the browser and end the server.",
			shutdown, op.NeverStart, op.EndsServer, op.NotForAgents, op.WhenDisabled, op.Says("the server has ended")),
	}
}

// tabRows returns the operations on the list of tabs. The rows of /tabs/action do the same as the
// other rows: OpenClaw has both forms. On /tabs/action, select and close name a tab by its place in
// the list at the time of the call. Agents get only one of the forms.
func tabRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /tabs", "tabs", "List the open tabs.",
			tabs, op.Confined, op.WhenCut("retry with action=snapshot and a specific targetId"), op.Manages),
		op.Define("POST /tabs/open", "open {url}", "Open a URL in a new tab.",
			openTab, op.Confined, op.Limit(30*s, 1*s, 120*s), op.Example("https://example.com --label shop"), lessOfPage, op.Manages),
		op.Define("POST /tabs/focus", "focus {targetId}", "Make a tab the current one. It comes to the front.",
			focusTab, op.Confined, op.Says("focused tab {arg.targetId}"), op.Example("t2"), op.Manages),
		op.Define("DELETE /tabs/{targetId}", "close {targetId?}", "Close a tab, by default the current one.",
			closeTab, op.Confined, op.Also("POST /act kind=close"), noSelector, oneTarget, op.Says("closed tab"), op.Example("t2"), op.Manages),
		op.Define("POST /tabs/action action=list", "tab", "List the open tabs.", listTabs, op.Confined, op.NotForAgents),
		op.Define("POST /tabs/action action=new", "tab new", "Open an empty tab.",
			newTab, op.Confined, op.Limit(30*s, 1*s, 120*s), op.NotForAgents, op.Example("--label shop")),
		op.Define("POST /tabs/action action=label", "tab label {targetId} {label}", "Name a tab.",
			labelTab, op.Confined, op.Looks, op.Rare, op.Example("t2 shop")),
		op.Define("POST /tabs/action action=select", "tab select {index}", "Make a tab the current one, by its place in the list.",
			selectTab, op.Confined, op.Says("selected tab {arg.index}"), op.NotForAgents, op.Example("2")),
		op.Define("POST /tabs/action action=close", "tab close {index?}", "Close a tab by its place in the list, by default the first.",
			closeTabAt, op.Confined, op.Says("closed tab"), op.NotForAgents, op.Example("2")),
	}
}

// hookRows returns the operations on files, downloads, the clipboard and dialogs. They are
// functions of a [call.Service]. They take a turn for only a part of their time, or take none. A
// download may take minutes, and a dialog has to be answered while another call has the turn.
func hookRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /hooks/file-chooser", "upload {paths...}",
			"Give files to a file input or file chooser. The chooser is the one that a click on ref opens, or else the next one.",
			upload, op.Confined, op.Limit(120*s, 500*ms, 120*s), op.Example("report.pdf --input-ref e7")),
		op.Define("POST /download", "download {ref} {path}", "Click an element that starts a download, and wait for the file.",
			download, op.Confined, op.Limit(120*s, 500*ms, 120*s), op.Example("e8 report.csv"), lessOfDownload),
		op.Define("POST /wait/download", "waitfordownload {path?}", "Wait for a download that has begun, or the next one.",
			waitDownload, op.Confined, op.Looks, op.Limit(120*s, 500*ms, 120*s), op.Example("report.csv"), lessOfDownload),
		op.Define("POST /clipboard/write", "clipboard write {text?}",
			"Put a text or a picture on the browser's clipboard. The keys Control+V paste it.",
			clipboardWrite, op.Rare, op.Says("wrote to the clipboard"), op.Example(`"Dear Ada"`)),
		op.Define("GET /clipboard", "clipboard read",
			"Read the text or the picture on the browser's clipboard, for example after press Control+C.",
			clipboardRead, op.Rare),
		op.Define("GET /dialogs", "dialogs", "List the open dialogs, and those that were closed last.",
			dialogs, op.Confined, op.Untrusted, op.Rare),
		op.Define("POST /hooks/dialog", "dialog", "Answer the open dialog, or the next one in advance.",
			answerDialog, op.Confined, op.ForGuests, op.Limit(120*s, 500*ms, 120*s), op.Example("--accept --prompt Ada")),
	}
}

// goRows returns operations that navigate a tab. Their deadlines allow for pages that load slowly.
func goRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /navigate", "navigate {url}", "Open a URL in the tab.",
			navigate, op.Limit(20*s, 1*s, 120*s), op.Says("navigated to {url}"), op.Example("https://example.com"), lessOfPage),
		op.Define("POST /back", "back", "Go back in the history.",
			back, op.ForGuests, op.Limit(20*s, 1*s, 120*s), op.Says("went back to {url}"), op.AlsoCalled("go-back"), lessOfPage),
		op.Define("POST /forward", "forward", "Go forward again.",
			forward, op.Limit(20*s, 1*s, 120*s), op.Says("went forward to {url}"), op.AlsoCalled("go-forward"), lessOfPage),
		op.Define("POST /reload", "reload", "Load the page again.",
			reload, op.ForGuests, op.Limit(20*s, 1*s, 120*s), op.Says("reloaded {url}"), op.Example("--hard"), lessOfPage),
	}
}

// readRows returns operations that only look at a tab. So they are done again if the browser is
// lost meanwhile.
func readRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /snapshot", "snapshot", "Read the page as text, with refs to act on.",
			takeSnapshot, op.Untrusted, op.Limit(5*s, 500*ms, 60*s), op.Example("--interactive"), lessOfPage),
		op.Define("POST /find", "find {text?}", "Find lines of the page, with refs.",
			find, op.Untrusted, op.Limit(5*s, 500*ms, 60*s), op.Example("checkout --role button"),
			op.WhenCut("retry with a smaller limit")),
		op.Define("POST /expect", "expect", "Wait until the page is as expected, and answer whether it is.",
			expect, op.Asks, op.Limit(5*s, 500*ms, 120*s), op.Example(`--text "Order confirmed"`)),
		op.Define("POST /screenshot", "screenshot {targetId?}", "Save a picture of the page.",
			screenshot, op.Limit(20*s, 1*ms, 120*s), op.Example("--full-page --out page.png")),
		op.Define("POST /screenshot/diff", "screenshot diff {before} {after}", "Compare two pictures: how much has changed, and where.",
			diffPictures, op.Limit(20*s, 500*ms, 120*s), op.Rare, op.Example("before.png after.png")),
	}
}

// showRows returns operations that show a page in other forms than a snapshot: as plain text, on
// paper, or with a highlight for a person.
func showRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /text", "text {selector?}", "Read the page as plain text, without refs: its article, else its main part, else all of it.",
			readText, op.Untrusted, op.Limit(5*s, 500*ms, 60*s), op.Rare, op.Example("--max-chars 2000"),
			op.WhenCut("retry with a narrower selector")),
		op.Define("POST /pdf", "pdf", "Save the page as a PDF. To read how it prints, set media print and take a snapshot.",
			pdf, op.Limit(20*s, 500*ms, 120*s), op.Rare, op.Example("--paper a4 --landscape --out page.pdf")),
		op.Define("POST /highlight", "highlight {ref}",
			"Draw a box over an element, for a person or a screenshot, until the next act or navigation.",
			highlight, op.Limit(8*s, 500*ms, 60*s), op.Rare, op.Says("highlighted {ref}"), op.Example("e12")),
	}
}

// actRows returns operations that change a page by input, or wait for what follows. A batch has a
// deadline of 0 here: batchRequest.WaitTime adds up the deadlines of its acts.
func actRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /act kind=click", "click {ref}", "Click an element.",
			click, brief, op.Says("clicked ref {ref} on {url}"), op.Example("e12 --snapshot delta")),
		op.Define("POST /act kind=clickCoords", "click-coords {x} {y}", "Click at a point of the viewport.",
			clickCoords, brief, op.ByHand, op.Says("clicked {x},{y} on {url}"), op.Example("200 150")),
		op.Define("POST /act kind=type", "type {ref?} {text}", "Replace the text of a field; without ref, type at the focus. "+
			"Dates, times, months, weeks, colors and positions of sliders may be written as people write them.",
			typeText, brief, op.Says("typed[ into ref {ref}]"), op.Example(`e3 "Ada Lovelace" --submit`)),
		op.Define("POST /act kind=insertText", "insert-text {text}", "Insert text at the caret, as if pasted.",
			insertText, brief, op.ByHand, op.Says("inserted text"), op.Example(`"Dear Ada"`), op.Rare),
		op.Define("POST /act kind=press", "press {key}", "Press a key, or keys together.",
			press, brief, op.ByHand, op.Says("pressed {key}[ on ref {ref}]"), op.Example("Control+A")),
		op.Define("POST /act kind=keydown", "keydown {key}", "Press a key and keep it down during the next acts, until keyup.",
			keyDown, brief, op.Says("holding {key}"), op.Example("Shift"), op.Rare),
		op.Define("POST /act kind=keyup", "keyup {key}", "Release a key.",
			keyUp, brief, op.Releases, op.Says("released {key}"), op.Example("Shift"), op.Rare),
		op.Define("POST /act kind=hover", "hover {ref}", "Move the mouse over an element.",
			hover, brief, op.Says("hovered ref {ref}"), op.Example("e12")),
		op.Define("POST /act kind=scrollIntoView", "scrollintoview {ref}", "Scroll until an element is in view.",
			scrollIntoView, longer, op.Says("scrolled into view: {ref}"), op.Example("e12"), op.Rare),
		op.Define("POST /act kind=scroll", "scroll {direction?} {ref?}", "Scroll an element or the page. This turns the mouse wheel over it.",
			scroll, brief, op.ByHand, op.Example("down e12")),
		op.Define("POST /act kind=drag", "drag {startRef} {endRef?}", "Drag an element onto another.",
			drag, brief, op.Says("dragged {startRef} → {endRef}{at}"), op.Example("e4 e9")),
		op.Define("POST /act kind=mouseMove", "mouse move {x} {y}", "Move the mouse to a point of the viewport.",
			mouseMove, brief, op.ByHand, op.AlsoCalled("mousemove"), op.Says("mouse at {x},{y}"), op.Example("200 150"), op.Rare),
		op.Define("POST /act kind=mouseDown", "mouse down {button?}", "Press a mouse button where the mouse is, and keep it down.",
			mouseDown, brief, op.AlsoCalled("mousedown"), op.Says("mouse button down"), op.Rare),
		op.Define("POST /act kind=mouseUp", "mouse up {button?}", "Release a mouse button where the mouse is.",
			mouseUp, brief, op.Releases, op.AlsoCalled("mouseup"), op.Says("mouse button up"), op.Rare),
		op.Define("POST /act kind=drop", "drop {ref} {paths...}", "Drop files on an element.",
			drop, brief, op.Says("dropped {files} file(s) on ref {ref}"), op.Example("e12 report.pdf")),
		op.Define("POST /act kind=select", "select {ref} {values...}", "Choose options of a select, listbox or combobox.",
			selectOptions, brief, op.Says("selected {values}"), op.Example("e5 Portugal")),
		op.Define("POST /act kind=check", "check {ref}", "Check a checkbox, radio button or switch, unless it is checked.",
			checkBox, brief, op.Says("checked ref {ref}"), op.Example("e7"), op.Rare),
		op.Define("POST /act kind=uncheck", "uncheck {ref}", "Uncheck a checkbox or switch, unless it is unchecked.",
			uncheckBox, brief, op.Says("unchecked ref {ref}"), op.Example("e7"), op.Rare),
		op.Define("POST /act kind=focus", "focus-element {ref}", "Give an element the focus, without a click.",
			focusElement, brief, op.Says("focused ref {ref}"), op.Example("e3"), op.Rare),
		op.Define("POST /act kind=clear", "clear {ref}", "Empty a field.",
			clearField, brief, op.Says("cleared ref {ref}"), op.Example("e3"), op.Rare),
		op.Define("POST /act kind=fill", "fill", "Fill several fields of a form.",
			fill, op.Limit(60*s, 500*ms, longestField),
			op.Example(`--fields '[{"ref": "e3", "value": "Ada"}, {"ref": "e5", "type": "checkbox", "value": true}]'`)),
		op.Define("POST /act kind=login", "login {name?}", "Log in with saved secrets. The form that the page shows is filled in and sent, and so are the forms that follow.",
			logIn, op.Limit(30*s, 500*ms, 120*s), op.Example("github")),
		op.Define("POST /act kind=resize", "resize {width} {height}", "Set the size of the viewport.",
			resize, brief, op.AlsoCalledSaying("set viewport", "viewport set: {width}x{height}"), op.Says("resized to {width}x{height}"),
			op.Example("1280 800"), op.Rare),
		op.Define("POST /act kind=batch", "batch", "Do several acts, in order.",
			batch, op.ByHand, op.Limit(0, 500*ms, 600*s),
			op.Example(`--actions '[{"kind": "type", "ref": "e3", "text": "Ada"}, {"kind": "click", "ref": "e9"}]'`)),
		op.Define("POST /act kind=evaluate", "evaluate {fn?}", "Run a script in the page and return its result.",
			evaluate, longer, op.RunsScript, op.Untrusted, op.Example("'() => document.title'")),
		op.Define("POST /act kind=wait", "wait {selector?}", "Wait for a text, element, address or script. Better use expect, which says what is there instead of timing out.",
			wait, longer, op.Looks, op.Says("wait complete"), op.Example(`--text "Order confirmed"`)),
	}
}
