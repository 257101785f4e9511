package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"chela/internal/client"
	"chela/internal/config"
	"chela/internal/op"
)

// call runs an operation on the server, and prints what it answers.
func (p *Program) call(cmd *cobra.Command, o *op.Op, args op.Args) error {
	r, err := p.remote(cmd)
	if err != nil {
		return err
	}
	asJSON, _ := cmd.Flags().GetBool("json")
	ctx, hide := r.showDownloads(cmd.Context(), profileOf(args))
	raw, err := r.Run(ctx, o, args)
	hide()
	switch {
	case o.NeverStart() && errors.Is(err, client.ErrNoServer):
		return p.sayNotRunning(asJSON)
	case err != nil:
		return withDialogCommand(err)
	}
	r.compareVersions()
	a := answer{o, args, raw}
	if d := a.blocked(); d != nil && !asJSON {
		return p.tellDialog(a, d)
	}
	if out := cmd.Flags().Lookup("out"); out != nil && out.Changed && isOurs(out) {
		if err := a.save(out.Value.String()); err != nil {
			return err
		}
		if !asJSON {
			_, err := fmt.Fprintln(p.Out, op.Plain(out.Value.String()))
			return err
		}
	}
	return a.print(p.Out, asJSON)
}

// answerIt is how a dialog is answered on the command line.
const answerIt = "chela dialog --accept, or --dismiss"

// withDialogCommand adds to the error of a call that a dialog is in the way of
// how it is answered here.
func withDialogCommand(err error) error {
	e, ok := errors.AsType[*op.Error](err)
	if !ok || !e.BlockedByDialog {
		return err
	}
	blocked := *e
	blocked.Hint = answerIt + ": " + e.Hint
	return &blocked
}

// tellDialog tells of the dialog that an act has opened, or that kept the call
// from doing anything.
func (p *Program) tellDialog(a answer, d *dialog) error {
	if !d.opened {
		return op.Errorf(op.Conflict, "Action blocked by a modal dialog (%q): %s %q", d.ID, d.Type, d.Message).Hinted(answerIt)
	}
	if a.op.Says != "" {
		if err := a.print(p.Out, false); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(p.Out, "the page asks (%s): %s %q\nanswer it with %s\n", d.ID, d.Type, op.Plain(d.Message), answerIt)
	return err
}

// sayNotRunning is the answer of what never starts a server when there is none.
// It is no error: who asks for the state has got it, who wants an end has it.
func (p *Program) sayNotRunning(asJSON bool) error {
	text := "chela is not running"
	if asJSON {
		text = "{\n  \"running\": false\n}"
	}
	_, err := fmt.Fprintln(p.Out, text)
	return err
}

// settings are the flags that every command has.
func settings(cmd *cobra.Command) config.Flags {
	dir, _ := cmd.Flags().GetString("state-dir")
	file, _ := cmd.Flags().GetString("config")
	return config.Flags{StateDir: dir, File: file}
}
