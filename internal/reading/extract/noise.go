package extract

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// isUnseen reports whether an element has no text that can be content, as far as its tag and
// attributes tell. It shows none, or is a control, a dialog or an ornament.
func isUnseen(n *html.Node) bool {
	switch n.Data {
	case "button", "dialog":
		return true
	case "img", "figure", "picture":
	default:
		if node.Attr(n, "aria-hidden") == "true" {
			return true
		}
	}
	return showsNothing(n)
}

// showsNothing reports whether an element shows no text of the page. The value of a control is not
// text of the page.
func showsNothing(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "template", "noscript", "title", "iframe", "object", "embed", "canvas", "input", "select",
		"textarea", "option", "datalist", "audio", "video", "svg", "progress", "meter":
		return true
	case "dialog":
		if !node.Has(n, "open") {
			return true
		}
	}
	return node.Has(n, "hidden") || hides(node.Attr(n, "style"))
}

func hides(style string) bool {
	if !strings.Contains(style, "none") && !strings.Contains(style, "hidden") {
		return false
	}
	style = strings.ToLower(strings.ReplaceAll(style, " ", ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// noiseName returns a word that marks an element as not being content, such as "sidebar"; "" if
// there is none. It looks at the element's class, id, role and tag.
func noiseName(n *html.Node) string {
	switch n.Data {
	case "nav", "form", "footer":
		return n.Data
	case "article": // comments are also articles
		return nameIn(node.Attr(n, "class"), commentWords())
	case "html", "body", "main", "pre", "code", "h1", "h2", "h3", "h4", "h5", "h6":
		return ""
	}
	if isDescription(n) && !namesAny(node.Attr(n, "class"), authorWords()) { // a description of the article, although its class is "teaser"
		return ""
	}
	if strings.Contains(n.Data, "-") { // a custom element of the page
		return nameIn(n.Data, noiseWords())
	}
	for _, a := range n.Attr {
		name := ""
		switch a.Key {
		case "role":
			name = noiseRole(a.Val)
		case "class":
			if (n.Data != "p" || !namesAny(a.Val, openingWords())) && !namesAny(a.Val, contentWords()) {
				name = nameIn(a.Val, noiseWords())
			}
		case "id": // the id of a chapter is often its title
			if count := len(nameWords(a.Val)); count <= 3 {
				name = nameIn(a.Val, noiseWords())
			} else if count <= 5 {
				name = nameIn(a.Val, authorWords())
			}
		}
		if name != "" {
			return name
		}
	}
	return ""
}

// alwaysNoise reports whether a name for noise means noise even when most of the page's text is in
// it.
func alwaysNoise(name string) bool {
	switch name {
	case "nav", "menu", "navigation", "related", "complementary":
		return true
	}
	return isApart(name)
}

// isApart reports whether a name for noise means a text that is separate from the article. Such
// texts are comments, dialogs, and parts that are on every page of a site.
func isApart(name string) bool {
	switch name {
	case "comments", "commentlist", "respond", "disqus", "kommentare", "commentaires", "comentarios", "komentarze", "reacties",
		"cookie", "cookies", "cookiebar", "consent", "gdpr", "modal", "popup", "dialog", "alertdialog", "footer", "footers", "contentinfo":
		return true
	}
	return commentWords()[name]
}

// isDescription reports whether an element is what microdata call the description of an article.
func isDescription(n *html.Node) bool {
	return strings.Contains(node.Attr(n, "itemprop"), "description")
}

// noiseRole returns a role if it is a role of something that is not content, else "".
func noiseRole(role string) string {
	switch role {
	case "navigation", "banner", "contentinfo", "search", "menu", "menubar", "toolbar", "dialog", "alertdialog", "complementary", "tablist":
		return role
	}
	return ""
}

// namesAny reports whether the names of classes contain one of the words, or one of the pairs of
// words.
func namesAny(names string, wanted map[string]bool) bool { return nameIn(names, wanted) != "" }

// nameIn returns the first wanted word, or pair of words, in the names of classes. In section--ads,
// the part after two hyphens is ignored: by convention (BEM) it is a variant of the element, and
// not its name.
func nameIn(names string, wanted map[string]bool) string {
	for name := range strings.FieldsSeq(names) {
		if block, modifier, _ := strings.Cut(name, "--"); modifier == "Ads" || modifier == "ads" {
			name = block
		}
		words := nameWords(name)
		for i, word := range words {
			if wanted[word] {
				return word
			}
			if i == 0 {
				continue
			}
			if pair := words[i-1] + " " + word; wanted[pair] {
				return pair
			}
		}
	}
	return ""
}

// nameWords splits a name such as share-bar, shareBar or share_bar into words in lower case.
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

// noiseWords are words, and pairs of words, in the class names and ids of elements that are not
// content.
var noiseWords = sync.OnceValue(func() map[string]bool {
	return set(`
		share, shares, sharing, sharedaddy, sharer, sharebar, sharethis, addtoany, addthis, social, socials, socialmedia, shariff,
		related, relatedposts, relatedlinks, relatedarticles, related content, recommended, recommendation, recommendations, yarpp,
		outbrain, taboola, plista, popular, trending, mostread, most read, teaser, teasers, more posts, read more, see also, read also,
		also like, next story, next article, more stories, more articles, interesting articles,
		newsletter, newsletters, subscribe, subscription, signup, login, paywall, promo, promotion, promoted, affiliate, appstores,
		ad, ads, adv, advert, adverts, advertisement, advertising, adsense, adslot, adsbygoogle, sponsor, sponsored, sponsors, wpcnt,
		cookie, cookies, cookiebar, consent, gdpr, popup, modal, tooltip, feedback, rating, ratings, voting,
		comments, commentlist, disqus, respond, linkback, pingback, trackback, kommentare, commentaires, comentarios, komentarze, reacties,
		breadcrumb, breadcrumbs, crumbs, pagination, pager, paging, nav, navi, navbar, navbox, navfooter, navheader, navigation, next post,
		post nav, nextstory, nextpost, menu, submenu, sidebar, widget, widgets, toolbar, sitemap, skiplink, headerlink, editsection, edit section,
		tags, tag links, tagcloud, taglist, post tags, catlinks, bookmark, copyright, byline, ` + authorNames + `, ` + commentNames + `, reading time, read time, postmetadata,
		post meta, entry meta, entry utility, article meta, meta info, entry footer, article footer, post footer, entryfooter,
		footer, footers, noprint, no print, print none, hidden print, noprintcontent`)
})

// Pairs of words in the names of elements about the author of an article, of comments by readers,
// and of forms for a comment.
const (
	authorNames  = `author bio, author box, author card, author info, author description, about author`
	commentNames = `comment item, comment wrapper, comment form, comment list, comment area, comment section, comment thread, comment message`
)

var (
	authorWords = sync.OnceValue(func() map[string]bool { return set(authorNames) })
	// commentWords also has "comment body", which means a comment only on an <article>. In live
	// blogs, other elements with this name are the entries of the blog.
	commentWords = sync.OnceValue(func() map[string]bool { return set(commentNames + ", comment body") })
)

// openingWords are words in names of classes that usually mean noise. On a paragraph, they mean the
// beginning of an article, or that the article goes on behind a paywall.
var openingWords = sync.OnceValue(func() map[string]bool { return set(`teaser, promo, paywall`) })

// contentWords are words in names of classes that mean content even if the element is also called a
// widget. Page builders call every part of a page a widget, so the word widget says nothing there.
var contentWords = sync.OnceValue(func() map[string]bool { return set(`text editor, widget container, widget wrap`) })

// captionWords are words in names of classes for captions of pictures.
var captionWords = sync.OnceValue(func() map[string]bool {
	return set(`caption, captions, credit, credits, copyright, imagecaption, imagedescription, image description, img description,
		photo description, bildunterschrift, bilduntertitel, image credit, photo credit, img author, image author, picture description`)
})

// leadWords are words in names of classes for the introduction above an article's text.
var leadWords = sync.OnceValue(func() map[string]bool {
	return set(`lead, lede, intro, introduction, standfirst, dek, deck, subtitle, subhead, subheadline, subheading, summary, excerpt,
		abstract, description, perex, vorspann, einleitung, chapo, bajada`)
})

// set returns the items of a comma-separated list as a set.
func set(list string) map[string]bool {
	all := map[string]bool{}
	for item := range strings.SplitSeq(list, ",") {
		all[strings.TrimSpace(item)] = true
	}
	return all
}
