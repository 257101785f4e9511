package page_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/snapshot"
	"chela/test/tab"
)

func htmlOf(t *tab.Tab, most int) (html string, cut bool, err error) {
	t.Helper()
	err = t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		m, err := t.Page.HTML(ctx, "", "", most)
		html, cut = m.HTML, m.Cut
		return err
	})
	return html, cut, err
}

// The HTML of a page has everything that it shows, wherever scripts have put it.
func TestHTML(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	const attach = `<script>{
		const root = document.querySelector("x-a").attachShadow({mode: "MODE"});
		root.innerHTML = "<style>p { color: red }</style><p>In</p><slot name=s><i>fallback</i></slot><slot></slot>";
	}</script>`
	for _, s := range []struct{ name, html, want string }{
		{"as it is", "<p title=x>One</p>", "<body><p title=\"x\">One</p></body>"},
		{"an open root", "<x-a>light <b slot=s>slotted</b></x-a>" + strings.ReplaceAll(attach, "MODE", "open"),
			"<x-a><style>p { color: red }</style><p>In</p><b slot=\"s\">slotted</b>light </x-a>"},
		{"a closed root", "<x-a>light</x-a>" + strings.ReplaceAll(attach, "MODE", "closed"),
			"<x-a><style>p { color: red }</style><p>In</p><i>fallback</i>light</x-a>"},
		{"a frame", `<iframe srcdoc="<base href=http://e.com/d/><p>Inner <a href=x>link</a>"></iframe>`,
			`<div><p>Inner <a href="http://e.com/d/x">link</a></p></div>`},
		{"a password", `<p><input type=password value=hunter2><input type=password value><iframe srcdoc="<input type=password value=hunter2>"></iframe>`,
			`<p><input type="password" value="••••"><input type="password" value=""><div><input type="password" value="••••"></div></p>`},
		{"a frame that is hidden", `<iframe hidden srcdoc="<p>Inner"></iframe>`, `<iframe hidden="" srcdoc="&lt;p&gt;Inner"></iframe>`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt.Write(s.html)
			before := tab.Run[string](tt, "document.documentElement.outerHTML")
			html, cut, err := htmlOf(tt, 100_000)
			if !strings.HasPrefix(html, "<!doctype html><html>") || !strings.Contains(html, s.want) || cut || err != nil {
				t.Errorf("got %s, %v, %v, want %s", html, cut, err, s.want)
			}
			if after := tab.Run[string](tt, "document.documentElement.outerHTML"); after != before {
				t.Errorf("the page has changed: %s", after)
			}
		})
	}
	t.Run("what cannot be seen", func(t *testing.T) { htmlWithoutHidden(t, tt) })
	t.Run("the beginning of a large page", func(t *testing.T) { htmlOfLarge(t, tt) })
	t.Run("an element", func(t *testing.T) { htmlOfElement(t, tt) })
	t.Run("many levels", func(t *testing.T) { htmlOfManyLevels(t, tt) })
	if html, cut, err := htmlOf(tt, 20); html != "<!doctype html><html" || !cut || err != nil {
		t.Errorf("cut: %q, %v, %v", html, cut, err)
	}
}

// For a page larger than the limit, the beginning is returned, without anything invisible.
func htmlOfLarge(t *testing.T, tt *tab.Tab) {
	tt.Write(`<title>Large</title><div>One <b>two <i style="opacity: 0">faint</i></b></div><x-a>slotted <u>there</u></x-a><script>
			document.querySelector("x-a").attachShadow({mode: "open"}).innerHTML = "<p>root <slot></slot> end</p>"
		</script><section><div><p>three <p hidden>void<p>four</div></section><p>` + strings.Repeat("many words ", 100) + `<p>last`)
	const body = "Large One two root slotted there end three four"
	longest := ""
	for most := 250; most < 1000; most += 50 {
		m, err := htmlWithout(tt, "omit", most)
		text := bodyText(m.HTML)
		if text, _, _ = strings.Cut(text, " many"); err != nil || !m.Cut || !strings.HasPrefix(body, text) {
			t.Errorf("%d: %v, %v: %s", most, err, m.Cut, text)
		}
		longest = max(longest, text)
	}
	if longest != body {
		t.Errorf("got %s, want %s", longest, body)
	}
}

// What stands too deep to be copied is left out, and the HTML says that it is not whole.
func htmlOfManyLevels(t *testing.T, tt *tab.Tab) {
	tt.Write(`<p>Before<script>
		let at = document.body;
		for (let i = 0; i < 1100; i++) at = at.appendChild(document.createElement("div"));
		at.innerHTML = "main text <i style='opacity: 0'>faint</i>";
	</script>`)
	m, err := htmlWithout(tt, "omit", 100_000)
	if text := bodyText(m.HTML); text != "Before" || !m.Cut || err != nil {
		t.Errorf("got %q, cut: %v, %v", text, m.Cut, err)
	}
}

// htmlWithout returns the HTML of the page with hidden text left out or marked.
func htmlWithout(tt *tab.Tab, hidden string, most int) (m page.Markup, err error) {
	err = tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		m, err = tt.Page.HTML(ctx, "", hidden, most)
		return err
	})
	return m, err
}

// bodyText returns the text in the body of a page. The end of the HTML may be missing.
func bodyText(html string) string {
	_, body, _ := strings.Cut(html, "<body>")
	body = regexp.MustCompile(`(?s)<noscript>.*?</noscript>|<script>.*?(</script>|$)|<[^>]*(>|$)`).ReplaceAllString(body, " ")
	return strings.Join(strings.Fields(body), " ")
}

// What a person cannot see is left out if that is requested, wherever it is.
func htmlWithoutHidden(t *testing.T, tt *tab.Tab) {
	tt.Write(`<p>Seen <i style="opacity: 0">faint</i><b style="visibility: hidden">void <u style="visibility: visible">shown</u></b></p>
		<p style="display: none">none<p><div style="display: contents">contents</div><noscript>no script</noscript>
		<x-a>slotted</x-a><script>
			document.querySelector("x-a").attachShadow({mode: "open"}).innerHTML = "<slot></slot><em style='opacity: 0'>in a root</em>"
		</script>
		<iframe srcdoc="<p>Inner<p style='opacity: 0'>unseen"></iframe><iframe style="opacity: 0" srcdoc="<p>Veiled"></iframe><iframe width=0 height=0 style="border: 0" srcdoc="<p>Nothing"></iframe>
		<span class=katex><math style="position: absolute; clip: rect(0 0 0 0)"><annotation>x^2</annotation></math>x</span>
		<math style="position: absolute; clip: rect(0 0 0 0)"><annotation>alone</annotation></math>`)
	tab.Run[any](tt, `Promise.all([...document.querySelectorAll("iframe")].map(f =>
		f.contentDocument.URL === "about:srcdoc" && f.contentDocument.readyState === "complete" || new Promise(loaded => f.onload = loaded)))`)
	for hidden, want := range map[string]string{
		"omit": "Seen shown contents slotted Inner x^2 x", "mark": "Seen [hidden: faint] shown contents slotted [hidden: in a root] Inner [hidden: unseen] x^2 x [hidden: alone]",
	} {
		m, err := htmlWithout(tt, hidden, 100_000)
		if got := bodyText(m.HTML); got != want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", hidden, got, err, want)
		}
		if hidden == "omit" && m.Unseen != (snapshot.Unseen{Texts: 4, Chars: 25}) {
			t.Errorf("counted %+v", m.Unseen)
		}
	}
}

// The HTML of an element is a document, which also has the language and the title of the page.
func htmlOfElement(t *testing.T, tt *tab.Tab) {
	tt.Write(`<p>Before<div lang=pt id=it><a href="x">link</a><button>Press</button></div><table><tr><td>1<td>2</table>`)
	const want = `<html lang="pt"><head><title>frame</title></head><body><div lang="pt" id="it"><a href="` + "SITE" + `/x">link</a><button>Press</button></div></body></html>`
	ref := tt.Ref("Press")
	for name, html := range map[string]func(context.Context) (page.Markup, error){
		"by a selector": func(ctx context.Context) (page.Markup, error) { return tt.Page.HTML(ctx, "#it", "", 100_000) },
		"by a ref": func(ctx context.Context) (page.Markup, error) {
			el, err := tt.Page.Element(ctx, ref)
			if err != nil {
				return page.Markup{}, err
			}
			return el.HTML(ctx, "", 100_000)
		},
		"of a row": func(ctx context.Context) (page.Markup, error) { return tt.Page.HTML(ctx, "tr", "", 100_000) },
		"of none":  func(ctx context.Context) (page.Markup, error) { return tt.Page.HTML(ctx, "#none", "", 100_000) },
	} {
		var m page.Markup
		err := tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
			m, err = html(ctx)
			return err
		})
		want := "<!doctype html>" + strings.ReplaceAll(want, "SITE", tab.Site.URL)
		switch name {
		case "by a ref":
			want = `<body><button>Press</button></body></html>`
		case "of a row":
			want = `<body><table><tr><td>1</td><td>2</td></tr></table></body></html>`
		}
		if _, none := errors.AsType[*page.NoMatchError](err); none != (name == "of none") || !none && !strings.HasSuffix(m.HTML, want) && m.HTML != want {
			t.Errorf("%s: got %s, %v, want %s", name, m.HTML, err, want)
		}
	}
}
