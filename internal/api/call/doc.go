// Package call runs an operation on a tab or on the service: it finds the tab and waits for its
// turn. It makes one answer of the result. Topics of package api have the operations
// themselves.
//
// Begin in service.go: Run is where each call comes in, once its arguments are read. A row of the
// table may be a function of the [Service]. Most are functions of a [Turn], which [OnTab] runs in
// turn.go.
//
//   - To the browser and the tab: browser.go, reach.go. A tab is found by [Service.Reach] alone.
//   - What is refused: permit.go for the settings, limited.go for sessions with limits.
//   - What requests embed: reach.go ([On]), aftermath.go ([Acting]), pagestate.go ([Following]),
//     hidden.go ([Seeing]).
//   - The answer: answer.go, and for acts aftermath.go. What the page shows then is in pagestate.go.
//   - What answers list: tabs.go, dialogs.go, downloads.go, status.go, graphics.go, restored.go.
//   - Errors: errors.go gives each failure of the packages below its text, code and hint. The files
//     whose names begin with errors have them by subject.
//   - The trace of the calls: trace.go.
package call
