package profile

import (
	"log/slog"
	"time"
)

// KeepWarm starts browsers before calls need them, and keeps n empty tabs ready in each. These are
// the browser in which pages are rendered, and that of the default profile, if chela starts it
// without windows. If such a browser is lost, it is started again. If it was stopped, it starts
// when a call needs it. With 0, all browsers start when calls need them. The browser of a portable
// profile always starts only then: a machine that started it earlier would keep the profile from
// all others.
func (m *Manager) KeepWarm(n int) {
	for _, p := range m.warmable() {
		p.keepWarm(n)
	}
}

// Warm returns how many empty tabs are ready in the browsers of KeepWarm.
func (m *Manager) Warm() (ready int) {
	for _, p := range m.warmable() {
		if b := p.Running(); b != nil && p.isWarm() {
			ready += b.Spares()
		}
	}
	return ready
}

func (m *Manager) warmable() []*Profile {
	all := []*Profile{m.Renderer().profile}
	p, err := m.Named("")
	if err != nil || !p.Setup().Launched() {
		return all
	}
	if headless, _ := p.Mode(); headless {
		all = append(all, p)
	}
	return all
}

func (p *Profile) keepWarm(n int) {
	p.mu.Lock()
	p.warm = n
	b := p.runningLocked()
	p.mu.Unlock()
	switch {
	case b != nil:
		b.KeepSpares(n)
	case n > 0:
		p.startWarm()
	}
}

// startWarm begins to start the browser, if none runs and the profile is not portable. It does not
// wait for the start. A call that needs the browser meanwhile gets the result.
func (p *Profile) startWarm() {
	setup := p.Setup()
	if setup.Portable {
		return
	}
	if _, _, err := p.startOrJoin(new(true), setup); err != nil {
		slog.Warn("no browser can be kept ready", "profile", p.Name, "error", err)
	}
}

// soonTime is how long a browser must have lived to be started again at once when it is lost.
const soonTime = 10 * time.Second

// startAgain starts a browser that was lost after the time lived, and that is kept ready. If it is
// lost soon after each start, the next starts are delayed as after starts that fail. A browser that was
// stopped meanwhile is not started.
func (p *Profile) startAgain(lived time.Duration) {
	time.AfterFunc(p.pause(lived), func() {
		p.mu.Lock()
		again := p.lost && p.warm > 0 && !p.closed
		p.mu.Unlock()
		if again {
			p.startWarm()
		}
	})
}

// pause returns how long to wait until a browser is started that was lost after the time lived.
func (p *Profile) pause(lived time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if lived >= soonTime {
		p.crashes = 0
		return 0
	}
	p.crashes++
	return backOff(p.crashes)
}

func (p *Profile) isWarm() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.warm > 0
}
