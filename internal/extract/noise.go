package extract

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/html"
)

// isUnseen reports whether an element shows no text of the page, as far as its own attributes tell.
func isUnseen(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "template", "noscript", "title", "iframe", "object", "embed", "canvas", "button", "input", "select",
		"textarea", "option", "datalist", "dialog", "audio", "video", "svg", "progress", "meter":
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			if a.Val == "true" && n.Data != "img" && n.Data != "figure" && n.Data != "picture" {
				return true
			}
		case "style":
			if hides(a.Val) {
				return true
			}
		}
	}
	return false
}

func hides(style string) bool {
	if !strings.Contains(style, "none") && !strings.Contains(style, "hidden") {
		return false
	}
	style = strings.ToLower(strings.ReplaceAll(style, " ", ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// isNoise reports whether an element says of itself that it is something beside the content.
func isNoise(n *html.Node) bool {
	switch n.Data {
	case "nav", "form", "footer":
		return true
	case "html", "body", "article", "main", "pre", "code", "p", "h1", "h2", "h3", "h4", "h5", "h6":
		return false
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "role":
			if noiseRole(a.Val) {
				return true
			}
		case "class":
			if namesNoise(a.Val) {
				return true
			}
		case "id": // that of a chapter is often its title
			if len(nameWords(a.Val)) <= 3 && namesNoise(a.Val) {
				return true
			}
		}
	}
	return false
}

func noiseRole(role string) bool {
	switch role {
	case "navigation", "banner", "contentinfo", "search", "menu", "menubar", "toolbar", "dialog", "alertdialog", "complementary", "tablist":
		return true
	}
	return false
}

// namesNoise reports whether a class, or an id, has words for noise.
func namesNoise(names string) bool {
	for name := range strings.FieldsSeq(names) {
		words := nameWords(name)
		for i, word := range words {
			if noiseWords()[word] || i > 0 && noiseWords()[words[i-1]+" "+word] {
				return true
			}
		}
	}
	return false
}

// nameWords are the words of a name such as share-bar, shareBar or share_bar, in lower case.
func nameWords(name string) (words []string) {
	start, lower := 0, false
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start, lower = i+len(string(r)), false
		case unicode.IsUpper(r) && lower:
			flush(i)
			start, lower = i, false
		default:
			lower = unicode.IsLower(r)
		}
	}
	flush(len(name))
	return words
}

// noiseWords are words in names of classes and ids, and pairs of them, for what is no content.
var noiseWords = sync.OnceValue(func() map[string]bool {
	return set(`
		share, shares, sharing, sharedaddy, sharer, sharebar, sharethis, addtoany, addthis, social, socials, socialmedia, shariff,
		related, relatedposts, recommended, recommendation, recommendations, yarpp, outbrain, taboola, plista, popular, trending,
		mostread, teaser, teasers, more posts, read more, see also, read also, also like,
		newsletter, newsletters, subscribe, signup, login, paywall, promo, promotion, promoted,
		ad, ads, adv, advert, adverts, advertisement, advertising, adsense, adslot, adsbygoogle, sponsor, sponsored, sponsors, wpcnt,
		cookie, cookies, cookiebar, consent, gdpr, popup, modal, tooltip, feedback, rating, ratings, voting,
		comments, commentlist, disqus, respond, linkback, pingback, trackback,
		breadcrumb, breadcrumbs, pagination, pager, paging, nav, navi, navbar, navbox, navfooter, navheader, navigation, next post,
		post nav, menu, submenu, sidebar, widget, widgets, toolbar, sitemap, skiplink, headerlink, editsection, edit section,
		tags, tagcloud, taglist, post tags, catlinks, bookmark, copyright, byline, author bio, author box, author info, about author,
		post meta, entry meta, article meta, meta info, entry footer, article footer, post footer`)
})

// leadWords are words in names of classes for the paragraph above an article's text.
var leadWords = sync.OnceValue(func() map[string]bool {
	return set(`lead, lede, intro, introduction, standfirst, dek, deck, subtitle, subhead, subheadline, subheading, summary, excerpt,
		abstract, description, perex, vorspann, einleitung, chapo, bajada`)
})

// set has the items of a list with commas.
func set(list string) map[string]bool {
	all := map[string]bool{}
	for item := range strings.SplitSeq(list, ",") {
		all[strings.TrimSpace(item)] = true
	}
	return all
}
