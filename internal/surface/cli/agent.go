package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/mcp"
)

// agentOptions are the options for one agent. Flags of chela mcp set them or, over HTTP, headers of
// the same names at the beginning of the connection. For each, see addFlags.
type agentOptions struct {
	model   activeModel
	sandbox sandbox
	noHost  bool
	forms   bool // value of --render-tools
}

func (a *agentOptions) addFlags(flags *pflag.FlagSet) {
	a.model.addFlags(flags)
	flags.StringVar(&a.sandbox.url, "sandbox-url", "",
		"`URL` of the chela server in the agent's sandbox, to which its calls go (agents.defaults.sandbox.browser.url)")
	flags.StringVar(&a.sandbox.token, "sandbox-token", "",
		"`TOKEN` of the server in the sandbox (agents.defaults.sandbox.browser.token, if that is for the same server)")
	flags.BoolVar(&a.noHost, "no-host", false, "refuse calls that would use the browsers of this machine")
	flags.BoolVar(&a.forms, "render-tools", false, "also offer browser_screenshot and browser_extract, which render a page in one call")
}

// optionHeader begins the names of the headers for options. The name of a flag follows it.
const optionHeader = "X-Chela-"

// read reads the options from headers: X-Chela-Active-Model is --active-model. The error names a
// header with a wrong value, or with more than one.
func (a *agentOptions) read(h http.Header) (err error) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	a.addFlags(flags)
	flags.VisitAll(func(f *pflag.Flag) {
		name := http.CanonicalHeaderKey(optionHeader + f.Name)
		switch values := h.Values(name); {
		case len(values) > 1:
			err = op.Errorf(op.Invalid, "the request has more than one %s", name)
		case len(values) == 1 && flags.Set(f.Name, values[0]) != nil:
			err = op.Errorf(op.Invalid, "%s must be of the type %s", name, f.Value.Type())
		}
	})
	return err
}

// tool returns the tool for an agent. It follows changes of the configuration. The runner r calls
// this machine's server. The context life ends with the agent's connection. The error is about the
// options for the sandbox.
func (p *Program) tool(life context.Context, live *config.Live, r op.Runner, a *agentOptions) (mcp.Tool, error) {
	places, err := p.places(life, live, a)
	allowed := func(t mcp.Tool) mcp.Tool { return a.withPermissions(t, live.Current()) }
	return allowed(mcp.Tool{
		Table: p.Table(), Runner: r, Version: p.Version, Forms: a.forms, Places: places, Update: allowed,
		Pictures: func() mcp.Pictures { return a.model.pictures(live.Current()) },
	}), err
}

// withPermissions returns the tool with the permissions that a configuration gives the agent.
func (a *agentOptions) withPermissions(t mcp.Tool, c *config.Config) mcp.Tool {
	t.Scripts, t.Secrets = c.Browser.EvaluateEnabled, c.Browser.AgentsSeeSecrets
	t.Places.NoHost = a.noHost || !c.Agents.Defaults.Sandbox.Browser.AllowHostControl
	t.Places.NoNodes = c.Gateway.Nodes.Browser.Mode == "off"
	return t
}

// toolOverHTTP returns the tool for an agent that connects with these headers.
func (p *Program) toolOverHTTP(live *config.Live, s Service) func(context.Context, http.Header) (mcp.Tool, error) {
	return func(life context.Context, h http.Header) (mcp.Tool, error) {
		a := new(agentOptions)
		if err := a.read(h); err != nil {
			return mcp.Tool{}, err
		}
		return p.tool(life, live, downloadReporter{s}, a)
	}
}

// toolCommand has the commands that are about the agent tool itself.
func (p *Program) toolCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "tool", Short: "Print the definition of the agent tool"}
	cmd.AddCommand(p.toolSchemaCommand())
	return cmd
}

// toolSchemaCommand prints the definition of the tool, which depends on the configuration. It needs no
// server.
func (p *Program) toolSchemaCommand() *cobra.Command {
	a, providers := new(agentOptions), strings.Join(mcp.Providers, "|")
	cmd := &cobra.Command{
		Use:     "schema",
		Args:    asUsed,
		Short:   "Print the definition of the agent tool as JSON, as a model's provider takes it",
		Example: "chela tool schema --format openai",
	}
	format := cmd.Flags().String("format", mcp.Providers[0], "`PROVIDER`: "+providers)
	a.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !slices.Contains(mcp.Providers, *format) {
			return &usageError{message: fmt.Sprintf("there is no format %q", *format), hint: "--format " + providers}
		}
		live, err := config.Open(settings(cmd))
		if err != nil {
			return configError(err)
		}
		tool, err := p.tool(cmd.Context(), live, nil, a)
		if err != nil {
			return err
		}
		raw, err := json.MarshalIndent(tool.Definitions(*format), "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Out, string(raw))
		return err
	}
	return cmd
}

// downloadReporter is a service that reports the progress of downloads during long calls.
type downloadReporter struct{ Service }

func (f downloadReporter) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	defer reportDownloads(ctx, func(ctx context.Context, each func([]byte)) error {
		return f.FollowDownloads(ctx, profileOf(args), func(list any) error {
			raw, err := json.Marshal(list)
			if err == nil {
				each(raw)
			}
			return err
		})
	})()
	return f.Service.Run(ctx, o, args)
}
