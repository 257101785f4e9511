package call

import (
	"context"
	"errors"
	"slices"
	"sync"

	"chela/internal/engine/browser"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/record/video"
)

// A Video is a video of a tab that is under way, or has ended and is still to be saved.
type Video struct {
	*video.Recording
	Profile string
	Session string       // the session that has begun it
	Tab     browser.Info // the tab, as it was at the beginning
}

// Videos are the videos that are under way or still to be saved.
type Videos struct {
	mu  sync.Mutex // guards the rest
	all []*Video
}

// maxVideos limits the videos of a server. If there are so many, the oldest one that has ended and
// was not saved makes room.
const maxVideos = 4

// Check returns an error if a video of the tab cannot begin now.
func (v *Videos) Check(profile, tab string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.checkLocked(profile, tab)
}

func (v *Videos) checkLocked(profile, tab string) error {
	for _, each := range v.all {
		switch {
		case each.Profile != profile || each.Tab.ID != tab:
		case each.Running():
			return op.Errorf(op.Conflict, "a video of this tab is already running").Hinted("stop it by video stop")
		default:
			return op.Errorf(op.Conflict, "the last video of this tab has ended, and is not saved").Hinted("save it by video stop")
		}
	}
	if len(v.all) >= maxVideos && v.endedLocked() == nil {
		return op.Errorf(op.Conflict, "%d videos are running already", maxVideos).Hinted("stop one by video stop")
	}
	return nil
}

// endedLocked returns the oldest video that has ended, or nil.
func (v *Videos) endedLocked() *Video {
	if i := slices.IndexFunc(v.all, func(each *Video) bool { return !each.Running() }); i >= 0 {
		return v.all[i]
	}
	return nil
}

// Begin adds a video. It returns the errors of Check: if two calls begin one at the same time, the
// second is refused here.
func (v *Videos) Begin(added *Video) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.checkLocked(added.Profile, added.Tab.ID); err != nil {
		return err
	}
	if len(v.all) >= maxVideos {
		ended := v.endedLocked()
		v.takeLocked(ended)
		ended.Discard() // the video has ended, so Discard does not wait
	}
	v.all = append(v.all, added)
	return nil
}

// Take returns a video, and forgets it. It returns nil if another call has taken it.
func (v *Videos) Take(wanted *Video) *Video {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.takeLocked(wanted)
}

func (v *Videos) takeLocked(wanted *Video) *Video {
	i := slices.Index(v.all, wanted)
	if i < 0 {
		return nil
	}
	v.all = slices.Delete(v.all, i, i+1)
	return wanted
}

// Keep adds a video again that could not be saved. The next call to stop it tries again.
func (v *Videos) Keep(kept *Video) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.all = append(v.all, kept)
}

// those returns the videos for which the function fits returns true.
func (v *Videos) those(fits func(*Video) bool) (found []*Video) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, each := range v.all {
		if fits(each) {
			found = append(found, each)
		}
	}
	return found
}

// running reports whether a tab is being filmed.
func (v *Videos) running() bool {
	return len(v.those(func(v *Video) bool { return v.Running() })) > 0
}

// discard ends videos without saving them.
func (v *Videos) discard(fits func(*Video) bool) {
	for _, each := range v.those(fits) {
		if v.Take(each) != nil {
			each.Discard()
		}
	}
}

func (v *Videos) discardAll() { v.discard(func(*Video) bool { return true }) }

// DiscardRecords ends the trace and the videos of a profile without saving them, since its browser
// is stopped.
func (s *Service) DiscardRecords(profile string) {
	s.Traces.Discard(profile)
	s.Videos.discard(func(v *Video) bool { return v.Profile == profile })
}

// Video returns the video that a call means: the video of the tab that it names, or else of the
// current tab. If that tab has none, it is the only video of the call's session. The tab may be
// closed by now: then only the session that has begun the video finds it. If there is no such
// video, the error says so, or that no tab has the name.
func (s *Service) Video(ctx context.Context, p *profile.Profile, name string) (*Video, error) {
	none := op.Errorf(op.Conflict, "no video is running").Hinted("start one by video start")
	if b := p.Running(); b != nil {
		tab, err := Session(ctx, b).Find(name)
		_, unknown := errors.AsType[*browser.NoTabError](err)
		switch {
		case err != nil && name != "" && !unknown:
			return nil, err
		case tab != nil:
			if found := s.Videos.those(func(v *Video) bool { return v.Profile == p.Name && v.Tab.ID == tab.ID }); len(found) > 0 {
				return found[0], nil
			}
			if name != "" {
				return nil, op.Errorf(op.Conflict, "no video of this tab is running").Hinted("start one by video start")
			}
		case name != "":
			none = op.AsError(Explain(err))
		}
	}
	found := s.Videos.those(func(v *Video) bool {
		named := name == "" || slices.Contains([]string{v.Tab.ID, v.Tab.Label, v.Tab.TargetID}, name)
		return v.Profile == p.Name && v.Session == op.Session(ctx) && named
	})
	switch len(found) {
	case 0:
		return nil, none
	case 1:
		return found[0], nil
	}
	return nil, op.Errorf(op.Conflict, "%d videos are running", len(found)).Hinted("name the tab, such as %s", found[0].Tab.ID)
}
