package chrome

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// always are the flags of every browser we start.
var always = []string{
	"--no-first-run",
	"--no-default-browser-check",
	"--no-startup-window", // each tab makes its own; the first answer comes sooner
	"--password-store=basic",
	"--use-mock-keychain", // macOS: ask for no keychain
	"--hide-crash-restore-bubble",
	"--disable-session-crashed-bubble",
	"--disable-search-engine-choice-screen",
	"--disable-hang-monitor",     // who drives the page decides when it hangs
	"--disable-prompt-on-repost", // a reload must not wait for an answer
	"--disable-breakpad",
	"--disable-popup-blocking", // the browser package counts what a page opens, and tells

	// Nobody asked for this traffic.
	"--disable-sync",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-quic",

	// Pages see the browser that a person uses.
	"--disable-blink-features=AutomationControlled",

	// Many tabs are worked on at once, and none is in front.
	"--disable-background-timer-throttling",
	"--disable-renderer-backgrounding",
	"--disable-backgrounding-occluded-windows",
	"--allow-pre-commit-input", // input right after a navigation is not lost
}

// withoutFeatures are the features that are off: a page kept in or made for
// the background would be a second document that answers for its tab, and the
// popups of the address bar are two more pages to load for each window.
var withoutFeatures = []string{
	"Translate", "MediaRouter", "BackForwardCache", "Prerender2",
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
}

const featuresFlag = "--disable-features="

// arguments is the command line of the browser. Chromium takes the last of a
// flag given twice, so those of the user come last; lists of features are joined.
func arguments(o Options) []string {
	features := withoutFeatures
	var extra []string
	for _, arg := range o.ExtraArgs {
		if names, ok := strings.CutPrefix(arg, featuresFlag); ok {
			features = append(slices.Clip(features), strings.Split(names, ",")...)
			continue
		}
		extra = append(extra, arg)
	}
	args := append(slices.Clone(always), "--user-data-dir="+o.UserDataDir, featuresFlag+strings.Join(features, ","))
	if byPort {
		args = append(args, "--remote-debugging-port=0")
	} else {
		args = append(args, "--remote-debugging-pipe")
	}
	if o.Headless {
		args = append(args, "--headless=new", "--disable-gpu", "--hide-scrollbars")
	}
	if WithoutSandbox(o.Executable, o.NoSandbox) != "" {
		args = append(args, "--no-sandbox", "--disable-setuid-sandbox")
	}
	if runtime.GOOS == "linux" {
		args = append(args, "--disable-dev-shm-usage") // containers give it 64 MB
	}
	if o.Width > 0 && o.Height > 0 {
		args = append(args, fmt.Sprintf("--window-size=%d,%d", o.Width, o.Height))
	}
	if !slices.ContainsFunc(extra, namesProxy) {
		args = append(args, "--no-proxy-server")
	}
	return append(args, extra...)
}

func namesProxy(arg string) bool {
	flag, _, _ := strings.Cut(arg, "=")
	return slices.Contains([]string{"--proxy-server", "--proxy-pac-url", "--proxy-auto-detect"}, flag)
}
