package page_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/test/tab"
)

func htmlOf(t *tab.Tab, most int) (html string, cut bool, err error) {
	t.Helper()
	err = t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		html, cut, err = t.Page.HTML(ctx, most)
		return err
	})
	return html, cut, err
}

// The HTML of a page has what it shows, wherever scripts have put it.
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
	if html, cut, err := htmlOf(tt, 20); html != "<!doctype html><html" || !cut || err != nil {
		t.Errorf("cut: %q, %v, %v", html, cut, err)
	}
}
