package relay

import (
	"errors"
	"flag"
	"os"
	"syscall"
	"testing"
	"time"
)

var (
	suspends  = flag.Int("suspends", 2, "how often the browser is suspended while agents work")
	suspended = flag.Duration("suspended", 3*time.Second, "for how long each time")
)

// The server does not notice a short suspension, and has ended the connection after a long one.
func TestAgentsOutliveSuspends(t *testing.T) {
	newTeam(t).outlive("suspend", *suspends, func(team *team, _ int) {
		team.p.signal(syscall.SIGSTOP)
		time.Sleep(*suspended)
		team.p.signal(syscall.SIGCONT)
	})
}

// The machine was suspended, and the server has ended the connection meanwhile.
func TestSuspend(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	s.evaluate(tab, "kept = 7")
	for range 2 {
		count := s.greeted()
		p.signal(syscall.SIGSTOP)
		s.disconnect()
		p.signal(syscall.SIGCONT)
		began := time.Now()
		hello := s.hello(count + 1)
		if away := time.Since(began); away > mostAway || hello["worker"] != s.hello(1)["worker"] {
			t.Errorf("back after %v: %v", away, hello)
		}
		if got := s.evaluate(tab, "kept"); got != 7.0 {
			t.Errorf("kept = %v", got)
		}
	}
}

// signal sends a signal to all processes of the browser.
func (p *person) signal(signal syscall.Signal) {
	p.t.Helper()
	for _, process := range p.processes("") {
		if err := process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			p.t.Fatal(err)
		}
	}
}
