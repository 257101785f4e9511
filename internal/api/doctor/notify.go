package doctor

import (
	"os/exec"

	"chela/internal/api/call"
	"chela/internal/base/config"
)

// notify adds a check of how a person is notified of questions, if the configuration says so. It
// sends no notification.
func (h *Report) notify(s *call.Service, c *config.Config) {
	to := c.Notify()
	if to.URL == "" && to.Command == nil {
		return
	}
	const id, label = "notify", "Notifications"
	if failed := s.Notifier.Failed(); failed != "" {
		h.note(id, label, "warn", "a person was not notified: "+failed).FixHint = "correct dashboard.notify"
		return
	}
	if to.Command != nil {
		if _, err := exec.LookPath(to.Command[0]); err != nil {
			h.note(id, label, "warn", "there is no program "+to.Command[0]).FixHint = "correct dashboard.notify"
			return
		}
	}
	h.note(id, label, "pass", "a person is notified of questions")
}
