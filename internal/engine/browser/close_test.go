package browser

import (
	"bytes"
	"context"
	"testing"
	"time"

	"chela/internal/engine/cdp"
)

// A deafHost is a browser that answers the first Target.closeTarget and does not close the tab, as
// Chromium does while one document replaces another.
type deafHost struct{ Host }

func (h deafHost) connect(ctx context.Context) (cdp.Transport, error) {
	t, err := h.Host.connect(ctx)
	return &deafTransport{Transport: t}, err
}

type deafTransport struct {
	cdp.Transport
	ignored bool
}

func (t *deafTransport) Write(message []byte) error {
	if closes := []byte(`"Target.closeTarget"`); !t.ignored && bytes.Contains(message, closes) {
		t.ignored = true
		message = bytes.Replace(message, closes, []byte(`"Target.getTargetInfo"`), 1)
	}
	return t.Transport.Write(message)
}

// Discard returns when its context ends, even if the tab is not closed yet. The tab is closed
// later, because nobody else would close it.
func TestDiscardedTabGoes(t *testing.T) {
	ctx, b := startAt(t, Options{}, func(h Host) Host { return deafHost{h} })
	tab := open(ctx, t, b)
	brief, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	b.Session("").Discard(brief, tab)
	if brief.Err() == nil {
		t.Error("the tab was closed by the first command")
	}
	if err := b.await(ctx, func() bool { return b.byTargetLocked(tab.page.ID) == nil }); err != nil {
		t.Errorf("the tab is left: %v", err)
	}
}
