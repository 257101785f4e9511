package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/client"
)

// A remote is an [op.Runner] that calls the server of a state directory. If no server answers, it
// starts one in the background. So a user never has to start or stop anything. The first command
// starts the server, and the server ends by itself when it has been idle.
type remote struct {
	program *Program
	state   config.State
	file    string // path of the configuration file, if --config was given
	client  *client.Client
	afar    bool   // the server is reached over TCP: it is never started, and its files are copied to this machine
	port    int    // the port of a server that is to be started; 0: the configured one
	nats    string // NATS of a server that is to be started; "": the configured one

	mu           sync.Mutex // guards the rest; an agent makes several calls at once
	fetched      []string   // copies of files that a server reached over TCP has made
	answersAlone bool       // a call was answered without a server
}

// startTime is how long a server may take to start. It starts no browser by itself.
const startTime = 20 * time.Second

// remote returns the runner of a command. The error is about the state directory, such as that
// another user owns it, or says that the file of --config does not exist. The state directory is
// checked before the first connection. Otherwise another user could make it, listen on the socket,
// and read what the command sends.
func (p *Program) remote(cmd *cobra.Command) (*remote, error) {
	flags := settings(cmd)
	state, err := config.StateAt(flags.StateDir)
	if err != nil {
		return nil, err
	}
	if err := state.Trust(); err != nil {
		return nil, err
	}
	r := &remote{program: p, state: state}
	if flags.File != "" {
		if r.file, err = flags.Path(); err != nil {
			return nil, configError(err)
		}
	}
	return r, r.choose(cmd)
}

// Run runs o on the server. If no server listens on the socket, nothing has been done: Run starts a
// server and calls again. After any other failure it does not: a click whose answer was lost may
// have been done. Operations about a running server, such as shutdown, never start one. If none
// runs, those that are [op.Alone], such as status, are answered in this process.
//
// It returns the errors of the operation, of the connection ([client.ErrNoServer] if none was
// started) and of the start.
func (r *remote) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	defer reportDownloads(ctx, func(ctx context.Context, each func([]byte)) error {
		return r.client.Follow(ctx, "/downloads", profileOf(args), each) // uses a second connection
	})()
	if err := r.sendFiles(ctx, o, args); err != nil {
		return nil, err
	}
	raw, err := r.client.Run(ctx, o, args)
	if r.afar {
		if err == nil {
			raw, err = r.fetchFiles(ctx, o, raw)
		}
		return raw, err
	}
	if err == nil && o.EndsServer() {
		return raw, r.awaitEnd(ctx)
	}
	switch {
	case !errors.Is(err, client.ErrNoServer):
		return raw, err
	case op.TargetOf(ctx).Remote() && !o.EndsServer(): // only a server reaches nodes
	case o.Alone() && r.program.Alone != nil:
		return r.alone(ctx, o, args)
	case o.NeverStart():
		return raw, err
	}
	if err := o.Check(args); err != nil {
		return nil, err
	}
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	return r.client.Run(ctx, o, args)
}

// alone answers an operation without a server, in this process.
func (r *remote) alone(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	live, err := config.Open(config.Flags{StateDir: r.state.Dir, File: r.file})
	if err != nil {
		return nil, configError(err)
	}
	runner, err := r.program.Alone(live)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.answersAlone = true
	r.mu.Unlock()
	return runner.Run(ctx, o, args)
}

// awaitEnd waits until the server has ended, and so has released the lock of the state directory.
// Otherwise a command right after chela shutdown could still reach the old server. The socket
// closes earlier, before the browsers have ended.
func (r *remote) awaitEnd(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, lockTime, op.Errorf(op.Deadline, "the server has not ended within %s", lockTime))
	defer cancel()
	release, err := r.state.Lock(ctx)
	if err != nil {
		return err
	}
	release()
	return nil
}

// ready makes sure that a server runs to which a file can be sent. It does not start a server on
// another machine (afar).
func (r *remote) ready(ctx context.Context) error {
	if r.afar {
		return nil
	}
	return r.start(ctx)
}

// start starts a server unless one answers. If several commands do so at the same time, one starts
// it and the others wait. The start lock is held until the new server answers, and each command
// that gets the lock first checks for a server. Errors come from the state directory, or from a
// server that ended while it started. If startTime has passed, the error is a plain one.
func (r *remote) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTime, fmt.Errorf("the server did not start within %s", startTime))
	defer cancel()
	if err := r.state.Make(); err != nil {
		return err
	}
	release, err := r.state.LockStart(ctx)
	if err != nil {
		return fmt.Errorf("wait for another start: %w", err)
	}
	defer release()
	if answers(r.state.Socket()) {
		return nil
	}
	op.Progress(ctx, 0, 0, "starting the server")
	err = r.spawn(ctx)
	if err != nil && answers(r.state.Socket()) {
		return nil // meanwhile chela serve was run
	}
	return err
}

// answers reports whether a server listens on the socket. The file of the socket may exist without
// a server, if the server was killed. So answers connects to it.
func answers(socket string) bool {
	conn, err := net.Dial("unix", socket)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// spawn starts a server that outlives this process, and returns when the server has announced that
// it is ready. If it ended before that, the error is the server's.
//
// The server announces it by a line on its standard output, a pipe that this process reads. If the
// pipe is closed without a line, the server has ended. When the context ends, the pipe is closed on
// this side, which ends the read. The process is also killed: one that hangs would keep the lock.
// The server's standard error is the log file, so that a failure before the log is opened is not
// lost: see startError.
func (r *remote) spawn(ctx context.Context) error {
	log, err := openLog(r.state.Log())
	if err != nil {
		return err
	}
	defer log.Close()
	before, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	cmd, err := r.serveCommand()
	if err != nil {
		return err
	}
	cmd.Stderr = log
	if _, err := cmd.StdinPipe(); err != nil { // the pipe is closed when this process ends, see starterLives
		return err
	}
	ready, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	defer ready.Close()
	defer context.AfterFunc(ctx, func() { ready.Close() })()
	if r.awaitReady(ready) {
		go cmd.Wait() // otherwise a server that ends before this process would be a zombie
		return nil
	}
	if ctx.Err() != nil {
		cmd.Process.Kill()
	}
	cmd.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return startError(log, before)
}

// warningMark begins the lines in which a server reports warnings about its
// configuration to the command that started it.
const warningMark = "warning: "

// awaitReady reads what a server announces, see announce. It prints the warnings, and
// reports whether the server is ready; false if it ended before that.
func (r *remote) awaitReady(announced io.Reader) bool {
	lines := bufio.NewReader(announced)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return false
		}
		warning, ok := strings.CutPrefix(strings.TrimSpace(line), warningMark)
		if !ok {
			return true
		}
		r.program.warn(warning)
	}
}

// warn prints a warning about the configuration.
func (p *Program) warn(warnings ...string) {
	for _, warning := range warnings {
		fmt.Fprintf(p.Err, "chela: warning: %s\n", op.Plain(warning))
	}
}

// serveCommand returns the command that starts a server in the background. It gets the state
// directory and the configuration file as absolute paths, since it runs in another working
// directory. A configuration file that CHELA_CONFIG_PATH names stays in the environment: a file
// that a flag names must exist, but this one need not. The other settings of the environment are
// inherited.
func (r *remote) serveCommand() (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--auto", "--state-dir", r.state.Dir}
	if r.file != "" {
		args = append(args, "--config", r.file)
	}
	if r.port != 0 {
		args = append(args, "--port", strconv.Itoa(r.port))
	}
	if r.nats != "" {
		args = append(args, "--nats", r.nats)
	}
	cmd := exec.Command(self, args...)
	if named := config.Env("CHELA_CONFIG_PATH"); named != "" {
		file, err := config.AbsPath(named)
		if err != nil {
			return nil, err
		}
		cmd.Env = append(os.Environ(), "CHELA_CONFIG_PATH="+file)
	}
	cmd.Dir = r.state.Dir // in the user's working directory, the server would keep it from being unmounted
	detach(cmd)
	return cmd, nil
}

// startError returns the error of a server that ended while it started, read from its log. The
// offset since is the length of the log in bytes before the start. Text after it is from this
// server, or from another that started at the same moment. At most 64 KiB are read.
func startError(log *os.File, since int64) error {
	said, err := io.ReadAll(io.NewSectionReader(log, since, 1<<16))
	if err != nil {
		return err
	}
	message, hint := "the server ended at its start", "chela serve shows why"
	for line := range bytes.Lines(said) {
		// The server's process wrote these lines by its own call of complain.
		if text, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "chela: "); ok {
			if next, ok := strings.CutPrefix(text, "try: "); ok {
				hint = next
			} else {
				message = text
			}
		}
	}
	return op.Errorf(op.Internal, "%s", message).Hinted("%s", hint)
}

// compareServers warns if the running server differs from the one that this command would start.
// After an update it has another version, and goes on until it has been idle. Or it was started
// with another configuration file than --config names. These are warnings on standard error and not
// errors, since most calls still work.
func (r *remote) compareServers() {
	if r.afar {
		return
	}
	server, err := r.state.Server()
	if err != nil {
		return
	}
	if server.Version != r.program.Version {
		const warning = "chela: the running server is version %s, this is %s\nchela: try: chela shutdown\n"
		fmt.Fprintf(r.program.Err, warning, server.Version, r.program.Version)
	}
	if r.file != "" && server.Config != "" && server.Config != r.file {
		const warning = "chela: the running server has the configuration %s, and not %s\nchela: try: chela shutdown\n"
		fmt.Fprintf(r.program.Err, warning, server.Config, r.file)
	}
}
