package chrome

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// holdEnv is an environment variable with a user data directory. If it is set, this test program
// launches a browser there, and keeps it until somebody kills the program.
const holdEnv = "HOLD_A_BROWSER_ON"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdEnv); dir != "" {
		hold(dir)
	}
	goleak.VerifyTestMain(m)
}

func hold(dir string) {
	found, err := Find("")
	if err != nil {
		panic(err)
	}
	p, err := Launch(context.Background(), Options{Executable: found, UserDataDir: dir, Headless: true})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.PID)
	<-p.Exited()
	os.Exit(1)
}

// browser launches a real browser, which ends with the test.
func browser(t testing.TB, o Options) *Process {
	t.Helper()
	found, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	o.Executable, o.Headless = found, true
	return launch(t, o)
}

// fake returns options that launch a shell script in place of a browser.
func fake(t *testing.T, script string) Options {
	t.Helper()
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return Options{Executable: Executable{Path: path, Kind: "custom"}, UserDataDir: filepath.Join(t.TempDir(), "user-data")}
}

func launch(t testing.TB, o Options) *Process {
	t.Helper()
	p, err := Launch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Terminate(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p
}

// driver sends commands to a browser over its pipe, one at a time.
type driver struct {
	t   testing.TB
	p   *Process
	out *bufio.Reader
	id  int
}

func drive(t testing.TB, p *Process) *driver {
	return &driver{t: t, p: p, out: bufio.NewReader(p.Out)}
}

// call returns the result of a command. It skips the events that come before it.
func (d *driver) call(method, params string) map[string]any {
	d.t.Helper()
	d.id++
	if _, err := fmt.Fprintf(d.p.In, `{"id":%d,"method":%q,"params":%s}`+"\x00", d.id, method, params); err != nil {
		d.t.Fatalf("%s: %v, %v", method, err, d.p.ExitErr())
	}
	for {
		frame, err := d.out.ReadBytes(0)
		if err != nil {
			d.t.Fatalf("%s: %v, %v", method, err, d.p.ExitErr())
		}
		var reply struct {
			ID     int
			Result map[string]any
			Error  any
		}
		if err := json.Unmarshal(frame[:len(frame)-1], &reply); err != nil {
			d.t.Fatal(err)
		}
		if reply.ID == d.id {
			if reply.Error != nil {
				d.t.Fatalf("%s: %v", method, reply.Error)
			}
			return reply.Result
		}
	}
}

// eventually waits until a condition holds. It fails after a time that is far longer than that
// should take.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for range 400 {
		if condition() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("never: " + what)
}

// processesOn lists the processes that have dir on their command line.
func processesOn(dir string) (pids []string) {
	entries, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, entry := range entries {
		if line, err := os.ReadFile(entry); err == nil && strings.Contains(string(line), dir) {
			pids = append(pids, strings.Split(entry, "/")[2])
		}
	}
	return pids
}
