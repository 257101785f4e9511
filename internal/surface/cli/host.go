package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/engine/nativehost"
	"chela/internal/op"
	"chela/internal/surface/client"
)

// hostWord is the name of the command that a browser runs to answer the extension, see package
// nativehost.
const hostWord = "native-host"

// hostTime limits a run of the command native-host, including the start of a server, unless
// Program.hostTime is set.
const hostTime = startTime + 10*time.Second

// hostCommand answers one request of the extension in a browser, by native messaging. The answer is a
// key that the server of the state directory has made for the extension. Nothing else is printed. The
// browser gives the extension's origin as the first word; on Windows a second word names a window.
func (p *Program) hostCommand() *cobra.Command {
	return &cobra.Command{
		Use:    hostWord + " <origin>",
		Hidden: true,
		Args:   cobra.MinimumNArgs(1),
		Short:  "Answer the extension in a browser, which runs this command",
		RunE: func(cmd *cobra.Command, words []string) error {
			if words[0] != nativehost.Origin() {
				return op.Errorf(op.Forbidden, "%q is not chela's extension", words[0])
			}
			limit := cmp.Or(p.hostTime, hostTime)
			ctx, cancel := context.WithTimeoutCause(cmd.Context(), limit, op.Errorf(op.Deadline, "not done within %s", limit))
			defer cancel()
			key, err := p.keyForExtension(ctx, cmd)
			if err != nil {
				said := nativehost.WriteAnswer(p.Out, map[string]string{"error": op.Plain(err.Error()), "hint": op.Plain(op.HintOf(err))})
				return errors.Join(err, said)
			}
			return nativehost.WriteAnswer(p.Out, key)
		},
	}
}

// keyForExtension reads the extension's request from standard input, and gets the answer from the
// server. The browser may keep the pipe open without writing to it. So keyForExtension returns when
// ctx ends, although its goroutine still reads.
func (p *Program) keyForExtension(ctx context.Context, cmd *cobra.Command) (json.RawMessage, error) {
	type request struct {
		nativehost.Request
		err error
	}
	read := make(chan request, 1)
	go func() {
		q, err := nativehost.ReadRequest(p.In)
		read <- request{q, err}
	}()
	select {
	case q := <-read:
		if q.err != nil {
			return nil, q.err
		}
		return p.pair(ctx, cmd, q.Name)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// pair asks the server of the state directory for a key, and starts that server if need be. No
// other server is asked: only the Unix socket proves that the caller is the server's user.
func (p *Program) pair(ctx context.Context, cmd *cobra.Command, name string) (json.RawMessage, error) {
	return p.fromOwnServer(ctx, cmd, func(c *client.Client) (json.RawMessage, error) { return c.Pair(ctx, name) })
}

// askOwnServer asks the server of the state directory over its Unix socket. It shows the answer as
// JSON if the caller wants that, and else by the function show.
func (p *Program) askOwnServer(cmd *cobra.Command, ask func(*client.Client) (json.RawMessage, error), show func([]byte) error) error {
	if err := refuseServerFlags(cmd, "run it on the machine of that server"); err != nil {
		return err
	}
	raw, err := p.fromOwnServer(cmd.Context(), cmd, ask)
	if err != nil {
		return err
	}
	if wantsJSON(cmd) {
		return p.printJSON(raw)
	}
	return show(raw)
}

// fromOwnServer asks the server of the state directory over its Unix socket, and starts that server
// if need be.
func (p *Program) fromOwnServer(ctx context.Context, cmd *cobra.Command, ask func(*client.Client) (json.RawMessage, error)) (json.RawMessage, error) {
	flags := settings(cmd)
	state, err := config.StateAt(flags.StateDir)
	if err != nil {
		return nil, err
	}
	if err := state.Trust(); err != nil {
		return nil, err
	}
	r := &remote{program: p, state: state, client: client.Unix(state.Socket, client.Secret{})}
	if flags.File != "" {
		if r.file, err = flags.Path(); err != nil {
			return nil, configError(err)
		}
	}
	answer, err := ask(r.client)
	if !errors.Is(err, client.ErrNoServer) {
		return answer, err
	}
	if err := r.start(ctx); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	return ask(r.client)
}
