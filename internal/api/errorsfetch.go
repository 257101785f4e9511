package api

import (
	"errors"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/fetch"
	"chela/internal/reading/pdftext"
	"chela/internal/wall/guard"
)

// explainFetch explains why an address could not be read without a browser. A failure that a
// browser can also have gets the same text.
func explainFetch(err error) error {
	failed, notFetched := errors.AsType[*fetch.Error](err)
	redirect, elsewhere := errors.AsType[*guard.BlockedURL](err)
	none, noText := errors.AsType[*noText](err)
	cut, incomplete := errors.AsType[*cutPDF](err)
	switch {
	case notFetched:
		return call.ExplainRender(asLoadError(failed))
	case elsewhere:
		e := op.Errorf(op.Blocked, "the address leads to one that is not opened: %s", redirect.Message).Hinted("%s", addressHints[redirect.Fault])
		e.Reason = "navigation_blocked"
		return e
	case errors.Is(err, fetch.ErrSlow):
		return op.Errorf(op.Deadline, "%v", fetch.ErrSlow).Hinted("check the address, and that the server is up")
	case errors.Is(err, fetch.ErrEncoding):
		return op.Errorf(op.PageFailed, "%v", fetch.ErrEncoding).Hinted("leave out render: a browser reads it")
	case noText:
		return unreadable(none)
	case incomplete:
		return op.Errorf(op.PageFailed, "%v", cut).Hinted("open the address in a tab, which downloads it")
	case errors.Is(err, pdftext.ErrProtected):
		return op.Errorf(op.PageFailed, "%v", pdftext.ErrProtected).Hinted("open the address in a tab, which downloads it")
	case errors.Is(err, pdftext.ErrBroken):
		return op.Errorf(op.PageFailed, "%v", err).Hinted("open the address in a tab, which downloads it")
	}
	return err
}

// asLoadError converts a failure into the error that a browser would report.
func asLoadError(e *fetch.Error) *page.LoadError {
	load := &page.LoadError{URL: e.URL, Text: e.Text(), Both: e.Both}
	load.Refused, _ = errors.AsType[*guard.Refused](e.Err)
	if leaf, bad := e.Certificate(); bad {
		host, _, _ := guard.HostOf(e.URL)
		load.Certificate = &page.CertificateError{Host: host.String(), Leaf: leaf}
	}
	return load
}

// unreadable explains that the document at an address has no text that can be read. It says what
// kind of document it is, and what to do instead.
func unreadable(e *noText) *op.Error {
	kind, _, _ := strings.Cut(e.mediaType, "/")
	failed := op.Errorf(op.PageFailed, "the address leads to a file of type %s, which has no text", e.mediaType)
	if kind == "image" {
		return failed.Hinted("render it with mode screenshot to see it")
	}
	return failed.Hinted("open it in a tab, which downloads it")
}

// A noText is the error for a document without text.
type noText struct{ url, mediaType string }

func (e *noText) Error() string { return e.url + " is " + e.mediaType + ", which has no text" }

// A cutPDF is the error for a PDF that was not received completely. No part of it can be read.
type cutPDF struct{ large bool }

func (e *cutPDF) Error() string {
	if e.large {
		return fmt.Sprintf("the PDF has more than the %d MB that are read", fetch.MaxPDF>>20)
	}
	return "the PDF has not come in whole"
}
