package chromium

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Line carries connections to a browser as a bad network does: one that is slow, loses data or
// breaks.
type Line struct {
	URL string // address of the browser at this end of the line

	far string // address of the browser itself

	mu    sync.Mutex // guards the rest
	way   Way
	conns map[net.Conn]bool
}

// A Way says how a line carries connections.
type Way struct {
	Delay  time.Duration // delay of each piece, in both directions
	Silent bool          // what is sent is lost; connections stay open, but carry nothing from then on
	Down   bool          // all connections end, new ones at once
}

// NewLine returns a line to the browser at a URL.
func NewLine(t testing.TB, browser string) *Line {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	line := &Line{URL: "http://" + l.Addr().String(), far: strings.TrimPrefix(browser, "http://"), conns: map[net.Conn]bool{}}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go line.carry(near)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		line.Set(Way{Down: true})
	})
	return line
}

// Set changes how the line carries connections.
func (l *Line) Set(way Way) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.way = way
	for conn := range l.conns {
		if way.Down {
			conn.Close()
		}
	}
}

// Cut ends the connections that there are.
func (l *Line) Cut() {
	l.mu.Lock()
	way := l.way
	l.mu.Unlock()
	l.Set(Way{Down: true})
	l.Set(way)
}

// is returns how the line carries connections now.
func (l *Line) is() Way {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.way
}

// keep adds a connection to those that end with the line. It reports false if the line is down.
func (l *Line) keep(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.way.Down {
		conn.Close()
		return false
	}
	l.conns[conn] = true
	return true
}

func (l *Line) carry(near net.Conn) {
	far, err := net.Dial("tcp", l.far)
	if err != nil {
		near.Close()
		return
	}
	if !l.keep(near) || !l.keep(far) {
		near.Close()
		far.Close()
		return
	}
	var both sync.WaitGroup
	lost := make(chan struct{})
	var once sync.Once
	lose := func() { once.Do(func() { close(lost) }) }
	both.Go(func() { l.pass(near, far, lost, lose) })
	both.Go(func() { l.pass(far, near, lost, lose) })
	both.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, near)
	delete(l.conns, far)
}

// pass carries one direction of a connection. The channel lost is closed when something was lost in
// either direction.
func (l *Line) pass(from, to net.Conn, lost <-chan struct{}, lose func()) {
	defer from.Close()
	defer to.Close()
	type piece struct {
		bytes []byte
		due   time.Time
	}
	pieces := make(chan piece, 1000)
	defer close(pieces)
	go func() {
		for p := range pieces {
			time.Sleep(time.Until(p.due))
			select {
			case <-lost:
			default:
				to.Write(p.bytes)
			}
		}
	}()
	for {
		bytes := make([]byte, 16<<10)
		n, err := from.Read(bytes)
		if err != nil {
			return
		}
		way := l.is()
		if way.Silent {
			lose()
		}
		pieces <- piece{bytes[:n], time.Now().Add(way.Delay)}
	}
}
