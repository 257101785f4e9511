// Package capture takes pictures of a page, films it and prints it.
//
// A tab has one screencast at a time, and Chromium paints a tab only if it is visible. [page.Page]
// takes care of both, in its methods View and Paint.
package capture
