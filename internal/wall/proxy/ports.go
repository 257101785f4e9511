package proxy

import (
	"log/slog"
	"maps"
	"slices"
	"sync"
)

// Ports are the ports on which chela itself listens: its control server, proxies and DevTools
// endpoints. No browser may connect to them, or a page could drive browsers. The zero value has
// none.
type Ports struct {
	mu     sync.Mutex // guards the rest
	count  map[uint16]int
	shared registry // "": no other process has ports
}

// SharePorts returns ports that are listed in a folder, together with those of all other processes
// that use the folder. The folder above it must be writable by the user alone.
func SharePorts(folder string) *Ports { return &Ports{shared: registry(folder)} }

// Tidy removes what processes that were killed have left in the folder.
func (p *Ports) Tidy() {
	if p.shared != "" {
		p.shared.all()
	}
}

// Add adds a port, until remove is called.
func (p *Ports) Add(port uint16) (remove func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count == nil {
		p.count = map[uint16]int{}
	}
	if p.count[port]++; p.count[port] == 1 && p.shared != "" {
		if err := p.shared.add(port); err != nil {
			slog.Warn("browsers of other chelas are not kept from a port", "port", port, "error", err)
		}
	}
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.count[port]--; p.count[port] > 0 {
			return
		}
		delete(p.count, port)
		if p.shared != "" {
			p.shared.remove(port)
		}
	})
}

// has reports whether chela listens on a port, in this process or another one of the user.
func (p *Ports) has(port uint16) bool {
	p.mu.Lock()
	own, shared := p.count[port] > 0, p.shared
	p.mu.Unlock()
	return own || shared != "" && shared.has(port)
}

// all returns the ports, in order.
func (p *Ports) all() []uint16 {
	p.mu.Lock()
	ports, shared := slices.Collect(maps.Keys(p.count)), p.shared
	p.mu.Unlock()
	if shared != "" {
		ports = append(ports, shared.all()...)
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}
