package video

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// An encoder encodes pictures as VP9. It is a page that uses the WebCodecs API of its browser. Only
// one goroutine uses it.
type encoder struct{ page *page.Page }

// A chunk is one encoded picture.
type chunk struct {
	At   int64 // microseconds since the beginning of the video
	Key  bool  // the picture can be decoded without the pictures before it
	Data []byte
}

// encoderURL is the address of the page. VideoEncoder exists only at secure origins, and
// about:blank does not have one. No server has the address: names that end in .invalid never
// resolve (RFC 6761). The function answer intercepts the request before it is sent.
const encoderURL = "https://video.invalid/"

//go:embed encoder.js
var encoderScript string

// newEncoder makes an encoder of an empty page. Errors come from [page.Page.Navigate] and
// [page.Page.Call]. A [page.ScriptError] says what the browser lacks.
func newEncoder(ctx context.Context, p *page.Page, how Options) (*encoder, error) {
	p.AnswerRequests(answer)
	if err := p.Navigate(ctx, encoderURL); err != nil {
		return nil, err
	}
	_, err := p.Call(ctx, "(how) => begin(how)", map[string]any{
		"width": how.Width, "height": how.Height, "framerate": how.FPS, "bitrate": how.bitrate(),
	})
	return &encoder{p}, err
}

// answer fulfills the request for the page with the encoder's script, and fails all other requests.
func answer(r *setting.PausedRequest) {
	if r.Request.URL != encoderURL {
		r.Fail(network.ErrorReasonBlockedByClient)
		return
	}
	r.Fulfill(200, []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
		[]byte(`<!doctype html><link rel="icon" href="data:,"><script>`+encoderScript+`</script>`))
}

// add encodes a picture, with marks drawn on it, at a time of the video. If jpeg is nil, it encodes
// the last picture again. Pictures must come in the order of their times.
func (e *encoder) add(ctx context.Context, jpeg []byte, marked marks, at time.Duration, key bool) (chunks []chunk, err error) {
	raw, err := e.page.Call(ctx, "(jpeg, marks, at, key) => add(jpeg, marks, at, key)", jpeg, marked, at.Microseconds(), key)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &chunks); err != nil {
		return nil, fmt.Errorf("read an encoded picture: %w", err)
	}
	return chunks, nil
}
