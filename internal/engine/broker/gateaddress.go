package broker

import (
	"context"
	"errors"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/engine/cdp"
	"chela/internal/wall/guard"
)

// check returns an address as a browser writes it after parsing. The error says why the tab must
// not open it.
func (cmd *command) check(ctx context.Context, url string) (string, error) {
	url, err := guard.CheckURL(url)
	if err != nil {
		return "", err
	}
	return url, cmd.page().CheckURL(ctx, url)
}

// navigate passes Page.navigate if chela would open the address for an agent. It replaces the
// address by the one that was checked.
func navigate(cmd *command) error {
	p, err := read[struct {
		URL string `json:"url"`
	}](cmd.request)
	if err != nil {
		return err
	}
	ctx, cancel := cmd.wait()
	defer cancel()
	url, err := cmd.check(ctx, p.URL)
	if err != nil {
		return err
	}
	return cmd.set("url", url)
}

// navigateInHistory passes Page.navigateToHistoryEntry if the address of the entry may be opened.
// The history of a person's tab also has addresses that may not be opened, such as pages of the
// browser itself.
func navigateInHistory(cmd *command) error {
	p, err := read[struct {
		ID int64 `json:"entryId"`
	}](cmd.request)
	if err != nil {
		return err
	}
	ctx, cancel := cmd.wait()
	defer cancel()
	raw, err := call(ctx, cmd.session.Session, "Page.getNavigationHistory", nil)
	if err != nil {
		return err
	}
	var history struct {
		Entries []struct {
			ID  int64  `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := json.Unmarshal(raw, &history, lenient); err != nil {
		return err
	}
	for _, entry := range history.Entries {
		if entry.ID == p.ID {
			_, err := cmd.check(ctx, entry.URL)
			return err
		}
	}
	return nil // Chromium refuses an entry that does not exist
}

// A pausedRequests has the addresses of a session's paused requests, by request id. A program may
// never answer a request that its page has cancelled, so only the newest ones are kept.
type pausedRequests struct {
	newer, older map[string]string // older has the maxPaused that came before those in newer
}

// maxPaused is how many paused requests are kept at least.
const maxPaused = 4096

func (p *pausedRequests) add(id, url string) {
	if p.newer == nil || len(p.newer) == maxPaused {
		p.newer, p.older = map[string]string{}, p.newer
	}
	p.newer[id] = url
}

func (p *pausedRequests) url(id string) (url string, known bool) {
	if url, known = p.newer[id]; !known {
		url, known = p.older[id]
	}
	return url, known
}

func (p *pausedRequests) forget(id string) {
	delete(p.newer, id)
	delete(p.older, id)
}

// notePaused records the address of a request that Chromium has paused for a session.
func (c *client) notePaused(s *session, id, url string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.paused.add(id, url)
}

// pausedRequest has the parameters of a client's command that continues or answers a paused
// request.
type pausedRequest struct {
	ID  string `json:"requestId"`
	URL string `json:"url"`
}

// continueElsewhere passes Fetch.continueRequest with a new address if that address may be opened.
// The page does not notice the change: what the new address answers would run with the origin of
// the first one. So that one must be allowed as well, as for [fulfill].
//
// The network policy is also applied later: by the proxy in a browser that chela has started. In
// any other browser, chela's own session gets the request after the client's session has continued
// it, and applies the policy.
func continueElsewhere(cmd *command) error {
	p, err := read[pausedRequest](cmd.request)
	if err != nil || p.URL == "" {
		return err
	}
	ctx, cancel := cmd.wait()
	defer cancel()
	if _, err = cmd.check(ctx, p.URL); err != nil {
		return err
	}
	return fulfill(cmd)
}

// fulfill passes Fetch.fulfillRequest only for an address that may be opened. Such a request never
// reaches the network, so nothing else applies the policy. The client's response would run with the
// origin of the site.
func fulfill(cmd *command) error {
	p, err := read[pausedRequest](cmd.request)
	if err != nil {
		return err
	}
	cmd.mu.Lock()
	url, known := cmd.session.paused.url(p.ID)
	cmd.mu.Unlock()
	if !known {
		return &failure{invalidParams, noSuchRequest}
	}
	ctx, cancel := cmd.wait()
	defer cancel()
	return cmd.page().CheckURL(ctx, url)
}

// noSuchRequest is Chromium's error for a request that is not paused, such as one that a navigation
// has cancelled.
const noSuchRequest = "Invalid InterceptionId."

// forgetPaused forgets the paused requests that a command has released, when Chromium has replied to
// it. If Chromium refuses the command for another reason, the request is still paused.
func (c *client) forgetPaused(s *session, r *request, err error) {
	if refusal, ok := errors.AsType[*cdp.Error](err); err != nil && !(ok && refusal.Message == noSuchRequest) {
		return
	}
	switch r.Method {
	case "Fetch.disable":
		c.mu.Lock()
		defer c.mu.Unlock()
		s.paused = pausedRequests{}
	case "Fetch.continueRequest", "Fetch.continueResponse", "Fetch.failRequest", "Fetch.fulfillRequest":
		if p, err := read[pausedRequest](r); err == nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			s.paused.forget(p.ID)
		}
	}
}
