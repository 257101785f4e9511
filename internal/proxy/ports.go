package proxy

import (
	"maps"
	"slices"
	"sync"
)

// Ports are those on which chela listens itself: of its control server, of proxies, of
// DevTools endpoints. No browser may connect to them, or a page could drive browsers.
// Its zero value has none.
type Ports struct {
	mu    sync.Mutex // guards the rest
	count map[uint16]int
}

// Add adds a port, until remove is called.
func (p *Ports) Add(port uint16) (remove func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count == nil {
		p.count = map[uint16]int{}
	}
	p.count[port]++
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.count[port]--; p.count[port] == 0 {
			delete(p.count, port)
		}
	})
}

func (p *Ports) has(port uint16) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count[port] > 0
}

// all are the ports, in order.
func (p *Ports) all() []uint16 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.count))
}
