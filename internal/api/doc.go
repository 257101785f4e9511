// Package api is what chela can do: the table of its operations and the thin function behind each.
//
// The package is a storey of its own: it imports op, fleet and what is below, and surfaces import it.
// Begin with table.go, which has a row for each operation, and go on with the file of a topic, such
// as act.go. What all operations have in common is in package call: how a call finds its tab, what
// its answer has, which words an error gets. Package doctor is the topic of chela doctor, and
// package words composes texts of results.
//
// Rows that belong together may stand beside the table: settingstable.go, sitetable.go and
// watchtable.go; deadlines.go has what they have in common.
//
// A topic has its requests and results and their functions. It uses call, and hardly other topics:
//
//   - The browser and its tabs: start.go, status.go, profiles.go, newprofile.go, endprofile.go,
//     sessions.go, tabs.go, index.go, open.go, label.go.
//   - Going to a page: navigate.go, history.go, address.go.
//   - Acts: act.go, mouse.go, drag.go, drop.go, scroll.go, keyboard.go, field.go, fill.go,
//     evaluate.go, wait.go. onelement.go has what those on an element share. A batch of them is in
//     batch.go, actions.go, complete.go and outcome.go.
//   - Reading a page: snapshot.go, find.go, expect.go, pagetext.go, screenshot.go, mark.go, pdf.go,
//     paper.go, highlight.go.
//   - Pages outside of tabs: read.go, errorsfetch.go, render.go, extract.go, content.go,
//     schema.go.
//   - What happened: journal.go, requests.go, request.go, response.go, har.go, trace.go.
//   - Files and dialogs: files.go, upload.go, download.go, clipboard.go, dialog.go.
//   - Settings: settings.go, emulate.go, emulatemedia.go, device.go, geolocation.go, inforce.go;
//     for requests headers.go, route.go and fulfill.go.
//   - Data of sites: sites.go, cookies.go, newcookie.go, storage.go, state.go, permissions.go.
//
// A status such as 404 is an answer and no error. An act is never repeated; a reading is, if the
// browser was lost. A batch runs its acts, navigations and readings within one turn. Agents get no
// operations on cookies and storage, since these hold the user's logins.
package api
