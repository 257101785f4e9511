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
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/client"
)

// A remote is an [op.Runner] that calls a server, usually that of the state directory. If that server
// does not answer, it starts one in the background. So a user never has to start or stop anything.
// The first command starts the server, and the server ends by itself when it has been idle.
type remote struct {
	program *Program
	state   config.State
	file    string // path of the configuration file, if --config was given
	client  *client.Client
	afar    bool   // the server is called over TCP: it is never started, and its files are copied to this machine
	port    int    // port for a server that start starts; 0: the configured one
	nats    string // URL of NATS for a server that start starts; "": the configured one
	needs   bool   // --need-server: without a server, a call fails with client.ErrNoServer

	mu           sync.Mutex // guards the rest; an agent makes several calls at once
	fetched      []string   // paths of the copies that fetchFile has made
	answersAlone bool       // a call was answered by this process, without a server
}

// startTime is how long a server may take to start. This time includes no start of a browser: a
// server starts browsers only for calls.
const startTime = 20 * time.Second

// remote returns the runner with which a command calls the server. Errors are about the state
// directory, for example that another user owns it, about the file of --config, or about the flags
// for the server. The state directory is checked before the first connection. Otherwise another user
// could make it, listen on the socket in it, and read what the command sends.
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
	r.needs, _ = cmd.Flags().GetBool(needServerFlag) // most commands do not have it
	if flags.File != "" {
		if r.file, err = flags.Path(); err != nil {
			return nil, configError(err)
		}
	}
	return r, r.choose(cmd)
}

// Run runs o on the server. If no server listens on the socket, Run starts one and calls again. It
// does not call again after any other failure, since a click whose answer was lost may have been
// done. Operations about a running server, such as shutdown, never start one. If no server runs,
// operations with the trait [op.Alone], such as status, are answered in this process.
//
// Errors come from the operation, from the connection ([client.ErrNoServer] if no server runs and
// none was started) and from the start of a server.
func (r *remote) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	defer reportDownloads(ctx, func(ctx context.Context, each func([]byte)) error {
		return r.client.Follow(ctx, "/downloads", profileOf(args), each) // uses a second connection
	})()
	if err := r.sendFiles(ctx, o, args); err != nil {
		return nil, err
	}
	if o.EndsServer() && !r.afar && !op.TargetOf(ctx).Remote() {
		return r.endServer(ctx, o, args)
	}
	raw, err := r.client.Run(ctx, o, args)
	if r.afar {
		if err == nil {
			raw, err = r.fetchFiles(ctx, o, raw)
		}
		return raw, err
	}
	switch {
	case !errors.Is(err, client.ErrNoServer) || r.needs:
		return raw, err
	case op.TargetOf(ctx).Remote() && !o.EndsServer(): // the call is for a node, and only a server reaches nodes: start one
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

// hungTime is how long the server may take to answer a call that ends it, and then to react to a
// signal. One that takes longer hangs.
const hungTime = 3 * time.Second

// endServer runs an operation after which the server of the state directory ends, and waits for that.
// A server that hangs gets a signal instead. It is killed if it even then does not close its socket.
func (r *remote) endServer(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	asking, cancel := context.WithTimeout(ctx, hungTime)
	defer cancel()
	raw, err := r.client.Run(asking, o, args)
	if errors.Is(err, client.ErrSilent) && ctx.Err() == nil {
		raw, err = json.RawMessage(`{"ok": true}`), r.endHung()
	}
	if err != nil {
		return nil, err
	}
	return raw, r.awaitEnd(ctx)
}

// endHung ends the process of a server that does not answer. If it is not certain which process that
// is, it ends none: the error then has the process id from the server's entry.
func (r *remote) endHung() error {
	server, err := r.state.Server()
	if err != nil {
		return op.Errorf(op.Deadline, "the server does not answer, and its process is not known: %v", err)
	}
	if !server.Runs() {
		return op.Errorf(op.Deadline, "the server does not answer").
			Hinted("end its process, if %d is still that of chela; the next command starts it again", server.PID)
	}
	p, err := os.FindProcess(server.PID)
	if err != nil {
		return err
	}
	defer p.Release()
	p.Signal(syscall.SIGTERM) // if this fails, the process has ended, or is killed
	for until := time.Now().Add(hungTime); answers(r.state.Socket()); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			p.Kill()
			break
		}
	}
	fmt.Fprintf(r.program.Err, "chela: the server did not answer, so its process %d was ended\n", server.PID)
	return nil
}

// awaitEnd waits until the server has released the lock of the state directory, which it does last.
// Then a command right after chela shutdown cannot reach the old server. To wait for the socket would
// not be enough, since it closes before the browsers have ended.
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

// ready starts a server unless one runs, so that a file can be sent to it. If the server is afar, it
// does nothing.
func (r *remote) ready(ctx context.Context) error {
	if r.afar {
		return nil
	}
	return r.start(ctx)
}

// start starts a server unless one answers. If several commands call start at the same time, one
// starts the server and the others wait. The one that starts it holds the start lock until the new
// server answers. A command that gets the lock first checks whether a server answers by then.
// Errors come from the state directory, or from a server that ended while it started, or say that
// startTime is over.
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
		return nil // a user has run chela serve in the meantime
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

// spawn starts a server that outlives this process, and returns when the server is ready. If the
// server ends before that, spawn returns the error that the server has printed.
//
// The server writes a line to its standard output when it is ready. This process reads that output
// from a pipe. If the pipe is closed without a line, the server has ended. When ctx ends, this
// process closes its end of the pipe, which ends the read, and kills the server. A server that hangs
// would keep the lock. The server's standard error is the log file, so that an error before the
// server opens its log is not lost: see startError.
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
		go cmd.Wait() // so that a server that ends before this process does not become a zombie process
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

// awaitReady reads the standard output of a server, see announce. It prints the warnings, and reports
// whether the server is ready; false means that the server has ended.
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

// warn prints warnings, such as those about the configuration.
func (p *Program) warn(warnings ...string) {
	for _, warning := range warnings {
		fmt.Fprintf(p.Err, "chela: warning: %s\n", op.Plain(warning))
	}
}

// serveCommand returns the command that starts a server in the background. The command gets the
// state directory and the configuration file as absolute paths, since it runs in another working
// directory. A configuration file that CHELA_CONFIG_PATH names is given by that variable and not by
// a flag. The file that a flag names must exist, but the file that the variable names need not. The
// rest of the environment is inherited.
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
	cmd.Dir = r.state.Dir // not the user's working directory, which could not be unmounted while the server runs
	detach(cmd)
	return cmd, nil
}

// startError returns the error of a server that ended while it started. It reads up to 64 KiB of
// the server's log. The argument since is the offset at which to begin: the length of the log
// before the start. Only a server that has not said why it ended is a defect of chela.
func startError(log *os.File, since int64) error {
	said, err := io.ReadAll(io.NewSectionReader(log, since, 1<<16))
	if err != nil {
		return err
	}
	code, message, hint := op.Internal, "the server ended at its start", "chela serve shows why"
	for line := range bytes.Lines(said) {
		// The server has written these lines with complain.
		if text, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "chela: "); ok {
			if next, ok := strings.CutPrefix(text, "try: "); ok {
				hint = next
			} else {
				code, message = op.Conflict, text // as for other calls that this machine prevents, see failed
			}
		}
	}
	return op.Errorf(code, "%s", message).Hinted("%s", hint)
}

// compareServers warns if the server that has answered differs from the one that this command would
// start. It may have another version, since a server goes on after an update until it has been idle.
// Or it may have been started with another configuration file than the one that --config names.
// These are warnings on standard error and not errors, since most calls still work.
func (r *remote) compareServers() {
	if r.afar || r.answersAlone {
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
