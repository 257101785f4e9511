package api

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/record/live"
	"chela/internal/record/video"
)

// videoRows returns operations that film a tab. They are functions of a [call.Service], so that a
// video can be ended while a dialog is open, and after its tab was closed.
func videoRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /video/start", "video start",
			"Record the tab as a WebM video, until video stop, until the tab closes, or for 10 minutes. If the browser is stopped, the video is lost.",
			videoStart, op.Confined, op.Looks, op.Rare, op.Limit(20*s, 1*s, 120*s), op.Says("video started"), op.Example("--fps 5 --size 800x600")),
		op.Define("POST /video/stop", "video stop", "End the video of the tab, and save it as a file. The tab may have closed.",
			videoStop, op.Confined, op.Looks, op.Rare, op.Limit(60*s, 1*s, 120*s), op.Example("--out visit.webm")),
	}
}

// A videoRequest says which tab is filmed, and how.
type videoRequest struct {
	call.On
	op.Timeout
	FPS  int       `json:"fps,omitempty" min:"1" max:"30" default:"10" doc:"how many pictures a second, at most; there are none while the page does not change"`
	Size videoSize `json:"size,omitempty" default:"1280x720" doc:"width and height of the video in pixels, at most 1920x1080; pictures of the tab are scaled down to fit, but never up"`

	ShowInput bool `json:"showInput,omitempty" flag:"show-input" doc:"draw a ring where the mouse is pressed, and the names of keys, but not typed text"`
}

// A videoSize is the size of a video, as people write it: 1280x720. Zero is the default.
type videoSize struct{ width, height int }

// minVideo is the smallest width and height of a video.
const minVideo = 64

// UnmarshalText reads a size. In VP9, two by two pixels share their color, so the numbers must be
// even.
func (v *videoSize) UnmarshalText(text []byte) error {
	width, height, _ := strings.Cut(strings.ToLower(string(text)), "x")
	var wrong [2]error
	v.width, wrong[0] = strconv.Atoi(width)
	v.height, wrong[1] = strconv.Atoi(height)
	switch {
	case errors.Join(wrong[:]...) != nil:
		return op.Errorf(op.Invalid, "size must be a width and a height, such as 1280x720")
	case v.width < minVideo || v.height < minVideo || v.width > video.MaxWidth || v.height > video.MaxHeight:
		return op.Errorf(op.Invalid, "size must be from %dx%d to %dx%d", minVideo, minVideo, video.MaxWidth, video.MaxHeight)
	case v.width%2+v.height%2 > 0:
		return op.Errorf(op.Invalid, "width and height must be even")
	}
	return nil
}

// MarshalText writes a size as UnmarshalText reads it.
func (v videoSize) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%dx%d", v.width, v.height), nil
}

// JSONSchema says that it is a text.
func (videoSize) JSONSchema() op.Object { return op.Object{"type": "string"} }

// options returns how the tab is filmed.
func (r videoRequest) options() video.Options {
	o := video.Options{
		Width: r.Size.width, Height: r.Size.height, FPS: r.FPS, ShowInput: r.ShowInput,
		Longest: video.MaxTime, Largest: video.MaxBytes,
	}
	if o.Width == 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.FPS == 0 {
		o.FPS = 10
	}
	return o
}

// videoTab is the tab that is filmed.
type videoTab struct {
	OK       bool        `json:"ok" doc:"always true"`
	TargetID op.Handle   `json:"targetId" doc:"target id of the tab"`
	TabID    op.Handle   `json:"tabId" doc:"handle of the tab"`
	URL      op.PageText `json:"url,omitempty" doc:"address that the tab shows"`
}

// videoStart begins a video of the tab, and starts its browser if need be. It returns the errors of
// finding or opening the tab, of [call.Videos.Check], of the file system, and of starting the browser
// that encodes.
func videoStart(ctx context.Context, s *call.Service, r videoRequest) (videoTab, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return videoTab{}, err
	}
	t, _, err := s.Turn(ctx, r.Want())
	if err != nil {
		return videoTab{}, err
	}
	if err := s.Videos.Check(p.Name, t.Tab.ID); err != nil {
		return videoTab{}, err
	}
	dir, err := s.Files.Staging()
	if err != nil {
		return videoTab{}, err
	}
	recording, err := video.Start(ctx, dir, s.Renderer, &live.Stream{Profile: p.Name, Tab: t.Tab, Calls: &p.Calls}, r.options())
	if lacks, ok := errors.AsType[*page.ScriptError](err); ok {
		return videoTab{}, op.Errorf(op.Conflict, "the browser cannot make videos: %s", lacks.Text).Hinted("use a newer Chromium, or a trace")
	}
	if err != nil {
		return videoTab{}, err
	}
	tab := t.Tab.Info()
	if err := s.Videos.Begin(&call.Video{Recording: recording, Profile: p.Name, Session: op.Session(ctx), Tab: tab}); err != nil { // another call was faster
		recording.Discard()
		return videoTab{}, err
	}
	return videoTab{true, op.Handle(tab.TargetID), op.Handle(tab.ID), words.Shown(tab.URL)}, nil
}

// A videoStopRequest says where the video is to be saved, by the rules of traceStopRequest.
type videoStopRequest struct {
	call.On
	op.Timeout
	Path op.Record `json:"path,omitempty" doc:"file below the folder of temporary files (/tmp/chela); browser-video-<uuid>.webm when left out"`
}

// videoResult is a video that was saved.
type videoResult struct {
	OK        bool      `json:"ok" doc:"always true"`
	TabID     op.Handle `json:"tabId" doc:"handle of the tab that was filmed"`
	Path      op.File   `json:"path" doc:"where the video was saved"`
	Seconds   float64   `json:"seconds" doc:"length of the video in seconds"`
	Bytes     int64     `json:"bytes" doc:"size of the file"`
	Truncated bool      `json:"truncated,omitempty" doc:"the video ended before it was stopped"`
	Missing   string    `json:"missing,omitempty" doc:"why the video ended early"`
}

// Text returns where the video is.
func (r videoResult) Text() string {
	return words.Lines("VIDEO:"+string(r.Path), words.Prefixed("the video ended early: ", r.Missing))
}

// videoStop saves the video. If the path is refused, or the file cannot be put there, the video can
// be stopped again. The same is true if the deadline comes before the file is complete. It returns
// the errors of [call.Service.Video], of the path and of the file system.
func videoStop(ctx context.Context, s *call.Service, r videoStopRequest) (videoResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return videoResult{}, err
	}
	place, err := s.Files.Video(string(r.Path))
	if err != nil {
		return videoResult{}, call.ExplainPath(err)
	}
	v, err := s.Video(ctx, p, r.TargetID)
	if err != nil {
		return videoResult{}, err
	}
	if s.Videos.Take(v) == nil {
		return videoResult{}, op.Errorf(op.Conflict, "no video is running").Hinted("another call has stopped it")
	}
	saved, err := v.Stop(ctx, place.Put)
	if err != nil {
		s.Videos.Keep(v)
		return videoResult{}, call.ExplainPath(err)
	}
	return videoResult{
		true, op.Handle(v.Tab.ID), op.File(place.Path()), saved.Length.Seconds(), saved.Bytes, saved.Cut != "", saved.Cut,
	}, nil
}
