package profile

import (
	"context"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/wall/proxy"
)

// A Renderer is the browser in which pages are rendered, apart from those of callers. It is run
// as the browser of a profile is, behind the same wall and with the settings that all browsers
// have in common, but always without windows, on this machine, and with nothing to remember: all
// its pages are opened by [browser.Browser.Apart].
type Renderer struct{ profile *Profile }

// Renderer returns the browser in which pages are rendered; it need not run.
func (m *Manager) Renderer() Renderer {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.profiles[config.Render]
	if p == nil {
		p = m.newProfileLocked(config.Render)
	}
	return Renderer{p}
}

// Browser returns the running browser, and starts it if none runs. Errors are those of
// [Profile.Start].
func (r Renderer) Browser(ctx context.Context) (*browser.Browser, error) {
	return r.profile.Start(ctx, new(true))
}

// Stop ends the browser. Errors are those of [Profile.Stop].
func (r Renderer) Stop(ctx context.Context) error {
	_, err := r.profile.Stop(ctx, true)
	return err
}

// Dialer returns what connects chela itself to where the pages of this browser may go, for the time
// of a call; the browser need not run. Hosts are as for [proxy.NewDialer]. Errors are those of the
// policy and the proxy of the configuration, and of [proxy.NewDialer].
func (r Renderer) Dialer(hosts []string) (*proxy.Dialer, error) {
	o, err := r.profile.wall.options(r.profile.Setup())
	if err != nil {
		return nil, err
	}
	return proxy.NewDialer(o, hosts)
}

// renders reports whether it is the browser in which pages are rendered.
func (p *Profile) renders() bool { return p.Name == config.Render }

// renderSetup is how that browser is run.
func renderSetup(c *config.Config) Setup {
	all := c.Browser
	return Setup{
		Name: config.Render, Driver: Managed, Headless: new(true), headlessFrom: "profile",
		Executable: all.ExecutablePath, NoSandbox: all.NoSandbox, ExtraArgs: all.ExtraArgs, Color: all.Color, Proxy: all.Proxy,
	}
}
