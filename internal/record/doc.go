// Package record contains packages that record work while it is done, and never change it.
//
// The recorder is always on (recorder/recorder.go). Traces for Playwright's viewer are in trace
// (trace/trace.go), and report writes either of them as a page (report/report.go). The live view of
// tabs is in live (live/stream.go), and video makes videos of tabs from it (video/video.go). The
// storey imports engine and what is below. Where to begin: recorder/entry.go.
package record
