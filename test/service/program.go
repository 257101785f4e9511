package service

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chela/internal/api"
	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/reading/parser"
	"chela/internal/surface/cli"
	"chela/internal/surface/otlp"
)

// A Program is a server in a process of its own, which can be killed.
type Program struct {
	*Service
	cmd *exec.Cmd
	log *logged
}

// A logged is what a program has written to its log so far.
type logged struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	os.Stderr.Write(p)
	return l.text.Write(p)
}

// Log returns what the program has written to its log so far.
func (p *Program) Log() string {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	return p.log.text.String()
}

// asProgram is the environment variable that makes a test program run as chela, see [BeProgram].
const asProgram = "CHELA_TEST_AS_PROGRAM"

// BeProgram runs chela, as cmd/chela does, and exits, if this process was started by
// [Run]. TestMain calls it first.
func BeProgram() {
	parser.RunIfChild()
	if os.Getenv(asProgram) == "" {
		return
	}
	os.Unsetenv(asProgram)
	p := &cli.Program{
		Table: api.Table, Version: "test",
		Open:  func(c *config.Live, stop func()) (cli.Service, error) { return call.New(c, stop) },
		Alone: call.Alone, Provider: otlp.Provider,
	}
	os.Exit(p.Main())
}

// Run starts chela serve on a state directory. The directory has a configuration file already, or
// gets one that suits most tests. Run returns when the server answers. If there is a command, it
// replaces serve.
func Run(t testing.TB, dir string, command ...string) *Program {
	t.Helper()
	if len(command) == 0 {
		command = []string{"serve"}
	}
	if _, err := os.Stat(filepath.Join(dir, configFile)); err != nil {
		must(os.WriteFile(filepath.Join(dir, configFile), []byte(withFlags()), 0o600))
	}
	cmd := program(dir, command...)
	log := new(logged)
	cmd.Stderr = log
	out := mustGet(cmd.StdoutPipe())
	must(cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), "chela listens on ")
	if err != nil || !ok {
		cmd.Process.Kill()
		t.Fatalf("chela %s said %q: %v, %v", command[0], line, err, cmd.Wait())
	}
	p := &Program{&Service{URL: url, Dir: dir}, cmd, log}
	t.Cleanup(func() {
		p.Kill()
		// The browser ends when it learns that its server has gone, and writes into the
		// directory until then.
		Eventually(t, "nothing uses the state directory", func() bool { return len(Using(dir)) == 0 })
	})
	return p
}

// configFile is the configuration file in a state directory.
const configFile = "chela.json"

// program is a command of chela on a state directory.
func program(dir string, command ...string) *exec.Cmd {
	cmd := exec.Command(mustGet(os.Executable()), append(command, "--state-dir", dir, "--config", filepath.Join(dir, configFile))...)
	cmd.Env = append(os.Environ(), asProgram+"=1", config.AllowPrivateNetwork+"=1", "CHELA_TOKEN="+Token, "GORACE=atexit_sleep_ms=0")
	return cmd
}

// Fail runs a command that must fail, and returns the error that it prints.
func Fail(t testing.TB, dir string, command ...string) string {
	t.Helper()
	cmd := program(dir, command...)
	var said strings.Builder
	cmd.Stderr = &said
	must(cmd.Start())
	endless := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer endless.Stop()
	if err := cmd.Wait(); err == nil {
		t.Errorf("chela %s did not fail", command)
	}
	return said.String()
}

// PID returns the process id of the server.
func (p *Program) PID() int { return p.cmd.Process.Pid }

// Kill ends the server at once, if it runs, and waits for the end of its process.
func (p *Program) Kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
	http.DefaultClient.CloseIdleConnections()
}

// Close ends the server as its user does, and waits until it has ended.
func (p *Program) Close() error {
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	err := p.cmd.Wait()
	http.DefaultClient.CloseIdleConnections()
	if err != nil {
		return fmt.Errorf("chela serve: %w", err)
	}
	return nil
}
