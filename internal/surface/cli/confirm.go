package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/op"
	"chela/internal/surface/client"
)

// confirmCommand asks a person, in a terminal, to allow or refuse what agents may not decide, such as
// the use of a secret. The dashboard shows the same questions.
func (p *Program) confirmCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "confirm",
		Args:  asUsed,
		Short: "Allow or refuse what agents may do only if you confirm it, in this terminal",
		Long: "Allow or refuse what agents may do only if you confirm it, such as the use of a secret with --ask.\n" +
			"It asks in this terminal. The dashboard shows the same questions.",
		Example: "chela confirm",
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.askOwnServer(cmd, func(c *client.Client) (json.RawMessage, error) {
			raw, err := c.Asks(cmd.Context())
			if err != nil {
				return nil, err
			}
			return raw, p.confirmAll(raw, func(id, choice string) error { return c.Confirm(cmd.Context(), id, choice) })
		}, func([]byte) error { return nil })
	}
	return cmd
}

// confirmAll shows each open question of the list that only a person may answer, reads the answer, and
// passes it to the function answer.
func (p *Program) confirmAll(list []byte, answer func(id, choice string) error) error {
	var open struct {
		Asks []struct {
			ID, Message, Session, Caller, State string
			Confirms                            bool
			Choices                             []string
		}
	}
	if err := json.Unmarshal(list, &open); err != nil {
		return err
	}
	in := bufio.NewReader(p.In)
	asked := false
	for _, q := range open.Asks {
		if !q.Confirms || q.State == "answered" {
			continue
		}
		asked = true
		if _, ok := asTerminal(p.In); !ok {
			return op.Errorf(op.Forbidden, "question %s waits, and only a person may answer it", q.ID).Hinted("run chela confirm in a terminal, or open the dashboard")
		}
		fmt.Fprintf(p.Out, "%s (%s)\n%s: ", q.Message, cmp.Or(q.Session, q.Caller, "no session"), strings.Join(q.Choices, " or "))
		line, err := in.ReadString('\n')
		if err != nil {
			return fmt.Errorf("question %s was not answered: %w", q.ID, err)
		}
		i := slices.IndexFunc(q.Choices, func(c string) bool { return strings.EqualFold(strings.TrimSpace(line), c) })
		if i < 0 {
			fmt.Fprintln(p.Out, "not answered: write one of the words")
			continue
		}
		if err := answer(q.ID, q.Choices[i]); err != nil {
			return err
		}
	}
	if !asked {
		fmt.Fprintln(p.Out, "nothing waits for you")
	}
	return nil
}
