//go:build unix

// Package scripts runs sessions at a terminal, as users and agents have them.
package scripts

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"chela/internal/api"
	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/reading/parser"
	"chela/internal/surface/cli"
	"chela/internal/surface/shop"
	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/service"
)

func TestMain(m *testing.M) {
	chromium.PreferShell()
	parser.RunIfChild() // the server starts this program again to read documents
	testscript.Main(m, map[string]func(){"chela": chela})
}

// chela is the program, as in cmd/chela.
func chela() {
	p := &cli.Program{
		Table: api.Table, Version: "test",
		Open:  func(c *config.Live, stop func()) (cli.Service, error) { return call.New(c, stop) },
		Alone: call.Alone,
	}
	os.Exit(p.Main())
}

// inChromium has the scripts that highlight an element. The headless shell draws nothing over pages.
var inChromium = []string{"followed", "session"}

func TestScripts(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	t.Cleanup(site.Close)
	store := httptest.NewServer(shop.Handler())
	t.Cleanup(store.Close)
	docs, err := filepath.Abs("../../docs")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			if slices.Contains(inChromium, strings.TrimPrefix(filepath.Base(e.WorkDir), "script-")) {
				added, ours, _ := strings.Cut(e.Getenv("PATH"), string(os.PathListSeparator)) // the script's own folder comes first
				e.Setenv("PATH", added+string(os.PathListSeparator)+chromium.WithoutShell(ours))
			}
			state := filepath.Join(e.WorkDir, "state")
			e.Setenv("GORACE", "atexit_sleep_ms=0") // with the race detector, each command would otherwise sleep for a second before it exits
			e.Setenv("CHELA_STATE_DIR", state)
			e.Setenv("CHELA_PORT", "")
			e.Setenv(config.AllowPrivateNetwork, "1") // the site is on the private network
			e.Setenv("SITE", site.URL)
			e.Setenv("HOST", site.Listener.Addr().String())
			e.Setenv("LOCAL", pages.Elsewhere(site.URL))
			e.Setenv("DOCS", docs)
			e.Setenv("SHOP", store.URL)
			roots, err := media.Locate(media.Places{Media: filepath.Join(e.WorkDir, "media")})
			if err != nil {
				return err
			}
			e.Setenv("UPLOADS", roots.Uploads)
			e.Setenv("DOWNLOADS", roots.Downloads)
			traces, err := os.MkdirTemp(roots.Temp, "script-") // the server saves traces only in the temporary folder
			if err != nil {
				return err
			}
			e.Setenv("TRACES", traces)
			e.Defer(func() { os.RemoveAll(traces) })
			e.Defer(func() { end(t, state) })
			if err := os.Mkdir(state, 0o700); err != nil {
				return err
			}
			port := freePort()
			e.Setenv("PORT", strconv.Itoa(port))
			settings := fmt.Sprintf(`{"browser": {"noSandbox": true, "headless": true, "extraArgs": [%q]}, "gateway": {"port": %d}}`, chromium.Names(site), port-2)
			return os.WriteFile(filepath.Join(state, "chela.json"), []byte(settings), 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"race": race, "server-pid": serverPID, "browser-pid": browserPID, "signal": signal, "converse": converse, "gone": gone, "vanished": vanished, "port-taken": portTaken, "mode": mode, "follow": follow, "readme": readme, "memory": memory,
		},
	})
}

func freePort() int {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// end ends a server that a script has left, and fails the test if anything of it stays.
func end(t *testing.T, state string) {
	if server, err := (config.State{Dir: state}).Server(); err == nil && living(server.PID) {
		syscall.Kill(server.PID, syscall.SIGTERM)
	}
	for limit := time.Now().Add(8 * time.Second); len(service.Using(state)) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Errorf("left behind: %v", service.Using(state))
			return
		}
	}
}

func living(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	var state string
	fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state)
	return state != "Z" && state != "X"
}

// race n command... runs a command n times at once.
func race(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var all sync.WaitGroup
	failed := make(chan error, n)
	for range n {
		all.Go(func() {
			if out, err := command(ts, args[1:]).CombinedOutput(); err != nil {
				failed <- fmt.Errorf("%w: %s", err, out)
			}
		})
	}
	all.Wait()
	close(failed)
	for err := range failed {
		ts.Check(err)
	}
}

// server-pid NAME keeps the process of the server in a variable.
func serverPID(ts *testscript.TestScript, _ bool, args []string) {
	server, err := config.State{Dir: ts.Getenv("CHELA_STATE_DIR")}.Server()
	ts.Check(err)
	ts.Setenv(args[0], strconv.Itoa(server.PID))
}

// memory SERVER CHILD fails when the server or one of its children that read documents has had more
// memory, in MB. It checks nothing on other systems than Linux. The limits do not hold with the
// race detector, which takes memory of its own.
func memory(ts *testscript.TestScript, _ bool, args []string) {
	if runtime.GOOS != "linux" {
		return
	}
	server, err := config.State{Dir: ts.Getenv("CHELA_STATE_DIR")}.Server()
	ts.Check(err)
	processes := map[string]string{strconv.Itoa(server.PID): args[0]}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", server.PID))
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for pid := range strings.FieldsSeq(string(pids)) {
			if line, _ := os.ReadFile("/proc/" + pid + "/cmdline"); strings.HasPrefix(string(line), "chela-parses") {
				processes[pid] = args[1]
			}
		}
	}
	if len(processes) < 2 {
		ts.Fatalf("no child has read anything")
	}
	for pid, limit := range processes {
		status, _ := os.ReadFile("/proc/" + pid + "/status")
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		kB, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		had, err := strconv.Atoi(kB)
		ts.Check(err)
		ts.Logf("process %s had %d MB", pid, had>>10)
		if most, _ := strconv.Atoi(limit); had>>10 > most {
			ts.Fatalf("process %s had %d MB, want at most %s", pid, had>>10, limit)
		}
	}
}

// browser-pid NAME keeps the process of the browser, the only one there may be, in a variable.
func browserPID(ts *testscript.TestScript, _ bool, args []string) {
	var browsers []int
	for _, pid := range service.Using(ts.Getenv("CHELA_STATE_DIR") + "/browser") {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if !bytes.Contains(line, []byte("--type=")) && bytes.Contains(line, []byte("--remote-debugging-pipe")) {
			browsers = append(browsers, pid)
		}
	}
	if len(browsers) != 1 {
		ts.Fatalf("browsers: %v", browsers)
	}
	ts.Setenv(args[0], strconv.Itoa(browsers[0]))
}

// signal NAME PID sends a signal.
func signal(ts *testscript.TestScript, _ bool, args []string) {
	signals := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM, "INT": syscall.SIGINT}
	pid, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(syscall.Kill(pid, signals[args[0]]))
}

// converse CALLS REPLIES command... sends the lines of a file to a command, one by one. It writes
// the answer to each line to another file. A line without an id has no answer. Notifications that
// come before an answer are also written.
func converse(ts *testscript.TestScript, _ bool, args []string) {
	cmd := command(ts, args[2:])
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	answers, replies := bufio.NewReader(out), ""
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		_, err := io.WriteString(in, line)
		ts.Check(err)
		for waits := strings.Contains(line, `"id"`); waits; {
			reply, err := answers.ReadString('\n')
			ts.Check(err)
			replies += reply
			waits = strings.Contains(reply, `"method":"notifications/`)
		}
	}
	ts.Check(in.Close())
	ts.Check(cmd.Wait())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(replies), 0o600))
}

// command returns a command of the script, for a custom command that has to run it.
func command(ts *testscript.TestScript, args []string) *exec.Cmd {
	cmd := exec.Command(program(ts, args[0]), args[1:]...)
	cmd.Dir = ts.Getenv("WORK")
	for _, name := range []string{"CHELA_STATE_DIR", "GORACE", "PATH", "HOME", "TMPDIR"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	return cmd
}

// program finds a command of the script.
func program(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path := filepath.Join(dir, name); executable(path) {
			return path
		}
	}
	ts.Fatalf("no command %s", name)
	return ""
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&0o100 != 0
}

// gone PID... waits until processes have ended.
func gone(ts *testscript.TestScript, _ bool, args []string) {
	for _, arg := range args {
		pid, err := strconv.Atoi(arg)
		ts.Check(err)
		await(ts, func() bool { return !living(pid) }, "process %d lives", pid)
	}
}

// vanished FILE waits until a file has gone.
func vanished(ts *testscript.TestScript, _ bool, args []string) {
	missing := func() bool {
		_, err := os.Stat(ts.MkAbs(args[0]))
		return errors.Is(err, fs.ErrNotExist)
	}
	await(ts, missing, "%s is still there", args[0])
}

// await waits for a condition that nothing reports. Its limit ends a test that hangs; it is no
// measure of speed.
func await(ts *testscript.TestScript, cond func() bool, failure string, args ...any) {
	for limit := time.Now().Add(time.Minute); !cond(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			ts.Fatalf(failure, args...)
		}
	}
}

// port-taken NAME takes a port until the script ends, and keeps it in a variable.
func portTaken(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Setenv(args[0], strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
}

// mode OCTAL FILE... fails if a file has other permissions. A file may be a pattern.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	for _, pattern := range args[1:] {
		files, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		if len(files) == 0 {
			ts.Fatalf("no file %s", pattern)
		}
		for _, file := range files {
			info, err := os.Stat(file)
			ts.Check(err)
			if got := strings.TrimPrefix(fmt.Sprintf("%#o", info.Mode().Perm()), "0"); got != args[0] {
				ts.Fatalf("%s has mode %s, want %s", file, got, args[0])
			}
		}
	}
}
