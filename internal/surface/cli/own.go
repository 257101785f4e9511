package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
)

// mcpCommand makes this process an MCP server. An agent's program usually starts one such process for
// each conversation. All these processes call the same chela server, as commands on a terminal do, so
// they share its browsers. Each process has a session with tabs of its own, see sessionHolder.
func (p *Program) mcpCommand() *cobra.Command {
	a, client := new(agentOptions), ""
	var nats *string
	command := &cobra.Command{
		Use:     "mcp",
		Args:    asUsed,
		Short:   "Serve the browser tool to an agent over standard input and output (MCP)",
		Example: "chela mcp",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("print-config") {
				return p.printConfig(cmd, client)
			}
			live, err := config.Open(settings(cmd))
			if err != nil {
				return configError(err)
			}
			p.warn(live.Current().Report()...)
			r, err := p.remote(cmd)
			if err != nil {
				return err
			}
			ctx, end := context.WithCancel(cmd.Context())
			r.client.Progress, r.nats = true, *nats
			h := &sessionHolder{remote: r, ctx: ctx}
			defer h.end()
			defer end()
			tool, err := p.tool(ctx, live, h, a)
			if err != nil {
				return err
			}
			return tool.Serve(ctx, p.In, p.Out)
		},
	}
	a.addFlags(command.Flags())
	nats = natsFlag(command.Flags())
	command.Flags().StringVar(&client, "print-config", "",
		"print what `CLIENT` needs in its configuration to start this command, and do nothing else: "+clientNames("|"))
	clients := cobra.FixedCompletions(strings.Split(clientNames(" "), " "), cobra.ShellCompDirectiveNoFileComp)
	command.RegisterFlagCompletionFunc("print-config", clients)
	return command
}

// completionCommand prints a shell's completion script. The script asks chela __complete for words
// (see execute), so it need not be made again when commands are added.
func (p *Program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion <shell>",
		Args:      asUsed,
		ValidArgs: []string{"bash", "fish", "powershell", "zsh"},
		Short:     "Print a script that makes a shell complete chela's commands",
		Long: "Print a script that makes a shell complete chela's commands: bash, fish, powershell or zsh.\n" +
			"The shell runs it at its start, for example by this line in ~/.bashrc:\n\n  source <(chela completion bash)",
		Example: "chela completion bash",
		RunE: func(cmd *cobra.Command, words []string) error {
			switch root := cmd.Root(); words[0] {
			case "bash":
				return root.GenBashCompletionV2(p.Out, true)
			case "fish":
				return root.GenFishCompletion(p.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(p.Out)
			default:
				return root.GenZshCompletion(p.Out)
			}
		},
	}
}

// completeFirst returns the shell completion for a command. It offers the values for the first
// argument, and nothing for further arguments. In each value, a tab may separate the word from its
// description.
func completeFirst(values func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(words) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return values(), cobra.ShellCompDirectiveNoFileComp
	}
}
