package profile

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"

	"chela/internal/base/hosts"
	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
	"chela/internal/engine/page"
	"chela/internal/wall/attack"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// An Attack is the result of a test of the network policy, in which a page tries to get past it.
// See [Profile.Attack].
type Attack struct {
	attack.Report

	// OwnPorts says that the policy lets pages open this machine. The page then tried to reach
	// ports of chela itself, which no policy opens.
	OwnPorts bool

	Allowed []string // names of this machine that the policy allows, and that the page did not try
}

// attackedHost is the address that the page tries to reach, against the policy.
var attackedHost = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// attackedName is a host name that resolves to attackedHost in the browser that tests the policy.
const attackedName = "chela-doctor.example"

// attackedForms are other ways to write attackedHost, and names that resolve to it.
var attackedForms = []string{
	"2130706433", "0177.1", "0x7f.1", "0.0.0.0", "[::ffff:127.0.0.1]", "１２７.0.0.1", "localhost", "LOCALHOST.", "any.localhost", attackedName,
}

// Attack lets a page try everything to get past the network policy, and reports the results. The
// page is in a separate browser, headless and without data, which is started as the profile's
// browser would be. Of a browser that chela only connects to, the result says nothing. The
// configuration's policy applies, but it also allows the page itself, under a name that nobody else
// knows. An upstream proxy is left out, since it could not find the page.
//
// Errors come from mayStartLocked and from navigating, or are a [*chrome.NotFoundError] and a
// [*StartError]. If ctx ends before the page does, the error is the cause
// of ctx, and what the page has reached so far is returned.
func (p *Profile) Attack(ctx context.Context) (Attack, error) {
	s := p.Setup()
	if err := p.mayAttack(s); err != nil {
		return Attack{}, err
	}
	name := "doctor-" + strings.ToLower(rand.Text()) + ".localhost"
	policy, err := p.wall.policy()
	if err != nil {
		return Attack{}, &StartError{p.Name, err}
	}
	a, forms := planAttack(policy)
	site, err := attack.Start(attack.Options{Open: name, Closed: attackedHost.String(), Forms: forms})
	if err != nil {
		return Attack{}, err
	}
	defer site.Close()
	if a.OwnPorts {
		for _, port := range site.ClosedPorts() {
			defer p.wall.ports.Add(port)()
		}
	}
	host, _ := hosts.Parse(name)
	err = p.withAttacker(ctx, s, policy.Except(host), func(ctx context.Context, tab *page.Page) error {
		if err := tab.Navigate(ctx, site.URL); err != nil {
			return err
		}
		a.Report, err = site.Wait(ctx)
		return err
	})
	return a, err
}

func (p *Profile) mayAttack(s Setup) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mayStartLocked(s)
}

// planAttack returns the forms of attackedHost that the page tries under a policy: those that the
// policy does not allow. If the policy allows the address itself, the page tries ports of chela
// instead.
func planAttack(policy *guard.Policy) (a Attack, forms []string) {
	allows := func(form string) bool {
		host, _ := hosts.Parse(form)
		return policy.CheckHost(host) == nil && policy.CheckAddrs(host, []netip.Addr{attackedHost}) == nil
	}
	if allows(attackedHost.String()) {
		return Attack{OwnPorts: true}, attackedForms // the ports of chela are refused, whatever form of the address is used
	}
	forms = slices.DeleteFunc(slices.Clone(attackedForms), allows)
	for _, form := range attackedForms {
		if allows(form) {
			a.Allowed = append(a.Allowed, form)
		}
	}
	return a, forms
}

// withAttacker starts a browser for the test of the network policy, and runs fn in a tab of it. It
// then ends the browser and removes its data. It returns the error of fn, or the same errors as
// [Profile.Attack].
func (p *Profile) withAttacker(ctx context.Context, s Setup, policy *guard.Policy, fn func(context.Context, *page.Page) error) error {
	executable, err := chrome.Find(s.Executable)
	if err != nil {
		return err
	}
	dir, err := p.files.Staging()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	network, err := proxy.Start(proxy.Options{
		Policy: func() *guard.Policy { return policy },
		Ports:  p.wall.ports,
		Names:  fmt.Sprintf("MAP %s %s", attackedName, attackedHost),
	})
	if err != nil {
		return err
	}
	o := s.options(executable, dir, network)
	o.Headless = true
	host, err := browser.Launch(ctx, o)
	if err != nil {
		network.Close()
		return &StartError{p.Name, err}
	}
	network.Admit(host.Describe().PID)
	b, err := browser.Start(ctx, host, browser.Options{Network: network})
	if err != nil {
		return &StartError{p.Name, err}
	}
	defer b.Close(context.WithoutCancel(ctx))
	return b.InHiddenTab(ctx, fn)
}
