package page_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/schema"
	"chela/internal/reading/snapshot"
	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/tab"
)

// textOf returns the text of a page.
func textOf(t *tab.Tab, selector string, most int) (text string, cut bool, err error) {
	t.Helper()
	err = t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		shown, err := t.Page.Text(ctx, selector, "", most)
		text, cut = shown.Text, shown.Cut
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

// A closed shadow root is read as an open one is, whatever was called before.
func TestTextInClosedShadow(t *testing.T) {
	for _, s := range []struct{ name, selector, want string }{
		{"all", "", "In shadow\nIn inner shadow"},
		{"a part", "b", "In inner shadow"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, "/frame.html")
			tt.Write("<x-card></x-card>")
			tab.Run[any](tt, `
				const root = document.querySelector('x-card').attachShadow({ mode: 'closed' });
				root.innerHTML = '<p>In shadow</p><x-inner></x-inner>';
				root.lastChild.attachShadow({ mode: 'closed' }).innerHTML = '<b>In inner shadow</b>';
				undefined`)
			if got, _, err := textOf(tt, s.selector, 100); err != nil || strings.ReplaceAll(got, "\n\n", "\n") != s.want {
				t.Errorf("got %q, %v, want %q", got, err, s.want)
			}
		})
	}
}

// A reading does not look into more than a few closed roots inside each other. It says so, and the next one
// goes on from there.
func TestTooManyClosedRoots(t *testing.T) {
	fields, err := schema.Parse([]byte(`{"deep": "p"}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, cut := range map[string]func(context.Context, *tab.Tab) (bool, error){
		"text": func(ctx context.Context, tt *tab.Tab) (bool, error) {
			m, err := tt.Page.Text(ctx, "", "", 1000)
			return m.Unopened && !m.Cut, err
		},
		"HTML": func(ctx context.Context, tt *tab.Tab) (bool, error) {
			m, err := tt.Page.HTML(ctx, "", "", 100_000)
			return m.Unopened && !m.Cut, err
		},
		"fields": func(ctx context.Context, tt *tab.Tab) (bool, error) {
			reading, _, err := tt.Page.Fields(ctx, fields, "", 1000)
			return reading.Unopened && !reading.Late, err
		},
		"find": func(ctx context.Context, tt *tab.Tab) (bool, error) {
			found, err := tt.Find(ctx, snapshot.Query{Text: "Deep"}, "", 1, 0)
			return found.Unread != "", err
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, "/frame.html")
			tab.Run[any](tt, fmt.Sprintf(nested, 5, "<p>Deep</p>"))
			for _, want := range []bool{true, false} {
				var got bool
				err := tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
					got, err = cut(ctx, tt)
					return err
				})
				if got != want || err != nil {
					t.Errorf("a part was not read: %v, %v, want %v", got, err, want)
				}
			}
		})
	}
}

// The innerText of an element that is not rendered is all text in it.
func TestTextOfWhatIsNotRendered(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	for _, s := range []struct {
		name, html, selector, want string
		unseen                     snapshot.Unseen
	}{
		{"a hidden element", "<div hidden>orders <i>more</i></div>", "div", "", snapshot.Unseen{Texts: 1, Chars: 11}},
		{"in a hidden element", "<div hidden><p>orders</div>", "p", "", snapshot.Unseen{Texts: 1, Chars: 6}},
		{"in a closed details element", "<details><p>orders</details>", "p", "", snapshot.Unseen{Texts: 1, Chars: 6}},
		{"content that is not rendered", `<div style="content-visibility:hidden">orders</div>`, "div", "", snapshot.Unseen{}},
		{"without a box", `<div hidden><p style="display:contents">orders</div>`, "p", "", snapshot.Unseen{Texts: 1, Chars: 6}},
		{"without a box, but shown", `<div><p style="display:contents">text</div>`, "p", "text", snapshot.Unseen{}},
		{"a part of a drawing", `<svg><text y=9 display=none>orders</text><text y=9>text</text></svg>`, "svg", "text", snapshot.Unseen{}},
		{"not visible, with a visible part", `<div style="visibility:hidden">orders<p style="visibility:visible">text</div>`, "div", "text", snapshot.Unseen{}},
		{"an option", "<select><option>One<option>Two</select>", "option", "One", snapshot.Unseen{}},
		{"what is never rendered", "<script type=text>words</script>", "script[type]", "words", snapshot.Unseen{}},
		{"the page", "<style>body { display: none }</style>orders<script>words</script>", "", "", snapshot.Unseen{Texts: 1, Chars: 33}},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt.Write(s.html)
			err := tt.InTurn(10*time.Second, func(ctx context.Context) error {
				shown, err := tt.Page.Text(ctx, s.selector, snapshot.OmitHidden, 100)
				if got, unseen := shown.Text, shown.Unseen; got != s.want || unseen != s.unseen {
					t.Errorf("got %q, %v, want %q, %v", got, unseen, s.want, s.unseen)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// A tab that shows a file without text says so: it is not an empty page, and a search knows that
// it has read nothing.
func TestFilesInATab(t *testing.T) {
	gif := "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	for _, s := range []struct{ name, mime, content, want string }{
		{"a picture", "image/gif", gif, "(a picture: screenshot shows it)"},
		{"a PDF", "application/pdf", "%PDF-1.4\n%%EOF", "(a PDF: read with its address shows the text, and screenshot a page)"},
	} {
		t.Run(s.name, func(t *testing.T) {
			chromium.Skip(t)
			tt := tab.Open(t, pages.HTML(s.content)+"&type="+s.mime)
			if got := strings.TrimSpace(tt.Text()); got != s.want {
				t.Errorf("got %q, want %q", got, s.want)
			}
			err := tt.InTurn(10*time.Second, func(ctx context.Context) error {
				found, err := tt.Page.Find(ctx, snapshot.Query{Text: "Total"}, "", 20, 0)
				if found.Unread != s.want {
					t.Errorf("got %q, want %q", found.Unread, s.want)
				}
				shown, failed := tt.Page.Text(ctx, "", "", 100)
				if shown.Type != s.mime {
					t.Errorf("got the type %q, want %q", shown.Type, s.mime)
				}
				return errors.Join(err, failed)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
