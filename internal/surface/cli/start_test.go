//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/test/suspend"
)

// A machine runs commands of the program as processes that share one state directory.
type machine struct {
	state config.State
	env   []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{state: config.State{Dir: filepath.Join(t.TempDir(), "state")}}
	t.Cleanup(func() {
		if server, err := m.state.Server(); err == nil {
			m.end(t, server.PID, syscall.SIGTERM)
		}
	})
	return m
}

func (m *machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "CHELA_TEST_PROGRAM=1", "CHELA_STATE_DIR="+m.state.Dir, "CHELA_PORT=", "CHELA_CONFIG_PATH=")
	cmd.Env = append(cmd.Env, m.env...)
	return cmd
}

func (m *machine) run(args ...string) (out, errs string, err error) {
	cmd := m.command(args...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	return o.String(), e.String(), err
}

// startedBy runs a command and returns the process id of the server that answered it.
func (m *machine) startedBy(t *testing.T, args ...string) int {
	t.Helper()
	out, errs, err := m.run(append(args, "--json")...)
	if err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	var answer struct{ PID int }
	if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.PID == 0 {
		t.Fatalf("got %s, %v", out, err)
	}
	return answer.PID
}

// end ends a server of this test and waits until it has given up its lock.
func (m *machine) end(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, sig); err != nil {
		return // the process has already ended
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	release, err := m.state.Lock(ctx)
	if err != nil {
		t.Fatalf("server %d does not end: %v", pid, err)
	}
	release()
}

func TestFirstCommandStartsTheServer(t *testing.T) {
	m := newMachine(t)
	first := m.startedBy(t, "start")
	if second := m.startedBy(t, "tab"); second != first {
		t.Errorf("servers %d and %d", first, second)
	}
	server, err := m.state.Server()
	if err != nil || server.PID != first || server.Version != "test" || server.Port == 0 {
		t.Errorf("server.json: %+v, %v", server, err)
	}
	if info, err := os.Stat(m.state.Socket()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v, %v", info, err)
	}
	m.end(t, first, syscall.SIGTERM)
	for _, path := range []string{m.state.Socket(), filepath.Join(m.state.Dir, "server.json")} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is left behind", path)
		}
	}
}

func TestServerEndsWellWhenItIsTold(t *testing.T) {
	m := newMachine(t)
	cmd := m.command("serve")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, "chela listens on http://127.0.0.1:") {
		t.Errorf("got %q, %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, &errs)
	}
}

func TestTenCommandsStartOneServer(t *testing.T) {
	m := newMachine(t)
	pids := make([]int, 10)
	var all sync.WaitGroup
	for i := range pids {
		all.Go(func() { pids[i] = m.startedBy(t, "start") })
	}
	all.Wait()
	for _, pid := range pids {
		if pid != pids[0] {
			t.Fatalf("servers %v", pids)
		}
	}
}

func TestKilledServerIsNoObstacle(t *testing.T) {
	m := newMachine(t)
	first := m.startedBy(t, "start")
	m.end(t, first, syscall.SIGKILL)
	if _, err := os.Stat(m.state.Socket()); err != nil {
		t.Fatalf("the socket is gone, so this test shows nothing: %v", err)
	}
	if second := m.startedBy(t, "start"); second == first {
		t.Errorf("server %d answers after its end", first)
	}
}

func TestNeverStart(t *testing.T) {
	m := newMachine(t)
	for _, test := range []struct{ args, want string }{
		{"status", "chela is not running\n"},
		{"status --json", "{\n  \"running\": false\n}\n"},
	} {
		if out, errs, err := m.run(strings.Fields(test.args)...); err != nil || out != test.want {
			t.Errorf("%s: got %q, %s, %v; want %q", test.args, out, errs, err, test.want)
		}
	}
	if _, err := os.Stat(m.state.Dir); err == nil {
		t.Error("asking for the state made a state directory")
	}
}

func TestWrongArgumentsDoNotStart(t *testing.T) {
	m := newMachine(t)
	if _, errs, err := m.run("click", "e1", "--button", "up"); err == nil || !strings.Contains(errs, "button must be") {
		t.Errorf("got %v, %s", err, errs)
	}
	if _, err := os.Stat(m.state.Socket()); err == nil {
		t.Error("a server was started")
	}
}

func TestServerThatDiesAtItsStart(t *testing.T) {
	m := newMachine(t)
	m.env = []string{"CHELA_TEST_FAILS=no disk"}
	_, errs, err := m.run("start")
	if want := "chela: no disk\nchela: try: another day\n"; err == nil || errs != want {
		t.Errorf("got %v\n%swant\n%s", err, errs, want)
	}
	out, _, err := m.run("start", "--json")
	if err == nil || !strings.Contains(out, `"code": "conflict"`) {
		t.Errorf("got %v, %s", err, out)
	}
}

func TestSecondServerIsRefused(t *testing.T) {
	m := newMachine(t)
	m.startedBy(t, "start")
	if _, errs, err := m.run("serve"); err == nil || !strings.Contains(errs, "a server runs already") {
		t.Errorf("got %v, %s", err, errs)
	}
}

func TestPorts(t *testing.T) {
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port

	t.Run("an explicit port that is taken", func(t *testing.T) {
		m := newMachine(t)
		m.env = []string{"CHELA_PORT=" + strconv.Itoa(port)}
		if _, errs, err := m.run("start"); err == nil || !strings.Contains(errs, fmt.Sprintf("port %d is taken", port)) {
			t.Errorf("got %v, %s", err, errs)
		}
	})
	t.Run("a port for other machines that is taken", func(t *testing.T) {
		m := newMachine(t)
		for _, line := range []string{"cert make 127.0.0.7", "config set gateway.bind 127.0.0.7", "config set gateway.port " + strconv.Itoa(port-2)} {
			if _, errs, err := m.run(strings.Fields(line)...); err != nil {
				t.Fatal(line, errs)
			}
		}
		if _, errs, err := m.run("start"); err == nil || !strings.Contains(errs, "set another gateway.port") {
			t.Errorf("got %v, %s", err, errs)
		}
	})
	t.Run("a default port that is taken", func(t *testing.T) {
		m := newMachine(t)
		if err := m.state.Make(); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("{gateway: {port: %d}}", port-2)
		if err := os.WriteFile(filepath.Join(m.state.Dir, "chela.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m.startedBy(t, "start")
		if server, err := m.state.Server(); err != nil || server.Port == port || server.Port == 0 {
			t.Errorf("got %+v, %v; want a free port, not %d", server, err, port)
		}
		if log, err := os.ReadFile(m.state.Log()); err != nil || !strings.Contains(string(log), fmt.Sprintf("port %d is taken", port)) {
			t.Errorf("the log does not say that the port is taken: %v, %s", err, log)
		}
	})
}

// A server that hangs is ended by chela shutdown, and the next command starts another.
func TestShutdownOfAServerThatHangs(t *testing.T) {
	m := newMachine(t)
	hung := m.startedBy(t, "start")
	suspend.Process(t, hung)
	if runtime.GOOS != "linux" { // elsewhere it is not certain which process to end
		if _, errs, err := m.run("shutdown"); err == nil || !strings.Contains(errs, strconv.Itoa(hung)) {
			t.Errorf("got %v, %s", err, errs)
		}
		return
	}
	server, err := m.state.Server()
	if err != nil {
		t.Fatal(err)
	}
	server.Version = "older"
	if err := m.state.Announce(server); err != nil {
		t.Fatal(err)
	}
	_, errs, err := m.run("shutdown")
	if err != nil || !strings.Contains(errs, fmt.Sprintf("process %d was ended", hung)) || strings.Contains(errs, "older") {
		t.Errorf("got %v, %s", err, errs)
	}
	if next := m.startedBy(t, "start"); next == hung {
		t.Errorf("the server that hangs has answered")
	}
}

// The process of another entry is not ended: its id may belong to another process by now.
func TestShutdownEndsNoOtherProcess(t *testing.T) {
	m := newMachine(t)
	hung := m.startedBy(t, "start")
	server, err := m.state.Server()
	if err != nil {
		t.Fatal(err)
	}
	suspend.Process(t, hung)
	server.Process = fmt.Sprintf("%d.1", hung)
	if err := m.state.Announce(server); err != nil {
		t.Fatal(err)
	}
	if _, errs, err := m.run("shutdown"); err == nil || !strings.Contains(errs, fmt.Sprintf("end its process, if %d is still", hung)) {
		t.Errorf("got %v, %s", err, errs)
	}
}

func TestAnotherVersionIsTold(t *testing.T) {
	m := newMachine(t)
	pid := m.startedBy(t, "start")
	if err := m.state.Announce(config.Server{PID: pid, Port: 1, Version: "older"}); err != nil {
		t.Fatal(err)
	}
	if _, errs, err := m.run("tab"); err != nil || !strings.Contains(errs, "the running server is version older, this is test") {
		t.Errorf("got %v, %s", err, errs)
	}
}

// Files for others, and programs of the user, have the umask of the user.
func TestUmaskOfTheUser(t *testing.T) {
	usual := syscall.Umask(0o022)
	defer syscall.Umask(usual)
	m := newMachine(t)
	man := filepath.Join(t.TempDir(), "man1")
	if _, errs, err := m.run("man", man); err != nil {
		t.Fatal(err, errs)
	}
	for path, want := range map[string]os.FileMode{man: 0o755, filepath.Join(man, "chela.1"): 0o644} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info, err, want)
		}
	}
	if runtime.GOOS == "darwin" {
		return // the program that opens an address is not found by PATH there
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\numask > \"$SEEN\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(bin, "seen")
	m.env = []string{"DISPLAY=:0", "SEEN=" + seen, "PATH=" + bin + ":" + os.Getenv("PATH")}
	if _, errs, err := m.run("dashboard"); err != nil {
		t.Fatal(err, errs)
	}
	if umask, err := os.ReadFile(seen); err != nil || strings.TrimSpace(string(umask)) != "0022" {
		t.Errorf("got %s, %v", umask, err)
	}
}

func TestLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, err := openBoundedLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	line := bytes.Repeat([]byte("x"), 64<<10)
	for range 3 * maxLog / len(line) {
		if _, err := l.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{path, path + ".old"} {
		if info, err := os.Stat(name); err != nil || info.Size() > maxLog || info.Size() == 0 {
			t.Errorf("%s: %v, %v; want at most %d bytes", name, info, err, maxLog)
		}
	}
}
