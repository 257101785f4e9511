package cli

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/surface/client"
)

// A sharedTab is a share as the server's routes report it in JSON. Elsewhere has the links for other
// machines.
type sharedTab struct {
	ID, Profile, TabID, URL, Fingerprint string
	Elsewhere                            []string
	View                                 bool
	Until                                time.Time
}

// line returns a line of text that describes the share.
func (s sharedTab) line() string {
	what := "to work in it"
	if s.View {
		what = "to look at it"
	}
	until, format := s.Until.Local(), time.TimeOnly
	if until.Format(time.DateOnly) != time.Now().Format(time.DateOnly) {
		format = time.DateTime
	}
	return fmt.Sprintf("%s: tab %s of profile %s, %s, until %s", s.ID, s.TabID, s.Profile, what, until.Format(format))
}

// shareCommand shares a tab by a link, with somebody who has no token.
func (p *Program) shareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "share [targetId]",
		Args:  asUsed,
		Short: "Share one tab by a link, to look at it or to work in it",
		Long: "Share one tab by a link, with somebody who has no token: to log in for an agent, for example.\n" +
			"Whoever has the link can use it until the share ends, and gets to this tab alone. With --view, they can only look.",
		Example: "chela share t1 --for 15m --view",
	}
	length := cmd.Flags().Duration("for", 15*time.Minute, "how long, from 1m to 24h")
	view := cmd.Flags().Bool("view", false, "only to look at it")
	profile := cmd.Flags().String("profile", "", "browser profile (`NAME`; the default one when left out)")
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		args := map[string]any{"profile": *profile, "forMs": length.Milliseconds(), "view": *view}
		if len(words) > 0 {
			args["targetId"] = words[0]
		}
		return p.askOwnServer(cmd, func(c *client.Client) (json.RawMessage, error) { return c.Share(cmd.Context(), args) }, func(raw []byte) error {
			var made sharedTab
			if err := json.Unmarshal(raw, &made); err != nil {
				return err
			}
			for _, url := range append([]string{made.URL}, made.Elsewhere...) {
				fmt.Fprintln(p.Out, url)
			}
			fmt.Fprintln(p.Out, made.line())
			switch {
			case len(made.Elsewhere) == 0:
				fmt.Fprintln(p.Out, "only this machine reaches the link; for others, set gateway.bind")
			case made.Fingerprint != "":
				fmt.Fprintln(p.Out, "a browser elsewhere may ask about the certificate, whose fingerprint is "+made.Fingerprint)
			}
			_, err := fmt.Fprintf(p.Out, "to end it: chela shares revoke %s\n", made.ID)
			return err
		})
	}
	return cmd
}

// sharesCommand lists the tabs that are shared, and has the command that ends a share.
func (p *Program) sharesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "shares", Args: asUsed, Short: "List the tabs that are shared", Example: "chela shares"}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.askOwnServer(cmd, func(c *client.Client) (json.RawMessage, error) { return c.Shares(cmd.Context()) }, func(raw []byte) error {
			var list struct{ Shares []sharedTab }
			if err := json.Unmarshal(raw, &list); err != nil {
				return err
			}
			if len(list.Shares) == 0 {
				fmt.Fprintln(p.Out, "no tab is shared")
			}
			for _, each := range list.Shares {
				fmt.Fprintln(p.Out, each.line())
			}
			return nil
		})
	}
	revoke := &cobra.Command{Use: "revoke <id>", Args: asUsed, Short: "End a share, with all that its guests have open", Example: "chela shares revoke s1"}
	revoke.RunE = func(cmd *cobra.Command, words []string) error {
		return p.askOwnServer(cmd, func(c *client.Client) (json.RawMessage, error) { return c.RevokeShare(cmd.Context(), words[0]) }, func([]byte) error {
			_, err := fmt.Fprintf(p.Out, "%s is not shared any more\n", words[0])
			return err
		})
	}
	cmd.AddCommand(revoke)
	return cmd
}
