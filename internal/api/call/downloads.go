package call

import (
	"context"
	"fmt"
	"time"

	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// A DownloadedFile is a file that a page sent. The page or its server chooses the address and the
// name of the file. Chela makes the name of the saved file from the chosen name, so models see the
// path marked as text from a page.
type DownloadedFile struct {
	URL   op.PageText `json:"url" doc:"address that the file came from"`
	Name  op.PageText `json:"suggestedFilename" doc:"file name that the server suggests"`
	Path  op.File     `json:"path,omitempty" doc:"path of the file, which may not be complete yet; absent if the download failed" tool:"fenced"`
	State string      `json:"state,omitempty" doc:"inProgress: not complete yet, wait/download waits for it; failed; absent: complete"`
	Error op.PageText `json:"error,omitempty" doc:"why the download failed; may contain the name of the file"`
}

// inProgress is the state of a download that has not ended.
const inProgress = "inProgress"

// Text returns the path of the saved file, or why there is none.
func (d DownloadedFile) Text() string {
	switch d.State {
	case "failed":
		return fmt.Sprintf("the download of %s failed: %s", d.Name, d.Error)
	case inProgress:
		return fmt.Sprintf("downloads to %s", d.Path)
	}
	return "downloaded: " + string(d.Path)
}

// Downloaded describes a download, which may be complete, failed or still in progress.
func Downloaded(d *browser.Download) DownloadedFile {
	out := DownloadedFile{URL: words.Shown(d.URL), Name: words.Shown(d.Name), Path: op.File(d.Path())}
	select {
	case <-d.Done():
		if err := d.Err(); err != nil {
			out.State, out.Error, out.Path = "failed", op.PageText(err.Error()), ""
		}
	default:
		out.State = inProgress
	}
	return out
}

// AwaitDownload waits until a download is complete. It ends 100 ms before the deadline, so that
// there is time to answer. A download that takes longer is reported as in progress, which is not an
// error: it goes on, and wait/download waits for it.
func AwaitDownload(ctx context.Context, d *browser.Download) DownloadedFile {
	deadline, _ := ctx.Deadline()
	limited, cancel := context.WithDeadline(ctx, deadline.Add(-100*time.Millisecond))
	defer cancel()
	select {
	case <-d.Done():
	case <-limited.Done():
	}
	return reportDownload(d)
}

// reportDownload describes a download for an answer. One that is in progress will be reported again.
func reportDownload(d *browser.Download) DownloadedFile {
	reported := Downloaded(d)
	d.TellUnderWay(reported.State == inProgress)
	return reported
}

// arrivingFile tells how much of a download has arrived.
type arrivingFile struct {
	URL      op.PageText `json:"url"`
	Name     op.PageText `json:"suggestedFilename"`
	Received int64       `json:"received"`
	Total    int64       `json:"total"` // 0: not known
}

// FollowDownloads reports the progress of downloads in the tabs of the caller's session, in a
// profile's browser. It reports at once and whenever more has come, until ctx ends. It is for
// progress bars, and starts no browser: where none runs it returns nil at once. It returns the
// errors of report, the cause of ctx, and an error if the browser was lost.
func (s *Service) FollowDownloads(ctx context.Context, profile string, report func(any) error) error {
	if err := enabled(s.Config.Current()); err != nil {
		return err
	}
	_, b, err := s.Running(InProfile{profile})
	if err != nil || b == nil {
		return Explain(err)
	}
	return Session(ctx, b).FollowDownloads(ctx, func(downloads []*browser.Download) error {
		list := []arrivingFile{}
		for _, d := range downloads {
			received, total := d.Progress()
			list = append(list, arrivingFile{words.Shown(d.URL), words.Shown(d.Name), received, total})
		}
		return report(list)
	})
}
