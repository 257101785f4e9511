// Package reading only documents the packages in this folder, which turn pages and documents into
// text.
//
// Package pagejs has the script that reads a page, and package snapshot makes text from its lines.
// Without a browser, package fetch loads documents, and package parser parses them in a child
// process. Each of these packages imports only others of them, and packages of wall and base. Where
// to begin: pagejs/walk.js reads a page, and snapshot/tree.go puts its frames together.
package reading
