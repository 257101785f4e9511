package chromium

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/chrome"
	"chela/internal/engine/endpoint"
)

// Elsewhere reports whether the tests drive a browser that chela has not started, over a WebSocket,
// as if it were on another machine. They do so if CHELA_TEST_REMOTE is set, as `make remote` does.
func Elsewhere() bool { return os.Getenv("CHELA_TEST_REMOTE") != "" }

// notElsewhere says why some tests do not hold for such a browser. Tests that start a browser with
// settings of their own, or kill one, always use a browser that chela starts.
var notElsewhere = map[string]string{
	"TestBrowserElsewhere":               "it has one of its own",
	"TestDownloadsOfActs/a_form":         "what answers a POST cannot be asked for again",
	"TestUploadWays/a_folder":            noFolder,
	"TestUploadWays/a_picker_of_folders": noFolder,
	"TestMovingADownload":                asksAgain,
	"TestDownloadAtALink":                asksAgain,
	"TestDialogAfterADownload":           asksAgain,
	"TestFollowingDownloads":             asksAgain,
	"TestDropFiles":                      noDrop,
	"TestDropIsNoWayToFiles":             noDrop,
	"TestDropThatFails":                  noDrop,
	"TestDropAfterRefusal":               noDrop,
	"TestDrop":                           noDrop,
	"TestDropThatIsNotTaken":             noDrop,
	"TestNewTabsAfterADrop":              noDrop,
	"TestLimitedSession":                 connectsItself,
	"TestLimitedTwiceAtOnce":             connectsItself,
	"TestWaitFunctionLeavesOtherFrames":  "a function with a time limit takes no argument by which it could be ended earlier",
	"TestAskRefuses":                     connectsItself,
}

const (
	noFolder       = "files are given by their content, of which the protocol makes no folder"
	noDrop         = "files are given by their content, which the protocol cannot drop"
	connectsItself = "the browser does not use chela's proxy, so no session of it has allowHosts"
	asksAgain      = "a file is asked for a second time, and comes as a whole"
)

// Skip skips a test that does not hold for the browser that the tests use: one elsewhere, or the
// headless shell.
func Skip(t testing.TB) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	for _, of := range []string{t.Name(), name} {
		if why := notElsewhere[of]; why != "" && Elsewhere() {
			t.Skip("not in a browser elsewhere: " + why)
		}
		if why := notInShell[of]; why != "" && inShell() {
			t.Skip("not in the headless shell: " + why)
		}
	}
}

// StartElsewhere starts a browser as somebody else would: it is driven by its port only. The
// function end ends it.
func StartElsewhere(dir string, flags ...string) (url string, end func(), err error) {
	executable, err := chrome.Find("")
	if err != nil {
		return "", nil, err
	}
	port, err := UnusedPort()
	if err != nil {
		return "", nil, err
	}
	p, err := chrome.Launch(context.Background(), chrome.Options{
		Executable: executable, UserDataDir: dir, Headless: Headless(), Port: port, ExtraArgs: flags,
	})
	if err != nil {
		return "", nil, err
	}
	url = fmt.Sprintf("http://127.0.0.1:%d", port)
	end = func() { p.Terminate(context.Background()) }
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if _, err = (endpoint.Endpoint{URL: url, Probe: time.Second}).Version(context.Background()); err == nil {
			return url, end, nil
		}
		if time.Since(begun) > 20*time.Second {
			end()
			return "", nil, err
		}
	}
}
