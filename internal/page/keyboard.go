package page

import (
	"context"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"chela/internal/cdp"
	"chela/internal/keys"
)

// Press presses keys together, holds them, and releases them, wherever the focus is.
func (p *Page) Press(ctx context.Context, chord keys.Chord, hold time.Duration) error {
	if err := p.awake(ctx, p.main()); err != nil {
		return err
	}
	return p.stroke(ctx, chord, hold)
}

func (p *Page) stroke(ctx context.Context, chord keys.Chord, hold time.Duration) error {
	if err := inTime(ctx); err != nil {
		return err
	}
	replies := p.keys(chord.Down())
	if hold > 0 {
		Pause(ctx, hold) // what is pressed is always released
	}
	return confirmed(ctx, append(replies, p.keys(chord.Up())...))
}

// typeRune types one character; one that no key has is put in as it is.
func (p *Page) typeRune(ctx context.Context, r rune) error {
	if s, ok := keys.ForRune(r); ok {
		return p.stroke(ctx, keys.Chord{s}, 0)
	}
	return p.insert(ctx, string(r))
}

// keys sends key events back to back.
func (p *Page) keys(events []input.DispatchKeyEventParams) []*cdp.Reply[proto.Empty] {
	replies := make([]*cdp.Reply[proto.Empty], len(events))
	for i, ev := range events {
		replies[i] = cdp.Send(p.session, input.DispatchKeyEvent, ev)
	}
	return replies
}
