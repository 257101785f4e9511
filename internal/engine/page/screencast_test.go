package page_test

import (
	"context"
	"fmt"
	"image/color"
	"sync"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// paint gives the whole page a color.
func paint(tt *tab.Tab, name string) {
	tt.Helper()
	tab.Run[any](tt, fmt.Sprintf("document.documentElement.style.background = %q; undefined", name))
}

// shows returns the color in the middle of a picture, red or blue, and the length of the longer side.
// Windows are higher than wide on some screens.
func shows(t testing.TB, f page.Frame) (name string, length int) {
	t.Helper()
	m, err := f.Image()
	if err != nil {
		t.Fatal(err)
	}
	width, height := m.Bounds().Dx(), m.Bounds().Dy()
	length = max(width, height)
	middle := color.RGBAModel.Convert(m.At(width/2, height/2)).(color.RGBA)
	switch {
	case middle.R > 200 && middle.B < 100:
		return "red", length
	case middle.B > 200 && middle.R < 100:
		return "blue", length
	}
	return fmt.Sprint(middle), length
}

// next takes a picture, and fails if none comes.
func next(tt *tab.Tab, v *page.Viewer) page.Frame {
	tt.Helper()
	timer := time.AfterFunc(10*time.Second, v.Stop)
	defer timer.Stop()
	f, ok := v.Next()
	if !ok {
		tt.Fatal("there is no picture")
	}
	return f
}

// nextRed takes pictures until the page has been painted red.
func nextRed(tt *tab.Tab, v *page.Viewer) page.Frame {
	tt.Helper()
	for {
		f := next(tt, v)
		if name, _ := shows(tt, f); name == "red" {
			return f
		}
	}
}

// await waits for a condition, and fails with the text if it does not come in time.
func await(tt *tab.Tab, failure string, cond func() bool) {
	tt.Helper()
	for !cond() {
		select {
		case <-tt.Ctx.Done():
			tt.Fatal(failure)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// view begins to read pictures for the time of the test.
func view(tt *tab.Tab, how page.Casting) *page.Viewer {
	v := tt.Page.View(how)
	tt.Cleanup(v.Stop)
	return v
}

// A new viewer gets a picture that is made for it, even if the page stands still. When the viewer with
// the largest or best pictures has gone, the screencast is started again.
func TestViewersShareAScreencast(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<p>Still`))
	paint(tt, "red")
	first := view(tt, page.Casting{MaxWidth: 300, MaxHeight: 300, Quality: 50})
	begun := nextRed(tt, first)
	read := make(chan page.Frame, 100)
	go func() {
		defer close(read)
		for f, ok := first.Next(); ok; f, ok = first.Next() {
			read <- f
		}
	}()
	for _, s := range []struct {
		name   string
		how    page.Casting
		length int
		better bool
	}{
		{"the same", page.Casting{MaxWidth: 300, MaxHeight: 300, Quality: 50}, 300, false},
		{"a smaller one", page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 20}, 300, false},
		{"a larger one", page.Casting{MaxWidth: 600, MaxHeight: 600, Quality: 50}, 600, true},
		{"a better one", page.Casting{MaxWidth: 300, MaxHeight: 300, Quality: 90}, 300, true},
	} {
		await(tt, "the picture is not acknowledged", func() bool { return page.IsAcknowledged(tt.Page) })
		v := view(tt, s.how)
		f := next(tt, v)
		if color, length := shows(t, f); color != "red" || length != s.length {
			t.Errorf("%s: got a %s picture of length %d, want red and %d", s.name, color, length, s.length)
		}
		if page.Cast(f) == page.Cast(begun) {
			t.Errorf("%s: the picture was not made for the viewer", s.name)
		}
		begun = f
		v.Stop()
		for s.better && page.Cast(begun) <= page.Cast(f) {
			select {
			case begun = <-read:
			case <-tt.Ctx.Done():
				t.Fatalf("%s: the screencast goes on as before when it has gone", s.name)
			}
		}
	}
	first.Stop()
	for range read { // ends with the viewer
	}
	if page.IsCast(tt.Page) {
		t.Error("there is a screencast without viewers")
	}
}

// A viewer that was busy while the page changed gets its last state, even if the page stands still
// by then. It has held up neither another viewer nor the page.
func TestBusyViewerGetsTheLastState(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<p>Colors`))
	paint(tt, "red")
	busy := view(tt, page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50})
	next(tt, busy)
	other := view(tt, page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50})
	next(tt, other)
	for i := range 10 {
		paint(tt, []string{"blue", "red"}[i%2])
		tab.Run[any](tt, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
		next(tt, other)
	}
	paint(tt, "blue")
	for _, v := range []*page.Viewer{other, busy} {
		name := ""
		for range 10 {
			if name, _ = shows(t, next(tt, v)); name == "blue" {
				break
			}
		}
		if name != "blue" {
			t.Errorf("the last picture is %s, want blue", name)
		}
	}
}

// If the only viewer reads nothing for a while, it then also gets the last state of the page.
func TestOnlyViewerGetsTheLastState(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<p>Colors`))
	paint(tt, "red")
	v := view(tt, page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50})
	next(tt, v)
	for i := range 11 {
		paint(tt, []string{"blue", "red"}[i%2])
		tab.Run[any](tt, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
	}
	if got, _ := shows(t, next(tt, v)); got != "blue" {
		if got, _ = shows(t, next(tt, v)); got != "blue" {
			t.Errorf("the last picture is %s, want blue", got)
		}
	}
}

// Each viewer gets pictures at its own rate, even of a page that changes without end.
func TestViewersHaveTheirRates(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, pages.HTML(`<p>0<script>
		let n = 0
		function turn() { document.querySelector('p').textContent = ++n; requestAnimationFrame(turn) }
		turn()
	</script>`))
	pictures := func(interval time.Duration) (n int) {
		v := view(tt, page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50, Interval: interval})
		defer time.AfterFunc(1500*time.Millisecond, v.Stop).Stop()
		begun := time.Now()
		for {
			if _, ok := v.Next(); !ok {
				break
			}
			n++
		}
		if most := int(time.Since(begun)/interval) + 1; n > most || n < 3 {
			t.Errorf("got %d pictures at an interval of %s, want 3 to %d", n, interval, most)
		}
		return n
	}
	var fast, slow int
	var both sync.WaitGroup
	both.Go(func() { fast = pictures(20 * time.Millisecond) })
	both.Go(func() { slow = pictures(300 * time.Millisecond) })
	both.Wait()
	if fast <= slow {
		t.Errorf("the fast viewer got %d pictures, the slow one %d", fast, slow)
	}
}

// While a page changes without end, Chromium captures nothing between two pictures of a slow viewer.
// When the page stands still again, its last state comes, and then no more.
func TestLivelyPageIsNotCapturedWithoutEnd(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, pages.HTML(`<p>0<script>
		let n = 0
		const timer = setInterval(() => { document.querySelector('p').textContent = ++n }, 10)
	</script>`))
	paint(tt, "red")
	v := view(tt, page.Casting{MaxWidth: 300, MaxHeight: 300, Quality: 50, Interval: 200 * time.Millisecond})
	nextRed(tt, v)
	pauses := 0
	for range 6 {
		if color, _ := shows(t, next(tt, v)); color != "red" {
			t.Errorf("got a %s picture", color)
		}
		if !page.IsCast(tt.Page) {
			pauses++
		}
	}
	if pauses < 3 {
		t.Errorf("there were %d pauses in 6 pictures", pauses)
	}
	tab.Run[any](tt, "clearInterval(timer); document.documentElement.style.background = 'blue'; undefined")
	for color := ""; color != "blue"; {
		color, _ = shows(t, next(tt, v))
	}
	time.AfterFunc(time.Second, v.Stop)
	late := 0
	for ok := true; ok; late++ {
		_, ok = v.Next()
	}
	if late > 2 { // the last call of Next ends when the viewer is stopped
		t.Errorf("%d more pictures came of a page that stands still", late-1)
	}
}

// Pictures go on after a navigation to another site, which another process shows. They end with the
// tab.
func TestViewerFollowsItsTab(t *testing.T) {
	var v *page.Viewer
	t.Run("navigation", func(t *testing.T) {
		tt := tab.Open(t, pages.HTML(`<p>Here`))
		paint(tt, "red")
		v = tt.Page.View(page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50})
		next(tt, v)
		there := tab.Elsewhere() + pages.HTML(`<style>html { background: blue }</style>There`)
		if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, there) }); err != nil {
			t.Fatal(err)
		}
		for color := ""; color != "blue"; {
			color, _ = shows(t, next(tt, v))
		}
	})
	if _, ok := v.Next(); ok {
		t.Error("there is a picture of a closed tab")
	}
	v.Stop()
	v.Stop()
}

// Paint is a screencast without pictures. A viewer that comes while there is one gets pictures of
// its own size, and the painting goes on when the viewer has gone.
func TestPaintAndViewers(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<p>Painted`))
	tt.Page.SharesWindow()
	paint(tt, "red")
	stop := tt.Page.Paint()
	v := view(tt, page.Casting{MaxWidth: 200, MaxHeight: 200, Quality: 50})
	if _, length := shows(t, nextRed(tt, v)); length != 200 {
		t.Errorf("got a picture of length %d, want 200", length)
	}
	v.Stop()
	if !page.IsCast(tt.Page) {
		t.Error("the painting has ended with the viewer")
	}
	stop()
	await(tt, "the painting does not end", func() bool { return !page.IsCast(tt.Page) })
}

// While calls work on a tab, a viewer that yields has Chromium make no pictures. It gets those of
// other viewers. It gets the last state when the tab rests.
func TestViewerYields(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<p>Colors`))
	paint(tt, "blue")
	v := view(tt, page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50, Yields: true})
	next(tt, v)
	err := tt.Page.Turn(tt.Ctx, func(ctx context.Context) error {
		if page.IsCast(tt.Page) {
			t.Error("there is a screencast while a call works")
		}
		other := view(tt, page.Casting{MaxWidth: 200, MaxHeight: 200, Quality: 50})
		next(tt, other)
		if _, length := shows(t, next(tt, v)); length != 200 {
			t.Errorf("got a picture of length %d, want that of the other viewer, of 200", length)
		}
		other.Stop()
		if page.IsCast(tt.Page) {
			t.Error("there is a screencast when the viewer has gone that does not yield")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	paint(tt, "red")
	nextRed(tt, v)
	if !page.IsCast(tt.Page) {
		t.Error("there is no screencast while the tab rests")
	}
}

// A viewer that comes when no pictures are made gets none from before, even in the same format.
func TestViewerAfterAnAct(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<p>Colors`))
	paint(tt, "blue")
	how := page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50, Yields: true}
	next(tt, view(tt, how))
	paint(tt, "red")
	tab.Run[any](tt, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
	how.Yields = false
	if name, _ := shows(t, next(tt, view(tt, how))); name != "red" {
		t.Errorf("the first picture after the act is %s, want red", name)
	}
}

// A viewer that comes while another has not acknowledged its picture gets none from before.
func TestViewerBesideASlowOne(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<p>Colors`))
	paint(tt, "blue")
	how := page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50}
	next(tt, view(tt, how))
	paint(tt, "red")
	tab.Run[any](tt, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
	if name, _ := shows(t, next(tt, view(tt, how))); name != "red" {
		t.Errorf("the first picture of the new viewer is %s, want red", name)
	}
}

// A viewer yields until the tab has rested for a second, and for ten seconds at most.
func TestYieldsFor(t *testing.T) {
	for _, s := range []struct {
		works                   bool
		sinceWork, sincePicture time.Duration
		want                    time.Duration // 0: not at all
	}{
		{true, time.Hour, 0, 10 * time.Second},
		{true, time.Hour, 7 * time.Second, 3 * time.Second},
		{true, 0, 11 * time.Second, 0},
		{false, 0, 0, time.Second},
		{false, 200 * time.Millisecond, 9900 * time.Millisecond, 100 * time.Millisecond},
		{false, time.Minute, 0, 0},
	} {
		if got := max(0, page.YieldsFor(s.works, s.sinceWork, s.sincePicture)); got > s.want || got < s.want-50*time.Millisecond {
			t.Errorf("%+v: got %s", s, got)
		}
	}
}
