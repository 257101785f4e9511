package page_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"chela/internal/page"
)

// each runs an act again and again on the element of a snapshot line.
func each(b *testing.B, path, target string, do func(context.Context, *page.Element) error) {
	t := open(b, path)
	ref := t.ref(target)
	for b.Loop() {
		if err := t.onRef(ref, do); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClick(b *testing.B) { each(b, "/frame.html", `button "Press"`, click) }
func BenchmarkClickAmongFrames(b *testing.B) {
	t := open(b, "/frame.html")
	run[any](t, `for (let i = 0; i < 30; i++) document.body.append(document.createElement('iframe')); undefined`)
	ref := t.ref(`button "Press"`)
	for b.Loop() {
		if err := t.onRef(ref, click); err != nil {
			b.Fatal(err)
		}
	}
}
func BenchmarkClickInAFrame(b *testing.B) {
	each(b, "/frames.html", `"In inner" > button "Press"`, click)
}
func BenchmarkClickInAnotherSite(b *testing.B) {
	each(b, "/frames.html?other="+elsewhere(), `"In other" > button "Press"`, click)
}
func BenchmarkHover(b *testing.B) {
	each(b, "/frame.html", `button "Press"`, func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) })
}
func BenchmarkType(b *testing.B) { each(b, "/editable.html", `textbox "Lines"`, typing("hello world")) }
func BenchmarkFill(b *testing.B) {
	each(b, "/editable.html", `textbox "Lines"`, filling("hello world"))
}
func BenchmarkSelect(b *testing.B) {
	each(b, "/form.html", `combobox "Select"`, choosing("g"))
}

func BenchmarkPress(b *testing.B) {
	t := open(b, "/frame.html")
	for b.Loop() {
		if err := t.press("a"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	t := open(b, "/frame.html")
	for b.Loop() {
		run[int](t, "1 + 1")
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, rows := range []int{1000, 10_000, 50_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := open(b, "/frame.html")
			run[any](t, fmt.Sprintf(`(() => {
				const cells = [];
				for (let i = 0; i < %d / 4; i++) cells.push('<tr><td>Item ' + i + '</td><td><button>Buy ' + i + '</button></td></tr>');
				document.body.innerHTML = '<table>' + cells.join('') + '</table>';
			})()`, rows))
			t.text()
			b.ResetTimer()
			for b.Loop() {
				t.text()
			}
		})
	}
}

func BenchmarkNavigate(b *testing.B) {
	t := empty(b)
	for b.Loop() {
		if err := t.touch(5*time.Second, func(ctx context.Context) error { return t.Navigate(ctx, site.URL+"/frame.html") }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNavigateRaw is what the browser alone needs: the command, and the load event.
func BenchmarkNavigateRaw(b *testing.B) {
	t := empty(b)
	for b.Loop() {
		if err := page.NavigateRaw(t.ctx, t.Page, site.URL+"/frame.html"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScreenshot(b *testing.B) {
	t := open(b, "/form.html")
	for b.Loop() {
		err := t.touch(5*time.Second, func(ctx context.Context) error { _, err := t.Screenshot(ctx, page.Shot{}); return err })
		if err != nil {
			b.Fatal(err)
		}
	}
}
