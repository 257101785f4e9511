package recorder

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"chela/internal/engine/browser"
)

// Recorders has the recorders of a server's profiles.
type Recorders struct {
	Camera Camera

	limits    func() Limits
	running   context.Context // context of all followers; ends when nothing more is recorded
	stop      context.CancelFunc
	following sync.WaitGroup // goroutines that follow browsers, or remove what is too old

	mu        sync.Mutex // guards the rest
	byProfile map[string]*Recorder
	followed  map[*browser.Browser]*follower
	closed    bool
}

// NewRecorders returns recorders that record nothing yet. They call limits before each write.
func NewRecorders(limits func() Limits) *Recorders {
	running, stop := context.WithCancel(context.Background())
	return &Recorders{
		limits: limits, running: running, stop: stop,
		byProfile: map[string]*Recorder{}, followed: map[*browser.Browser]*follower{},
	}
}

// Of returns the recorder of a profile, whose files are in the folder dir.
func (rs *Recorders) Of(profile, dir string) *Recorder {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.byProfile[profile]
	if r == nil {
		r = New(dir, rs.limits)
		rs.byProfile[profile] = r
		if rs.closed {
			r.Close()
		}
	}
	return r
}

// Forget ends the recorder of a profile that was deleted.
func (rs *Recorders) Forget(profile string) {
	rs.mu.Lock()
	r := rs.byProfile[profile]
	delete(rs.byProfile, profile)
	rs.mu.Unlock()
	if r != nil {
		r.Close()
	}
}

// expireEvery is how often recordings lose what is too old, if no calls are added to them.
const expireEvery = 15 * time.Minute

// Expire removes what is too old, now and every quarter of an hour, also from the recordings of
// profiles that are not used. The function all returns the recorders of all profiles in the
// configuration. Other recorders end, unless a browser of the profile runs. Expire returns at once; the
// work ends with [Recorders.Close].
func (rs *Recorders) Expire(all func() []*Recorder) {
	rs.following.Go(func() {
		again := time.NewTicker(expireEvery)
		defer again.Stop()
		for {
			rs.expire(all)
			select {
			case <-again.C:
			case <-rs.running.Done():
				return
			}
		}
	})
}

func (rs *Recorders) expire(all func() []*Recorder) {
	rs.mu.Lock()
	before := maps.Clone(rs.byProfile) // a profile that is added from now on need not be in the list
	rs.mu.Unlock()
	used := all()
	for _, r := range used {
		r.expire()
	}
	rs.mu.Lock()
	for _, f := range rs.followed {
		used = append(used, f.recorder)
	}
	maps.DeleteFunc(before, func(profile string, r *Recorder) bool {
		return rs.byProfile[profile] != r || slices.Contains(used, r)
	})
	for profile := range before {
		delete(rs.byProfile, profile)
	}
	rs.mu.Unlock()
	for _, r := range before {
		r.Close()
	}
}

// TakeProblem returns why calls of a profile were dropped, see [Recorder.TakeProblem]. It may be
// called on nil.
func (rs *Recorders) TakeProblem(profile string) string {
	if rs == nil {
		return ""
	}
	rs.mu.Lock()
	r := rs.byProfile[profile]
	rs.mu.Unlock()
	if r == nil {
		return ""
	}
	return r.TakeProblem()
}

// Begin is to be called when a call on a tab begins. The events of the tab are recorded from now on.
// A picture of the tab that is due is not taken before the call has ended.
func (rs *Recorders) Begin(r *Recorder, t *browser.Tab) {
	rs.Camera.Pause(t)
	rs.followerOf(r, t.Browser()).called(t)
}

// followerOf returns the follower of a browser, and starts one if there is none. It returns nil if
// the recorders are closed and there is none.
func (rs *Recorders) followerOf(r *Recorder, b *browser.Browser) *follower {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	f := rs.followed[b]
	if f != nil || rs.closed {
		return f
	}
	f = &follower{recorder: r, tabs: map[*browser.Tab]*tabEvents{}}
	rs.followed[b] = f
	rs.following.Go(func() {
		f.follow(rs.running, b)
		rs.mu.Lock()
		defer rs.mu.Unlock()
		delete(rs.followed, b)
	})
	return f
}

// Close ends all recorders, and waits until all is written.
func (rs *Recorders) Close() {
	rs.Camera.Close()
	rs.stop()
	rs.mu.Lock()
	rs.closed = true
	all := rs.byProfile
	rs.mu.Unlock()
	rs.following.Wait()
	for _, r := range all {
		r.Close()
	}
}
