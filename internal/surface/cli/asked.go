package cli

import (
	"errors"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"chela/internal/op"
)

// stdinFlag is the name of the flag with which a value is read from standard input, instead of asking
// for it at the terminal.
const stdinFlag = "stdin"

// asked returns the name of the parameter whose value a person types at a prompt, see [op.Asked]. It
// returns "" if there is none.
func asked(o *op.Op) string {
	for _, param := range o.Params() {
		if param.Type == reflect.TypeFor[op.Asked]() {
			return param.Name
		}
	}
	return ""
}

// readValues reads the parameters whose values are not on the command line, see [op.Asked] and
// [op.Content], and puts them into args.
func (p *Program) readValues(cmd *cobra.Command, o *op.Op, args op.Args) error {
	read := func(param op.Param, value string, err error) error {
		if err == nil {
			args[param.Name], err = param.Typed(param.Name, value)
		}
		return err
	}
	for _, param := range o.Params() {
		switch {
		case param.Type == reflect.TypeFor[op.Content]() && args[param.Name] != nil:
			value, err := p.readContent(inSentence(args[param.Name]))
			if err := read(param, value, err); err != nil {
				return err
			}
		case param.Type == reflect.TypeFor[op.Asked]():
			value, err := p.readAsked(cmd)
			if err := read(param, value, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxContent is the maximum size of a file or of standard input, in bytes. The server accepts
// request bodies of up to a megabyte.
const maxContent = 900 << 10

// readContent reads the file at a path; - is standard input.
func (p *Program) readContent(path string) (string, error) {
	in := p.In
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxContent+1))
	if err == nil && len(raw) > maxContent {
		return "", op.Errorf(op.TooLarge, "%s is larger than %d bytes", path, maxContent).Hinted("send it in parts")
	}
	return string(raw), err
}

// readAsked reads a value from standard input if --stdin is set. Otherwise a person types it twice at
// the terminal, which does not show it.
func (p *Program) readAsked(cmd *cobra.Command) (string, error) {
	if stdin, _ := cmd.Flags().GetBool(stdinFlag); stdin {
		value, err := p.readContent("-")
		return strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r"), err
	}
	terminal, ok := asTerminal(p.In)
	if !ok {
		return "", &usageError{message: "the value is asked for at a terminal, and there is none", hint: "give it by standard input, with --" + stdinFlag}
	}
	return askTwice(terminal, p.Err)
}

// asTerminal returns a stream as a file if it is a terminal; otherwise ok is false.
func asTerminal(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// askTwice asks for a value at a terminal, twice, and shows nothing of it. It sets the terminal to raw
// mode before the first question, so that characters typed early are not shown either. In raw mode
// Ctrl+C is a character like others; here it ends the questions.
func askTwice(terminal *os.File, out io.Writer) (value string, err error) {
	before, err := term.MakeRaw(int(terminal.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, term.Restore(int(terminal.Fd()), before)) }()
	screen := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{terminal, out}, "")
	value, err = screen.ReadPassword("Value, which is not shown: ")
	again := ""
	if err == nil {
		again, err = screen.ReadPassword("The same again: ")
	}
	switch {
	case errors.Is(err, io.EOF):
		io.WriteString(screen, "\n")
		return "", errors.New("interrupted; nothing was set")
	case err == nil && again != value:
		return "", errors.New("the two values differ; nothing was set")
	}
	return value, err
}
