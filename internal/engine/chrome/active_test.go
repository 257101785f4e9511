package chrome

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFindActive(t *testing.T) {
	for _, test := range []struct{ content, want string }{
		{"9222\n/devtools/browser/3f1c", "ws://127.0.0.1:9222/devtools/browser/3f1c"},
		{"41235\r\n/devtools/browser/3f1c\r\n", "ws://127.0.0.1:41235/devtools/browser/3f1c"},
		{"9222\n", ""}, {"70000\n/devtools/browser/x", ""}, {"", ""},
		{"9222\n@elsewhere.example/devtools/browser/x", ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "DevToolsActivePort"), []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := FindActive(dir)
		none, isNone := errors.AsType[*NotActiveError](err)
		switch {
		case test.want != "" && (err != nil || len(found) != 1 || found[0] != ActiveBrowser{dir, test.want}):
			t.Errorf("%q: %+v, %v", test.content, found, err)
		case test.want == "" && (!isNone || none.Places[0] != dir):
			t.Errorf("%q: %+v, %v", test.content, found, err)
		}
	}
	if _, err := FindActive(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Errorf("without the file: %v", err)
	}
}

// Chrome's own directory comes first, since most users who name no directory mean Chrome.
func TestUserDataDirs(t *testing.T) {
	env := func(values map[string]string) func(string) string {
		return func(name string) string { return values[name] }
	}
	home := map[string]string{"HOME": "/home/ada", "LOCALAPPDATA": "/users/ada/local"}
	for _, test := range []struct {
		system, first, has string
		env                map[string]string
	}{
		{"linux", "/home/ada/.config/google-chrome", "/home/ada/snap/chromium/common/chromium", home},
		{"linux", "/conf/google-chrome", "/conf/BraveSoftware/Brave-Browser", map[string]string{"HOME": "/home/ada", "XDG_CONFIG_HOME": "/conf"}},
		{"darwin", "/home/ada/Library/Application Support/Google/Chrome", "/home/ada/Library/Application Support/Microsoft Edge", home},
		{"windows", "/users/ada/local/Google/Chrome/User Data", "/users/ada/local/Google/Chrome Beta/User Data", home},
	} {
		dirs := userDataDirs(test.system, env(test.env))
		if dirs[0] != filepath.FromSlash(test.first) || !slices.Contains(dirs, filepath.FromSlash(test.has)) {
			t.Errorf("%s: %q", test.system, dirs)
		}
	}
}
