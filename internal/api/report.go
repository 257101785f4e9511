package api

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/op"
	"chela/internal/record/report"
	"chela/internal/record/trace"
)

// reportRow returns the operation that writes a report. A report is for people. It has what all
// sessions did, and is too long for models.
func reportRow() *op.Op {
	return op.Define("POST /report", "report",
		"Write one HTML file that shows, with pictures, what was done: the calls that were recorded lately, or a trace.",
		writeReport, op.Limit(60*s, 1*s, 120*s), op.Example("--since 1h --out report.html"), op.NotForAgents)
}

// A reportRequest says what a report is to have, and where it is to be saved. For a trace, session
// and since cannot be given: it has no sessions, and lasts only for minutes.
type reportRequest struct {
	call.InProfile
	op.Timeout
	TargetID string `json:"targetId,omitempty" flag:"tab" doc:"only what was done in the tab with this id (t1), which may be closed"`
	recordingPart
	Trace op.Input  `json:"trace,omitempty" doc:"trace to show instead of what was recorded: the path from trace stop, a file in the uploads folder, or what POST /files has answered"`
	Path  op.Record `json:"path,omitempty" doc:"file below the folder of temporary files (/tmp/chela); browser-report-<uuid>.html when left out"`
}

// Check refuses a text that is not a length of time, and parameters that exclude each other.
func (r reportRequest) Check() error {
	if r.Trace != "" && (r.Session != "" || r.Since != "") {
		return op.Errorf(op.Invalid, "trace cannot be combined with session and since")
	}
	return r.recordingPart.Check()
}

// reportResult is a report that was saved.
type reportResult struct {
	OK    bool    `json:"ok" doc:"always true"`
	Calls int     `json:"calls" doc:"how many calls the report shows"`
	Path  op.File `json:"path" doc:"where the report was saved"`
}

// Text returns where the report is.
func (r reportResult) Text() string { return words.Prefixed("REPORT:", string(r.Path)) }

// writeReport writes the report to a temporary file, and moves this file to the wanted path when it
// is complete. The path is checked before anything is written. It returns the errors of the path,
// of the file system and of what the report is about.
func writeReport(ctx context.Context, s *call.Service, r reportRequest) (reportResult, error) {
	place, err := s.Files.Report(string(r.Path))
	if err != nil {
		return reportResult{}, call.ExplainPath(err)
	}
	var shown report.Report
	if r.Trace == "" {
		shown, err = ofRecorder(ctx, s, r)
	} else {
		var done func()
		if shown, done, err = ofTrace(s, r); err == nil {
			defer done()
		}
	}
	if err != nil {
		return reportResult{}, err
	}
	shown.Made, shown.IsAct = time.Now(), changesTab
	dir, err := s.Files.Staging()
	if err != nil {
		return reportResult{}, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "report.html")
	if err := saveReport(path, shown); err != nil {
		return reportResult{}, err
	}
	return reportResult{true, len(shown.Recording.Entries), op.File(place.Path())}, call.ExplainPath(place.Put(path))
}

// saveReport writes a report to a new file.
func saveReport(path string, r report.Report) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(report.Write(f, r), f.Close())
}

// ofRecorder returns a report of what was recorded in a profile. It returns the errors of
// [recorder.Recorder.Read]. If nothing is recorded and the recorder is off, the error says so.
func ofRecorder(ctx context.Context, s *call.Service, r reportRequest) (report.Report, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return report.Report{}, err
	}
	records := s.Recorder(p.Name)
	all, err := records.Read(ctx)
	if err != nil {
		return report.Report{}, err
	}
	if len(all.Entries) == 0 && !s.Config.Current().Browser.Recorder {
		return report.Report{}, op.Errorf(op.Conflict, "the recorder is off, and has recorded nothing").Hinted("set browser.recorder, or give the file of a trace")
	}
	return report.Report{
		Title: "profile " + p.Name, Recording: r.of(ctx, all, r.TargetID),
		Picture: func(file string) ([]byte, error) { return records.ReadPicture(ctx, file) },
	}, nil
}

// ofTrace returns a report of a trace. The caller calls the function done when the report is
// written. A file that is not a trace is [op.Invalid]. It also returns what call.ExplainPath makes
// of a wrong path, and the errors of the file system.
func ofTrace(s *call.Service, r reportRequest) (shown report.Report, done func(), err error) {
	f, done, err := s.Files.OpenTrace(string(r.Trace))
	if err != nil {
		return shown, nil, call.ExplainPath(err)
	}
	info, err := f.Stat()
	if err != nil {
		done()
		return shown, nil, err
	}
	saved, err := trace.Open(f, info.Size())
	if errors.Is(err, trace.ErrNoTrace) {
		err = op.Errorf(op.Invalid, "%v", err).Hinted("give a file that trace stop has saved")
	}
	if err != nil {
		done()
		return shown, nil, err
	}
	return report.Report{
		Title: saved.Title(), Missing: saved.Missing(), Recording: saved.Recording().Of("", r.TargetID, time.Time{}), Picture: saved.Picture,
	}, done, nil
}

// changesTab reports whether the operation with a name acts on a page, or opens another one.
func changesTab(name string) bool { return changing()[name] }

// changing has the names of these operations. It is made from the rows and not from [Table]: the
// table refers to writeReport, so that would be an initialization cycle.
var changing = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, o := range slices.Concat(tabRows(), actRows(), hookRows()) {
		if isAct(o) {
			names[o.Name()] = true
		}
	}
	for _, o := range goRows() {
		names[o.Name()] = true
	}
	return names
})
