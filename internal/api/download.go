package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chela/internal/browser"
	"chela/internal/files"
	"chela/internal/op"
	"chela/internal/page"
)

// Downloaded is a file that a page sent.
type Downloaded struct {
	URL   op.Foreign `json:"url" doc:"where it came from"`
	Name  op.Foreign `json:"suggestedFilename" doc:"name that the server suggests"`
	Path  op.File    `json:"path" doc:"where the file is"`
	State string     `json:"state,omitempty" doc:"inProgress: it still arrives, wait/download waits for it; failed: it will not"`
}

// told is what is said of a download that has, or has not yet, arrived.
func downloaded(d *browser.Download) Downloaded {
	out := Downloaded{URL: op.Foreign(d.URL), Name: op.Foreign(d.Name), Path: op.File(d.Path())}
	select {
	case <-d.Done():
		if d.Err() != nil {
			out.State = "failed"
		}
	default:
		out.State = "inProgress"
	}
	return out
}

// downloadsOf returns the downloads of the tab that were not told of yet, and
// gives them until shortly before the deadline to arrive.
func downloadsOf(ctx context.Context, tab *browser.Tab) (list []Downloaded) {
	deadline, _ := ctx.Deadline()
	limited, cancel := context.WithDeadline(ctx, deadline.Add(-100*time.Millisecond))
	defer cancel()
	for _, d := range tab.TellDownloads() {
		select {
		case <-d.Done():
		case <-limited.Done():
		}
		list = append(list, downloaded(d))
	}
	return list
}

type downloadRequest struct {
	On
	op.Timeout
	Ref  string `json:"ref" doc:"element whose click begins the download"`
	Path string `json:"path" doc:"file to save it as, below the downloads folder"`
}

// DownloadDone is the answer of who waited for a download.
type DownloadDone struct {
	OK       bool       `json:"ok" doc:"always true"`
	TargetID string     `json:"targetId" doc:"target id of the tab"`
	Download Downloaded `json:"download" doc:"the file"`
}

// Text is where the file is.
func (d DownloadDone) Text() string { return "downloaded: " + string(d.Download.Path) }

func download(ctx context.Context, s *Service, r downloadRequest) (DownloadDone, error) {
	place, err := s.place(r.Path)
	if err != nil {
		return DownloadDone{}, err
	}
	tab, _, err := s.tab(ctx, r.On)
	if err != nil {
		return DownloadDone{}, err
	}
	await := tab.ExpectDownload(place, false)
	err = tab.Page().Turn(ctx, func(ctx context.Context) error {
		el, err := tab.Page().Element(ctx, r.Ref)
		if err != nil {
			return err
		}
		return el.Click(ctx, page.Click{})
	})
	if err != nil {
		return DownloadDone{}, err
	}
	return arrived(ctx, tab, await)
}

type waitDownloadRequest struct {
	On
	op.Timeout
	Path string `json:"path,omitempty" doc:"file to save it as, below the downloads folder"`
}

func waitDownload(ctx context.Context, s *Service, r waitDownloadRequest) (DownloadDone, error) {
	var place *files.Place
	var err error
	if r.Path != "" {
		if place, err = s.place(r.Path); err != nil {
			return DownloadDone{}, err
		}
	}
	tab, _, err := s.tab(ctx, r.On)
	if err != nil {
		return DownloadDone{}, err
	}
	return arrived(ctx, tab, tab.ExpectDownload(place, true))
}

// place is where a caller wants a download to be.
func (s *Service) place(path string) (*files.Place, error) {
	p, err := s.files.Download(path)
	if err != nil {
		return nil, pathError(err)
	}
	return &p, nil
}

// pathError tells a caller why a path is refused, and where it has to be.
func pathError(err error) error {
	e, ok := errors.AsType[*files.PathError](err)
	if !ok {
		return err
	}
	return op.Errorf(op.Invalid, "%s", e.Message).Hinted("%s", e.Hint())
}

// arrived waits for a download to begin and to be whole.
func arrived(ctx context.Context, tab *browser.Tab, await func(context.Context) (*browser.Download, error)) (DownloadDone, error) {
	d, err := await(ctx)
	switch {
	case errors.Is(err, browser.ErrSuperseded):
		return DownloadDone{}, op.Errorf(op.Conflict, "%v", err)
	case errors.Is(err, op.ErrDeadline):
		return DownloadDone{}, op.Errorf(op.Deadline, "Timeout waiting for download").Hinted("click what begins it, or wait longer with timeoutMs")
	case err != nil:
		return DownloadDone{}, err
	}
	select {
	case <-d.Done():
	case <-ctx.Done():
		received, total := d.Progress()
		return DownloadDone{}, op.Errorf(op.Deadline, "the download has not arrived yet: %s", share(received, total)).Hinted("wait longer with timeoutMs")
	}
	if err := d.Err(); err != nil {
		return DownloadDone{}, op.Errorf(op.PageFailed, "the download failed: %v", err)
	}
	return DownloadDone{true, tab.Page().ID, downloaded(d)}, nil
}

func share(received, total int64) string {
	if total <= 0 {
		return fmt.Sprintf("%d bytes so far", received)
	}
	return fmt.Sprintf("%d of %d bytes", received, total)
}
