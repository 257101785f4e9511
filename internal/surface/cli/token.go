package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
)

// tokenCommand prints or replaces the token for the control port of this machine's server. It needs
// no server. The HTTP API has no such operation: a caller that has the token must not be able to get
// a new one. The token is printed alone, so that a script can use it: "Bearer $(chela token)". With
// --rotate, the new token is not printed, since the output may be kept in logs.
func (p *Program) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Args:  asUsed,
		Short: "Print the token of the server on this machine, or replace it",
		Long: "Print the token that the control port of the server on this machine accepts. Commands need none there; other programs do:\n\n" +
			"  curl -H \"Authorization: Bearer $(chela token)\" http://127.0.0.1:18791/\n\n" +
			"With --rotate, a new token is made, and not printed. A server that runs accepts it at once, and not the old one any more;\n" +
			"calls that run are not ended. A token that you have set, in the configuration or by $CHELA_TOKEN, is yours to replace.",
		Example: "chela token",
	}
	rotate := cmd.Flags().Bool("rotate", false, "put a new token in the place of the old one")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := refuseServerFlags(cmd, "run it on the machine of that server"); err != nil {
			return err
		}
		c, err := p.loadConfig(cmd)
		switch {
		case err != nil:
			return err
		case *rotate:
			return p.rotateToken(cmd, c)
		}
		return p.printToken(cmd, c)
	}
	return cmd
}

func (p *Program) printToken(cmd *cobra.Command, c *config.Config) error {
	token, err := c.Token()
	if err != nil {
		return err
	}
	if wantsJSON(cmd) {
		return p.printJSON(map[string]any{"token": token})
	}
	_, err = fmt.Fprintln(p.Out, token)
	return err
}

func (p *Program) rotateToken(cmd *cobra.Command, c *config.Config) error {
	file, err := c.RotateToken()
	if err != nil {
		return err
	}
	if wantsJSON(cmd) {
		return p.printJSON(map[string]any{"ok": true, "file": file})
	}
	_, err = fmt.Fprintf(p.Out, "a new token is in %s; the old one is not accepted any more\n", file)
	return err
}
