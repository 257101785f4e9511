package chrome

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBrowserAnswersAndEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profile", "user-data")
	p := browser(t, Options{UserDataDir: dir})
	d := drive(t, p)
	if got := d.call("Browser.getVersion", `{}`)["product"]; !strings.Contains(got.(string), "/") {
		t.Errorf("product = %v", got)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("user-data directory: %v, %v", info.Mode(), err)
	}
	if p.ExitErr() != nil {
		t.Errorf("ended: %v", p.ExitErr())
	}
	if err := p.Terminate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := processesOn(dir); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
	if mark, err := os.Readlink(filepath.Join(dir, singletonLock)); err == nil {
		t.Errorf("lock left: %s", mark)
	}
	var ended *ExitError
	if !errors.As(p.ExitErr(), &ended) {
		t.Errorf("ExitErr = %v", p.ExitErr())
	}
}

func TestBrowserLivesOnWhenItsLastTabIsClosed(t *testing.T) {
	d := drive(t, browser(t, Options{UserDataDir: t.TempDir()}))
	for range 2 {
		tab := d.call("Target.createTarget", `{"url":"about:blank","newWindow":true}`)["targetId"].(string)
		d.call("Target.closeTarget", `{"targetId":`+strconv.Quote(tab)+`}`)
	}
	eventually(t, "all tabs are gone", func() bool {
		return len(d.call("Target.getTargets", `{"filter":[{"type":"page"}]}`)["targetInfos"].([]any)) == 0
	})
	d.call("Target.createTarget", `{"url":"about:blank","newWindow":true}`)
}

func TestBrowserDiesWithItsParent(t *testing.T) {
	dir := t.TempDir()
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), holdEnv+"="+dir)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the browser has made its children", func() bool { return len(processesOn(dir)) > 2 })
	parent.Process.Kill()
	parent.Wait()
	eventually(t, "all of it has ended", func() bool { return len(processesOn(dir)) == 0 })

	// A new parent finds the mark of the dead browser, and can start its own browser all the same.
	drive(t, browser(t, Options{UserDataDir: dir})).call("Browser.getVersion", `{}`)
}

func TestBrowserKilled(t *testing.T) {
	dir := t.TempDir()
	p := browser(t, Options{UserDataDir: dir})
	drive(t, p).call("Target.createTarget", `{"url":"about:blank"}`)
	socket, err := os.Readlink(filepath.Join(dir, "SingletonSocket"))
	if err != nil {
		t.Fatal(err)
	}
	if process, err := os.FindProcess(p.PID); err != nil || process.Kill() != nil {
		t.Fatal("cannot kill it")
	}
	<-p.Exited()
	if err := p.ExitErr(); !strings.HasPrefix(err.Error(), "browser ended (signal: killed)") {
		t.Errorf("ExitErr = %v", err)
	}
	if left := processesOn(dir); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
	if _, err := os.Stat(filepath.Dir(socket)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left: %v", filepath.Dir(socket), err)
	}
}

func TestBrowserThatDiesAtStart(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{"with words", `echo "cannot open display" >&2; exit 3`, "browser ended (exit status 3): cannot open display"},
		{"silently", `exit 0`, "browser ended (exit status 0)"},
		{"with too many words", `i=0; while [ $i -lt 500 ]; do echo "12345678" >&2; i=$((i+1)); done; exit 1`,
			"browser ended (exit status 1): " + strings.TrimSpace(strings.Repeat("12345678\n", 500)[4500-maxStderr:])},
		{"leaving a child that holds its stderr", `sleep 600 & echo "words" >&2; exit 1`, "browser ended (exit status 1): words"},
		{"by a signal", `kill -9 $$`, "browser ended (signal: killed)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := launch(t, fake(t, test.script))
			<-p.Exited()
			if diff := cmp.Diff(test.want, p.ExitErr().Error()); diff != "" {
				t.Errorf("ExitErr (-want +got):\n%s", diff)
			}
			if _, err := p.Out.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
				t.Errorf("reading from it: %v, want that it is closed", err)
			}
		})
	}
}

func TestTerminateKillsWhatDoesNotListen(t *testing.T) {
	o := fake(t, `trap "" TERM; sleep 600 & echo >&4; wait; wait`)
	p := launch(t, o)
	if _, err := p.Out.Read(make([]byte, 1)); err != nil { // the script has set its trap when it writes
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // so Terminate kills at once
	if err := p.Terminate(ctx); err != nil {
		t.Fatal(err)
	}
	if got := p.ExitErr().Error(); got != "browser ended (signal: killed)" {
		t.Errorf("ExitErr = %s", got)
	}
	if err := p.Terminate(t.Context()); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

func TestBrowserThatCannotBeStarted(t *testing.T) {
	o := fake(t, "")
	o.Executable.Path += "-gone"
	if _, err := Launch(t.Context(), o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error = %v", err)
	}
}

func TestBrowserOnAPort(t *testing.T) {
	byPort = true
	defer func() { byPort = false }()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, portFile), []byte("1\n/devtools/browser/of-last-time"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := browser(t, Options{UserDataDir: dir})
	if !strings.HasPrefix(p.WebSocketURL, "ws://127.0.0.1:") || strings.HasSuffix(p.WebSocketURL, "of-last-time") || p.In != nil {
		t.Errorf("process = %+v", p)
	}
	if _, err := Launch(t.Context(), fake(t, `echo "no port" >&2; exit 1`)); err == nil || !strings.Contains(err.Error(), "no port") {
		t.Errorf("one that dies: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Launch(ctx, fake(t, `sleep 600`)); !errors.Is(err, context.Canceled) {
		t.Errorf("one that reports no port: %v", err)
	}
}

func TestPreferencesAreKept(t *testing.T) {
	dir := t.TempDir()
	o := Options{UserDataDir: dir, ProfileName: "work", Color: "#FF4500"}
	preferences, localState := filepath.Join(dir, "Default", "Preferences"), filepath.Join(dir, "Local State")
	for range 2 { // the second launch merges into the file that Chromium has written after the first
		p := browser(t, o)
		d := drive(t, p)
		d.call("Target.createTarget", `{"url":"about:blank"}`)
		d.call("Browser.close", `{}`)
		<-p.Exited()
		for _, test := range []struct {
			file string
			keys string
			want any
		}{
			{preferences, "profile name", "work"},
			{preferences, "profile exit_type", "Normal"},
			{preferences, "net network_prediction_options", 2.0},
			{preferences, "webrtc ip_handling_policy", "disable_non_proxied_udp"},
			{preferences, "browser theme user_color2", -47872.0},
			{localState, "profile info_cache Default name", "work"},
			{localState, "profile info_cache Default profile_color_seed", -47872.0},
		} {
			if got := setting(t, test.file, strings.Fields(test.keys)...); got != test.want {
				t.Errorf("%s %s = %v, want %v", filepath.Base(test.file), test.keys, got, test.want)
			}
		}
	}
}

// setting reads one value of a file of Chromium's settings.
func setting(t *testing.T, file string, keys ...string) any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		below, _ := value.(map[string]any)
		value = below[key]
	}
	return value
}
