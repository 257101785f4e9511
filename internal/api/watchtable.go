package api

import "chela/internal/op"

// watchRows returns operations that list what has happened in a tab. They are functions of a
// [call.Service], because they need no turn and no page. So a caller can read the event log while
// another call acts in the tab, while a dialog is open, and after a crash.
func watchRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /console", "console", "List the console messages.",
			console, op.Confined, op.Untrusted, op.Example("--level error"), op.WhenCut("retry with a stricter level or targetId")),
		op.Define("GET /errors", "errors", "List the uncaught errors of scripts, the oldest first.",
			pageErrors, op.Confined, op.Untrusted, op.Rare, op.Example("--clear"), op.WhenCut("retry with a smaller limit")),
		op.Define("GET /requests", "requests", "List the requests on the network, the oldest first.",
			requests, op.Confined, op.Untrusted, op.Rare, op.Example("--filter api"), op.WhenCut("retry with a narrower filter or smaller limit")),
		op.Define("GET /requests/{id}", "request {id}", "Show a request: its headers, its timing, what has sent it, and the body of the answer.",
			request, op.Confined, op.Untrusted, op.Rare, op.Example("r12")),
		op.Define("GET /downloads/list", "downloads", "List the downloads of the tab, the oldest first: those under way, and those that have ended.",
			downloads, op.Confined, op.Untrusted, op.NotForAgents),
		op.Define("GET /calls", "calls", "List the calls on tabs, including closed ones: who has done what, the oldest first.",
			calls, op.Untrusted, op.NotForAgents, op.NeverStart, op.Example("--profile chrome")),
	}
}
