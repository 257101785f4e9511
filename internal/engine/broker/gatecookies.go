package broker

import (
	"context"

	"chela/internal/base/sitedata"
)

// cookiesOfTab passes commands about cookies. In a browser that chela has started, they may concern
// any site, as chela's own commands may. In any other browser, they must name addresses with the
// origin of a document in the tab.
func cookiesOfTab(cmd *command) error {
	type cookie struct {
		URL    string `json:"url"`
		Domain string `json:"domain"`
	}
	p, err := read[struct {
		cookie
		URLs    []string `json:"urls"`
		Cookies []cookie `json:"cookies"`
	}](cmd.request)
	if err != nil || cmd.browser.Describe().Own {
		return err
	}
	urls := p.URLs
	if cmd.Method != "Network.getCookies" {
		for _, c := range append(p.Cookies, p.cookie) {
			if c.Domain != "" {
				return refused("in a person's browser, name the address of the page and no domain")(cmd)
			}
			if c.URL != "" {
				urls = append(urls, c.URL)
			}
		}
		if len(urls) < max(1, len(p.Cookies)) {
			return refused("in a person's browser, name the address of the page")(cmd)
		}
	}
	for _, url := range urls {
		if origin := sitedata.OriginOf(url); origin == "" || !cmd.page().ShowsOrigin(origin) {
			return refused("in a person's browser, only cookies of what the tab shows are offered")(cmd)
		}
	}
	return nil
}

// untakenSites passes a command that changes cookies unless a person has taken over any tab of the
// session: a login under way depends on them.
func untakenSites(cmd *command) error { return cmd.checkTaken() }

// wholeCookies carries out a command for the cookies of all sites, although the client has sent the
// command to the session of a page.
func wholeCookies(cmd *command) error {
	root := cmd.all(func(s *session) bool { return s.parent == nil })
	cmd.background(cmd.request, func(ctx context.Context) (any, error) {
		return whole{cmd.client, root[0], cmd.request}.cookies(ctx)
	})
	return errAnswered
}

// cookies reads or changes the cookies of all sites in the browser context of the session. In a
// browser that chela has not started, it refuses: these cookies are a person's. It does not change
// them while a person has taken over a tab of the session: a login under way depends on them.
func (w whole) cookies(ctx context.Context) (any, error) {
	if !w.browser.Describe().Own {
		return nil, &failure{refusedCode, w.Method + " is refused: cookies of all sites are the person's; Network.getCookies has those of a page"}
	}
	if w.Method != "Storage.getCookies" {
		if err := w.checkTaken(); err != nil {
			return nil, err
		}
	}
	if err := w.checkContext(ctx); err != nil {
		return nil, err
	}
	id, _, err := w.as.Context(ctx)
	r := *w.request
	if err == nil {
		err = r.set("browserContextId", id)
	}
	if err != nil {
		return nil, err
	}
	w.note(nil, w.request)
	return call(ctx, w.session.Session, r.Method, r.Params)
}
