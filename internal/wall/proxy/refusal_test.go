package proxy

import (
	"context"
	"fmt"
	"testing"
)

// Functions that wait for refusals get a refusal before the browser does. The browser's request
// waits for them, and refusalTime at most.
func TestRefusalIsAnnounced(t *testing.T) {
	canary := newCanary(t)
	p := start(t, Options{Lookup: fixed(nil)})
	announced, answer := make(chan Refusal), make(chan struct{})
	p.OnRefusal(func(ctx context.Context, r Refusal) {
		announced <- r
		select {
		case <-answer:
		case <-ctx.Done():
		}
	})
	url := fmt.Sprintf("http://127.0.0.1:%d/", canary.port)
	answered := make(chan byte, 1)
	go func() {
		_, status := connect(t, p, "127.0.0.1", canary.port)
		answered <- status
	}()
	r := <-announced
	if !r.Concerns(p, url+"path") || r.Concerns(p, "http://127.0.0.1/") || r.Concerns(p, "about:blank") || r.Concerns(nil, url) || r.Why != p.Failure(url) {
		t.Errorf("announced: %+v", r)
	}
	select {
	case <-answered:
		t.Error("the browser knows it")
	default:
	}
	close(answer)
	if status := <-answered; status != unreachable {
		t.Errorf("status %d", status)
	}
	if _, status := connect(t, p, "missing.example", 80); status != unreachable { // an unknown host is no refusal
		t.Errorf("status %d", status)
	}
}
