package doctor

import (
	"context"
	"strings"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// live starts the browser and opens a page made by chela, in a tab that no caller sees. The
// snapshot of that page must have refs for all that agents act on.
func (h *Report) live(ctx context.Context, s *call.Service, in call.InProfile) {
	version, missing, err := liveSnapshot(ctx, s, in)
	switch {
	case err != nil:
		err = call.Explain(err)
		h.add("live-snapshot", "Live browser", false, "", err.Error(), op.HintOf(err))
	case len(missing) > 0:
		h.add("live-snapshot", "Live browser", false, "", version+" starts, but a snapshot has no ref for "+strings.Join(missing, ", "),
			"another browser may do: set browser.executablePath, or run: chela install")
	default:
		h.add("live-snapshot", "Live browser", true, version+" starts, and a snapshot has refs for "+strings.Join(liveParts, ", "), "", "")
	}
}

// liveParts are texts on livePage. In a snapshot of that page, each must stand on a line with a
// ref.
var liveParts = []string{"a link", "a clickable element", "a button in a frame"}

// livePage has one of each kind of thing that agents act on. They are a link, an element that only
// its style and listener make clickable, and a button in a frame.
const livePage = "data:text/html,<!doctype html><title>chela doctor</title><a href='about:blank'>a link</a>" +
	"<div style='cursor:pointer' onclick='1'>a clickable element</div><iframe srcdoc='<button>a button in a frame</button>'></iframe>"

// liveSnapshot returns the version of the browser, and which parts of the doctor's page a snapshot
// has no ref for. It goes the whole way of a call: start, navigation, scripts in the page and in a
// frame. The page is a data: URL, so no network is needed.
func liveSnapshot(ctx context.Context, s *call.Service, in call.InProfile) (version string, missing []string, err error) {
	b, err := s.Started(ctx, in)
	if err != nil {
		return "", nil, err
	}
	if version, err = b.Version(ctx); err != nil {
		return "", nil, err
	}
	var text string
	err = b.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error {
		if err := p.Navigate(ctx, livePage); err != nil {
			return err
		}
		shown, err := p.Snapshot(ctx, page.View{})
		text = shown.Text
		return err
	})
	return version, withoutRef(text, liveParts), err
}

// withoutRef returns those words that are on no line of the snapshot that has a ref.
func withoutRef(text string, words []string) (missing []string) {
	for _, word := range words {
		found := false
		for line := range strings.Lines(text) {
			found = found || strings.Contains(line, word) && strings.Contains(line, "[ref=")
		}
		if !found {
			missing = append(missing, word)
		}
	}
	return missing
}
