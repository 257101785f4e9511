package profile

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"

	files "chela/extension"
	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/engine/extension"
	"chela/internal/engine/nativehost"
)

// relayOf returns the relay of a server, which opens its port when it is first used.
func relayOf(c *config.Live, own func(port int) func()) *extension.Relay {
	return extension.New(extension.Options{
		Dir: filepath.Join(c.State().Dir, "extension"), ID: files.ID(), OwnPort: own,
		Address: net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Current().RelayPort())),
	})
}

// Relay returns the relay to browsers that have chela's extension.
func (m *Manager) Relay() *extension.Relay { return m.relay }

// AwaitExtensions opens the relay's port if a browser is paired, so that the extension in it can
// connect.
func (m *Manager) AwaitExtensions() {
	if err := nativehost.For(m.config.State()).Point(m.config.Current().RelayPort()); err != nil {
		slog.Warn("the unpacked extension could not be told the relay's port", "error", err)
	}
	if !m.relay.Paired() {
		return
	}
	if err := m.relay.Listen(); err != nil {
		slog.Warn("the extension cannot connect: the relay's port cannot be opened", "error", err)
	}
}

// reachExtension returns the host of the browser with the extension. That browser is on this
// machine, and its user goes on working with it.
func (p *Profile) reachExtension() browser.Host {
	open := func(ctx context.Context) (cdp.Transport, error) { return p.relay.Connect(ctx, p.Name) }
	return browser.Connect(open, browser.Description{Shared: true, Grouped: true, Local: true})
}

// isUnconnected reports whether the error says that no browser with the extension can be driven. No
// browser is paired, none is connected, or another profile drives the one that is connected.
func isUnconnected(err error) bool {
	return errors.Is(err, extension.ErrUnpaired) || errors.Is(err, extension.ErrAway) || errors.Is(err, extension.ErrBusy)
}
