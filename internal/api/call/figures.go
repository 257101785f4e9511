package call

import "chela/internal/engine/profile"

// Browsers lists the running browsers, with what they use.
func (s *Service) Browsers() []profile.Figures { return s.Profiles.Figures() }

// Dropped counts what was left out since the start, by its kind. Events of pages came faster than
// they were recorded. Entries of event logs made room for newer ones. Frames were for programs that
// did not read.
func (s *Service) Dropped() map[string]int64 {
	drops := &s.Profiles.Drops
	return map[string]int64{"events": drops.Events.Load(), "entries": drops.Entries.Load(), "frames": s.broker.Dropped.Load()}
}
