package browser

import (
	"maps"
	"slices"

	"chela/internal/engine/page"
)

// This file alone decides which tab opened a new page. When a page target comes, Chromium reports
// (Target.attachedToTarget):
//
//   - its browser context, always. Contexts share nothing: no tabs, no cookies, no network.
//   - the target of the page that opened it, if a document called window.open. The same holds for
//     a link or form with a target, with or without noopener.
//   - no opener if a link was clicked, or a form submitted, with Control, Shift or the middle
//     button. The same holds if a document did not take files that were dropped on it: Chromium
//     then opens them. Before that, the document's session reports what the document asks for (see
//     [page.Ask]). It does not report which target results from the ask. Targets of one renderer
//     come in the order of the asks. Targets of two renderers may come in any order.
//   - no opener and no ask if the user, an extension, or another program has opened the page.
//   - no opener, and the address about:blank or none, if it results from Target.createTarget.
//     Chromium answers this command after it has reported the target. So it is known whether chela
//     has requested the tab when no such command is under way in its context any more.
//   - no address, if a page opened it: the address comes with the navigation.
//
// A tab without an opener is in the window of the page that asked for it, unless it was asked for
// with Shift. Each headless tab that chela opens has a window of its own. So if several pages have
// asked, the window says which page the tab is for. It does not in the headless shell, see
// findWindows.
//
// So a new page belongs to its browser context, then to its opener, then to the ask that it
// answers. If the opener stays unknown, the tab belongs to no session, and is listed as such. Only
// calls that name the tab use it. In a browser that chela has launched, the sweep closes it. In any
// other browser it is the user's.

// openerClues are the facts by which [attribute] decides who opened a new page.
type openerClues struct {
	context *BrowserContext
	opened  bool           // Chromium names an opener
	opener  *Tab           // the tab that opened the page; nil: not known
	url     string         // address of the page when it came
	window  int64          // id of the page's window; 0: not known
	windows map[*Tab]int64 // ids of the windows of other tabs; nil: Chromium was not asked yet
}

// A tabAsk is an Ask, a page's request for another tab, with the tab that the page is in.
type tabAsk struct {
	tab *Tab
	*page.Ask
}

// attribute returns the tab that opened a new page. If Chromium names no opener, it also returns
// the ask that the page results from. The tab is nil if no tab is known to have asked. The
// parameter asks has the asks whose tabs have not come yet; the asks of each page are in their
// order, the oldest first. The result sure is false if the answer depends on windows that are not
// known.
func attribute(n openerClues, asks []tabAsk) (by tabAsk, sure bool) {
	if n.opened && n.opener != nil && n.opener.context == n.context {
		return tabAsk{tab: n.opener}, true
	}
	if n.opened {
		return tabAsk{}, true
	}
	asks = slices.DeleteFunc(slices.Clone(asks), func(a tabAsk) bool {
		return !a.ByLink || a.tab.context != n.context || n.url != "" && n.url != a.URL
	})
	if len(asks) == 0 {
		return tabAsk{}, true
	}
	if ofOneTab(asks) {
		return asks[0], true
	}
	if n.windows == nil {
		return tabAsk{}, false
	}
	asks = slices.DeleteFunc(asks, func(a tabAsk) bool { return !n.mayAnswer(a) })
	if len(asks) > 0 && (ofOneTab(asks) || areInterchangeable(asks)) {
		return asks[0], true
	}
	return tabAsk{}, true
}

// mayAnswer reports whether the new page may result from the ask, judging by the window of the new
// page.
func (n openerClues) mayAnswer(a tabAsk) bool {
	if n.window == 0 || n.windows[a.tab] == 0 {
		return true
	}
	if a.Window {
		return !slices.Contains(slices.Collect(maps.Values(n.windows)), n.window)
	}
	return n.windows[a.tab] == n.window
}

func ofOneTab(asks []tabAsk) bool {
	return !slices.ContainsFunc(asks, func(a tabAsk) bool { return a.tab != asks[0].tab })
}

// areInterchangeable reports whether all asks are interchangeable with one another.
func areInterchangeable(asks []tabAsk) bool {
	return !slices.ContainsFunc(asks, func(a tabAsk) bool { return !interchangeable(a.Ask, asks[0].Ask) })
}

// interchangeable reports whether two asks of a browser context are for the same address and send
// no form. Then it does not matter which page results from which ask: the pages share their cookies
// and have no opener.
func interchangeable(a, b *page.Ask) bool {
	return a.ByLink && b.ByLink && !a.Posts && !b.Posts && a.URL == b.URL
}
