//go:build !unix

package pdftext

// limit limits nothing where the system cannot: who has started the process ends it.
func limit() {}
