package api

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chela/internal/base/media"
	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// downloadedFile is a file that a page sent. The page or its server chooses its address and name.
// The name of the saved file is made from that name, and is fenced for models.
type downloadedFile struct {
	URL   op.Foreign `json:"url" doc:"where it came from"`
	Name  op.Foreign `json:"suggestedFilename" doc:"name that the server suggests"`
	Path  op.File    `json:"path,omitempty" doc:"where the file is, or will be; absent if it will never be" tool:"fenced"`
	State string     `json:"state,omitempty" doc:"inProgress: it still arrives, wait/download waits for it; failed: it never will"`
	Error op.Foreign `json:"error,omitempty" doc:"why it failed; may name the file"`
}

// Text is where the file is, or why it is not.
func (d downloadedFile) Text() string {
	switch d.State {
	case "failed":
		return fmt.Sprintf("the download of %s failed: %s", d.Name, d.Error)
	case "inProgress":
		return fmt.Sprintf("downloads to %s", d.Path)
	}
	return "downloaded: " + string(d.Path)
}

// downloaded describes a download that has, or has not yet, arrived.
func downloaded(d *browser.Download) downloadedFile {
	out := downloadedFile{URL: shown(d.URL), Name: shown(d.Name), Path: op.File(d.Path())}
	select {
	case <-d.Done():
		if err := d.Err(); err != nil {
			out.State, out.Error, out.Path = "failed", op.Foreign(err.Error()), ""
		}
	default:
		out.State = "inProgress"
	}
	return out
}

// downloadsOf returns the downloads of the tab that no answer has reported yet. It waits for them
// as arrival does. Most files are small, so the caller has the file with the answer of its click,
// without a second call.
func downloadsOf(ctx context.Context, tab *browser.Tab) (list []downloadedFile) {
	for _, d := range tab.ReportDownloads() {
		list = append(list, arrival(ctx, d))
	}
	return list
}

// arrival gives a download until 100 ms before the deadline to be whole, so that there is
// time to answer. One that takes longer is reported as in progress, which is no error: it
// goes on, and wait/download waits for it.
func arrival(ctx context.Context, d *browser.Download) downloadedFile {
	deadline, _ := ctx.Deadline()
	limited, cancel := context.WithDeadline(ctx, deadline.Add(-100*time.Millisecond))
	defer cancel()
	select {
	case <-d.Done():
	case <-limited.Done():
	}
	return downloaded(d)
}

// arrivingFile says how far a download is.
type arrivingFile struct {
	URL      op.Foreign `json:"url"`
	Name     op.Foreign `json:"suggestedFilename"`
	Received int64      `json:"received"`
	Total    int64      `json:"total"` // 0: not known
}

// FollowDownloads reports the progress of downloads in the tabs of the caller's session, in a
// profile's browser. It reports at once and whenever more has come, until ctx ends. It is for
// progress bars, and starts no browser: where none runs it returns nil at once. It returns the
// errors of tell, the cause of ctx, and an error if the browser was lost.
func (s *Service) FollowDownloads(ctx context.Context, profile string, tell func(any) error) error {
	if err := enabled(s.config.Current()); err != nil {
		return err
	}
	_, b, err := s.running(InProfile{profile})
	if err != nil || b == nil {
		return explain(err)
	}
	return seen(ctx, b).FollowDownloads(ctx, func(downloads []*browser.Download) error {
		list := []arrivingFile{}
		for _, d := range downloads {
			received, total := d.Progress()
			list = append(list, arrivingFile{shown(d.URL), shown(d.Name), received, total})
		}
		return tell(list)
	})
}

// A downloadRequest clicks an element and waits for the file that this begins.
type downloadRequest struct {
	On
	op.Timeout
	ending
	Ref  string   `json:"ref" digits:"true" doc:"element whose click begins the download"`
	Path op.Place `json:"path" doc:"file to save it as, below the downloads folder"`
}

// downloadResult is the answer of a call that waited for a download.
type downloadResult struct {
	OK       bool           `json:"ok" doc:"always true"`
	TargetID string         `json:"targetId" doc:"target id of the tab"`
	Download downloadedFile `json:"download" doc:"the file"`
	pageState
}

// Text is where the file is.
func (d downloadResult) Text() string { return lines(d.Download.Text(), d.pageState.words()) }

// afterDialog says how to get the file. The click may have opened the dialog, and
// the file comes when the page has its answer.
func (downloadResult) afterDialog(page.Dialog) string {
	return "answer the dialog; then wait for the download, or call again if nothing was clicked yet"
}

// download expects the file before it clicks, so that a quick one is not missed. It waits as long
// as the page does something that may lead to a download. When the page has become quiet without
// one, the click was on the wrong element. The error comes then, and not after the deadline of
// minutes that slow servers need.
//
// Only the click is done in a turn of the tab. During the download, which may take minutes, other
// calls can use the tab.
//
// The click may close the tab, as where the page calls window.close after it. The download may have
// begun all the same, so it is still awaited; see arrived.
func download(ctx context.Context, s *Service, r downloadRequest) (downloadResult, error) {
	place, err := s.place(r.Path)
	if err != nil {
		return downloadResult{}, err
	}
	t, err := s.downloading(ctx, r)
	if err != nil {
		return downloadResult{}, err
	}
	next := t.tab.ExpectDownload(place, false)
	defer next.Close()
	begun := t.page.Collect(ctx)
	defer begun.End()
	asked, err := t.instead(t.page.Turn(ctx, func(ctx context.Context) error {
		el, err := t.page.Element(ctx, r.Ref)
		if err != nil {
			return err
		}
		return clickToBegin(ctx, el)
	}))
	closed := errors.Is(err, page.ErrClosed) // by the click, which may have begun the download all the same
	if err != nil && !closed {
		return asked, err
	}
	done, err := t.arrived(ctx, next, func(ctx context.Context, wait func(context.Context) error) error {
		return t.page.Expect(ctx, begun, wait)
	})
	if errors.Is(err, page.ErrNothingBegan) {
		err = nothingCame(err, fmt.Sprintf("the click on %q began no download", r.Ref), begun).Hinted("use the ref of what begins it")
	}
	if err == nil && !closed {
		done.pageState = t.afterwards(ctx, r.following(), begun)
	}
	return done, err
}

// downloading returns the tab of a call that is about a download. The error may be that its browser keeps no files.
func (s *Service) downloading(ctx context.Context, r tabRequest) (*Turn, error) {
	t, _, err := s.turn(ctx, r.call())
	if err != nil {
		return nil, err
	}
	if err := t.tab.Browser().CheckDownloads(); err != nil {
		return nil, err
	}
	return t, nil
}

// instead is the error of a call that met a dialog, and no file; any other error, and
// nil, it returns as it is.
func (t *Turn) instead(err error) (downloadResult, error) {
	_, err = t.end(downloadResult{}, err)
	return downloadResult{}, err
}

// A waitDownloadRequest waits for a file of the tab that no answer has reported
// yet, or the next one.
type waitDownloadRequest struct {
	On
	op.Timeout
	Path op.Place `json:"path,omitempty" doc:"file to save it as, below the downloads folder"`
}

// waitDownload takes a download that has already begun and is in no answer yet, or else waits for
// the next. A caller who clicks first and waits then must not miss a quick one. The path is checked
// before the browser is asked, so a wrong one fails at once.
func waitDownload(ctx context.Context, s *Service, r waitDownloadRequest) (downloadResult, error) {
	var place *media.Place
	var err error
	if r.Path != "" {
		if place, err = s.place(r.Path); err != nil {
			return downloadResult{}, err
		}
	}
	t, err := s.downloading(ctx, r)
	if err != nil {
		return downloadResult{}, err
	}
	next := t.tab.ExpectDownload(place, true)
	defer next.Close()
	return t.arrived(ctx, next, func(ctx context.Context, wait func(context.Context) error) error { return wait(ctx) })
}

// place is where a caller wants a download to be. A path out of the downloads folder is
// refused: a caller may be an agent that a page has misled, and could overwrite any file.
func (s *Service) place(path op.Place) (*media.Place, error) {
	p, err := s.files.Download(string(path))
	if err != nil {
		return nil, pathError(err)
	}
	return &p, nil
}

// pathError explains why a path is refused, and where it has to be. Other errors stay.
func pathError(err error) error {
	e, ok := errors.AsType[*media.PathError](err)
	if !ok {
		return err
	}
	return op.Errorf(op.Invalid, "%s", e.Message).Hinted("%s", e.Hint())
}

// arrived waits for a download of a page to begin, as long as patient waits for it, and to be
// whole. Until it has begun, a dialog ends the wait, as the page may be waiting for its answer. So
// does the end of the page. Once it has begun the page does not matter, as the browser loads the
// file without it.
//
// Chromium reports the beginning of a download before it reports that the tab's target is
// destroyed. The page may be found closed before either. So AwaitClosed waits for that report:
// afterwards it is certain whether a download has begun.
//
// Errors are: the deadline, with the bytes that have come; a download that was canceled or broke
// off; a path that is refused. Before the download has begun, the end of the page or the browser is
// also one.
func (t *Turn) arrived(
	ctx context.Context, next *browser.Awaited, patient func(context.Context, func(context.Context) error) error,
) (downloadResult, error) {
	op.Progress(ctx, 0, 2, "waiting for a download to begin")
	err := t.page.Watch(ctx, func(ctx context.Context) error { return patient(ctx, next.AwaitBegin) })
	if errors.Is(err, page.ErrClosed) {
		next.AwaitClosed(ctx, t.page)
	}
	if !next.Begun() {
		if _, asks := errors.AsType[*page.DialogOpen](err); asks {
			return t.instead(err)
		}
		return downloadResult{}, notBegun(t.tab, next.Opened(), err)
	}
	op.Progress(ctx, 1, 2, "the download has begun")
	d, err := next.Wait(ctx)
	_, misplaced := errors.AsType[*media.PathError](err)
	switch {
	case misplaced:
		return downloadResult{}, pathError(err)
	case err != nil:
		return downloadResult{}, err
	}
	select {
	case <-d.Done():
	case <-ctx.Done():
		received, total := d.Progress()
		return downloadResult{}, op.Errorf(op.Deadline, "the download has not arrived yet: %s", share(received, total)).
			Hinted("wait longer with timeoutMs")
	}
	if err := d.Err(); err != nil {
		return downloadResult{}, failed(d, err)
	}
	return downloadResult{OK: true, TargetID: t.page.ID, Download: downloaded(d)}, nil
}

// notBegun explains why a download did not begin. At the deadline the text is OpenClaw's, and names
// the tab: a caller may wait on another tab than it has clicked in. The list opened has the tabs
// that it has opened meanwhile.
func notBegun(tab *browser.Tab, opened []string, err error) error {
	if !errors.Is(err, op.ErrDeadline) {
		return err
	}
	if len(opened) == 0 {
		return op.Errorf(op.Deadline, "Timeout waiting for download: none has begun in tab %s", tab.Info().ID).
			Hinted("click what begins it, or wait longer with timeoutMs")
	}
	return op.Errorf(op.Deadline, "Timeout waiting for download: none has begun in tab %s, nor in what it has opened: %s", tab.Info().ID, strings.Join(opened, ", ")).
		Hinted("look at tab %s, which may show the file or need an answer", opened[0])
}

// failed says why a file is not there. The loss of the browser stays as it is, since explain has a
// better text for that.
func failed(d *browser.Download, err error) error {
	if errors.Is(err, cdp.ErrClosed) {
		return err
	}
	if unfetched, ok := errors.AsType[*browser.UnfetchedError](err); ok {
		return op.Errorf(op.NotSupported, "%v", unfetched).Hinted("use a profile whose browser chela starts")
	}
	if limit, ok := errors.AsType[*browser.LimitError](err); ok {
		e := op.Errorf(op.PageFailed, "the download was stopped: %v", limit)
		if limit.Setting != "" {
			e = e.Hinted("set %s higher and start the server again", limit.Setting)
		}
		return e
	}
	if _, misplaced := errors.AsType[*media.PathError](err); misplaced {
		return pathError(err)
	}
	received, total := d.Progress()
	return op.Errorf(op.PageFailed, "the download failed after %s: %v", share(received, total), err).
		Hinted("try again; requests and the page may say more")
}

// share says how much of a file has arrived. Total is 0 where the server does
// not say it.
func share(received, total int64) string {
	if total <= 0 {
		return fmt.Sprintf("%d bytes", received)
	}
	return fmt.Sprintf("%d of %d bytes", received, total)
}
