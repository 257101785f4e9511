package broker

import (
	"context"
	"strings"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/engine/browser"
)

// Puppeteer does not attach to a page. It attaches to the tab target that the page is in, and then
// to the page below that. In Chromium the tab is a target of its own, but chela knows only pages.
// So the broker lets a session with the browser stand for the tab. The page's session can be below
// it, as with a real tab target. Only the event that announces the tab is made up.

// tabTargetID returns the id of the tab target for a page. Chela makes up this id.
func tabTargetID(page string) string { return "tab-" + page }

// attachTabTarget attaches the client to a tab target. While client.tabTarget is set, onAttached
// registers the new session as one that stands for the tab target. The caller holds c.updating.
func (c *client) attachTabTarget(ctx context.Context, s *session, t browser.Target) (string, error) {
	c.setTabTarget(t.ID)
	raw, err := call(ctx, s.Session, "Target.attachToBrowserTarget", nil)
	c.setTabTarget("")
	if err != nil {
		return "", err
	}
	var res struct {
		ID string `json:"sessionId"`
	}
	if err := json.Unmarshal(raw, &res, lenient); err != nil {
		return "", err
	}
	_, info := infosOf(t)
	c.emit(s, "Target.attachedToTarget", encode(map[string]any{"sessionId": res.ID, "targetInfo": info, "waitingForDebugger": false}))
	return res.ID, nil
}

func (c *client) setTabTarget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tabTarget = id
}

// handleForTabTarget carries out the commands for a session that stands for a tab target.
func (c *client) handleForTabTarget(s *session, r *request) {
	switch r.Method {
	case "Runtime.runIfWaitingForDebugger":
		c.answer(r, nil, nil)
	case "Target.setAutoAttach":
		c.background(r, func(ctx context.Context) (any, error) { return empty, c.autoAttachBelow(ctx, s, r) })
	case "Target.getTargetInfo", "Target.detachFromTarget":
		c.handleForWhole(s, r)
	default:
		c.answer(r, nil, &failure{noMethod, strings.TrimSpace("'" + r.Method + "' wasn't found")})
	}
}

// autoAttachBelow handles Target.setAutoAttach for a tab target: it attaches the client to the
// tab's page.
func (c *client) autoAttachBelow(ctx context.Context, s *session, r *request) error {
	p, err := read[autoAttach](r)
	if err != nil {
		return err
	}
	if err := c.updating.Lock(ctx); err != nil {
		return err
	}
	defer c.updating.Unlock()
	if s.auto = nil; p.AutoAttach {
		s.auto = p.Filter.orUsual()
		c.attachAll(ctx, s, s.within(c.as.Targets()))
	}
	return nil
}
