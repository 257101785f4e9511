package page_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/tab"
)

// textOf returns the text of a page.
func textOf(t *tab.Tab, selector string, most int) (text string, cut bool, err error) {
	t.Helper()
	err = t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		text, cut, _, err = t.Page.Text(ctx, selector, "", most)
		return err
	})
	return text, cut, err
}

func TestText(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	for _, s := range []struct {
		name, html, selector string
		most                 int
		want                 string
		cut                  bool
	}{
		{"the body", "<p>One</p><p>Two <b>bold</b></p>", "", 100, "One\n\nTwo bold", false},
		{"what is hidden", "<p>One<span hidden> two</span></p><script>three</script>", "", 100, "One", false},
		{"the main part", "<nav>Menu</nav><main>Text</main>", "", 100, "Text", false},
		{"the article", "<main>Text<article>Story</article></main>", "", 100, "Story", false},
		{"of several articles", "<main>News <article>One</article><article>Two</article></main>", "", 100, "News\nOne\nTwo", false},
		{"with comments in it", "<nav>Menu</nav><article>Story<article>Comment</article></article>", "", 100, "Story\nComment", false},
		{"an empty article", "<article> </article><main>Text</main>", "", 100, "Text", false},
		{"what a selector matches", "<h1>Head</h1><p>One</p><p>Two</p>", "p", 100, "One", false},
		{"a picture's text", `<svg width=50 height=50><text y=20>In SVG</text></svg>`, "text", 100, "In SVG", false},
		{"just as long", "<p>Head</p>", "", 4, "Head", false},
		{"too long", "<p>Header</p>", "", 4, "Head", true},
		{"within a character", "<p>Hi😀</p>", "", 3, "Hi", true},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt.Write(s.html)
			if got, cut, err := textOf(tt, s.selector, s.most); got != s.want || cut != s.cut || err != nil {
				t.Errorf("got %q, %v, %v, want %q, %v", got, cut, err, s.want, s.cut)
			}
		})
	}
	var none *page.NoMatchError
	if _, _, err := textOf(tt, "#none", 9); !errors.As(err, &none) {
		t.Errorf("got %v, want that nothing matches", err)
	}
	var wrong *page.SelectorError
	if _, _, err := textOf(tt, "p[", 9); !errors.As(err, &wrong) {
		t.Errorf("got %v, want that it is no selector", err)
	}
}

// The text of web components is in their shadow roots, which innerText leaves out.
func TestTextInShadow(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	for _, s := range []struct{ name, html, want string }{
		{"a card", `<p>Before</p><x-card>slotted</x-card><p>After</p>`, "Before\n\nIn shadow\nslotted\n\nAfter"},
		{"within a line", `<div>One <x-word></x-word> <b>three</b></div><div>Four</div>`, "One two three\nFour"},
		{"of a whole application", `<x-app></x-app>`, "Menu\nIn shadow\n\nEnd"},
		{"what is hidden", `<x-card hidden>no</x-card><x-card><i hidden>no</i></x-card>`, "In shadow"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt.Write(s.html)
			tab.Run[any](tt, `
				const shadows = {
					'x-app': '<style>p { color: red }</style><div>Menu</div><x-card></x-card><p>End</p>',
					'x-card': '<h2>In shadow</h2><div><slot></slot></div>',
					'x-word': '<span>two</span>',
				};
				for (const [name, html] of Object.entries(shadows)) {
					for (const root of [document, document.querySelector('x-app')?.shadowRoot]) {
						for (const host of root?.querySelectorAll(name) ?? []) host.attachShadow({ mode: 'open' }).innerHTML = html;
					}
				}
				undefined`)
			if got, _, err := textOf(tt, "", 100); err != nil || got != s.want {
				t.Errorf("got %q, %v, want %q", got, err, s.want)
			}
		})
	}
}
