package broker

import (
	"context"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/wall/guard"
)

// check returns why the tab must not go to an address, or nil, and the address as browsers read it.
func (cmd *command) check(ctx context.Context, url string) (string, error) {
	url, err := guard.CheckURL(url)
	if err != nil {
		return "", err
	}
	return url, cmd.page().CheckURL(ctx, url)
}

// navigate passes a navigation to an address that chela would open for an agent. The browser gets
// the address as it was checked.
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

// navigateInHistory passes a navigation to an entry whose address may be opened. In the history of
// a person's tab there are others, such as pages of the browser itself.
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
	return nil // Chromium says that there is no such entry
}

// maxPaused bounds the requests of one session whose addresses are kept.
const maxPaused = 4096

// notePaused keeps the address of a request that Chromium has paused for a session.
func (c *client) notePaused(s *session, id, url string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range s.paused {
		if len(s.paused) < maxPaused {
			break
		}
		delete(s.paused, other)
	}
	s.paused[id] = url
}

// pausedRequest has the parameters by which a client answers for a paused request.
type pausedRequest struct {
	ID  string `json:"requestId"`
	URL string `json:"url"`
}

// continueElsewhere passes a request that goes on to an address that may be opened. Chromium judges
// it again. In a browser that chela has started the proxy does. In any other, chela's own session
// does, which is nearer to the network than the client's.
func continueElsewhere(cmd *command) error {
	p, err := read[pausedRequest](cmd.request)
	if err != nil || p.URL == "" {
		return err
	}
	ctx, cancel := cmd.wait()
	defer cancel()
	_, err = cmd.check(ctx, p.URL)
	return err
}

// fulfill passes a response of the client's own only for an address that may be opened. Such a
// request never reaches the network, so nothing else would judge it, and the response would run as
// the site.
func fulfill(cmd *command) error {
	p, err := read[pausedRequest](cmd.request)
	if err != nil {
		return err
	}
	cmd.mu.Lock()
	url, known := cmd.session.paused[p.ID]
	cmd.mu.Unlock()
	if !known {
		return &failure{invalidParams, "Invalid InterceptionId."}
	}
	ctx, cancel := cmd.wait()
	defer cancel()
	return cmd.page().CheckURL(ctx, url)
}

// settlesPaused forgets a paused request that gets its answer.
func settlesPaused(cmd *command) error {
	p, err := read[pausedRequest](cmd.request)
	cmd.mu.Lock()
	defer cmd.mu.Unlock()
	delete(cmd.session.paused, p.ID)
	return err
}
