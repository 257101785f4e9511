package around

import (
	"bytes"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/service"
)

// A picture is saved only if the page looks different than on the last one.
func TestPictureIfChanged(t *testing.T) {
	tab := shared.Open(t, html(`<body style="margin: 0"><button style="position: absolute; left: 100px; top: 100px; width: 50px; height: 20px"
		onclick="document.body.style.background = 'blue'">Go</button><i style="position: absolute; left: 300px; top: 300px; width: 20px; height: 20px"></i>`))
	shoot := func(more args) service.Answer {
		t.Helper()
		with := args{"ifChanged": true}
		for name, value := range more {
			with[name] = value
		}
		return tab.OK("POST /screenshot", with)
	}
	first := shoot(nil)
	if first.Get("unchanged") != nil || first.Text("path") == "" {
		t.Fatalf("the first: %s", first.Raw)
	}
	if again := shoot(nil); again.Get("unchanged") != true || again.Text("path") != first.Text("path") {
		t.Errorf("of the same: %s", again.Raw)
	}
	if other := shoot(args{"fullPage": true}); other.Get("unchanged") != nil {
		t.Errorf("of another view: %s", other.Raw)
	}
	tab.Eval("document.querySelector('i').style.background = 'red'") // 400 of about a million pixels
	if little := shoot(nil); little.Get("unchanged") != true {
		t.Errorf("after a small change: %s", little.Raw)
	}
	strict := shoot(args{"threshold": 0})
	if strict.Get("unchanged") != nil || strict.Text("path") == first.Text("path") {
		t.Errorf("with the threshold 0: %s", strict.Raw)
	}
	os.Remove(strict.Text("path"))
	if gone := shoot(nil); gone.Get("unchanged") != nil {
		t.Errorf("after the file has gone: %s", gone.Raw)
	}
	tab.Click("Go", nil)
	if much := shoot(nil); much.Get("unchanged") != nil {
		t.Errorf("after a large change: %s", much.Raw)
	}
}

func TestPictureDiff(t *testing.T) {
	tab := shared.Open(t, html(`<body style="margin: 0"><button style="position: absolute; left: 100px; top: 100px; width: 50px; height: 20px"
		onclick="this.style.background = 'blue'">Go</button><button style="position: absolute; left: 300px; top: 300px">Other</button>`))
	ref := tab.Ref("Go")
	shoot := func() string { return tab.OK("POST /screenshot", nil).Text("path") }
	before, same := shoot(), shoot()
	if a := tab.OK("POST /screenshot/diff", args{"before": before, "after": same}); a.Get("changed") != 0.0 || a.Count("boxes") != 0 || a.Get("path") != nil {
		t.Errorf("of the same: %s", a.Raw)
	}
	tab.Eval("document.querySelector('button').click()")
	after := shoot()
	a := tab.OK("POST /screenshot/diff", args{"before": before, "after": after})
	if share := a.Get("changed").(float64); share < 500.0/1e6 || share > 2000.0/1e6 || a.Count("boxes") != 1 {
		t.Fatalf("%s", a.Raw)
	}
	at := a.Get("boxes").([]any)[0].(map[string]any)
	if at["x"].(float64) < 99 || at["width"].(float64) > 52 || len(at["refs"].([]any)) != 1 || at["refs"].([]any)[0] != ref {
		t.Errorf("%v, want the place of %s", at, ref)
	}
	raw, err := os.ReadFile(a.Text("path"))
	if err != nil {
		t.Fatal(err)
	}
	marked, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := marked.At(int(at["x"].(float64))+10, int(at["y"].(float64))).RGBA(); r>>8 != 0xff || g>>8 != 0xb0 || b>>8 != 0x20 {
		t.Errorf("the place is not marked: %x %x %x", r, g, b)
	}
	text := filepath.Join(service.UploadRoot(t), "words.png")
	if err := os.WriteFile(text, []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{text: "no picture", "/etc/passwd": "Invalid path", strings.TrimSuffix(after, ".png") + "x.png": ""} {
		if a := tab.Do("POST /screenshot/diff", args{"before": before, "after": path}); a.Status != 400 && a.Status != 404 || !strings.Contains(a.Text("error"), want) {
			t.Errorf("%s: %d %s", path, a.Status, a.Raw)
		}
	}
}
