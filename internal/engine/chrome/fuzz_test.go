package chrome

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever a file DevToolsActivePort contains, its URL leads to this machine, or the file is not
// used.
func FuzzEndpoint(f *testing.F) {
	f.Add("9222\n/devtools/browser/a-b")
	f.Add("9222\n/devtools/browser/@evil.example/")
	f.Add("+1\n/devtools/browser/")
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(t.TempDir(), portFile)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		endpoint, ok := readEndpoint(file)
		if !ok {
			return
		}
		if u, err := url.Parse(endpoint); err == nil && (u.Hostname() != "127.0.0.1" || u.User != nil || u.Scheme != "ws") {
			t.Errorf("%q leads to %q", text, endpoint)
		}
	})
}

// Whatever a preferences file contains, chela's settings are in it afterwards, and the other
// settings stay.
func FuzzPreferences(f *testing.F) {
	for _, text := range []string{`{"profile":{"name":"x","other":1},"z":[1.5e300,null]}`, `{"net":7}`, `[]`, `{`, ``, `{"webrtc":{"ip_handling_policy":"default"}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "Preferences")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := mergeFile(file, preferences(Options{ProfileName: "work"}, nil)); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		written, err := os.ReadFile(file)
		var got, before map[string]any
		if err != nil || json.Unmarshal(written, &got) != nil {
			t.Fatalf("%q became %q: %v", text, written, err)
		}
		policy, _ := got["webrtc"].(map[string]any)
		if policy["ip_handling_policy"] != "disable_non_proxied_udp" {
			t.Errorf("%q became %q", text, written)
		}
		if json.Unmarshal(text, &before) == nil {
			for name := range before {
				if _, kept := got[name]; !kept {
					t.Errorf("%q lost %q", text, name)
				}
			}
		}
	})
}

// argb accepts exactly six hexadecimal digits after #, and keeps their value.
func FuzzColor(f *testing.F) {
	for _, text := range []string{"#FF4500", "#ff4500", "ff4500", "#+f4500", "#12345", "#1234567", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		color, err := argb(text)
		if err != nil || color == nil {
			return
		}
		if got := fmt.Sprintf("#%06x", uint32(*color)&0xffffff); got != strings.ToLower(text) {
			t.Errorf("%q is %s", text, got)
		}
	})
}
