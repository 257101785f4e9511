// Package cli is the command line: the commands of a table of operations, and the few that are
// about the program itself.
//
// It also puts the program together: `chela serve` is the server, and every other command calls it,
// and starts it if need be.
//
// line.go separates a line into words and flags, tree.go finds the command, flags.go makes JSON of
// the arguments, and call.go sends them. Which server is called is decided in server.go and
// elsewhere.go. A command for an agent holds the agent's session by a connection (hold.go). The
// system closes the connection even when the process is killed.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/otel/trace"

	"chela/internal/api/telemetry"
	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/reading/parser"
	"chela/internal/record/live"
)

// A Program is the command line of a table of operations.
type Program struct {
	Table   func() *op.Table // the table is made when this is first called
	Version string
	Build   Build // what chela version reports of the sources

	// Open makes the service of `chela serve`. The service calls stop when a caller
	// asks for the end of the server.
	Open func(c *config.Live, stop func()) (Service, error)

	// Alone makes the runner of operations that need no server, see [op.Alone]. If it is nil, these
	// operations say that no server runs.
	Alone func(c *config.Live) (op.Runner, error)

	// Provider returns the provider of OpenTelemetry's spans for a server of this version, or nil. The
	// server calls end when it makes no more spans. Without a provider, or if Provider is nil, no
	// spans are made.
	Provider func(version string) (provider trace.TracerProvider, end func(context.Context) error, err error)

	In       io.Reader
	Out, Err io.Writer

	hostTime time.Duration // 0: see the constant of this name
}

// A Service runs operations in the process of the server.
type Service interface {
	op.Runner
	Busy() bool // a browser window is open that the user may be looking at
	Receive(name string, content io.Reader) (reference string, err error)
	FollowDownloads(ctx context.Context, profile string, report func(any) error) error
	Watch(ctx context.Context, profile, tab string, control bool) (*live.Stream, error)
	TakeTicket(secret string) *live.Stream
	FollowChanges(ctx context.Context, report func(any) error) error
	EndSession(ctx context.Context, key string) (closed int, err error)
	Confirm(id, choice string) error              // a person's answer to a question that agents may not answer
	Pair(name string) (id, key string, err error) // pairs the extension in a browser
	OwnPort(port int) (release func())            // keeps browsers from opening a port
	Fleet
	telemetry.Source
	Close(ctx context.Context) error
}

// Main runs the command line of this process and returns its exit code. The exit code
// is 0 or, after any error, 1.
func (p *Program) Main() int {
	parser.RunIfChild()
	keepPrivate()
	p.In, p.Out, p.Err = os.Stdin, os.Stdout, os.Stderr
	return p.Run(context.Background(), os.Args[1:])
}

// Run runs one command line, and returns the exit code of the process.
func (p *Program) Run(ctx context.Context, argv []string) int {
	err := p.execute(ctx, argv)
	if err != nil {
		p.complain(err)
		return 1
	}
	return 0
}

// execute runs one command line: it finds the command, parses its flags and runs it. Cobra's own
// method Execute would separate the line into words and flags by other rules. So it is used only
// for the completion of a shell. A program that runs commands can set $CHELA_CALLER to a name. The
// server's log then has that name for each call of these commands.
func (p *Program) execute(ctx context.Context, argv []string) error {
	if name := config.Env("CHELA_CALLER"); name != "" {
		ctx = op.WithCaller(ctx, name)
	}
	l := p.parse(argv)
	if l.asksVersion() {
		_, err := fmt.Fprintf(p.Out, "chela version %s\n", p.Version)
		return err
	}
	root := p.root(l)
	if len(argv) > 0 && strings.HasPrefix(argv[0], "__complete") { // the completion of a shell asks
		root.SetArgs(argv)
		return root.ExecuteContext(ctx)
	}
	cmd, words, err := find(root, l.words)
	switch {
	case err != nil:
		return err
	case l.help:
		return cmd.Help()
	case !cmd.Runnable():
		return errors.Join(cmd.Help(), missing(cmd))
	}
	if err := cmd.ParseFlags(serverFlags(cmd, l.flags)); err != nil {
		return flagError(cmd, err)
	}
	if err := cmd.ValidateArgs(words); err != nil {
		return err
	}
	if ctx, err = inSession(ctx, cmd); err != nil {
		return err
	}
	if ctx, err = onNode(ctx, cmd); err != nil {
		return err
	}
	// An interrupt may just end the process of a command of the table: its connection closes with
	// it, and the server ends the call. The other commands have to clean up; the server catches
	// interrupts itself.
	if p.isOwn(l.words[0]) && l.words[0] != "serve" && l.words[0] != "node" {
		var restore func()
		ctx, restore = interruptible(ctx)
		defer restore()
	}
	cmd.SetContext(ctx)
	return cmd.RunE(cmd, words)
}

// inSession returns the context of a command in the session that --session names, or else
// $CHELA_SESSION. An empty --session, as from a shell's variable that is not set, is an error, and
// not the same as none. Otherwise the command could act on the tab of another session.
func inSession(ctx context.Context, cmd *cobra.Command) (context.Context, error) {
	key := config.Env("CHELA_SESSION")
	if flag := cmd.Flags().Lookup("session"); flag.Changed {
		key = flag.Value.String()
	} else if key == "" {
		return ctx, nil
	}
	if err := op.CheckSession(key); err != nil {
		return ctx, &usageError{message: "session: " + err.Error(), hint: "a name such as --session shopping"}
	}
	return op.WithSession(ctx, key), nil
}

// onNode returns the context of a command that is called on a node. The flag --node names the node
// by its name or labels.
func onNode(ctx context.Context, cmd *cobra.Command) (context.Context, error) {
	flag := cmd.Flags().Lookup("node")
	if !flag.Changed {
		return ctx, nil
	}
	target := op.Target{Place: op.OnNode}.Naming(flag.Value.String())
	_, err := config.ParseLabels(target.Labels)
	switch {
	case err != nil:
		return ctx, &usageError{message: "--node: " + err.Error(), hint: "--node gpu=no,region=eu"}
	case target.Labels == "" && !config.IsFleetName(target.Node):
		return ctx, &usageError{message: fmt.Sprintf("%q is not the name of a node", target.Node), hint: "--node mac"}
	}
	return op.WithTarget(ctx, target), nil
}

// missing returns the error for a line without a command, or with a group of commands only. The
// help is printed before it; the error makes the exit code 1, so that a script notices that nothing
// was done. OpenClaw's error has the same form.
func missing(cmd *cobra.Command) error {
	example := "chela status"
	if cmd.HasParent() {
		example = cmd.Commands()[0].CommandPath()
	}
	return &usageError{message: fmt.Sprintf("Missing subcommand. Try: %q", example)}
}

// interruptible returns a context that ends at an interrupt. A second interrupt ends
// the process, as does one after restore.
func interruptible(ctx context.Context) (context.Context, func()) {
	ctx, restore := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, restore)
	return ctx, restore
}

// A usageError is the error for a wrong command line.
type usageError struct {
	message, hint, usage string
}

func (e *usageError) Error() string { return e.message }

// complain prints an error, and its hint on a line of its own. The server in the background prints
// its errors in the same way into its log, where startError reads them. A hint is a command line or
// a short sentence that says what to do next. Control characters are removed, since a message may
// quote a page.
func (p *Program) complain(err error) {
	message, hint := err.Error(), ""
	if e, ok := errors.AsType[*op.Error](err); ok {
		message, hint = e.Error(), e.Hint
	}
	if e, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		hint = e.Hint()
	}
	if e, ok := errors.AsType[*usageError](err); ok {
		hint = e.hint
		if e.usage != "" {
			defer fmt.Fprintf(p.Err, "usage: %s\n", e.usage)
		}
	}
	fmt.Fprintf(p.Err, "chela: %s\n", op.Plain(message))
	if hint != "" {
		fmt.Fprintf(p.Err, "chela: try: %s\n", op.Plain(hint))
	}
}
