// Package record contains packages that record work while it is done, and never change it.
//
// Traces for Playwright's viewer are in trace. It imports engine and what is below. Where to begin:
// trace/trace.go.
package record
