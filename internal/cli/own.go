package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"chela/internal/chrome"
	"chela/internal/config"
	"chela/internal/mcp"
)

func (p *Program) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Args:  cobra.NoArgs,
		Short: "Be an agent's browser tool, over standard input and output (MCP)",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(settings(cmd))
			if err != nil {
				return err
			}
			r, err := p.remote(cmd)
			if err != nil {
				return err
			}
			defer r.client.Hold()()
			tool := mcp.Tool{Table: p.Table, Runner: r, Version: p.Version, Scripts: c.Browser.EvaluateEnabled}
			return tool.Serve(cmd.Context(), p.In, p.Out)
		},
	}
}

func (p *Program) installCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "install",
		Args:  cobra.NoArgs,
		Short: "Install a browser, if there is none",
		RunE:  func(cmd *cobra.Command, _ []string) error { return chrome.Install(cmd.Context(), p.Out) },
	}
}

func (p *Program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Args:  cobra.NoArgs,
		Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.Out, "chela %s (%s, %s/%s)\n", p.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
