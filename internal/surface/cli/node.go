package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/base/memory"
	"chela/internal/fleet/keeper"
	"chela/internal/fleet/natsline"
	"chela/internal/fleet/node"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// nodeOptions are the flags of chela node.
type nodeOptions struct {
	name   string
	labels map[string]string
	drain  time.Duration
}

// drainTime is how long a node waits at its end for calls and tabs of other machines, unless --drain
// says otherwise. Service managers give a process at least this time before they kill it.
const drainTime = 30 * time.Second

// nodeCommand runs the server like chela serve does, but the server also runs calls of other machines.
// Commands on this machine call it as usual.
func (p *Program) nodeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "node",
		Args:    asUsed,
		Short:   "Run the server, and offer its browsers to other machines over NATS",
		Example: "chela node --nats tls://nats.example.com:4222 --creds node.creds --name mac --labels gpu=no,region=eu",
		Long: "Run the server in the foreground, and offer its browsers to other machines over NATS until it is interrupted.\n" +
			"Then it takes nothing new, and waits for calls and tabs of others, but not longer than --drain.",
	}
	flags := cmd.Flags()
	nats := natsFlag(flags)
	port := flags.String("port", "", "control `PORT` ($CHELA_PORT, gateway.port + 2)")
	logFile := flags.String("log", "", "write the log to this `FILE`, of 1 MB at most, and to the one before it, FILE.old; without it, to standard error")
	creds := flags.String("creds", "", "`FILE` with what NATS knows this machine by: .creds, or the seed of an NKey (fleet.credentials)")
	name := flags.String("name", "", "`NAME` by which calls name this node; without it, the name of the machine")
	labels := flags.String("labels", "", "what a caller may want of a node: `KEY=VALUE,...`")
	drain := flags.Duration("drain", drainTime, "how long to wait at the end for calls and tabs of others: `TIME`, such as 30s or 2m")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		go p.Table() // make the table now, beside the rest of the start: the first call needs it
		if err := refuseServerFlags(cmd, "a node offers the browsers of this machine"); err != nil {
			return err
		}
		o, err := nodeOptionsOf(*name, *labels, *drain)
		if err != nil {
			return err
		}
		live, err := openServed(cmd, *port, config.Flags{NATS: *nats, Credentials: *creds})
		if err != nil {
			return err
		}
		switch c := live.Current(); {
		case c.Fleet.URL == "":
			return &usageError{message: "a node needs NATS", hint: "chela node --nats tls://nats.example.com:4222"}
		case !c.NodeHost.BrowserProxy.Enabled:
			return op.Errorf(op.Forbidden, "the browsers of this machine are not for others: nodeHost.browserProxy.enabled is false").
				Hinted("chela config set nodeHost.browserProxy.enabled true")
		}
		return p.serve(cmd.Context(), live, serving{logFile: *logFile, node: o})
	}
	cmd.AddCommand(p.nodeKeygenCommand())
	return cmd
}

// nodeKeygenCommand makes a key that encrypts portable profiles, which move between nodes.
func (p *Program) nodeKeygenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keygen <file>",
		Args:  asUsed,
		Short: "Make a key for profiles that move between nodes",
		Long: "Make a key for profiles that move between nodes, in a new file of mode 0600. It has the form of age-keygen.\n" +
			"All nodes get the same file, and fleet.keyFile names it. Callers need no key.",
		Example: "chela node keygen fleet.key",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := refuseServerFlags(cmd, "run it on the machine of a node"); err != nil {
			return err
		}
		public, err := keeper.NewKey(args[0])
		if errors.Is(err, fs.ErrExist) {
			return op.Errorf(op.Conflict, "%s is there already, and profiles may be encrypted with it", args[0]).Hinted("name a file that is not there")
		}
		if err != nil {
			return err
		}
		file, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Out, "made %s, for %s\ncopy it to each node, with mode 0600, and name it there: chela config set fleet.keyFile %s\n", args[0], public, file)
		return err
	}
	return cmd
}

func nodeOptionsOf(name, labels string, drain time.Duration) (*nodeOptions, error) {
	o := &nodeOptions{name: name, drain: drain}
	if name == "" {
		o.name = machineName()
	}
	if !config.IsFleetName(o.name) {
		return nil, &usageError{message: fmt.Sprintf("%q cannot be the name of a node: want 1 to 64 letters, digits, - and _", o.name), hint: "chela node --name mac"}
	}
	if drain < 0 {
		return nil, &usageError{message: "--drain must not be negative", hint: "chela node --drain 30s"}
	}
	var err error
	if o.labels, err = config.ParseLabels(labels); err != nil {
		return nil, &usageError{message: err.Error(), hint: "chela node --labels gpu=no,region=eu"}
	}
	return o, nil
}

// machineName returns the host name of this machine, up to the first dot; "" if it has none. It is the
// default name of a node.
func machineName() string {
	name, _ := os.Hostname() // after an error, name is ""
	name, _, _ = strings.Cut(name, ".")
	return name
}

// nameTime is how long a node waits for NATS at its start, to find out whether its name is free. If
// NATS does not answer by then, the node starts anyway, as NATS may answer later.
const nameTime = 2 * time.Second

// joinFleet makes the server a node. It returns the context serving, in which the server must run.
// When ctx ends, the node drains, and then serving ends. The function leave ends the node and waits
// for that. The error comes from checkPlace or from NATS.
func (p *Program) joinFleet(ctx context.Context, live *config.Live, r *routed, o *nodeOptions) (serving context.Context, leave func(), err error) {
	c := live.Current()
	if err := r.checkPlace(ctx, o.name); err != nil {
		return nil, nil, err
	}
	k := keeper.New(keeper.Options{
		Node: o.name, Profiles: r.line.Profiles(), Leases: r.line.Leases(keeper.LeaseTime), Most: r.line.Most, Roster: r.roster,
		KeyFile: func() string { return live.Current().Fleet.KeyFile }, Default: func() string { return live.Current().Browser.ProfileName("") },
	})
	r.KeepBy(k)
	n := node.New(node.Options{
		Name: o.name, Tenant: c.Fleet.Tenant, Version: p.Version, Labels: o.labels, Line: r.line, Objects: r.line, Table: p.Table,
		Service: r.forOthers(), Policy: func() node.Policy { return hostPolicy(live.Current()) }, Slots: 2 * runtime.NumCPU(),
		Owners: r.TabOwners, Health: r.CheckStart, Retry: r.Retry, Keeper: k,
		Warm: node.Warm{Want: func() int { return live.Current().Fleet.Warm }, Keep: r.KeepWarm, Ready: r.Warm, Free: memory.Free},
	})
	end, err := r.line.Offer(natsline.Service{
		Node: o.name, Version: p.Version, Subject: n.Subject(), Labels: o.labels, Handle: n.Handle, Stats: func() any { return n.Status() },
	})
	if err != nil {
		return nil, nil, err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	running, stopRunning := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := n.Run(running); err != nil {
			slog.Error("the node cannot be known to others", "error", err)
		}
	}()
	go func() {
		defer stop()
		<-ctx.Done()
		drainNode(n, o.drain, context.Cause(ctx))
	}()
	return serving, func() {
		stop()
		if err := end(); err != nil {
			slog.Warn("the node could not be withdrawn from NATS", "error", err)
		}
		n.Close()
		stopRunning()
		<-ended
	}, nil
}

// drainNode makes a node refuse new work, and waits until the calls and tabs of other machines have
// ended, but not longer than the limit. After chela shutdown it does not wait, as the user wants
// the node to end now.
func drainNode(n *node.Node, limit time.Duration, cause error) {
	if cause == errShutdown {
		limit = 0
	}
	slog.Info("the node drains: it takes nothing new", "for", limit)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	n.Drain(ctx)
}

// checkPlace returns an error if NATS refuses this machine, or if another node has the name. Two nodes
// with the same name would both run each call.
func (r *routed) checkPlace(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	if wire.Await(ctx, r.line) != nil {
		if err := r.line.Refused(); err != nil {
			return op.Errorf(op.Forbidden, "NATS does not let this machine in: %v", err).Hinted("correct fleet.credentials or fleet.tls; chela doctor tries them")
		}
		slog.Warn("NATS does not answer yet: the node goes on trying")
		return nil
	}
	if _, taken := r.roster.Node(ctx, name); taken {
		return op.Errorf(op.Conflict, "another node has the name %s", name).Hinted("chela node --name with another name, or end that node")
	}
	return nil
}

// hostPolicy returns what the configuration allows callers on other machines to use.
func hostPolicy(c *config.Config) node.Policy {
	proxy := c.NodeHost.BrowserProxy
	policy := node.Policy{Enabled: proxy.Enabled, Name: c.Browser.ProfileName, Secrets: c.Browser.AgentsSeeSecrets}
	for _, name := range proxy.AllowProfiles {
		policy.Profiles = append(policy.Profiles, c.Browser.ProfileName(name))
	}
	return policy
}
