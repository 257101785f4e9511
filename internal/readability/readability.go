// Package readability is a copy of codeberg.org/readeck/go-readability, and of what it uses of
// github.com/go-shiori/dom, that compiles no regular expression before it is used. The modules
// compile 28 of them when a program starts, which is a tenth of what a command takes, and
// most commands read no article. It also allocates the copies of a page at once (dom/clone.go), and leaves the
// article as it is when it is found (post.go). copy_test.go makes the copy at the version of go.mod, and
// fails when it differs.
package readability
