package watched

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chela/internal/base/media"
	"chela/internal/base/process"
	"chela/test/long"
	"chela/test/service"
)

// A played is what Chromium finds when it plays a video.
type played struct {
	duration      float64
	width, height int
	colors        map[look][3]int
}

// A look is where a video is looked at: at a second, and at a point in parts of its width and height.
type look struct{ second, x, y float64 }

// middle looks at the middle of a video.
func middle(second float64) look { return look{second, 0.5, 0.5} }

// play plays a video in a tab, and looks at the middle at some seconds. It removes the file.
func play(t *testing.T, s *service.Service, path string, seconds ...float64) played {
	t.Helper()
	var looks []look
	for _, second := range seconds {
		looks = append(looks, middle(second))
	}
	return playAt(t, s, path, looks...)
}

// playAt plays a video in a tab, and looks at it. It removes the file.
func playAt(t *testing.T, s *service.Service, path string, looks ...look) (p played) {
	t.Helper()
	defer os.Remove(path)
	player := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/video.webm" {
			http.ServeFile(w, r, path)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<video src="/video.webm" muted preload="auto"></video>`)
	}))
	defer player.Close()
	tab := s.Open(t, player.URL)
	const loaded = `async () => {
		const v = document.querySelector('video')
		if (v.readyState < 2) await new Promise((done, fail) => { v.onloadeddata = done; v.onerror = () => fail(v.error.message) })
		return [v.duration, v.videoWidth, v.videoHeight].join(' ')
	}`
	if _, err := fmt.Sscan(tab.Eval(loaded), &p.duration, &p.width, &p.height); err != nil {
		t.Fatal(err)
	}
	p.colors = map[look][3]int{}
	for _, l := range looks {
		var c [3]int
		at := tab.Eval(fmt.Sprintf(`async () => {
			const v = document.querySelector('video')
			// After seeked, the frame of before may still be shown for a moment. If the time does not change,
			// it is the wanted frame, and no other is presented.
			const moves = v.currentTime !== %[1]v
			const presented = new Promise(done => v.requestVideoFrameCallback(done))
			await new Promise((done, fail) => { v.onseeked = done; v.onerror = () => fail(v.error.message); v.currentTime = %[1]v })
			if (moves) await presented
			const c = new OffscreenCanvas(v.videoWidth, v.videoHeight).getContext('2d')
			c.drawImage(v, 0, 0)
			return [...c.getImageData(v.videoWidth * %[2]v, v.videoHeight * %[3]v, 1, 1).data].slice(0, 3).join(' ')
		}`, l.second, l.x, l.y))
		if _, err := fmt.Sscan(at, &c[0], &c[1], &c[2]); err != nil {
			t.Fatal(err)
		}
		p.colors[l] = c
	}
	return p
}

// isColor reports an error if the middle is not red, green or blue at a second.
func (p played) isColor(t *testing.T, second float64, channel int) {
	t.Helper()
	c := p.colors[middle(second)]
	for i, value := range c {
		if i == channel && value < 150 || i != channel && value > 90 {
			t.Errorf("at %v s the color is %v", second, c)
			return
		}
	}
}

// With show-input, a ring is where the mouse was pressed, and the keys are below. Both disappear.
func TestVideoShowsInput(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.Open(t, html(`<style>body { margin: 0; background: white }</style><input aria-label="Name">`))
	tab.OK("POST /act", args{"kind": "resize", "width": 1280, "height": 800})
	film(tab, args{"size": "640x400", "showInput": true})
	const x, y, radius = 600.0, 300.0, 22 // the radius of a ring is 11 in the video
	pass(tab, time.Second)
	tab.OK("POST /act", args{"kind": "clickCoords", "x": x, "y": y})
	pass(tab, 2*time.Second)
	tab.OK("POST /act", args{"kind": "press", "key": "Control+Shift+End"})
	pass(tab, 3*time.Second)
	a := tab.OK("POST /video/stop", nil)
	var rings, captions []look
	for at := 0.1; at < seconds(t, a); at += 0.2 {
		rings = append(rings, look{at, (x + radius) / 1280, y / 800})
		captions = append(captions, look{at, 0.5, 0.88})
	}
	p := playAt(t, s, a.Text("path"), slices.Concat(rings, captions)...)
	for name, looks := range map[string][]look{"ring": rings, "caption": captions} {
		var shown []bool // whether the mark is shown, once for each change
		for _, l := range looks {
			if marked := p.colors[l] != [3]int{255, 255, 255}; len(shown) == 0 || shown[len(shown)-1] != marked {
				shown = append(shown, marked)
			}
		}
		if !slices.Equal(shown, []bool{false, true, false}) {
			t.Errorf("%s: %v in %v", name, shown, p.colors)
		}
	}
}

// A stopwatch notes when a video was started and stopped, and so how long the video may be.
type stopwatch struct{ asked, began, ends time.Time }

// film starts a video of the tab.
func film(tab *service.Tab, how args) *stopwatch {
	tab.Helper()
	w := stopwatch{asked: time.Now()}
	tab.OK("POST /video/start", how).Has(tab, "tabId", tab.ID)
	w.began = time.Now()
	return &w
}

// now returns the greatest length that the video can have by now, in seconds.
func (w *stopwatch) now() float64 { return time.Since(w.asked).Seconds() }

// end notes the time. It is called just before the call that ends the video.
func (w *stopwatch) end() { w.ends = time.Now() }

// check reports an error if the length of the video is not the time from its start to its end.
func (w *stopwatch) check(t *testing.T, p played) {
	t.Helper()
	const tolerance = 0.2
	if least, most := w.ends.Sub(w.began).Seconds(), w.now(); p.duration < least-tolerance || p.duration > most+tolerance {
		t.Errorf("it lasts %v s, want %v to %v", p.duration, least, most)
	}
}

// seconds returns the length that video stop answers.
func seconds(t *testing.T, a service.Answer) float64 {
	t.Helper()
	s, err := strconv.ParseFloat(a.Text("seconds"), 64)
	if err != nil {
		t.Fatalf("%v in %s", err, a.Raw)
	}
	return s
}

// pass waits until this much time has passed in the page.
func pass(tab *service.Tab, d time.Duration) {
	tab.Helper()
	tab.Eval(fmt.Sprintf("() => new Promise(done => setTimeout(done, %d))", d.Milliseconds()))
}

// filled is a page of one color, which a button changes.
func filled(color, next string) string {
	return html(`<style>body { margin: 0; height: 100vh; background: ` + color + ` }</style>
		<button onclick="document.body.style.background = '` + next + `'">Change</button>`)
}

// A page that stands still sends no pictures, but the video shows it for as long as it did. The video
// goes on over navigations.
func TestVideo(t *testing.T) {
	s := shared
	tab := s.Open(t, filled("red", "lime"))
	watch := film(tab, args{"size": "640x360"})
	pass(tab, time.Second)
	tab.Click("Change", nil)
	changed := time.Now()
	pass(tab, 6*time.Second) // longer than the distance of key pictures
	tab.OK("POST /navigate", args{"url": filled("blue", "blue")})
	pass(tab, time.Second)
	watch.end()
	a := tab.OK("POST /video/stop", nil)
	end := seconds(t, a)
	info, err := os.Stat(a.Text("path"))
	if err != nil || info.Mode().Perm() != 0o600 || a.Text("bytes") != fmt.Sprint(info.Size()) || a.Get("truncated") != nil {
		t.Errorf("%s: %v, %v", a.Raw, info, err)
	}
	green := end - watch.ends.Sub(changed).Seconds() + 3 // from the end: the start may have taken long
	p := play(t, s, a.Text("path"), end-0.1, 0.1, green, 0.5)
	watch.check(t, p)
	p.isColor(t, 0.1, 0)
	p.isColor(t, 0.5, 0)
	p.isColor(t, green, 1)
	p.isColor(t, end-0.1, 2)
	if p.width != 640 || p.height != 360 || p.duration < end-0.01 || p.duration > end+0.01 {
		t.Errorf("it is %d×%d and lasts %v s, but the answer is %s", p.width, p.height, p.duration, a.Raw)
	}
}

// A video goes on after a crash, when the next call opens the page again.
func TestVideoOverACrash(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.Open(t, filled("red", "red"))
	watch := film(tab, args{"size": "320x200", "fps": 30})
	pass(tab, time.Second)
	s.KillRenderers(t)
	tab.OK("POST /navigate", args{"url": filled("lime", "lime")}).Has(t, "recovered", "true")
	pass(tab, time.Second)
	watch.end()
	a := tab.OK("POST /video/stop", nil)
	end := seconds(t, a)
	p := play(t, s, a.Text("path"), 0.5, end-0.1)
	watch.check(t, p)
	p.isColor(t, 0.5, 0)
	p.isColor(t, end-0.1, 1)
}

// If the tab is closed, the video ends there, and can still be saved. Other sessions do not find it.
func TestVideoOfAClosedTab(t *testing.T) {
	long.Test(t)
	s := shared
	one := s.In("one")
	tab := one.Open(t, filled("red", "red"))
	watch := film(tab, nil)
	pass(tab, time.Second)
	watch.end()
	one.OK(t, "DELETE /tabs/"+tab.ID, nil)
	s.In("two").Do(t, "POST /video/stop", nil).Fails(t, 409, "conflict", "no video is running")
	s.In("two").Do(t, "POST /video/stop", args{"targetId": tab.ID}).Fails(t, 404, "not_found", "tab not found")
	a := one.OK(t, "POST /video/stop", args{"targetId": tab.ID})
	a.Has(t, "truncated", "true")
	a.Has(t, "missing", "its tab was closed")
	p := play(t, s, a.Text("path"), 0.5)
	p.isColor(t, 0.5, 0)
	watch.check(t, p)
	one.Do(t, "POST /video/stop", args{"targetId": tab.ID}).Fails(t, 404, "not_found", "tab not found")
}

// If the browser that encodes is lost, what there is of the video can be saved.
func TestVideoWithoutItsEncoder(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.Open(t, filled("red", "red"))
	before := filming(t)
	tab.OK("POST /video/start", nil)
	service.Eventually(t, "the video has its first picture", func() bool {
		return slices.ContainsFunc(filming(t), func(path string) bool {
			file, _ := os.ReadFile(path)
			return !slices.Contains(before, path) && bytes.Contains(file, []byte("\x1f\x43\xb6\x75")) // the mark of a cluster
		})
	})
	for _, pid := range service.Using(s.Dir, "chela-render") {
		service.Kill(pid)
	}
	a := tab.OK("POST /video/stop", nil)
	if a.Get("truncated") != true || !strings.Contains(a.Text("missing"), "the browser that encodes it has failed") {
		t.Errorf("the answer is %s", a.Raw)
	}
	p := play(t, s, a.Text("path"), 0)
	p.isColor(t, 0, 0)
	tab.OK("POST /video/start", nil)
	os.Remove(tab.OK("POST /video/stop", nil).Text("path"))
}

func TestVideoRefuses(t *testing.T) {
	long.Test(t)
	s := shared
	tab := s.Open(t, filled("red", "red"))
	tab.Do("POST /video/stop", nil).Fails(t, 409, "conflict", "no video of this tab is running")
	for size, message := range map[string]string{
		"big": "a width and a height", "640": "a width and a height", "1922x1080": "from 64x64 to 1920x1080", "0x0": "from 64x64", "641x480": "even",
	} {
		tab.Do("POST /video/start", args{"size": size}).Fails(t, 400, "invalid_request", message)
	}
	tab.Do("POST /video/start", args{"fps": 31}).Fails(t, 400, "invalid_request", "fps")
	tab.OK("POST /video/start", nil)
	tab.Do("POST /video/start", nil).Fails(t, 409, "conflict", "already running")
	tab.Do("POST /video/stop", args{"path": "/etc/x.webm"}).Fails(t, 400, "invalid_request", "must stay within video directory")
	os.Remove(tab.OK("POST /video/stop", nil).Text("path"))
	var others []*service.Tab
	for range 4 {
		other := s.Open(t, filled("red", "red"))
		other.OK("POST /video/start", nil)
		others = append(others, other)
	}
	tab.Do("POST /video/start", nil).Fails(t, 409, "conflict", "4 videos are running already")
	s.OK(t, "DELETE /tabs/"+others[0].ID, nil)
	service.Eventually(t, "the video of the closed tab makes room", func() bool { return tab.Do("POST /video/start", nil).Status == 200 })
	s.Do(t, "POST /video/stop", args{"targetId": others[0].ID}).Fails(t, 404, "not_found", "tab not found")
}

// Stopping the browser discards its videos, with their files.
func TestStopDiscardsVideos(t *testing.T) {
	long.Test(t)
	s := service.Own(t, "")
	before := filming(t)
	tab := s.Open(t, filled("red", "red"))
	tab.OK("POST /video/start", nil)
	if len(filming(t)) == len(before) {
		t.Error("no video is being written")
	}
	s.OK(t, "POST /stop", nil)
	if left := filming(t); len(left) != len(before) {
		t.Errorf("left are %v", left)
	}
	s.Do(t, "POST /video/stop", nil).Fails(t, 409, "conflict", "no video is running")
}

// filming returns the videos that this program is writing.
func filming(t *testing.T) []string {
	t.Helper()
	roots, err := media.Locate(media.Places{Media: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(roots.Temp, "staged-"+process.Self()+"-*", "*", "video.webm"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
