// Package record is the storey of what looks at work while it is done, and never changes it.
//
// Traces for Playwright's viewer are in trace. It imports engine and what is below.
// Where to begin: trace/trace.go.
package record
