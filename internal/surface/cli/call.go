package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/api/words"
	"chela/internal/base/config"
	"chela/internal/base/lazyregexp"
	"chela/internal/op"
	"chela/internal/surface/client"
)

// wantsJSON reports whether the answer is for a script.
func wantsJSON(cmd *cobra.Command) bool {
	asJSON, _ := cmd.Flags().GetBool("json")
	return asJSON
}

// call runs an operation on the server and prints its answer. If a dialog has prevented the call,
// that is an error. If the call has opened a dialog, call also prints what the page asks, because
// the next command must answer it. A script finds that in the answer. With --out, the result is
// saved, and the path of the file is printed.
//
// If a call fails, a script (--json) gets the error as JSON in the place of the answer. If a part of an
// operation has failed, such as an action of a batch, call prints the answer and returns the failure.
// Then the exit code is 1.
func (p *Program) call(cmd *cobra.Command, o *op.Op, args op.Args, says string) error {
	asJSON := wantsJSON(cmd)
	ctx, cancel := withTimeout(cmd)
	defer cancel()
	cmd.SetContext(ctx)
	r, err := p.remote(cmd)
	if errors.Is(err, errTimeout) {
		err = atTimeout(err)
	}
	if err != nil {
		return p.failed(err, asJSON)
	}
	out, err := outPath(cmd)
	if err != nil {
		return p.failed(err, asJSON)
	}
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
	case err != nil && errors.Is(context.Cause(ctx), errTimeout):
		return p.failed(atTimeout(err), asJSON)
	case o.NeedsNoServer() && errors.Is(err, client.ErrNoServer) && !r.afar && !r.needs:
		return p.sayNotRunning(asJSON)
	case err != nil:
		return p.failed(rewriteHints(err, o), asJSON)
	}
	if r.answersAlone && !asJSON {
		fmt.Fprintln(p.Err, "chela is not running: this is what is configured")
	}
	if !o.EndsServer() {
		r.compareServers()
	}
	a := answer{op: o, args: args, raw: raw, saying: says}
	d := a.openDialog()
	if d != nil && (!d.opened || out != "") {
		return p.failed(d.blocked(out), asJSON)
	}
	if out != "" {
		if a, err = a.save(out); err != nil {
			return p.failed(unsaved(err, o, raw), asJSON)
		}
		if is, named := pictureTypes(a, raw, out); is != named {
			p.warn(fmt.Sprintf("%s holds %s: its name says %s", filepath.Base(out), is, named))
		}
		r.removeFetched()
	}
	if asJSON {
		err = a.print(p.Out, asJSON)
	} else {
		p.caution(a)
		err = p.printText(a, d)
	}
	return errors.Join(err, rewriteHints(o.Failure(raw), o))
}

// outPath returns the file of --out, as an absolute path; "" if the flag was not given. It returns an
// error if the file cannot be written. It is called before the operation: some results, such as that
// of trace stop, exist only once.
func outPath(cmd *cobra.Command) (string, error) {
	flag := cmd.Flags().Lookup("out")
	if flag == nil || !flag.Changed || !isOurs(flag) {
		return "", nil
	}
	if flag.Value.String() == "-" {
		return "", op.Errorf(op.Invalid, "--out takes a file, not -").Hinted("without --out, the answer is printed")
	}
	path, err := filepath.Abs(flag.Value.String())
	if err == nil {
		err = checkWritable(path)
	}
	if err != nil {
		return "", op.Errorf(op.Invalid, "%v", err).Hinted("nothing was done: give --out a file that can be written")
	}
	return path, nil
}

// pictureTypes returns the media type of a picture that was saved as a file, and the one that the
// name of that file stands for. If one of them is no picture, it returns nothing.
func pictureTypes(a answer, raw json.RawMessage, file string) (is, named string) {
	made := op.FilesIn(a.op.Result, raw)
	if len(made) == 0 || a.saved != "" {
		return "", ""
	}
	is, named = mime.TypeByExtension(filepath.Ext(made[0])), mime.TypeByExtension(filepath.Ext(file))
	if !strings.HasPrefix(is, "image/") || !strings.HasPrefix(named, "image/") {
		return "", ""
	}
	return is, named
}

// unsaved returns the error of a call whose result could not be saved. The call was made, and must
// not be repeated for the sake of its file: so the hint names the file that it has made.
func unsaved(err error, o *op.Op, raw json.RawMessage) error {
	e := op.Errorf(op.Conflict, "the call was made, but its result was not saved: %v", err)
	if known, ok := errors.AsType[*op.Error](err); ok {
		e.Code = known.Code
	}
	if made := op.FilesIn(o.Result, raw); len(made) > 0 {
		e = e.Hinted("its file is at %s", strings.Join(made, ", "))
	}
	return e
}

// atTimeout returns the error of a call that failed when the time of --timeout was over. An error that
// came just before is returned as it is.
func atTimeout(err error) error {
	over := op.Errorf(op.Deadline, "not done in time")
	switch _, known := errors.AsType[*op.Error](err); {
	case errors.Is(err, client.ErrSilent):
		over = op.Errorf(op.Deadline, "no answer in time; it may have been done")
	case known:
		return err
	}
	return over.Hinted("wait longer with --timeout")
}

// failed returns the error of a call that has no answer. For a script, it also prints the error where
// the answer would be, with its code. Errors of the command line itself are only text.
func (p *Program) failed(err error, asJSON bool) error {
	if _, wrongLine := errors.AsType[*usageError](err); err == nil || !asJSON || wrongLine {
		return err
	}
	e, ok := errors.AsType[*op.Error](err)
	if !ok { // the call could not be made, for example because the state directory cannot be written
		e = op.Errorf(op.Conflict, "%v", err)
	}
	return errors.Join(err, p.printJSON(e))
}

// caution prints the warnings of an answer to standard error. The first one names fields of objects
// that had no effect. Then come the warnings of the envelope and of the result.
func (p *Program) caution(a answer) {
	var added op.Added
	if json.Unmarshal(a.raw, &added) == nil && len(added.Ignored) > 0 {
		p.warn("not known, and without effect: " + strings.Join(added.Ignored, ", "))
	}
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
// flags. The errors for an open dialog and for a wrong token have hints of their own. In other
// hints, it replaces the names of the operation's parameters, such as in "with resend".
func rewriteHints(err error, o *op.Op) error {
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
		hinted.Hint = parameterName().ReplaceAllStringFunc(e.Hint, func(named string) string {
			name := strings.TrimPrefix(named, "with ")
			return strings.TrimSuffix(named, name) + flagName(o, name)
		})
	}
	return &hinted
}

// parameterName matches names such as timeoutMs, and keys of the configuration such as browser.cdpUrl.
// Without a capital letter, only a name after "with" is matched: others may be words of the sentence.
var parameterName = lazyregexp.New(`\b[a-z.]*[a-z]+[A-Z]\w*|\bwith [a-z]+\b`)

// flagName returns the flag of the parameter with this name. If the operation has none, it returns
// the name. For a batch it also does so, since the hint is about an action in it.
func flagName(o *op.Op, name string) string {
	p, ok := o.Param(name)
	if !ok || !p.OnCommandLine() || slices.ContainsFunc(o.Params(), func(p op.Param) bool { return p.Entered == "actions" }) {
		return name
	}
	return "--" + strings.TrimPrefix(p.Flags[0], "!")
}

// asks says what the page asks.
func (d *dialog) asks() string {
	return fmt.Sprintf("the page asks (%s): %s", d.ID, words.Question(d.Type, d.Message, d.DefaultValue))
}

// blocked returns the error of a call that the dialog has prevented, with OpenClaw's text. If the call
// has opened the dialog, the error says that there is no result to save as the file out.
func (d *dialog) blocked(out string) error {
	const blocked = "Action blocked by a modal dialog (%q). Use chela dialog --accept or --dismiss --dialog-id %s to continue.\n%s"
	e := op.Errorf(op.Conflict, blocked, d.ID, d.ID, d.asks())
	if d.opened {
		e = op.Errorf(op.Conflict, "the call has opened a dialog, so there is nothing to save as %s; %s", out, d.asks()).Hinted(answerCommand)
		e.Sent = true
	}
	e.BlockedByDialog, e.BrowserState = true, d.state
	return e
}

// printText prints an answer as text for people. If the call has opened the dialog d, printText also
// prints what the page asks. Most results are missing then. So the result is printed only if it has a
// sentence, a text for the command line, or several parts ([op.Failer]). Some of these may have been
// done.
func (p *Program) printText(a answer, d *dialog) error {
	_, inParts := op.As[op.Failer](a.op.Result, a.raw)
	if d == nil || a.saying != "" || inParts || isTerminal(a.op.Result) {
		if err := a.print(p.Out, false); err != nil {
			return err
		}
	}
	if d == nil {
		return nil
	}
	_, err := fmt.Fprintf(p.Out, "%s\nanswer it with %s\n", op.Plain(d.asks()), answerCommand)
	return err
}

// sayNotRunning prints the answer of operations that need no server ([op.Op.NeedsNoServer]), when
// none runs.
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
// includes the search for the server, and its start. The cause errTimeout distinguishes it from an interrupt.
func withTimeout(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	m, ok := cmd.Flags().Lookup("timeout").Value.(*milliseconds)
	if !ok || *m == 0 {
		return cmd.Context(), func() {}
	}
	return context.WithTimeoutCause(cmd.Context(), time.Duration(*m)*time.Millisecond, errTimeout)
}
