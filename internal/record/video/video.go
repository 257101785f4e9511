// Package video films a tab, as a WebM file that anybody can play.
//
// The pictures come from the screencast that all viewers of the tab share (package live). Package
// render has a browser that renders pages without a profile. A page of that browser encodes the
// pictures as VP9 (encoder.js), so that no other program is needed. The file is written while the
// video goes on (file.go).
//
// Chromium sends pictures only while the page changes. A picture lasts until the next one, and the
// last one is written again at the end. So the video is as long as the time that it shows.
package video

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"chela/internal/engine/capture"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/engine/render"
	"chela/internal/record/live"
)

// The largest values of [Options].
const (
	MaxWidth, MaxHeight, MaxFPS = 1920, 1080, 30

	MaxTime  = 10 * time.Minute
	MaxBytes = 200 << 20
)

const (
	keyEvery   = 5 * time.Second  // time between key pictures; a player that seeks must decode all pictures since the last one
	encodeTime = 10 * time.Second // longest time that encoding one picture may take
)

// Options say how a tab is filmed.
type Options struct {
	Width, Height int  // size of the video, in pixels
	FPS           int  // largest number of pictures a second
	ShowInput     bool // show rings where the mouse was pressed, and the names of pressed keys

	Longest time.Duration // the video ends by itself after this time
	Largest int64         // the video ends by itself when its pictures have more bytes
}

// bitrate returns the bit rate for the encoder, in bits a second. Pages change little from picture to
// picture, so most videos need less.
func (o Options) bitrate() int { return min(max(o.Width*o.Height*o.FPS/8, 300_000), 4_000_000) }

// A Recording is a video that is being made, or has ended and was not saved yet.
type Recording struct {
	dir, path string
	how       Options
	abort     context.CancelFunc
	stop      func() // closes stopping
	stopping  chan struct{}
	ready     chan struct{} // closed when the encoder waits for pictures
	done      chan struct{} // closed when the file is complete; the fields below may be read from then on
	err       error         // why there is no video
	cut       string        // why the video ended before it was stopped; "": it did not
	length    time.Duration
}

// Start begins to film a tab, and returns when the encoder is ready. The video goes on after ctx has
// ended. The folder dir belongs to the recording from now on. Errors come from starting the browser
// that encodes and from the file system, or are the cause of ctx. A [page.ScriptError] says what the
// browser lacks.
func Start(ctx context.Context, dir string, pages *render.Renderer, of *live.Stream, how Options) (*Recording, error) {
	running, abort := context.WithTimeout(context.Background(), how.Longest+time.Minute)
	r := &Recording{
		dir: dir, path: filepath.Join(dir, "video.webm"), how: how, abort: abort,
		stopping: make(chan struct{}), ready: make(chan struct{}), done: make(chan struct{}),
	}
	r.stop = sync.OnceFunc(func() { close(r.stopping) })
	go func() {
		defer close(r.done)
		defer abort()
		r.err = pages.Use(running, func(ctx context.Context, p *page.Page) error { return r.run(ctx, p, of) })
	}()
	select {
	case <-r.ready:
		return r, nil
	case <-r.done:
	case <-ctx.Done():
		abort()
		<-r.done
		r.err = context.Cause(ctx)
	}
	os.RemoveAll(dir)
	return nil, r.err
}

// Running reports whether the tab is still being filmed.
func (r *Recording) Running() bool {
	select {
	case <-r.done:
		return false
	default:
		return true
	}
}

// Saved is a video that was saved.
type Saved struct {
	Length time.Duration
	Bytes  int64
	Cut    string // why it ended before it was stopped; "": it did not
}

// Stop ends the video, unless it has ended, and calls put with the path of its file. If put fails, or
// ctx ends before the file is complete, Stop returns the error and keeps the video. Then Stop can be
// called again.
func (r *Recording) Stop(ctx context.Context, put func(path string) error) (Saved, error) {
	r.stop()
	select {
	case <-r.done:
	case <-ctx.Done():
		return Saved{}, context.Cause(ctx)
	}
	info, err := os.Stat(r.path)
	if err == nil {
		err = put(r.path)
	}
	if err != nil {
		return Saved{}, err
	}
	os.RemoveAll(r.dir)
	return Saved{r.length, info.Size(), r.cut}, nil
}

// Discard ends the video without saving it.
func (r *Recording) Discard() {
	r.abort()
	<-r.done
	os.RemoveAll(r.dir)
}

// run films the tab, and encodes on the page p. It returns an error only if it fails before the first
// picture; then it can be run again in another browser. After a later failure, the part of the video
// that was written is kept, and r.cut says why it ended.
func (r *Recording) run(ctx context.Context, p *page.Page, of *live.Stream) error {
	e, err := newEncoder(ctx, p, r.how)
	if err != nil {
		return err
	}
	f, err := newFile(r.path, r.how.Width, r.how.Height)
	if err != nil {
		return err
	}
	s := &strip{encoder: e, file: f, began: time.Now(), key: -keyEvery, largest: r.how.Largest, input: newInput()}
	close(r.ready)
	cut := r.film(ctx, s, of)
	broken := s.end(ctx)
	if err := f.close(); err != nil {
		broken = fmt.Sprintf("its file could not be written: %v", err)
	}
	r.cut, r.length = cmp.Or(cut, broken), s.last
	return nil
}

// film adds the pictures of the tab to s, until the video is stopped or must end. The result is the
// reason why the video must end, or "".
func (r *Recording) film(ctx context.Context, s *strip, of *live.Stream) (cut string) {
	stills, ended := make(chan capture.Still), make(chan error, 1)
	interval := time.Second / time.Duration(r.how.FPS)
	var pressed func(page.Press)
	if r.how.ShowInput {
		pressed = s.input.press
	}
	following, leave := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer leave()
	running.Go(func() {
		ended <- of.Follow(following, live.Viewer{
			Filming: capture.Filming{MaxWidth: r.how.Width, MaxHeight: r.how.Height, Quality: 80, Interval: interval},
			Show: func(ctx context.Context, still capture.Still) {
				select {
				case stills <- still:
				case <-ctx.Done():
				}
			},
			Tell:    func(any) {},
			Pressed: pressed,
		})
	})
	longest, redraw := time.NewTimer(r.how.Longest), time.NewTimer(r.how.Longest) // redraw is reset when marks appear or end
	defer longest.Stop()
	defer redraw.Stop()
	for cut == "" {
		select {
		case still := <-stills:
			s.input.resize(still.Width, still.Height)
			cut = s.add(ctx, still.JPEG, s.timeOf(still))
		case <-s.input.more:
			redraw.Reset(time.Until(s.drawn.Add(interval)))
			continue
		case <-redraw.C:
			cut = s.add(ctx, nil, time.Since(s.began))
		case err := <-ended:
			return explain(err)
		case <-longest.C:
			return fmt.Sprintf("it was longer than %v", r.how.Longest)
		case <-r.stopping:
			// The tab may have been closed just before, and Follow may not have returned yet.
			if err := of.Tab.Page().Err(); errors.Is(err, page.ErrClosed) || errors.Is(err, cdp.ErrClosed) {
				return explain(err)
			}
			return ""
		case <-ctx.Done():
			return encoderFailed(context.Cause(ctx))
		}
		if !s.ends.IsZero() {
			redraw.Reset(max(time.Until(s.ends), interval))
		}
	}
	return cut
}

// explain says why a tab cannot be filmed any more.
func explain(err error) string {
	switch {
	case errors.Is(err, page.ErrClosed):
		return "its tab was closed"
	case errors.Is(err, cdp.ErrClosed):
		return "the browser has ended"
	}
	return err.Error()
}

// encoderFailed says that no more pictures can be encoded.
func encoderFailed(err error) string {
	return fmt.Sprintf("the browser that encodes it has failed: %v", err)
}

// A strip is the state of a video while it is being made. Times count from its beginning. Only one
// goroutine uses it.
type strip struct {
	encoder *encoder
	file    *file
	began   time.Time
	last    time.Duration // when the last picture began
	key     time.Duration // when the last key picture began
	bytes   int64         // size of the pictures so far
	largest int64         // limit of bytes, see Options
	filled  bool          // at least one picture was added

	input *input    // marks of recent presses
	drawn time.Time // when the last picture was added
	ends  time.Time // when the first of its marks disappears; zero: it has none
}

// clockError is the longest time between the painting of a picture and its arrival here. A larger
// difference means that the browser runs on another machine, whose clock differs.
const clockError = 2 * time.Second

// timeOf returns when the picture was painted, as a time of the video. If the browser's clock
// differs from ours, it returns the present time of the video.
func (s *strip) timeOf(still capture.Still) time.Duration {
	if late := time.Since(still.At); late < 0 || late > clockError {
		return time.Since(s.began)
	}
	return still.At.Sub(s.began)
}

// add adds a picture at a time of the video. If jpeg is nil, it adds the last picture again. The first
// picture gets the time 0, whenever it was painted. add returns why the video must end, or "".
func (s *strip) add(ctx context.Context, jpeg []byte, at time.Duration) (cut string) {
	if !s.filled {
		at = 0
	} else {
		at = max(at, s.last+time.Millisecond) // times are whole milliseconds in the file
	}
	key := at-s.key >= keyEvery
	ctx, cancel := context.WithTimeout(ctx, encodeTime)
	defer cancel()
	var marked marks
	s.drawn = time.Now()
	marked, s.ends = s.input.shown(s.drawn)
	chunks, err := s.encoder.add(ctx, jpeg, marked, at, key)
	if err != nil {
		return encoderFailed(err)
	}
	if s.filled, s.last = true, at; key {
		s.key = at
	}
	s.bytes += s.file.add(chunks)
	if s.bytes > s.largest {
		return fmt.Sprintf("it was larger than %d MB", s.largest>>20)
	}
	if err := s.file.err(); err != nil {
		return fmt.Sprintf("its file could not be written: %v", err)
	}
	return ""
}

// end adds the last picture again, so that the video lasts until now. If there was no picture, the
// video is black. It returns why that failed, or "".
func (s *strip) end(ctx context.Context) (cut string) {
	now := time.Since(s.began)
	if !s.filled {
		cut = s.add(ctx, nil, 0)
	}
	if cut == "" {
		cut = s.add(ctx, nil, now)
	}
	return cut
}
