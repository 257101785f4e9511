package doctor

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chela/internal/engine/profile"
	"chela/internal/wall/attack"
)

// If nothing has reached the server, this proves protection only if the page has tried to reach it.
func TestVerdictOnTheWall(t *testing.T) {
	image := attack.Way{Name: "image", Text: "an image", Tried: true, Open: true}
	untried := attack.Way{Name: "fetch", Text: "a fetch", Tried: true}
	through := attack.Way{Name: "beacon", Text: "a beacon", Tried: true, Open: true, Reached: true}
	ways := func(ways ...attack.Way) attack.Report { return attack.Report{Ways: ways} }
	for _, test := range []struct {
		name          string
		report        attack.Report
		own           bool
		err           error
		state, detail string
	}{
		{"holds", ways(image, attack.Way{Name: "stun", Tried: true, Optional: true, Shut: true}, attack.Way{Optional: true}), false, nil,
			"pass", "a page has tried 2 ways to reach a server of this machine"},
		{"holds for ports of chela", ways(image), true, nil, "pass", "1 ways to reach ports of chela"},
		{"another form", ways(attack.Way{Name: "form-0", Tried: true, Form: true}), false, nil, "pass", "1 ways"},
		{"a way through", ways(image, through), false, nil, "fail", "by a beacon"},
		{"datagrams", attack.Report{Ways: []attack.Way{image}, Datagrams: 3}, false, nil, "fail", "0 connections and 3 datagrams"},
		{"an address told", attack.Report{Ways: []attack.Way{image}, Candidates: []string{"candidate"}}, false, nil, "fail", "told the page 1"},
		{"a way through, and no end", attack.Report{Connections: 1}, false, context.DeadlineExceeded, "fail", "1 connections"},
		{"not tried", ways(image, untried), false, nil, "fail", "nothing was shown, as these led nowhere, also where they may: a fetch"},
		{"nothing tried", ways(), false, nil, "fail", "nothing was shown"},
		{"no end", ways(), false, fmt.Errorf("no browser"), "fail", "nothing was shown: "},
	} {
		h := Report{}
		h.addWall(profile.Attack{Report: test.report, OwnPorts: test.own}, test.err)
		c := h.Checks[0]
		if c.Status != test.state || !strings.Contains(c.Summary, test.detail) || (c.FixHint == "") != (test.state == "pass") {
			t.Errorf("%s: got %+v", test.name, c)
		}
		if warned := len(h.Checks) > 1; warned != test.own {
			t.Errorf("%s: got %+v", test.name, h.Checks)
		}
	}
}
