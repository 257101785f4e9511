package contract

import (
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/test/long"
	tests "chela/test/service"
)

// boxes has two buttons at known places. It has no scroll bars: in a browser with windows they
// would take a part of the width.
const boxes = `<style>html{scrollbar-width:none}body{margin:0}</style><button style="position:absolute;left:40px;top:60px;width:120px;height:30px">Box</button>
<button style="position:absolute;left:300px;top:1500px">Below</button>`

// picture reads the picture that an answer names.
func picture(t *testing.T, a tests.Answer, field string) (image.Image, string) {
	t.Helper()
	path := a.Text(field)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, kind, err := image.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v %v, want %v", name, info.Mode(), err, want)
		}
	}
	return img, kind
}

func TestScreenshots(t *testing.T) {
	tab := shared.open(t, page(boxes))
	shared.act(t, tab, `"kind": "resize", "width": 800, "height": 600`)
	ref := shared.ref(t, tab, "Box")
	huge := shared.open(t, page(`<html style="scrollbar-width:none"><body style="margin:0;height:11000px;background:linear-gradient(red,blue)">`))
	shared.act(t, huge, `"kind": "resize", "width": 800, "height": 600`)
	tall := shared.open(t, page(`<html style="scrollbar-width:none"><body style="margin:0;height:4000px">`))
	shared.act(t, tall, `"kind": "resize", "width": 800, "height": 600`)
	tests := []struct {
		name, tab, body string
		kind            string
		width, height   int
		scale, partOf   string
	}{
		{"the view", tab, `"timeoutMs": 9000`, "png", 800, 600, "<nil>", "<nil>"},
		{"another type", tab, `"type": "jpeg"`, "jpeg", 800, 600, "<nil>", "<nil>"},
		{"a type that is none", tab, `"type": "webp"`, "png", 800, 600, "<nil>", "<nil>"},
		{"an element", tab, `"ref": "` + ref + `"`, "png", 120, 30, "<nil>", "<nil>"},
		{"by selector", tab, `"element": "button"`, "png", 120, 30, "<nil>", "<nil>"},
		{"the whole page", tab, `"fullPage": true`, "png", 800, 1521, "<nil>", "<nil>"},
		{"a tall page", tall, `"fullPage": true`, "jpeg", 400, 2000, "0.5", "<nil>"},
		{"a huge page, whose text could not be read if all were shown", huge, `"fullPage": true`, "jpeg", 240, 2000, "0.3", "map[height:11000 width:800]"},
		{"a huge element", huge, `"element": "body"`, "jpeg", 240, 2000, "0.3", "map[height:11000 width:800]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := shared.ok(t, "POST /screenshot", shared.body(test.tab, test.body))
			img, kind := picture(t, a, "path")
			size := img.Bounds().Size()
			if kind != test.kind || size.X != test.width || size.Y < test.height-2 || size.Y > test.height+2 {
				t.Errorf("got %s of %v", kind, size)
			}
			if scale, partOf := fmt.Sprint(a.Get("scale")), fmt.Sprint(a.Get("partOf")); scale != test.scale || partOf != test.partOf {
				t.Errorf("got scale %s of %s, want %s of %s", scale, partOf, test.scale, test.partOf)
			}
			if a.Text("url") == "" || a.Text("targetId") == "" || a.Get("labels") != nil {
				t.Errorf("got %s", a.Raw)
			}
		})
	}
	for body, want := range map[string]struct {
		status        int
		code, message string
	}{
		`"ref": "e99"`:       {404, "unknown_ref", "e99"},
		`"element": "#nope"`: {404, "not_found", "#nope"},
		`"element": "[[[["`:  {400, "invalid_request", "is not a CSS selector"},
		`"targetId": "nope"`: {404, "not_found", "tab not found"},
	} {
		if !strings.Contains(body, "targetId") {
			body = fmt.Sprintf(`"targetId": %q, %s`, tab, body)
		}
		a := shared.do(t, "POST /screenshot", "{"+body+"}")
		a.Fails(t, want.status, want.code, want.message)
	}
}

func TestLabelledScreenshots(t *testing.T) {
	tab := shared.open(t, page(boxes))
	shared.act(t, tab, `"kind": "resize", "width": 800, "height": 600`)
	a := shared.ok(t, "GET /snapshot?labels=true&targetId="+tab, "")
	img, _ := picture(t, a, "imagePath")
	if a.Get("labels") != true || a.Get("labelsCount") != 1.0 || a.Get("labelsSkipped") != 1.0 || a.Text("imageType") != "png" {
		t.Errorf("got %s", a.Raw)
	}
	first := a.Get("annotations").([]any)[0].(map[string]any)
	if first["role"] != "button" || first["name"] != "Box" || first["number"] != 1.0 || !strings.Contains(a.Text("snapshot"), fmt.Sprintf("[ref=%s]", first["ref"])) {
		t.Errorf("annotation %v", first)
	}
	at := first["box"].(map[string]any)
	if at["x"] != 40.0 || at["y"] != 60.0 || at["width"] != 120.0 || at["height"] != 30.0 {
		t.Errorf("box %v", at)
	}
	if r, g, b, _ := img.At(40, 75).RGBA(); r>>8 != 0xff || g>>8 != 0xb0 || b>>8 != 0x20 {
		t.Errorf("the frame is not drawn: %x %x %x", r>>8, g>>8, b>>8)
	}
	a = shared.ok(t, "POST /screenshot", shared.body(tab, `"labels": true, "fullPage": true`))
	if a.Get("labelsCount") != 2.0 || a.Get("labelsSkipped") != 0.0 {
		t.Errorf("whole page: %s", a.Raw)
	}
}

// Labels need no snapshot before: the page is read for them.
func TestLabelsWithoutASnapshot(t *testing.T) {
	tab := shared.borrow(t, page(boxes))
	for _, before := range []string{"nothing", "a snapshot of another page", "something found"} {
		switch before {
		case "a snapshot of another page":
			shared.ok(t, "GET /snapshot?targetId="+tab, "")
			shared.ok(t, "POST /navigate", shared.body(tab, fmt.Sprintf(`"url": %q`, page("<title>Again</title>"+boxes))))
		case "something found":
			tab = shared.open(t, page(boxes))
			shared.ok(t, "POST /find", shared.body(tab, `"text": "Below"`))
		}
		a := shared.ok(t, "POST /screenshot", shared.body(tab, `"labels": true, "fullPage": true`))
		if a.Get("labelsCount") != 2.0 {
			t.Errorf("after %s: %s", before, a.Raw)
		}
		ref := a.Get("annotations").([]any)[0].(map[string]any)["ref"]
		shared.act(t, tab, fmt.Sprintf(`"kind": "click", "ref": %q`, ref))
	}
}

// A screenshot with labels succeeds even if a frame was removed after the snapshot.
func TestLabelsAfterAFrameLeft(t *testing.T) {
	tab := shared.open(t, page(`<button>Stays</button><iframe srcdoc="<button>Goes</button>"></iframe>`))
	shared.ok(t, "GET /snapshot?targetId="+tab, "")
	shared.eval(t, tab, "document.querySelector('iframe').remove()")
	a := shared.ok(t, "POST /screenshot", shared.body(tab, `"labels": true`))
	if a.Get("labelsCount") != 1.0 {
		t.Errorf("got %s", a.Raw)
	}
}

// Saved pictures go when they are too old, and the oldest when they are too many.
func TestMediaIsBounded(t *testing.T) {
	long.Test(t)
	s := own(t, `{browser: {noSandbox: true, headless: true}, media: {maxAgeHours: 1, maxMB: 0.5}}`)
	tab := s.open(t, page("<p>picture"))
	dir := filepath.Join(s.Dir, "media", "browser")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"old.png": 2 * time.Hour, "large.png": 30 * time.Minute, "small.png": time.Minute} {
		path := filepath.Join(dir, name)
		size := map[string]int{"large.png": 600 << 10}[name]
		if err := os.WriteFile(path, make([]byte, size+1), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	a := s.ok(t, "POST /screenshot", s.body(tab, `"type": "png"`))
	picture(t, a, "path")
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 2 {
		t.Errorf("left %v %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "small.png")); err != nil {
		t.Error(err)
	}
}
