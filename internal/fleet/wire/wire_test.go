package wire

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chela/internal/op"
)

// Versions that differ by one work together. The error for any other version has its number.
func TestVersions(t *testing.T) {
	for version, want := range map[int]bool{Version: true, Version + 1: true, Version + 2: false, 0: false, -1: false} {
		err := Check(version)
		if (err == nil) != want {
			t.Errorf("version %d: %v", version, err)
		}
		if err != nil && !strings.Contains(err.Error(), "version") {
			t.Errorf("version %d: %v", version, err)
		}
	}
}

// testdata has messages of each version that is understood, as they were sent. Today's code reads them
// as frames says. A new version gets a folder of its own, and the folder of the last one stays.
func TestRecordedFrames(t *testing.T) {
	for name, value := range frames() {
		file := filepath.Join("testdata", "v1", name+".json")
		recorded, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := reflect.New(reflect.TypeOf(value))
		if err := json.Unmarshal(recorded, got.Interface()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(got.Elem().Interface(), value) {
			t.Errorf("%s means %+v, and did mean %+v", name, got.Elem().Interface(), value)
		}
	}
}

// frames returns the values of the recorded messages. Fields that were added later are zero in them.
func frames() map[string]any {
	text := func(s string) json.RawMessage { return json.RawMessage(`"` + s + `"`) }
	return map[string]any{
		"call": Call{
			V: 1, ID: "K7ZQ", Node: "mac", Command: "browser.proxy", Instance: "I1", Beat: 7, Age: 120,
			Params: Params{Sent: op.Sent{Method: "POST", Path: "/act", Body: op.Args{"kind": text("click"), "ref": text("e1"), "profile": text("work")}}, TimeoutMs: 20000, Profile: "work", ErrorEnvelope: "browser-v1"},
			Caller: "claude#1", Session: "shop", Surface: "tool", Progress: true, Hosts: []string{"example.com"},
			Files: []File{{Path: "media://inbound/a.txt", Name: "a.txt", Data: []byte("abc"), Size: 3}},
		},
		"accepted": Reply{V: 1, ID: "K7ZQ", Kind: Accepted},
		"progress": Reply{V: 1, ID: "K7ZQ", Kind: Progress, Progress: &op.ProgressReport{Done: 1, Total: 2, Doing: "rendering the page"}},
		"answer": Reply{V: 1, ID: "K7ZQ", Kind: Answer, Payload: &Payload{
			Result: json.RawMessage(`{"ok":true,"path":"/tmp/a.png"}`), Files: []File{{Path: "/tmp/a.png", Data: []byte("png"), Type: "image/png", Size: 3}, {Path: "/tmp/b.bin", Object: "O1", Size: 3000000}},
		}},
		"error":   Reply{V: 1, ID: "K7ZQ", Kind: Answer, Error: &op.Error{Code: op.StaleRef, Message: "e1 is gone", Hint: "take a new snapshot", Sent: true}},
		"refused": Reply{V: 1, ID: "K7ZQ", Kind: Refused, Refused: Busy},
		"cancel":  Cancel{V: 1, ID: "K7ZQ"},
		"status": Status{
			V: 1, Name: "mac", Instance: "I1", Beat: 8, Healthy: true, Load: &Load{Calls: 1, Slots: 4, Queue: 2}, Tabs: 3, Labels: map[string]string{"gpu": "no"}, Version: "1.0",
		},
	}
}

// A reply of any size is joined again, even when its parts come twice.
func TestParts(t *testing.T) {
	result, _ := json.Marshal(strings.Repeat("ä", 1<<20))
	whole := Reply{V: Version, ID: "1", Kind: Answer, Payload: &Payload{Result: result}}
	parts := Split(whole, 1<<16)
	if len(parts) < 32 {
		t.Fatalf("%d parts", len(parts))
	}
	var j Joiner
	for i, part := range append(parts[:3:3], parts...) {
		if len(part) > 1<<16 {
			t.Fatalf("part %d has %d bytes", i, len(part))
		}
		r, err := j.Read(part)
		switch last := i == len(parts)+2; {
		case err != nil:
			t.Fatal(err)
		case (r != nil) != last:
			t.Fatalf("after part %d there is %v", i, r)
		case last && !bytes.Equal(r.Payload.Result, result):
			t.Error("the result has changed")
		}
	}
	if _, err := j.Read([]byte(`{"v":9,"id":"1","kind":"accepted"}`)); err == nil {
		t.Error("a reply of version 9 was read")
	}
}
