package cli

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/client"
)

// wantsJSON reports whether the answer is for a script.
func wantsJSON(cmd *cobra.Command) bool {
	asJSON, _ := cmd.Flags().GetBool("json")
	return asJSON
}

// call runs an operation on the server and prints its answer. If a dialog is open, call reports the
// dialog instead: the next command must answer it. With --out, the result is saved, and the path of
// the file is printed. If a call fails, a script (--json) gets the error as JSON in the place of the
// answer. If a part of an operation has failed, such as an action of a batch, call prints the answer
// and returns the failure. Then the exit code is 1.
func (p *Program) call(cmd *cobra.Command, o *op.Op, args op.Args, says string) error {
	r, err := p.remote(cmd)
	if err != nil {
		return err
	}
	asJSON := wantsJSON(cmd)
	ctx, cancel := withTimeout(cmd)
	defer cancel()
	if op.Caller(ctx) == "" {
		ctx = op.WithCaller(ctx, "cli")
	}
	ctx, hide := showProgress(op.WithSurface(ctx, op.CommandLine), p.Err)
	raw, err := r.Run(ctx, o, args)
	for again := o.Resume(raw); err == nil && again != nil; again = o.Resume(raw) {
		raw, err = r.Run(ctx, o, again)
	}
	hide()
	switch {
	case errors.Is(context.Cause(ctx), errTimeout):
		return p.failed(op.Errorf(op.Deadline, "not done in time").Hinted("wait longer with --timeout"), asJSON)
	case o.NeverStart() && errors.Is(err, client.ErrNoServer) && !r.afar:
		return p.sayNotRunning(asJSON)
	case err != nil:
		return p.failed(rewriteHints(err), asJSON)
	}
	if r.answersAlone && !asJSON {
		fmt.Fprintln(p.Err, "chela is not running: this is what is configured")
	}
	r.compareServers()
	a := answer{op: o, args: args, raw: raw, saying: says}
	if d := a.openDialog(); d != nil && !asJSON {
		return p.reportDialog(a, d)
	}
	if out := cmd.Flags().Lookup("out"); out != nil && out.Changed && isOurs(out) {
		defer r.removeFetched()
		if a, err = a.save(out.Value.String()); err != nil {
			return err
		}
	}
	if !asJSON {
		p.caution(a)
	}
	return errors.Join(a.print(p.Out, asJSON), o.Failure(raw))
}

// failed returns the error of a call that has no answer. For a script, it also prints the error where
// the answer would be, with its code.
func (p *Program) failed(err error, asJSON bool) error {
	if !asJSON {
		return err
	}
	e, ok := errors.AsType[*op.Error](err)
	if !ok { // the call could not be made, for example because the state directory cannot be written
		e = op.Errorf(op.Conflict, "%v", err)
	}
	return errors.Join(err, p.printJSON(e))
}

// caution prints the warnings of an answer to standard error: those of its envelope, then those of
// its result.
func (p *Program) caution(a answer) {
	for _, part := range []reflect.Type{a.op.Envelope, a.op.Result} {
		if warns, ok := op.As[warning](part, a.raw); ok && warns.Warning() != "" {
			fmt.Fprintln(p.Err, op.Plain("chela: "+strings.ReplaceAll(warns.Warning(), "\n", "\nchela: ")))
		}
	}
}

// A warning is a result with a warning beside its text, for example that the text was cut. The warning
// must not be in the text, which may be piped to another program.
type warning interface{ Warning() string }

// answerCommand is the command that answers a dialog.
const answerCommand = "chela dialog --accept, or --dismiss"

// rewriteHints replaces hints that are for callers of the HTTP API by hints that name commands and
// flags. It changes the hints of two errors: a dialog has prevented the call, or the call did not
// have the right token.
func rewriteHints(err error) error {
	e, ok := errors.AsType[*op.Error](err)
	if !ok {
		return err
	}
	hinted := *e
	switch {
	case e.BlockedByDialog:
		hinted.Hint = answerCommand + ": " + e.Hint
	case e.Code == op.Unauthorized:
		hinted.Hint = "give the server's token by --token or $CHELA_TOKEN, or its password by --password or $CHELA_PASSWORD"
	default:
		return err
	}
	return &hinted
}

// reportDialog reports an open dialog. If this call has opened the dialog, it prints what the page
// asks. If the dialog has prevented the call, it returns an error with OpenClaw's text.
func (p *Program) reportDialog(a answer, d *dialog) error {
	asks := fmt.Sprintf("the page asks (%s): %s %q", d.ID, d.Type, d.Message)
	if !d.opened {
		const blocked = "Action blocked by a modal dialog (%q). Use chela dialog --accept or --dismiss --dialog-id %s to continue.\n%s"
		return op.Errorf(op.Conflict, blocked, d.ID, d.ID, asks)
	}
	if a.saying != "" {
		if err := a.print(p.Out, false); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(p.Out, "%s\nanswer it with %s\n", op.Plain(asks), answerCommand)
	return err
}

// sayNotRunning prints the answer of commands that never start a server, when none runs. That is no
// error: for status it is the answer, and for shutdown the goal.
func (p *Program) sayNotRunning(asJSON bool) error {
	text := "chela is not running"
	if asJSON {
		text = "{\n  \"running\": false\n}"
	}
	_, err := fmt.Fprintln(p.Out, text)
	return err
}

// settings returns the flags that say where the configuration and the state are. Every command has
// these flags.
func settings(cmd *cobra.Command) config.Flags {
	dir, _ := cmd.Flags().GetString("state-dir")
	file, _ := cmd.Flags().GetString("config")
	return config.Flags{StateDir: dir, File: file}
}

// milliseconds is the value of --timeout. It has a type of its own, so that parsing the flag
// refuses zero and negative numbers; 0 means that the flag was not given.
type milliseconds int

func (m *milliseconds) String() string { return strconv.Itoa(int(*m)) }
func (m *milliseconds) Type() string   { return "N" }

func (m *milliseconds) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errNotPositive
	}
	*m = milliseconds(n)
	return nil
}

var errNotPositive = errors.New("must be a positive integer")

var errTimeout = errors.New("the time given by --timeout is over")

// withTimeout returns the command's context, which also ends after --timeout. (An operation with
// timeoutMs has a --timeout of its own, which sets timeoutMs.) The time counts from here, so it
// includes the start of a server. The cause errTimeout distinguishes it from an interrupt.
func withTimeout(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	m, ok := cmd.Flags().Lookup("timeout").Value.(*milliseconds)
	if !ok || *m == 0 {
		return cmd.Context(), func() {}
	}
	return context.WithTimeoutCause(cmd.Context(), time.Duration(*m)*time.Millisecond, errTimeout)
}
