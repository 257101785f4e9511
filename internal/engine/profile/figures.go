package profile

import (
	"cmp"
	"slices"

	"chela/internal/engine/chrome"
)

// Figures are what a running browser uses.
type Figures struct {
	Profile string
	Tabs    int   // number of tabs of callers
	Memory  int64 // bytes of all its processes, see [chrome.Footprint]; 0: not known
}

// Figures lists the running browsers by their profiles. It reads the system's list of processes.
func (m *Manager) Figures() (all []Figures) {
	for _, p := range m.loaded() {
		b := p.Running()
		if b == nil {
			continue
		}
		f := Figures{Profile: p.Name}
		for _, tabs := range b.TabOwners() {
			f.Tabs += tabs
		}
		if about := b.Describe(); about.Own {
			f.Memory, _ = chrome.Footprint(about.PID)
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b Figures) int { return cmp.Compare(a.Profile, b.Profile) })
	return all
}
