// Package api is what chela can do: the table of its operations and the thin
// function behind each.
//
// The package is a storey of its own: it imports op and what is below, and surfaces import it. Begin with
// table.go, which has a row for each operation, and go on in turn.go for what each call on a tab goes through.
//
// A turn ends in answer.go and aftermath.go: what the act began, then the snapshot that the caller
// asked for. Failures of lower packages get their words in errors.go, those of elements in
// errorselement.go. What the settings forbid is refused in permit.go.
//
// A status such as 404 is an answer and no error. An act is never repeated; a reading is, if the
// browser was lost. A batch runs its acts, navigations and readings within one turn. Agents get no
// operations on cookies and storage, since these hold the user's logins.
package api
