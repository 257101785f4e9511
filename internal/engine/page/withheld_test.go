package page

import (
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// Withheld is asked for each event. It judges the addresses only when a frame has another one, when the
// policy has changed, and once in a while.
func TestWithheldSeldomJudges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open, err := guard.Rules{}.Policy()
		if err != nil {
			t.Fatal(err)
		}
		closed, err := guard.Rules{BlockedHostnames: []string{"one.test"}}.Policy()
		if err != nil {
			t.Fatal(err)
		}
		policy, asked := open, 0
		network, err := proxy.NewJudge(proxy.Options{Policy: func() *guard.Policy { asked++; return policy }})
		if err != nil {
			t.Fatal(err)
		}
		defer network.Close()
		p := Gone("1", "http://one.test/", Callbacks{Network: network})
		check := func(when string, refused bool, most int) {
			t.Helper()
			asked = 0
			for range 100 {
				if got := p.Withheld() != nil; got != refused {
					t.Errorf("%s: withheld is %t", when, got)
				}
			}
			if judged := asked - 100; judged > most { // each call asks for the policy, and each judgement asks once more
				t.Errorf("%s: the addresses were judged %d times", when, judged)
			}
		}
		check("at first", false, 1)
		policy = closed
		check("after a change of the policy", true, 1)
		time.Sleep(judgedTime)
		check("after some time", true, 1)
		p.mu.Lock()
		p.main().URL = "http://two.test/"
		p.mu.Unlock()
		check("on the next page", false, 1)
		policy, p.main().URL = open, "http://one.test/"
		check("back", false, 1)
	})
}
