// Package pdftext reads the text of PDF documents.
//
// Documents come from anywhere. They can make a library for this format run without an end, take
// all memory, or nest until its stack is full. So [Parse] may only be called in a process that may
// be killed: see package parser.
package pdftext

import (
	"errors"
	"fmt"
)

// Text is the text of a document.
type Text struct {
	Title   string // title of the document; "" if it has none
	Pages   []string
	Count   int // number of pages; larger than len(Pages) if not all are read
	Broken  int // number of pages that were not read to their end, because they are broken, or too long, or of an unknown encoding
	Unknown int // number of characters whose letter the document does not tell, as their font does not name it
}

var (
	// ErrBroken says that a document cannot be read: it is broken, or of a kind that is not known.
	ErrBroken = errors.New("the PDF cannot be read")

	// ErrProtected says that a document is protected by a password.
	ErrProtected = errors.New("the PDF is protected by a password")
)

// Broken returns [ErrBroken] with the reason.
func Broken(why string) error { return fmt.Errorf("%w: %s", ErrBroken, why) }

// maxText limits the text that is read, in bytes. Pages after the limit was reached are not read.
const maxText = 4 << 20
