package profile

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/chromedp/cdproto/network"

	"chela/internal/browser"
	"chela/internal/config"
)

func TestSession(t *testing.T) {
	state, err := config.StateAt(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := session{state, "chela"}
	if got := s.read(); !reflect.DeepEqual(got, browser.Memory{}) {
		t.Errorf("without a file: %+v", got)
	}
	full := browser.Memory{
		LastTab: 3, Current: map[string]string{"": "t3"}, Tabs: []browser.SavedTab{{ID: "t3", TargetID: "A", URL: "http://one.test/"}},
		Cookies: []*network.Cookie{{
			Name: "n", Value: "v", Domain: "one.test", Path: "/", Session: true,
			Priority: network.CookiePriorityMedium, SourceScheme: network.CookieSourceSchemeSecure,
		}},
	}
	s.write(full)
	file := filepath.Join(state.Dir, "browser", "chela", "session.json")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	if got := s.read(); !reflect.DeepEqual(got, full) {
		t.Errorf("got %+v", got)
	}
	s.write(browser.Memory{LastTab: 3})
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("it is left, though there is nothing to keep: %v", err)
	}
	s.write(browser.Memory{}) // there is none to remove
}
