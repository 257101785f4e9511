// Package api is what chela can do: the table of its operations and the thin function behind each.
//
// The package is a storey of its own: it imports op, fleet and what is below, and surfaces import it.
// Begin with table.go, which has a row for each operation, and go on with the file of a topic, such
// as act.go. What all operations have in common is in package call: how a call finds its tab, what
// its answer has, which words an error gets. Package doctor is the topic of chela doctor, and
// package words composes texts of results.
//
// Rows that belong together may stand beside the table, in settingstable.go, sitetable.go and
// watchtable.go, or in the file of their topic. The units of their deadlines are in deadlines.go.
//
// The file of a topic is called after the operation or after what it is about: cookies.go has the
// operations on cookies. It has their requests and results and their functions, which the row names.
// It uses call, and hardly other topics. Helpers of several topics have files of their own:
// onelement.go has what acts on an element share, and errorsfetch.go the errors of reading an address.
//
// A status such as 404 is an answer and no error. An act is never repeated; a reading is, if the
// browser was lost. A batch runs its acts, navigations and readings within one turn. Agents get no
// operations on cookies and storage, since these hold the user's logins.
package api
