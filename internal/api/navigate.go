package api

import (
	"context"
	"errors"

	"chela/internal/browser"
	"chela/internal/op"
	"chela/internal/page"
)

// A navigateRequest leads the tab to another address.
type navigateRequest struct {
	On
	op.Timeout
	URL string `json:"url" alias:"targetUrl" doc:"address: http, https or about:blank"`
}

func (r navigateRequest) Check() error {
	_, err := address(r.URL)
	return err
}

// destination says what an address led to beside a document.
type destination struct {
	Download *downloadedFile `json:"download,omitempty" doc:"the file that the address leads to; the tab still shows what it did"`

	arrived bool // the document of the address is there, or the file
}

// Terminal is where the file is, if there is one.
func (w destination) Terminal() string {
	if w.Download == nil {
		return ""
	}
	return w.Download.Text()
}

// leadsTo is the address of the file, if there is one.
func (w destination) leadsTo() op.Foreign {
	if w.Download == nil {
		return ""
	}
	return w.Download.URL
}

// afterDialog says how to get to the address. A page that asks before it is left
// holds the navigation back, but does not end it.
func (w destination) afterDialog(d page.Dialog) string {
	switch {
	case w.arrived:
		return ""
	case d.Type == "beforeunload":
		return "accept the dialog to go on to the address, or dismiss it to stay"
	}
	return "answer the dialog, then navigate again"
}

// call gives a page that has crashed, or that opens dialogs without end, another
// in its place first: such a page cannot be navigated.
func (r navigateRequest) call() call {
	c := r.On.call()
	c.leaves = true
	return c
}

// navigate answers when the document has loaded, or when the address turns out
// to be a file.
func navigate(ctx context.Context, t *Turn, r navigateRequest) (destination, error) {
	url, err := address(r.URL)
	if err != nil {
		return destination{}, err
	}
	visits := t.page.Visits()
	to, err := went(ctx, t.tab, slowLoad(t.page.Navigate(ctx, url), url))
	to.arrived = to.Download != nil || t.page.Visits() != visits
	return to, err
}

// went makes an answer of a navigation that led to a file.
func went(ctx context.Context, tab *browser.Tab, err error) (destination, error) {
	if !errors.Is(err, page.ErrFile) {
		return destination{}, err
	}
	return destination{Download: new(arrival(ctx, tab.LastDownload()))}, nil
}

// slowLoad tells of a page that did not load in time what can be done about it.
func slowLoad(err error, url string) error {
	if !errors.Is(err, op.ErrDeadline) {
		return err
	}
	return op.Errorf(op.Deadline, "%s did not load in time", url).Hinted("take a snapshot to see what is there, or give it more time with timeoutMs")
}
