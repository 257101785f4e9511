package acts

import (
	"context"
	"strings"
	"testing"

	"chela/internal/engine/page"
	"chela/test/pages"
	"chela/test/tab"
)

// A click at a position of an element hits that position, and nothing else.
func TestClickAtPosition(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<script src="log.js"></script><style>body { margin: 0 } button { border: 10px solid; padding: 0 }</style>
		<button id=a style="width:220px;height:120px">Board</button>
		<div style="width:300px;height:200px;overflow:auto"><button id=b style="width:2020px;height:3020px">Large board</button></div>
		<div style="position:relative"><button id=c style="width:220px;height:120px">Half covered</button>
			<div style="position:absolute;left:0;top:0;width:110px;height:120px;background:#ccc"></div></div>
		<script>for (const el of document.querySelectorAll('button')) el.onclick = event => {
			const { left, top } = el.getBoundingClientRect();
			log(Math.round(event.clientX - left) + ',' + Math.round(event.clientY - top) + ' ' + event.detail);
		}</script>`))
	for _, s := range []struct {
		line  string
		at    page.Point
		told  string // the point that the page gets, counted from the border, and the number of clicks
		fails string
	}{
		{`"Board"`, page.Point{X: 3, Y: 5}, "13,15 1", ""},
		{`"Board"`, page.Point{X: 199, Y: 99}, "209,109 1", ""},
		{`"Large board"`, page.Point{X: 1900, Y: 2900}, "1910,2910 1", ""},
		{`"Large board"`, page.Point{X: 1, Y: 1}, "11,11 1", ""},
		{`"Half covered"`, page.Point{X: 150, Y: 50}, "160,60 1", ""},
		{`"Half covered"`, page.Point{X: 50, Y: 50}, "160,60 1", ": covered by div"},
		{`"Board"`, page.Point{X: 230, Y: 5}, "160,60 1", `: beyond: "220x120"`},
	} {
		err := tt.On(s.line, func(ctx context.Context, el *page.Element) error { return el.Click(ctx, page.Click{Position: &s.at}) })
		if s.fails == "" && err != nil || s.fails != "" && (err == nil || !strings.Contains(err.Error(), s.fails)) {
			t.Errorf("%s at %v: got error %v, want %q", s.line, s.at, err, s.fails)
		}
		if told := tt.Last(); told != s.told {
			t.Errorf("%s at %v: the page told %q, want %q", s.line, s.at, told, s.told)
		}
	}
	// A later call without a position may click at any point.
	if err := tt.On(`"Half covered"`, tab.Click); err != nil {
		t.Error(err)
	}
}

func TestTripleClickSelectsParagraph(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<p tabindex=0>One two. Three four.</p><p>Other</p>`))
	err := tt.On("One two", func(ctx context.Context, el *page.Element) error { return el.Click(ctx, page.Click{Count: 3}) })
	if got := strings.TrimSpace(tab.Run[string](tt, "String(getSelection())")); err != nil || got != "One two. Three four." {
		t.Errorf("selected %q, %v", got, err)
	}
}
