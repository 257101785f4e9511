package around

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// A state directory of OpenClaw can be used. The files of its chats can be uploaded and stay, and
// downloads go where OpenClaw's tool may read them.
func TestStateDirectoryOfOpenClaw(t *testing.T) {
	long.Test(t)
	dir := filepath.Join(t.TempDir(), ".openclaw")
	inbound := filepath.Join(dir, "media", "inbound")
	if err := os.MkdirAll(inbound, 0o755); err != nil {
		t.Fatal(err)
	}
	const name = "photo---5f0c9a52-9a0f-4c5e-8d7b-0123456789ab.txt"
	if err := os.WriteFile(filepath.Join(inbound, name), []byte("of a chat"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := service.Start(dir, "")
	t.Cleanup(s.Close)
	tab := s.Open(t, html(`<input type="file" aria-label="In" `+says+`><a href="`, fileAt("report.csv", 5), `">Go</a>`))
	for _, path := range []string{"media://inbound/" + name, "media/inbound/" + name, filepath.Join(inbound, name)} {
		tab.Eval("document.title = ''")
		tab.OK("POST /hooks/file-chooser", args{"paths": []string{path}, "inputRef": tab.Ref("In")})
		told(t, tab, name+"=of a chat")
	}
	downloads := filepath.Join(dir, "media", "downloads")
	for _, a := range []service.Answer{
		tab.Click("Go", nil), tab.OK("POST /download", args{"ref": tab.Ref("Go"), "path": "named.csv"}),
		tab.OK("POST /download", args{"ref": tab.Ref("Go"), "path": filepath.Join(downloads, "whole.csv")}),
	} {
		at := a.Text("download.path") + a.Text("downloads.0.path")
		if content, err := os.ReadFile(at); filepath.Dir(at) != downloads || string(content) != "xxxxx" {
			t.Errorf("%v %s", err, a.Raw)
		}
	}
	if left := entries(t, downloads); len(left) != 3 {
		t.Errorf("there are %v", left)
	}
}

// The files that operations make or take are kept within bounds, whatever kind they are.
func TestFilesAreBounded(t *testing.T) {
	long.Test(t)
	s := service.Own(t, `{browser: {noSandbox: true, headless: true}, media: {maxAgeHours: 1, maxMB: 0.5}}`)
	tab := s.Open(t, html(`<a href="`, fileAt("bounded.bin", 300_000), `">Go</a>`))
	first, second := tab.Click("Go", nil).Text("downloads.0.path"), tab.Click("Go", nil).Text("downloads.0.path")
	if _, err := os.Stat(first); err == nil {
		t.Error("two downloads are too much, but both are left")
	}
	if err := os.Remove(second); err != nil {
		t.Error(err)
	}
	s.Upload(t, "first.bin", strings.Repeat("x", 300_000))
	s.Upload(t, "second.bin", strings.Repeat("x", 300_000))
	if left := entries(t, filepath.Join(s.Dir, "media", "inbound")); len(left) != 1 || !strings.HasSuffix(left[0], "-second.bin") {
		t.Errorf("of two files %v are left", left)
	}
}
