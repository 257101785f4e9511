package page

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"time"

	"chela/internal/engine/frame"
	"chela/internal/engine/observe"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// explainLoad completes the error of a navigation whose connection failed. It waits for the error
// page: the address after redirects is only known then, and the page would interrupt the next call.
// If ctx ends before the address is known, it returns the cause of ctx.
func (p *Page) explainLoad(ctx context.Context, e *LoadError) error {
	e.PastProxy = e.Text == observe.UnknownHost && p.on.Network.Carries()
	if e.Text != proxy.Unreachable {
		soon, cancel := context.WithTimeout(ctx, errorPageTime)
		defer cancel()
		p.await(soon, func() bool { return e.loader == "" || p.main().Loader == e.loader })
		return nil
	}
	at := ""
	err := p.await(ctx, func() bool {
		at = p.main().Unreachable
		return e.loader == "" || p.main().Loader == e.loader
	})
	if err != nil {
		return err
	}
	e.Text, e.Refused = observe.Explain(p.on.Network, at, e.Text)
	return nil
}

// errorPageTime limits the wait for an error page that tells nothing more about the error.
const errorPageTime = time.Second

// CheckURL returns why the tab must not open a URL, as a [*guard.Refused], or nil.
func (p *Page) CheckURL(ctx context.Context, url string) error { return p.on.Network.Check(ctx, url) }

// Unreadable returns why the network policy forbids reading the page, or nil. It checks the
// addresses of all frames, since the policy may have changed after they were loaded. A frame that
// shows Chromium's error page because its address was refused may be read.
func (p *Page) Unreadable() *guard.Refused {
	return p.on.Network.Allows(p.addresses()...)
}

// addresses lists the addresses of all frames, in no particular order.
func (p *Page) addresses() (urls []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for f := range p.frames.All() {
		urls = append(urls, f.Address())
	}
	return urls
}

// A judgement is what the network policy says about the addresses of a page's frames.
type judgement struct {
	by      *guard.Policy // the policy in force before the judgement
	of      uint64        // hash of the addresses, see hashOf
	at      time.Time
	refused *guard.Refused
}

var hashSeed = maphash.MakeSeed()

// hashOf returns a hash of texts, which does not depend on their order.
func hashOf(texts []string) (sum uint64) {
	for _, text := range texts {
		sum += maphash.String(hashSeed, text)
	}
	return sum
}

// judgedTime limits how old a judgement may be that Withheld uses: the policy also judges the addresses
// that a name has, and these may change.
const judgedTime = 100 * time.Millisecond

// Withheld returns why nothing of the page may be passed on or recorded now, or nil. It is ErrStopped
// while the user has stopped all agents. Otherwise it is what Unreadable returns.
//
// It is asked for each event that a program gets, and the policy takes long for a page with many
// frames. So the last judgement counts while the policy and the addresses of the frames are the same,
// for judgedTime.
func (p *Page) Withheld() error {
	if p.on.Stopped != nil && p.on.Stopped() {
		return ErrStopped
	}
	urls := p.addresses()
	by, of, j := p.on.Network.Policy(), hashOf(urls), p.judged.Load()
	if j == nil || j.by != by || j.of != of || time.Since(j.at) >= judgedTime {
		j = &judgement{by, of, time.Now(), p.on.Network.Allows(urls...)}
		p.judged.Store(j)
	}
	if j.refused != nil {
		return j.refused
	}
	return nil
}

// Refused returns why the network policy does not allow the address of the tab, or nil. There are
// two such cases. The tab went to a refused address, and Chromium shows an error page. Or the
// policy has changed since the document was loaded.
func (p *Page) Refused() *guard.Refused {
	p.mu.Lock()
	url := p.main().Address()
	p.mu.Unlock()
	if IsError(url) {
		return p.refusedIn(p.main())
	}
	return p.Allows(url)
}

// refusedIn returns why the network policy refused the address of a frame, if the frame shows an
// error page for that reason; otherwise nil.
func (p *Page) refusedIn(f *frame.Frame) *guard.Refused {
	p.mu.Lock()
	isError, failed := IsError(f.URL), f.Unreachable
	p.mu.Unlock()
	if !isError {
		return nil
	}
	refused, _ := errors.AsType[*guard.Refused](p.on.Network.Failure(failed))
	return refused
}

// errorPage returns why a frame could not load its document, if it shows Chromium's error page instead;
// otherwise "". The error page is not read: its words and buttons are Chromium's.
func (p *Page) errorPage(f *frame.Frame) string {
	if refused := p.refusedIn(f); refused != nil {
		return frameFailure(refused)
	}
	p.mu.Lock()
	isError, failed, text := IsError(f.URL), f.Unreachable, cmp.Or(f.Failure, "net::ERR_FAILED")
	p.mu.Unlock()
	switch {
	case isStatus(text): // the frame has the address of the answer, see frameNavigated
		return "the server answered with an error status and without a document"
	case !isError:
		return ""
	}
	text, _ = observe.Explain(p.on.Network, failed, text)
	return "the browser could not load it: " + text
}

// Allows returns why the network policy in force does not allow an address, or nil. It does not
// resolve names.
func (p *Page) Allows(url string) *guard.Refused { return p.on.Network.Allows(url) }
