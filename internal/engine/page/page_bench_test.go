package page_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"chela/internal/engine/capture"
	"chela/internal/engine/page"
	"chela/test/tab"
)

// each runs an act again and again on the element of a snapshot line.
func each(b *testing.B, path, target string, do func(context.Context, *page.Element) error) {
	t := tab.Open(b, path)
	ref := t.Ref(target)
	for b.Loop() {
		if err := t.OnRef(ref, do); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClick(b *testing.B) { each(b, "/frame.html", `button "Press"`, tab.Click) }
func BenchmarkClickAmongFrames(b *testing.B) {
	t := tab.Open(b, "/frame.html")
	tab.Run[any](t, `for (let i = 0; i < 30; i++) document.body.append(document.createElement('iframe')); undefined`)
	ref := t.Ref(`button "Press"`)
	for b.Loop() {
		if err := t.OnRef(ref, tab.Click); err != nil {
			b.Fatal(err)
		}
	}
}
func BenchmarkClickInAFrame(b *testing.B) {
	each(b, "/frames.html", `"In inner" > button "Press"`, tab.Click)
}
func BenchmarkClickInAnotherSite(b *testing.B) {
	each(b, "/frames.html?other="+tab.Elsewhere(), `"In other" > button "Press"`, tab.Click)
}
func BenchmarkHover(b *testing.B) {
	each(b, "/frame.html", `button "Press"`, func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) })
}
func BenchmarkType(b *testing.B) {
	each(b, "/editable.html", `textbox "Lines"`, tab.Typing("hello world"))
}
func BenchmarkFill(b *testing.B) {
	each(b, "/editable.html", `textbox "Lines"`, tab.Filling("hello world"))
}
func BenchmarkSelect(b *testing.B) {
	each(b, "/form.html", `combobox "Select"`, tab.Choosing("g"))
}

func BenchmarkPress(b *testing.B) {
	t := tab.Open(b, "/frame.html")
	for b.Loop() {
		if err := t.PressKeys("a"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	t := tab.Open(b, "/frame.html")
	for b.Loop() {
		tab.Run[int](t, "1 + 1")
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, rows := range []int{1000, 10_000, 50_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := tab.Open(b, "/frame.html")
			tab.Run[any](t, fmt.Sprintf(`(() => {
				const cells = [];
				for (let i = 0; i < %d / 4; i++) cells.push('<tr><td>Item ' + i + '</td><td><button>Buy ' + i + '</button></td></tr>');
				document.body.innerHTML = '<table>' + cells.join('') + '</table>';
			})()`, rows))
			t.Text()
			b.ResetTimer()
			for b.Loop() {
				t.Text()
			}
		})
	}
}

func BenchmarkNavigate(b *testing.B) {
	t := tab.Empty(b)
	for b.Loop() {
		if err := t.InTurn(5*time.Second, func(ctx context.Context) error { return t.Navigate(ctx, tab.Site.URL+"/frame.html") }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNavigateRaw measures what the browser alone needs: the command, and the load event.
func BenchmarkNavigateRaw(b *testing.B) {
	t := tab.Empty(b)
	for b.Loop() {
		if err := page.NavigateRaw(t.Ctx, t.Page, tab.Site.URL+"/frame.html"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScreenshot(b *testing.B) {
	t := tab.Open(b, "/form.html")
	for b.Loop() {
		err := t.InTurn(5*time.Second, func(ctx context.Context) error { _, err := capture.Screenshot(ctx, t.Page, capture.Shot{}); return err })
		if err != nil {
			b.Fatal(err)
		}
	}
}
