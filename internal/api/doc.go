// Package api is what chela can do: the table of its operations and the thin
// function behind each.
//
// The package is a storey of its own: it imports op and what is below, and surfaces import it. Begin with
// table.go, which has a row for each operation, and go on in turn.go for what each call on a tab goes through.
package api
