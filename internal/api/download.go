package api

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/media"
	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A downloadRequest clicks an element and waits for the file whose download the click begins.
type downloadRequest struct {
	call.On
	op.Timeout
	call.Ending
	Ref  string   `json:"ref" digits:"true" doc:"element whose click begins the download"`
	Path op.Place `json:"path" doc:"file to save it as, below the downloads folder"`
}

// downloadsResult is a list of downloads.
type downloadsResult struct {
	watched
	Downloads []call.DownloadedFile `json:"downloads" doc:"the downloads, the oldest first"`
}

// Text returns a line for each download.
func (r downloadsResult) Text() string {
	lines := make([]string, len(r.Downloads))
	for i, d := range r.Downloads {
		lines[i] = entry(d.Text())
	}
	if len(lines) == 0 {
		return "No downloads."
	}
	return words.Lines(lines...)
}

// A downloadsRequest names a tab, whose downloads are listed.
type downloadsRequest struct{ call.On }

func downloads(ctx context.Context, s *call.Service, r downloadsRequest) (downloadsResult, error) {
	tab, w, err := journalOf(ctx, s, r.On)
	if err != nil {
		return downloadsResult{}, err
	}
	list := []call.DownloadedFile{}
	for _, d := range tab.Downloads() {
		list = append(list, call.Downloaded(d))
	}
	return downloadsResult{w, list}, nil
}

// downloadResult is the answer of a call that waited for a download.
type downloadResult struct {
	OK       bool                `json:"ok" doc:"always true"`
	TargetID op.Handle           `json:"targetId" doc:"target id of the tab"`
	Download call.DownloadedFile `json:"download" doc:"the file"`
	call.PageState
}

// Text returns where the file is.
func (d downloadResult) Text() string { return words.Lines(d.Download.Text(), d.PageState.Words()) }

// AfterDialog says how to get the file. The click may have opened a dialog; the file comes once the
// page gets its answer.
func (downloadResult) AfterDialog(page.Dialog) string {
	return "answer the dialog; then wait for the download, or call again if nothing was clicked yet"
}

// download begins to wait for the file before it clicks, so that a quick download is not missed. It
// waits as long as the page does something that may lead to a download. When the page has become
// quiet without one, the click was on the wrong element, and the call fails at once. The deadline
// would come only after minutes, since slow servers need such a long deadline.
//
// The turn of the tab lasts until the download has begun. Chromium does not say which click began a
// download, so no other call may click before. Afterwards other calls can use the tab: the rest may
// take minutes.
//
// The click may close the tab, for example if the page then calls window.close. The download may
// have begun nevertheless, so it is still awaited; see awaitFile.
func download(ctx context.Context, s *call.Service, r downloadRequest) (downloadResult, error) {
	place, err := downloadPlace(s, r.Path)
	if err != nil {
		return downloadResult{}, err
	}
	t, err := turnToDownload(ctx, s, r)
	if err != nil {
		return downloadResult{}, err
	}
	var next *browser.DownloadWait // nil before the click
	var begun *page.Effects
	var doubt error
	clicked := false
	err = t.Hold(ctx, r.Want(), func(ctx context.Context) error {
		t.ReadBefore(ctx, r.Following())
		el, err := t.Page.Element(ctx, r.Ref)
		if err != nil {
			return err
		}
		next, begun = t.Tab.ExpectDownload(place, false), t.Page.Collect(ctx)
		if doubt, err = clickToBegin(ctx, el); err != nil {
			return err
		}
		clicked = true
		return awaitBegun(ctx, t.Page, begun, awaitBegin(next))
	})
	if next == nil {
		return instead(ctx, t, err)
	}
	defer next.Close()
	defer begun.End()
	closed := errors.Is(err, page.ErrClosed) // the click may have closed its page, and have begun the download nevertheless
	if !clicked && !closed {
		return instead(ctx, t, err)
	}
	awaits := "the click was made, so do not click again: wait for the file with waitfordownload"
	if doubt != nil {
		awaits = "the click may have missed: take a snapshot, then click again, or wait for the file with waitfordownload"
	}
	done, err := awaitFile(ctx, t, next, doubt, awaits, err)
	if errors.Is(err, page.ErrNothingBegan) {
		err = nothingCame(err, fmt.Sprintf("the click on %q began no download", r.Ref), doubt, begun).Hinted("use the ref of what begins it")
	}
	if err == nil && !closed {
		done.PageState = t.Afterwards(ctx, r.Following(), begun)
	}
	return done, call.AfterInput(err)
}

// turnToDownload returns the turn of a call that is about a download. It returns
// [browser.ErrDownloadsUnreported] if the files that the tab's browser downloads cannot be
// obtained.
func turnToDownload(ctx context.Context, s *call.Service, r call.TabRequest) (*call.Turn, error) {
	t, _, err := s.Turn(ctx, r.Want())
	if err != nil {
		return nil, err
	}
	if err := t.Tab.Browser().CheckDownloads(); err != nil {
		return nil, err
	}
	return t, nil
}

// instead returns the answer of a call that ended before its file came. If a dialog has ended it,
// the error says so. Otherwise err is returned as it is, even if it is nil.
func instead(ctx context.Context, t *call.Turn, err error) (downloadResult, error) {
	_, err = t.End(ctx, downloadResult{}, err)
	return downloadResult{}, err
}

// A waitDownloadRequest waits for a download of the tab: one that no answer has reported as ended, or
// the next one.
type waitDownloadRequest struct {
	call.On
	op.Timeout
	Path op.Place `json:"path,omitempty" doc:"file to save it as, below the downloads folder"`
}

// waitDownload takes a download that has already begun, if it is in no answer yet, or was under way
// in the last one. If there is none, it waits for the next. A caller who clicks first and waits then
// must not miss a quick one. The path is checked before the browser is asked, so a wrong one fails at
// once.
func waitDownload(ctx context.Context, s *call.Service, r waitDownloadRequest) (downloadResult, error) {
	var place *media.Place
	var err error
	if r.Path != "" {
		if place, err = downloadPlace(s, r.Path); err != nil {
			return downloadResult{}, err
		}
	}
	t, err := turnToDownload(ctx, s, r)
	if err != nil {
		return downloadResult{}, err
	}
	next := t.Tab.ExpectDownload(place, true)
	defer next.Close()
	const clicks = "click what begins it, or wait longer with timeoutMs"
	return awaitFile(ctx, t, next, nil, clicks, t.Page.Watch(ctx, awaitBegin(next)))
}

// awaitBegin returns a function that waits until a download begins. It runs in a turn or a watch of
// the page: a dialog ends it, because the page may be waiting for its answer. The end of the page
// also ends it.
func awaitBegin(next *browser.DownloadWait) func(context.Context) error {
	return func(ctx context.Context) error {
		op.Progress(ctx, 0, 2, "waiting for a download to begin")
		return next.AwaitBegin(ctx)
	}
}

// awaitFile waits until the file of a download is complete. The parameter err is what the wait for
// its beginning has returned. If no download has begun in time, the error has the doubt about the
// click, if any, and the hint. Once the download has begun the page does not matter, as the browser
// loads the file without it.
//
// Chromium reports the beginning of a download before it reports that the tab's target is
// destroyed. The page may be found closed before either report arrives. So AwaitClosed waits for
// the report about the target: afterwards it is certain whether a download has begun.
//
// Errors are: the deadline, with the bytes that have come; a download that was canceled or broke
// off; a path that is refused. Before the download has begun, the end of the page or the browser is
// also an error.
func awaitFile(ctx context.Context, t *call.Turn, next *browser.DownloadWait, doubt error, hint string, err error) (downloadResult, error) {
	if errors.Is(err, page.ErrClosed) {
		next.AwaitClosed(ctx, t.Page)
	}
	if !next.Begun() {
		if _, asks := errors.AsType[*page.DialogOpen](err); asks {
			return instead(ctx, t, err)
		}
		return downloadResult{}, notBegun(t.Tab, next.Opened(), doubt, hint, err)
	}
	op.Progress(ctx, 1, 2, "the download has begun")
	d, err := next.Wait(ctx)
	_, misplaced := errors.AsType[*media.PathError](err)
	switch {
	case misplaced:
		return downloadResult{}, call.ExplainPath(err)
	case err != nil:
		return downloadResult{}, err
	}
	select {
	case <-d.Done():
		d.TellUnderWay(false)
	case <-ctx.Done():
		d.TellUnderWay(true)
		received, total := d.Progress()
		return downloadResult{}, op.Errorf(op.Deadline, "the download has not arrived yet: %s", share(received, total)).
			Hinted("it goes on: waitfordownload waits for it")
	}
	if err := d.Err(); err != nil {
		return downloadResult{}, failed(d, err)
	}
	return downloadResult{OK: true, TargetID: op.Handle(t.Page.ID), Download: call.Downloaded(d)}, nil
}

// notBegun explains why a download did not begin. At the deadline the text is OpenClaw's, and names
// the tab: a caller may wait on another tab than it has clicked in. The parameter opened lists the
// tabs that the page has opened meanwhile. If there are none, the error has the doubt and the hint.
// The doubt may quote the page, so it must not be in the hint.
func notBegun(tab *browser.Tab, opened []string, doubt error, hint string, err error) error {
	if !errors.Is(err, op.ErrDeadline) {
		return err
	}
	if len(opened) == 0 {
		if list := tab.Downloads(); len(list) > 0 {
			hint += "; an answer has already reported the last file of this tab, and downloads lists it"
		}
		return op.Errorf(op.Deadline, "Timeout waiting for download: none has begun in tab %s%s", tab.Info().ID, reasonOf(doubt)).
			Hinted("%s", hint)
	}
	return op.Errorf(op.Deadline, "Timeout waiting for download: none has begun in tab %s, nor in what it has opened: %s", tab.Info().ID, strings.Join(opened, ", ")).
		Hinted("look at tab %s, which may show the file or need an answer", opened[0])
}

// failed turns the error of a download into an error of the call that says what the caller can do.
// If the browser is lost, or the file cannot be moved to its place, it returns the error unchanged:
// call.Explain has a better text.
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
		return call.ExplainPath(err)
	}
	if !errors.Is(err, browser.ErrBroken) {
		return err
	}
	received, total := d.Progress()
	return op.Errorf(op.PageFailed, "the download failed after %s: %v", share(received, total), err).
		Hinted("try again; requests and the page may say more")
}

// share says how much of a file has arrived. The parameter total is 0 if the server does not send
// the size.
func share(received, total int64) string {
	if total <= 0 {
		return fmt.Sprintf("%d bytes", received)
	}
	return fmt.Sprintf("%d of %d bytes", received, total)
}
