package profile

import (
	"context"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/wall/proxy"
)

// A Renderer is the browser in which pages are rendered, apart from the browsers of callers. It
// runs like the browser of a profile, behind the same network policy and with the settings that all
// browsers share. But it always runs on this machine, without windows, and remembers nothing. All
// its pages are opened by [browser.Browser.InEphemeralContext].
type Renderer struct{ profile *Profile }

// Renderer returns the browser in which pages are rendered. It need not be running.
func (m *Manager) Renderer() Renderer {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.profiles[config.Render]
	if p == nil {
		p = m.newProfileLocked(config.Render)
	}
	return Renderer{p}
}

// Browser returns the running browser. If none runs, it starts one. Errors come from
// [Profile.Start].
func (r Renderer) Browser(ctx context.Context) (*browser.Browser, error) {
	return r.profile.Start(ctx, new(true))
}

// LastFailure returns why the last start of the browser failed; nil if it succeeded, or there was
// none.
func (r Renderer) LastFailure() error { return r.profile.LastFailure() }

// Stop ends the browser, unless it is kept ready. Errors come from [Profile.Stop].
func (r Renderer) Stop(ctx context.Context) error {
	if r.profile.isWarm() {
		return nil
	}
	_, err := r.profile.Stop(ctx, Stopping{Forget: true})
	return err
}

// Dialer returns a dialer by which chela itself connects, under the same policy and proxy as pages
// of this browser. It is for one call; the browser need not run. The parameter hosts is explained
// at [proxy.NewDialer]. Errors come from the policy and the proxy of the configuration, and from
// [proxy.NewDialer].
func (r Renderer) Dialer(hosts []string) (*proxy.Dialer, error) {
	o, err := r.profile.wall.options(r.profile.Setup())
	if err != nil {
		return nil, err
	}
	return proxy.NewDialer(o, hosts)
}

// renders reports whether this is the profile of the [Renderer].
func (p *Profile) renders() bool { return p.Name == config.Render }

// renderSetup returns the Setup of the [Renderer].
func renderSetup(c *config.Config) Setup {
	all := c.Browser
	return Setup{
		Name: config.Render, Driver: Managed, Headless: new(true), headlessFrom: "profile",
		Executable: all.ExecutablePath, NoSandbox: all.NoSandbox, ExtraArgs: all.ExtraArgs, Color: all.Color, Proxy: all.Proxy,
	}
}
