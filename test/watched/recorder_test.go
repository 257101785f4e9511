package watched

import (
	"bytes"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// recordingOf returns what was recorded in a service.
func recordingOf(t *testing.T, s *service.Service) service.Answer {
	t.Helper()
	return s.OK(t, "GET /recorder", nil)
}

// entry returns the last recorded call of an operation.
func entry(t *testing.T, a service.Answer, op string) map[string]any {
	t.Helper()
	list := a.Get("entries").([]any)
	for i := len(list) - 1; i >= 0; i-- {
		if e := list[i].(map[string]any); e["op"] == op {
			return e
		}
	}
	t.Fatalf("no %s is recorded: %s", op, a.Raw)
	return nil
}

// recorderFiles returns the texts of all files that are kept of a recording.
func recorderFiles(t *testing.T, s *service.Service) string {
	t.Helper()
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(s.Dir, "browser", "chela", "recorder", "*"))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(raw)
	}
	return all.String()
}

// awaitPicture returns the picture of the last click in a tab, when it is there.
func awaitPicture(t *testing.T, s *service.Service, tab string) (path string) {
	t.Helper()
	service.Eventually(t, "there is a picture", func() bool {
		path, _ = entry(t, s.OK(t, "GET /recorder?targetId="+tab, nil), "click")["picture"].(string)
		return path != ""
	})
	return path
}

func TestRecorder(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	tab := s.In("task").Open(t, html(`<title>Shop</title><button onclick="document.body.append('Thanks')">Buy</button><input aria-label="Name">`))
	tab.Click("Buy", nil)
	tab.Act("type", args{"ref": tab.Ref("Name"), "text": "Ada"})
	tab.Do("POST /act", args{"kind": "click", "ref": "e99"}).Fails(t, 404, "unknown_ref", "")
	a := recordingOf(t, s)
	typed := entry(t, a, "type")
	if e := typed["element"].(map[string]any); e["role"] != "textbox" || e["name"] != "Name" || e["box"].(map[string]any)["width"].(float64) < 50 {
		t.Errorf("the element is %v", e)
	}
	if typed["title"] != "type e2 Ada" || typed["session"] != "task" || typed["tab"] != tab.ID || typed["effects"].([]any)[0] != "changed" {
		t.Errorf("recorded %v", typed)
	}
	if failed := entry(t, a, "click"); failed["code"] != "unknown_ref" || failed["error"] == "" {
		t.Errorf("recorded %v", failed)
	}
	if got := s.In("other").OK(t, "GET /recorder", nil).Count("entries"); got != 0 {
		t.Errorf("another session sees %d calls", got)
	}
	if got := s.OK(t, "GET /recorder?targetId=t99", nil).Count("entries") + s.OK(t, "GET /recorder?since=1ns", nil).Count("entries"); got != 0 {
		t.Errorf("%d calls in another tab or of later", got)
	}
	s.Do(t, "GET /recorder?since=soon", nil).Fails(t, 400, "invalid_request", "10m")
	s.OK(t, "POST /recorder/clear", nil)
	if a := recordingOf(t, s); a.Count("entries") != 0 {
		t.Errorf("after clear: %s", a.Raw)
	}
}

// A picture of the tab follows an act, when the tab is idle.
func TestRecordedPictures(t *testing.T) {
	s := mortal
	tab := s.Open(t, html(`<title>Shop</title><body style="background: blue"><button>Buy</button>`))
	service.Eventually(t, "the page has been painted, and a picture shows it", func() bool {
		tab.Click("Buy", nil)
		raw, err := os.ReadFile(awaitPicture(t, s, tab.ID))
		if err != nil {
			t.Fatal(err)
		}
		shown, err := jpeg.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		size := shown.Bounds().Size()
		if len(raw) > 25_000 || size.X > 640 || size.Y > 480 || size.X < 640 && size.Y < 480 {
			t.Fatalf("%d bytes, %v", len(raw), size)
		}
		r, _, b, _ := shown.At(size.X/2, size.Y/2).RGBA()
		return b > 0xc000 && r < 0x4000
	})
}

// Text of secret fields is nowhere in a recording, however it was entered.
func TestSecretsAreNotRecorded(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	tab := s.Open(t, html(`<title>Login</title><input type="password" aria-label="Password"><input autocomplete="section-a one-time-code" aria-label="Code">
		<input autocomplete="cc-number" aria-label="Card"><input name="api_key" aria-label="Key"><input aria-label="Name"><button>Go</button>
		<button onclick="document.querySelector('input').type = 'text'">Show</button>`))
	for _, name := range []string{"Password", "Code", "Card", "Key"} {
		ref := tab.Ref(`"` + name + `"`)
		tab.Act("type", args{"ref": ref, "text": "hunter2typed"})
		tab.Act("type", args{"ref": ref, "text": "hunter2slow", "slowly": true})
		tab.Act("fill", args{"fields": []any{args{"ref": ref, "value": "hunter2filled"}, args{"ref": tab.Ref("Name"), "value": "Ada"}}})
		tab.Act("click", args{"ref": ref})
		for _, key := range strings.Split("hunter2", "") {
			tab.Act("press", args{"key": key})
		}
		tab.Act("type", args{"text": "hunter2keys"})
		tab.Act("insertText", args{"text": "hunter2inserted"})
		tab.Act("batch", args{"actions": []any{args{"kind": "type", "ref": ref, "text": "hunter2batch"}}})
	}
	number := args{"fields": []any{args{"ref": tab.Ref(`"Password"`), "value": 48151623}, args{"ref": tab.Ref("Name"), "value": 1815}}}
	tab.Act("fill", number)
	tab.Act("batch", args{"actions": []any{args{"kind": "fill", "fields": number["fields"]}}})
	tab.Do("POST /act", args{"kind": "fill", "fields": []any{args{"ref": tab.Ref("Go"), "value": 48151623}}}).Fails(t, 422, "ACT_OPERATION_FAILED", "")
	tab.Do("POST /act", args{"kind": "type", "ref": tab.Ref("Go"), "text": "hunter2wrong"}).Fails(t, 422, "ACT_OPERATION_FAILED", "")
	tab.Do("POST /act", args{"kind": "type", "ref": "e99", "text": "hunter2gone"}).Fails(t, 404, "unknown_ref", "")
	tab.Click("Show", nil)
	a := recordingOf(t, s)
	kept := recorderFiles(t, s)
	for _, entered := range []string{"hunter2", "48151623"} {
		if strings.Contains(kept, entered) || strings.Contains(a.Raw, entered) {
			t.Errorf("%s is recorded: %s", entered, kept)
		}
	}
	pressed := 0
	for _, e := range a.Get("entries").([]any) {
		if e := e.(map[string]any); e["op"] == "press" && e["title"] == "press [secret]" {
			pressed++
		}
	}
	if pressed != 4*len("hunter2") {
		t.Errorf("%d presses have no key", pressed)
	}
	if fill := entry(t, a, "fill"); !strings.Contains(a.Raw, "Ada") || !strings.Contains(a.Raw, "1815") {
		t.Errorf("the name is not recorded: %v", fill)
	}
}

// While a field shows the text of a secret, no picture is taken.
func TestNoPictureOfSecrets(t *testing.T) {
	s := mortal
	markup := `<input type="password" aria-label="Password" value="hunter2"><button onclick="document.querySelector('input').type = 'text'">Show</button>
		<button onclick="document.querySelector('input').remove()">Remove</button>`
	for name, page := range map[string]string{
		"in the page":                html(markup),
		"in a frame":                 html(`<iframe src="` + html(markup) + `"></iframe>`),
		"in a frame of another site": html(`<iframe src="` + pages.Elsewhere(html(markup)) + `"></iframe>`),
		"in an open shadow root":     html(`<div id="host"></div><script>document.getElementById('host').attachShadow({mode: 'open'}).innerHTML = ` + "`" + strings.ReplaceAll(markup, "document.", "document.getElementById('host').shadowRoot.") + "`" + `</script>`),
	} {
		t.Run(name, func(t *testing.T) {
			tab := s.Open(t, page)
			tab.Click("Show", nil)
			later := s.Open(t, html("<button>Go</button>"))
			later.Click("Go", nil)
			awaitPicture(t, s, later.ID) // its turn comes after that of the other tab
			if e := entry(t, s.OK(t, "GET /recorder?targetId="+tab.ID, nil), "click"); e["picture"] != nil {
				t.Errorf("there is a picture: %v", e)
			}
			tab.Click("Remove", nil)
			awaitPicture(t, s, tab.ID)
		})
	}
}

// Nothing is recorded if the configuration says so. A server that was killed has recorded all calls
// that it has answered.
func TestRecorderIsOffAndOutlivesServers(t *testing.T) {
	long.Test(t)
	t.Parallel()
	off := service.Own(t, `{browser: {recorder: false, noSandbox: true, headless: true}}`)
	off.Open(t, html("<button>Go</button>")).Click("Go", nil)
	if a := recordingOf(t, off); a.Count("entries") != 0 || recorderFiles(t, off) != "" {
		t.Errorf("recorded %s", a.Raw)
	}
	dir := t.TempDir()
	first := service.Start(dir, "")
	first.Open(t, html("<button>Go</button>")).Click("Go", nil)
	first.Close()
	second := service.Start(dir, "")
	defer second.Close()
	if e := entry(t, recordingOf(t, second), "click"); e["element"].(map[string]any)["name"] != "Go" {
		t.Errorf("recorded %v", e)
	}
}
