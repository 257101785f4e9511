package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/otel/trace"

	"chela/internal/api/telemetry"
	"chela/internal/base/config"
	"chela/internal/base/process"
	"chela/internal/op"
	"chela/internal/surface/autostart"
	"chela/internal/surface/server"
	"chela/internal/wall/secret"
)

// lockTime is how long a new server waits for the lock of a server that is shutting down. A server
// that shuts down cancels its calls and closes its browsers, which takes up to 5 s.
const lockTime = 8 * time.Second

// endTime is how long closing the service and its browsers may take. Together with the time in which
// the server ends its calls, that is less than 5 s. When a computer shuts down, processes that take
// longer may be killed.
const endTime = 2500 * time.Millisecond

// tracesTime is how long the server may take at its end to send the last OpenTelemetry spans.
const tracesTime = time.Second

// serveCommand runs the server. Other commands run it with --auto, in the background:
// then it writes its log to a file and ends when it is idle.
func (p *Program) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "serve",
		Args:    asUsed,
		Short:   "Run the server in the foreground",
		Example: "chela serve --port 18791",
		Long: "Run the server in the foreground until it is interrupted.\n" +
			"Other commands start a server in the background when they need one.",
	}
	port := cmd.Flags().String("port", "", "control `PORT` ($CHELA_PORT, gateway.port + 2)")
	logFile := cmd.Flags().String("log", "", "write the log to this `FILE`, of 1 MB at most, and to the one before it, FILE.old; without it, to standard error")
	auto := cmd.Flags().Bool("auto", false, "run as the server that another command has started")
	nats := natsFlag(cmd.Flags())
	cmd.Flags().MarkHidden("auto")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		go p.Table() // make the table now, beside the rest of the start: the first call needs it
		if err := refuseServerFlags(cmd, "gateway.auth in the configuration has the secrets of a server"); err != nil {
			return err
		}
		c, err := openServed(cmd, *port, config.Flags{NATS: *nats})
		if err != nil {
			return err
		}
		return p.serve(cmd.Context(), c, serving{logFile: *logFile, auto: *auto})
	}
	return cmd
}

// openServed reads the configuration of a server. The flags of cmd, the flag --port, and the
// settings for NATS in the argument fleet have precedence over the file.
func openServed(cmd *cobra.Command, port string, fleet config.Flags) (*config.Live, error) {
	flags := settings(cmd)
	flags.NATS, flags.Credentials = fleet.NATS, fleet.Credentials
	if port != "" {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 {
			return nil, &usageError{message: fmt.Sprintf("%q is not a port", port), hint: cmd.CommandPath() + " --port 18791"}
		}
		flags.Port = n
	}
	c, err := config.Open(flags)
	if err != nil {
		return nil, configError(err)
	}
	return c, nil
}

// A serving has the options of a server.
type serving struct {
	logFile string       // path of the log; "": standard error
	auto    bool         // another command has started the server, which ends when it is idle
	node    *nodeOptions // nil: the server is no node of a fleet
}

// serve runs the server, from taking its lock to its end.
//
// The order matters. The lock is taken before anything that only one server may use: log, token,
// port, socket, browsers. The listeners are opened before the service is made, since an occupied
// port is the most frequent failure. The server is announced when all is ready. At the end, the
// service is closed after the last call has ended. The lock is released last, so that the next
// server finds no browser of this one. Errors of closing are joined to the error of the server.
//
// Interrupts are caught only shortly before the server is announced. Before that, an interrupt ends
// the process at once; the next server removes what is left of it.
func (p *Program) serve(ctx context.Context, live *config.Live, how serving) error {
	c := live.Current()
	if err := c.State.Make(); err != nil {
		return err
	}
	release, err := p.lock(ctx, c.State)
	if err != nil {
		return err
	}
	defer release()
	if err := c.State.Withdraw(); err != nil { // the entry of a server that was killed, see remote.running
		return err
	}
	if how.auto {
		how.logFile = c.State.Log()
	}
	log, closeLog, err := p.log(c, how.logFile)
	if err != nil {
		return err
	}
	defer closeLog()
	slog.SetDefault(log) // logs failures outside of any call
	collectSooner()
	warnAtStart(c)
	secrets, err := c.Secrets()
	if err != nil {
		return configError(err)
	}
	config.TakeSecrets()
	listeners, outside, err := listen(c)
	if err != nil {
		return err
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := func() { cancel(errShutdown) }
	deaf := make(chan struct{}) // closed when the listeners are closed: no later request reaches this server
	service, err := p.Open(live, func() { stop(); <-deaf })
	if err != nil {
		return errors.Join(err, closeAll(listeners))
	}
	giveUp := func(err error) error { return errors.Join(err, closeAll(listeners), end(service)) } // ends what was begun, if the server cannot run
	tracer, endTraces, err := p.tracer()
	if err != nil {
		return giveUp(err)
	}
	defer endTraces()
	everywhere, err := p.routedBy(live, service, tracer)
	if err != nil {
		return giveUp(err)
	}
	defer everywhere.leave()
	o := server.Options{
		Table: p.Table, Runner: everywhere, Version: p.Version, Log: log,
		Token: secrets.Token, Password: secrets.Password, Hosts: c.Gateway.HostNames(server.Port(listeners[0])),
		Busy: service.Busy, Receive: service.Receive, Follow: service.FollowDownloads, Watch: service.Watch, TakeTicket: service.TakeTicket,
		EndSession: everywhere.EndSession, Metrics: everywhere.telemetry,
		Changes: service.FollowChanges, Settings: liveSettings{live},
		Pair: service.Pair, Confirm: service.Confirm, OwnPort: service.OwnPort, Agent: p.toolOverHTTP(live, everywhere), Deaf: func() { close(deaf) },
	}
	if how.auto {
		o.Idle = c.Idle()
		o.Busy = either(starterLives(p.In), service.Busy)
	}
	ctx, restore := interruptible(ctx, sameSignal) // before this line, an interrupt simply ends the process
	defer restore()
	leave := func() {}
	if how.node != nil {
		if ctx, leave, err = p.joinFleet(ctx, live, everywhere, how.node); err != nil {
			return giveUp(err)
		}
	}
	if err := p.announce(c, server.Port(listeners[0]), outside, how.auto); err != nil {
		leave()
		return giveUp(err)
	}
	if how.node != nil {
		fmt.Fprintf(p.Out, "node %s of tenant %s, at %s\n", how.node.name, c.Fleet.Tenant, c.Fleet.Shown())
	}
	if err := autostart.Ready(); err != nil {
		log.Warn("the service manager could not be told that the server is ready", "error", err)
	}
	err = server.New(o).Serve(ctx, listeners...)
	leave()
	return errors.Join(err, end(service), c.State.Withdraw())
}

// collectSooner has garbage collected when the memory in use has grown by half, and not only when it has
// doubled. After snapshots of large pages, most memory is garbage. The environment variable GOGC has precedence.
func collectSooner() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// tracer returns the OpenTelemetry tracer that makes the spans of calls; nil if no spans are made. The
// function end sends the spans that were not sent yet.
func (p *Program) tracer() (tracer trace.Tracer, end func(), err error) {
	if p.Provider == nil {
		return nil, func() {}, nil
	}
	provider, shutDown, err := p.Provider(p.Version)
	if provider == nil || err != nil {
		return nil, func() {}, err
	}
	return provider.Tracer(telemetry.Scope), func() {
		ctx, cancel := context.WithTimeout(context.Background(), tracesTime)
		defer cancel()
		if err := shutDown(ctx); err != nil {
			slog.Warn("the last spans were not sent", "error", err)
		}
	}, nil
}

// errShutdown is the cause with which the server's context ends after a caller's request to shut down.
var errShutdown = errors.New("shutdown")

// warnAtStart logs settings with surprising effects: those that weaken security, and a
// browser.controlUrl that leads commands to another server.
func warnAtStart(c *config.Config) {
	if weakened := c.Weakened(); len(weakened) > 0 {
		slog.Warn("settings weaken what docs/security.md promises", "settings", strings.Join(weakened, ", "))
	}
	if control := c.Control(); control.URL != "" && c.Port != control.LocalPort() {
		slog.Warn("commands on this machine do not call this server, but that of browser.controlUrl", "url", control.URL)
	}
}

// starterLives returns a function that reports whether the command that started this server still
// runs. Until it ends, the server must not end as idle: on a busy machine, it could otherwise end
// before the command has connected. The command has the other end of the server's standard input.
// When the command ends, the system closes that end.
func starterLives(stdin io.Reader) func() bool {
	var ended atomic.Bool
	go func() {
		io.Copy(io.Discard, stdin)
		ended.Store(true)
	}()
	return func() bool { return !ended.Load() }
}

func either(a, b func() bool) func() bool {
	return func() bool { return a() || b() }
}

// end closes the service. It uses a new context with a time limit, as the server's context has ended.
func end(service Service) error {
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	return service.Close(ctx)
}

// lock takes the lock of the state directory. If another server has it and answers on its socket, lock
// returns an error. If it does not answer, it may be shutting down, so lock waits for up to lockTime.
func (p *Program) lock(ctx context.Context, state config.State) (release func(), err error) {
	if release, err := state.TryLock(); release != nil || err != nil {
		return release, err
	}
	inUse := op.Errorf(op.Conflict, "a server runs already for %s", state.Dir).Hinted("chela status, or chela shutdown to end it")
	if answers(state.Socket()) {
		return nil, inUse
	}
	ctx, cancel := context.WithTimeoutCause(ctx, lockTime, inUse)
	defer cancel()
	return state.Lock(ctx)
}

// log returns the server's log. It writes to the file at path or, if path is "", to standard error.
// The function closeLog closes the file. The log begins with the warnings about the configuration.
func (p *Program) log(c *config.Config, path string) (*slog.Logger, func() error, error) {
	var w io.Writer = p.Err
	closeLog := func() error { return nil }
	if path != "" {
		file, err := openBoundedLog(path)
		if err != nil {
			return nil, nil, err
		}
		w, closeLog = file, file.Close
	}
	masked := secret.NewWriter(w)
	log := slog.New(slog.NewTextHandler(masked, nil)) // masked passes on complete lines, and a log record is one line
	for _, warning := range c.Report() {
		log.Warn(warning)
	}
	return log, func() error { return errors.Join(masked.Close(), closeLog()) }, nil
}

// listen opens the control port and the Unix socket. If the configuration says so, it also opens the
// port for other machines. The port of gateway.port may be taken, for example by the server of another
// state directory. Then a free port is used, and the log says so. Commands use the socket, and other
// programs can read the port from the state directory. But a port that a flag, CHELA_PORT or
// browser.controlUrl sets, or that other machines use, must be free. After an error, no listener stays
// open.
func listen(c *config.Config) (_ []net.Listener, out *outside, err error) {
	out, err = openOutside(c)
	if err != nil {
		return nil, nil, err
	}
	tcp, err := server.ListenTCP(c.Port)
	if errors.Is(err, syscall.EADDRINUSE) && !c.Explicit && out == nil {
		slog.Warn(fmt.Sprintf("port %d is taken, so programs that expect this server there reach another program: a free port is used", c.Port))
		tcp, err = server.ListenTCP(0)
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		taken := op.Errorf(op.Conflict, "port %d is taken", c.Port)
		if !c.Explicit {
			return nil, nil, taken.Hinted("end the program that has it, or set another gateway.port: with gateway.bind, callers need to know the port")
		}
		return nil, nil, taken.Hinted("give another by --port or $CHELA_PORT, or none: then a free one is found")
	}
	if err != nil {
		return nil, nil, err
	}
	local, err := server.ListenUnix(c.State.Socket())
	if err != nil {
		return nil, nil, errors.Join(err, closeAll(tcp))
	}
	listeners := append(tcp, local)
	far, err := out.listen(server.Port(tcp[0]))
	if err != nil {
		return nil, nil, errors.Join(err, closeAll(listeners))
	}
	return append(listeners, far...), out, nil
}

// closeAll closes listeners before a server runs on them. A running server closes its own.
func closeAll(listeners []net.Listener) error {
	var errs []error
	for _, l := range listeners {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// announce reports that the server is ready. It writes a file in the state directory, from which
// other programs read the port and version, and a line on standard output. A command that has
// started the server (auto) waits for that line. For this command, the lines before it are warnings
// about the configuration. The addresses for other machines are printed and, if auto is set, also
// logged.
func (p *Program) announce(c *config.Config, port int, outside *outside, auto bool) error {
	if err := c.State.Announce(config.Server{PID: os.Getpid(), Port: port, Version: p.Version, Config: c.File, Process: process.Self()}); err != nil {
		return err
	}
	if auto {
		for _, warning := range append(c.Report(), outside.says(c)...) {
			fmt.Fprintln(p.Out, warningMark+strings.ReplaceAll(warning, "\n", " "))
		}
		for _, line := range outside.says(c) {
			slog.Warn(line)
		}
	}
	if _, err := fmt.Fprintf(p.Out, "chela listens on http://127.0.0.1:%d\n", port); err != nil {
		return err
	}
	if !auto {
		for _, line := range outside.says(c) {
			fmt.Fprintln(p.Out, line)
		}
	}
	if out, ok := p.Out.(io.Closer); ok && auto {
		return out.Close() // the command reads nothing after this line
	}
	return nil
}
