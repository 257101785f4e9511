// Package chela gives AI agents a browser. It has no code: the program is cmd/chela, and what it
// can do is listed in internal/api/table.go. README.md is for users, docs/architecture.md for those
// who change the program.
package chela
