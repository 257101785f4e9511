// Package lazyregexp has regular expressions that are compiled when they are first used.
//
// Each command of the command line is a process of its own, and takes some milliseconds. To compile
// all expressions of chela's packages takes nearly one millisecond, and most commands use none of
// them.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expression. An expression that is
// wrong panics at its first use.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
