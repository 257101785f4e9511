package main

import (
	"context"
	"fmt"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
)

// act compares chela's acts with the bare input events that they send. An act also finds its element
// by a ref, waits until the element is ready, and checks the effect.
func (b *bench) act(ctx context.Context) error {
	if err := b.both(ctx, "/form"); err != nil {
		return err
	}
	page, err := b.chela.snapshot(ctx, "format=ai")
	if err != nil {
		return err
	}
	for _, part := range []func(context.Context, snapshot) error{b.click, b.typing, b.fill} {
		if err := part(ctx, page); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) click(ctx context.Context, page snapshot) error {
	at, err := evaluate[point](ctx, b.raw, "document.querySelector('button').getBoundingClientRect().toJSON()")
	if err != nil {
		return err
	}
	button := page.ref("button", "Count")
	clicks := 0
	err = b.compare(ctx,
		&subject{name: "move, press, release", do: func(ctx context.Context) error { return b.raw.click(ctx, at.X+4, at.Y+4) }},
		&subject{name: "click", do: func(ctx context.Context) error {
			clicks++
			return b.chela.act(ctx, "click", object{"ref": button})
		}})
	if err != nil {
		return err
	}
	return b.shows(ctx, fmt.Sprintf("counted %d", clicks))
}

// A point is a position in the viewport, in CSS pixels.
type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (b *bench) typing(ctx context.Context, page snapshot) error {
	field, text := page.ref("textbox", "Field 0"), numbered("typed")
	var last string
	err := b.compare(ctx,
		&subject{name: "select and Input.insertText", do: func(ctx context.Context) error {
			return all(ctx, b.raw.insert(0, text()))
		}},
		&subject{name: "type", do: func(ctx context.Context) error {
			last = text()
			return b.chela.act(ctx, "type", object{"ref": field, "text": last})
		}})
	if err != nil {
		return err
	}
	return b.shows(ctx, last)
}

func (b *bench) fill(ctx context.Context, page snapshot) error {
	text := numbered("filled")
	var last string
	err := b.compare(ctx,
		&subject{name: "the same by bare commands", do: func(ctx context.Context) error {
			var sent []*cdp.Reply[proto.Empty]
			for i := range formFields {
				sent = append(sent, b.raw.insert(i, text()))
			}
			return all(ctx, sent...)
		}},
		&subject{name: fmt.Sprintf("fill %d fields", formFields), do: func(ctx context.Context) error {
			var fields []object
			for i := range formFields {
				last = text()
				fields = append(fields, object{"ref": page.ref("textbox", fmt.Sprintf("Field %d", i)), "value": last})
			}
			return b.chela.act(ctx, "fill", object{"fields": fields})
		}})
	if err != nil {
		return err
	}
	return b.shows(ctx, last)
}

// numbered returns a function that adds a new number to the text at each call.
func numbered(text string) func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("%s %d", text, n)
	}
}

// shows waits until the page shows the text. So a measurement fails if the acts had no effect.
func (b *bench) shows(ctx context.Context, text string) error {
	return b.chela.act(ctx, "wait", object{"text": text})
}
