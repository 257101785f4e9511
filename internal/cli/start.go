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
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/client"
	"chela/internal/config"
	"chela/internal/op"
)

// A remote is an [op.Runner] that calls the server of a state directory. It starts a
// server in the background when none answers.
type remote struct {
	program *Program
	state   config.State
	file    string // the configuration file, if --config named one
	client  *client.Client
}

// startTime is how long a server may take to start. It starts no browser by itself.
const startTime = 20 * time.Second

// remote returns the runner of a command. The error is about the state directory: that
// another user owns it, for example.
func (p *Program) remote(cmd *cobra.Command) (*remote, error) {
	flags := settings(cmd)
	state, err := config.StateAt(flags.StateDir)
	if err != nil {
		return nil, err
	}
	if err := state.Trust(); err != nil {
		return nil, err
	}
	return &remote{p, state, flags.File, client.Unix(state.Socket())}, nil
}

// Run runs o on the server. When there is no server, nothing has been done yet, so
// Run starts one and calls it again.
func (r *remote) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	defer r.reportDownloads(ctx, profileOf(args))()
	if err := r.sendFiles(ctx, o, args); err != nil {
		return nil, err
	}
	raw, err := r.client.Run(ctx, o, args)
	if err == nil && o.EndsServer() {
		return raw, r.awaitEnd(ctx)
	}
	if !errors.Is(err, client.ErrNoServer) || o.NeverStart() {
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

// awaitEnd waits until the server has ended, which releases the lock of the state
// directory then.
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

// start starts a server unless one answers. Of several commands at once, one starts
// it and the others wait.
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

// answers reports whether a server listens on the socket.
func answers(socket string) bool {
	conn, err := net.Dial("unix", socket)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// spawn starts a server that outlives this process, and returns when the server has
// announced that it is ready. The error is the server's if it ended before that.
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
	if _, err := cmd.StdinPipe(); err != nil { // it is closed by the end of this process: see starterLives
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
	if _, err := bufio.NewReader(ready).ReadString('\n'); err == nil {
		go cmd.Wait() // so that a server that ends before this process is no zombie
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

// serveCommand is the command that starts a server in the background.
func (r *remote) serveCommand() (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--auto", "--state-dir", r.state.Dir}
	if file := r.file; file != "" || os.Getenv("CHELA_CONFIG_PATH") != "" {
		if file == "" {
			file = os.Getenv("CHELA_CONFIG_PATH")
		}
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		args = append(args, "--config", file)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = r.state.Dir // not the user's working directory: the server would keep it from being unmounted
	detach(cmd)
	return cmd, nil
}

// startError is the error of a server that ended at its start, read from what it
// wrote to the log since then.
func startError(log *os.File, since int64) error {
	said, err := io.ReadAll(io.NewSectionReader(log, since, 1<<16))
	if err != nil {
		return err
	}
	message, hint := "the server ended at its start", "chela serve shows why"
	for line := range bytes.Lines(said) {
		// complain of the server's process wrote these lines.
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

// compareVersions warns when the running server is of another version than this program.
func (r *remote) compareVersions() {
	server, err := r.state.Server()
	if err == nil && server.Version != r.program.Version {
		const warning = "chela: the running server is version %s, this is %s\nchela: try: chela shutdown\n"
		fmt.Fprintf(r.program.Err, warning, server.Version, r.program.Version)
	}
}
