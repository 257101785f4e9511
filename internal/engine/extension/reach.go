package extension

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// instanceHeader is the response header with the random name of this relay. It is only in responses
// to requests with the extension's origin.
const instanceHeader = "X-Chela-Relay"

// ErrOtherProgram means that another program answers at the relay's port.
var ErrOtherProgram = errors.New("another program answers at the relay's port")

// Reach opens the relay's port, if it is not open, and makes a request to it as the extension does.
// It returns the address at which the relay listens. Errors come from the port and the request, or
// are [ErrOtherProgram].
func (r *Relay) Reach(ctx context.Context) (address string, err error) {
	if err := r.Listen(); err != nil {
		return r.Address, err
	}
	r.mu.Lock()
	if r.listener != nil {
		address = r.listener.Addr().String()
	}
	r.mu.Unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/", nil)
	if err != nil {
		return address, err
	}
	req.Header.Set("Origin", r.origin())
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: new(net.Dialer).DialContext}}
	answer, err := client.Do(req)
	if err != nil {
		return address, err
	}
	answer.Body.Close()
	if answer.Header.Get(instanceHeader) != r.instance {
		return address, ErrOtherProgram
	}
	return address, nil
}

// Ping sends a ping to a paired browser, and returns how long the answer took. If the browser is
// not connected, or does not answer before ctx ends, the error is [ErrAway].
func (r *Relay) Ping(ctx context.Context, id string) (time.Duration, error) {
	r.mu.Lock()
	p := r.peers[id]
	r.mu.Unlock()
	if p == nil {
		return 0, ErrAway
	}
	p.mu.Lock()
	l, seen, greeted := p.link, p.seen, p.greeted
	p.mu.Unlock()
	begun := time.Now()
	if !greeted || !l.roundTrip(ctx, seen) {
		return 0, ErrAway
	}
	return time.Since(begun), nil
}
