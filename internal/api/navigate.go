package api

import (
	"context"
	"errors"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A navigateRequest leads the tab to another address.
type navigateRequest struct {
	call.On
	op.Timeout
	op.To
	call.Showing
}

// Check refuses what no tab may open, such as file: addresses, before a tab is looked for
// or a browser is started.
func (r navigateRequest) Check() error {
	_, err := address(string(r.URL))
	return err
}

// destination says what a navigation to an address led to.
type destination struct {
	Status int `json:"status,omitempty" doc:"HTTP status of the document; absent for about:blank, a new fragment or a file" tool:"-"`
	call.Reached
	FellBack string               `json:"fellBack,omitempty" doc:"a note that https failed, so the address was reached over http"`
	Download *call.DownloadedFile `json:"download,omitempty" doc:"the file that the address leads to; the tab still shows the page that it showed before"`
	call.PageState

	arrived bool // the document of the address, or the file, has arrived
}

// Terminal says what was unusual about the navigation; it is empty if nothing was.
func (w destination) Terminal() string {
	file := ""
	if w.Download != nil {
		file = w.Download.Text()
	}
	return words.Lines(w.FellBack, w.StatusText, words.Prefixed("try: ", w.Hint), file, w.PageState.Words())
}

// Sentence returns the sentence for the command line, see [op.Says]. An address that leads to a file
// is not the one of the page that the tab then shows.
func (w destination) Sentence(usual string) string {
	if w.Download != nil {
		return "stayed at {url}: the address is a file"
	}
	return usual
}

// AfterDialog says how to get to the address. A page that asks before it is left (beforeunload)
// delays the navigation, but does not end it.
func (w destination) AfterDialog(d page.Dialog) string {
	switch {
	case w.arrived:
		return ""
	case d.Type == "beforeunload":
		return "accept the dialog to go on to the address, or dismiss it to stay"
	}
	return "answer the dialog, then navigate again; if the page asks again and again, close the tab"
}

// Want says that the call leaves the page. So a page that has crashed, or opens dialogs without
// end, is replaced by a new one first: such a page cannot be navigated.
func (r navigateRequest) Want() call.Want {
	w := r.On.Want()
	w.Leaves = true
	return w
}

// navigate answers when the document has loaded, or when the address turns out to be a file.
func navigate(ctx context.Context, t *call.Turn, r navigateRequest) (destination, error) {
	return navigateAndShow(ctx, t, r.Showing, func(ctx context.Context) (destination, error) {
		return goTo(ctx, t, page.Destination{URL: string(r.URL), OrHTTP: r.OrHTTP})
	})
}

// navigateAndShow navigates. If the request asks for it, the answer also has what the page shows
// then.
func navigateAndShow(ctx context.Context, t *call.Turn, s call.Showing, navigate func(context.Context) (destination, error)) (d destination, err error) {
	if d, err = navigate(ctx); err == nil && d.Download == nil {
		d.PageState, err = t.State(ctx, s.Following())
	}
	return d, err
}

// goTo opens an address in the tab of the turn.
func goTo(ctx context.Context, t *call.Turn, to page.Destination) (destination, error) {
	url, err := address(to.URL)
	if err != nil {
		return destination{}, err
	}
	to.URL = url
	if err := t.Page.CheckURL(ctx, url); err != nil {
		return destination{}, err
	}
	defer seedSessions(ctx, t)()
	unbind, err := t.Tab.BindFirst(ctx, op.Session(ctx), url)
	if err != nil {
		return destination{}, err
	}
	d, err := navigateTo(ctx, t, url, func(ctx context.Context) (page.Arrival, error) { return t.Page.Go(ctx, to) })
	if d.FellBack != "" && unbind != nil {
		// A password that was meant for https must not be sent in clear text.
		d.FellBack += "; headers and credentials wait for another origin: set them for this one by its name"
		err = errors.Join(err, unbind(ctx))
	}
	return d, err
}

// navigateTo makes the answer of a navigation. The parameter where names its destination in
// messages. An address that turns out to be a file is no failure: Chromium ends the navigation with
// ERR_ABORTED and downloads it, and the answer has the file.
func navigateTo(ctx context.Context, t *call.Turn, where string, navigate func(context.Context) (page.Arrival, error)) (d destination, err error) {
	op.Progress(ctx, 0, 0, "loading the page")
	visits := t.Page.Visits()
	reached, err := navigate(ctx)
	d.describe(reached)
	if errors.Is(err, page.ErrFile) {
		d.Download, err = new(call.AwaitDownload(ctx, t.Tab.LastDownload())), nil
	}
	d.arrived = d.Download != nil || t.Page.Visits() != visits
	return d, slowLoad(t.Kept(err), where, d.arrived, t.Page.Way() == page.Unloading)
}

// describe adds to the answer how an address was reached, such as by redirects.
func (d *destination) describe(reached page.Arrival) {
	d.Status, d.Reached = reached.Status, call.ReachedBy(reached)
	if reached.OverHTTP {
		d.FellBack = "opened over http: https was refused"
	}
}

// slowLoad says what can be done about a page that did not load in time. The document may be there
// and only wait for an image, so a snapshot can show it. If it has not arrived, the page before it is
// still there. If held is true as well, that page has a script that nothing can end, since it waits for
// the answer to a synchronous request. Other errors stay.
func slowLoad(err error, url string, arrived, held bool) error {
	switch {
	case !errors.Is(err, op.ErrDeadline):
		return err
	case held:
		return op.Errorf(op.Deadline, "%s did not load in time: a script of the page before it does not end", url).
			Hinted("close the tab, and open the address in a new one")
	case !arrived:
		return op.Errorf(op.Deadline, "%s did not load in time: the tab still shows the page before it", url).
			Hinted("give it more time with timeoutMs, or try again later")
	}
	return op.Errorf(op.Deadline, "%s did not load in time", url).
		Hinted("take a snapshot to see what is there, or give it more time with timeoutMs")
}
