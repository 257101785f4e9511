// Package cli is the command line: a command for each operation of a table, and some commands about
// the program itself, such as chela serve.
//
// It also puts the program together: `chela serve` runs the server. The commands of operations call
// that server, and start it if need be.
//
// line.go separates a command line into words and flags, tree.go makes the commands, flags.go makes
// JSON of the arguments, and call.go sends them. Which server is called is decided in server.go and
// elsewhere.go. The command chela mcp keeps a connection to the server for the agent's session
// (hold.go). The operating system closes this connection even when the process is killed.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
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
	Build   Build // from which sources the program was built, for chela version

	// Open makes the service of `chela serve`. The service calls stop when a caller asks to shut
	// the server down.
	Open func(c *config.Live, stop func()) (Service, error)

	// Alone makes the runner of operations that need no server, see [op.Alone]. If it is nil, these
	// operations fail when no server runs.
	Alone func(c *config.Live) (op.Runner, error)

	// Provider returns an OpenTelemetry provider for the spans of a server of this version. It may be
	// nil, or return nil: then no spans are made. The server calls end when it makes no more spans.
	Provider func(version string) (provider trace.TracerProvider, end func(context.Context) error, err error)

	In       io.Reader
	Out, Err io.Writer

	hostTime time.Duration // limit of a run of the command native-host; 0: the constant hostTime
}

// A Service runs operations in the process of the server.
type Service interface {
	op.Runner
	Busy() bool // reports whether a browser window is open that the user may be looking at
	Receive(name string, content io.Reader) (reference string, err error)
	FollowDownloads(ctx context.Context, profile string, report func(any) error) error
	Watch(ctx context.Context, profile, tab string, control bool) (*live.Stream, error)
	TakeTicket(secret string) *live.Stream
	FollowChanges(ctx context.Context, report func(any) error) error
	EndSession(ctx context.Context, key string) (closed int, err error)
	Confirm(id, choice string) error              // gives a person's answer to a question that agents may not answer
	Pair(name string) (id, key string, err error) // makes a key for the extension in a browser
	OwnPort(port int) (release func())            // keeps pages from connecting to a port of this machine
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
// method Execute would separate the line into words and flags by other rules, so it is used only for
// shell completion. A program that runs commands can set $CHELA_CALLER to its name. The server's log
// then has that name for each call of these commands.
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
	// An interrupt may simply end the process of an operation's command: its connection closes, and
	// the server ends the call. The program's own commands must clean up, so they get a context that
	// ends at an interrupt. The commands serve and node catch interrupts themselves. The command confirm
	// waits for a line of the terminal, and no context ends that.
	if p.isOwn(l.words[0]) && !slices.Contains([]string{"serve", "node", "confirm"}, l.words[0]) {
		var restore func()
		ctx, restore = interruptible(ctx, sameSignal)
		defer restore()
	}
	cmd.SetContext(ctx)
	return cmd.RunE(cmd, words)
}

// inSession returns a context with the session that --session or else $CHELA_SESSION names. An empty
// --session, as from a shell variable that is not set, is an error. If it counted as no session, the
// command could act on a tab of another session.
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

// onNode returns a context with the node on which a command runs, if the flag --node is set. The flag
// has the name of a node, or labels that the node must have.
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

// missing returns the error for a line without a command, or with only a group of commands. execute
// prints the help first. The error makes the exit code 1, so that a script notices that nothing was
// done. OpenClaw's error has the same form.
func missing(cmd *cobra.Command) error {
	example := "chela status"
	if cmd.HasParent() {
		example = cmd.Commands()[0].CommandPath()
	}
	return &usageError{message: fmt.Sprintf("Missing subcommand. Try: %q", example)}
}

// sameSignal is how long after an interrupt another one counts as the same. A sender may signal the
// whole group of processes. Then a launcher, such as npm's script, passes on what chela has got already.
const sameSignal = 500 * time.Millisecond

// interruptible returns a context that ends at an interrupt. A second interrupt ends the process,
// unless it counts as the same. So does an interrupt after the returned function was called, or ctx
// has ended. The parameter same is [sameSignal], except in tests.
func interruptible(ctx context.Context, same time.Duration) (context.Context, func()) {
	caught, restore := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(caught, func() {
		if ctx.Err() != nil {
			restore()
			return
		}
		time.AfterFunc(same, restore)
	})
	return caught, restore
}

// A usageError is the error for a wrong command line.
type usageError struct {
	message, hint, usage string
}

func (e *usageError) Error() string { return e.message }

// complain prints an error, and says if the action may have been done. On the last line is the hint:
// a command line or a short sentence that says what to do. A server in the background prints its
// errors in the same way into its log, where startError reads them. Control characters are removed,
// since a message may quote a page.
func (p *Program) complain(err error) {
	message, hint, usage, sent := err.Error(), "", "", false
	if e, ok := errors.AsType[*op.Error](err); ok {
		message, hint, sent = e.Error(), e.Hint, e.Sent
	}
	if e, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		hint = e.Hint()
	}
	if e, ok := errors.AsType[*usageError](err); ok {
		hint = e.hint
		usage = e.usage
	}
	fmt.Fprintf(p.Err, "chela: %s\n", op.Plain(message))
	if usage != "" {
		fmt.Fprintf(p.Err, "usage: %s\n", usage)
	}
	if sent {
		fmt.Fprintln(p.Err, "chela: the action was sent to the page, but not confirmed")
	}
	if hint != "" {
		fmt.Fprintf(p.Err, "chela: try: %s\n", op.Plain(hint))
	}
}
