// Package docs holds the pages of the documentation, so that the program can show them without a
// network. README.md lists them.
package docs

import "embed"

//go:embed *.md
var Files embed.FS
