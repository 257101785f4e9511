package call

import "chela/internal/engine/profile"

// Browsers lists the running browsers, with what they use.
func (s *Service) Browsers() []profile.Figures { return s.Profiles.Figures() }

// Dropped returns how much was left out since the start, by kind:
//
//   - events of pages that came too fast to be recorded;
//   - entries of event logs that were removed to make room for newer ones;
//   - frames for programs that did not read them.
func (s *Service) Dropped() map[string]int64 {
	drops := &s.Profiles.Drops
	return map[string]int64{"events": drops.Events.Load(), "entries": drops.Entries.Load(), "frames": s.broker.Dropped.Load()}
}
