// Package capture takes pictures of a page, films it and prints it.
//
// A tab has one screencast at a time and is painted by Chromium only if it is seen, so both are
// kept by [page.Page]. All else here is done with what a page offers.
package capture
