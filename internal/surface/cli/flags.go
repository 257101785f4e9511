package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chela/internal/base/spelling"
	"chela/internal/op"
)

// flagTexts is the value of a flag: all texts that it was given, in order, since a flag may be
// repeated. It checks nothing. The parameter decodes the texts later, by the same rules as in the
// HTTP API. So the command line and the API have the same error messages.
type flagTexts struct {
	kind  string // what help shows for the value, such as TEXT
	no    bool   // the flag sets its parameter to false
	texts []string
}

func (g *flagTexts) String() string { return strings.Join(g.texts, ",") }
func (g *flagTexts) Type() string   { return g.kind }

// Set adds a text. For a flag that sets the parameter to false, it exchanges the texts true and
// false: --no-x is false, and --no-x=false is true. Any other text stays as it is, and decoding it
// later returns an error.
func (g *flagTexts) Set(text string) error {
	if g.no {
		switch text {
		case "true":
			text = "false"
		case "false":
			text = "true"
		}
	}
	g.texts = append(g.texts, text)
	return nil
}

// needServerFlag is a flag of the commands that need no server, see [op.Alone]. A probe gives it, to
// learn whether a server answers.
const needServerFlag = "need-server"

// addFlags gives cmd a flag for every parameter of the operation. If a parameter also has a place among
// the words of the command line, its flag is for scripts, and not shown in help.
//
// A parameter can have several flags: the first is shown in help, the others are further names. A
// name that begins with "!" in the table sets the parameter to false. The argument fixed has the
// parameters whose values come from the words of the command (as in storage local get). These
// parameters have no flags. A structured parameter also has a flag --<name>-file: JSON on a command
// line must be quoted for the shell, and may be too long for it. Commands whose result is text of a
// page or a file have --out, unless the operation has a parameter of that name. Commands that are
// answered without a server have --need-server.
func addFlags(cmd *cobra.Command, o *op.Op, fixed op.Args) {
	for _, param := range o.Params() {
		if !param.OnCommandLine() || fixed[param.Name] != nil {
			continue
		}
		place := slices.ContainsFunc(o.Args, func(a op.Arg) bool { return a.Param == param.Name })
		for i, name := range param.Flags {
			name, no := strings.CutPrefix(name, "!")
			f := cmd.Flags().VarPF(&flagTexts{kind: kindOf(param), no: no}, name, "", describe(param, no))
			f.Hidden = place || i > 0 && !no
			if isSwitch(param) {
				f.NoOptDefVal = cmp.Or(param.Bare, "true")
			}
			if len(param.Enum) > 0 {
				cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(param.Enum, cobra.ShellCompDirectiveNoFileComp))
			}
		}
		if isStructured(param) {
			cmd.Flags().String(param.Flags[0]+"-file", "", param.Name+" from a JSON `FILE`; - is standard input")
		}
	}
	if o.Alone() {
		cmd.Flags().Bool(needServerFlag, false, "fail if no server runs, instead of answering without one")
	}
	if asked(o) != "" {
		cmd.Flags().Bool(stdinFlag, false, "read the "+asked(o)+" from standard input, instead of asking for it")
	}
	if o.Untrusted() || o.IsDocument() || o.MakesFile() {
		if cmd.Flags().Lookup("out") == nil {
			cmd.Flags().String("out", "", "save the result as `FILE`")
		}
	}
}

// kindOf returns what help shows for the value of a parameter's flag, such as TEXT. It follows the
// JSON schema of the parameter, so that help, reference and OpenAPI document agree.
func kindOf(p op.Param) string {
	switch p.Type {
	case reflect.TypeFor[op.Input](), reflect.TypeFor[op.Content]():
		return "FILE"
	case reflect.TypeFor[op.JSON]():
		return "JSON|FILE"
	}
	switch p.Schema()["type"] {
	case "boolean":
		return "bool" // pflag shows a bool without a value
	case "integer", "number":
		return "N"
	case "array":
		if isStructured(p) {
			return "JSON"
		}
		return "TEXT..."
	case "object":
		return "JSON"
	}
	return "TEXT"
}

// isStructured reports whether the parameter is a list of objects, written as JSON.
// Lists of texts, numbers and bytes are written as plain values.
func isStructured(p op.Param) bool {
	plain := []reflect.Kind{reflect.String, reflect.Uint8, reflect.Int, reflect.Float64}
	return p.Type.Kind() == reflect.Slice && !slices.Contains(plain, p.Type.Elem().Kind())
}

// describe returns the description of a flag in help. The argument no says that the flag sets its
// parameter to false. Allowed values are in parentheses, the default is in brackets.
func describe(p op.Param, no bool) string {
	doc := p.Doc
	switch {
	case no && strings.HasPrefix(p.Flags[0], "!"):
		doc = "do not " + doc
	case no:
		doc = "the opposite of --" + p.Flags[0]
	}
	if len(p.Enum) > 0 {
		doc += " (" + strings.Join(p.Enum, "|") + ")"
	}
	if p.Default != "" && !no {
		doc += " [" + p.Default + "]"
	}
	return doc
}

// arguments makes the arguments of the operation from the flags and words of a command line. It
// returns an error for values that cannot be decoded, and for missing or superfluous words. Flags
// take precedence: a word goes to the first place that no flag has filled. The values are not checked
// further here. It is makeRunnable that checks them before the server is called, since a wrong
// command line must not start a server.
func arguments(cmd *cobra.Command, o *op.Op, fixed op.Args, words []string) (op.Args, error) {
	args := op.Args{}
	maps.Copy(args, fixed)
	for _, param := range o.Params() {
		raw, err := fromFlags(cmd, param)
		if err != nil {
			return nil, err
		}
		if raw != nil {
			args[param.Name] = raw
		}
	}
	words, err := takeOut(cmd, o, words)
	if err != nil {
		return nil, err
	}
	if err := fill(args, o, words); err != nil {
		return nil, err
	}
	return args, checkFlags(args, o)
}

// takeOut makes the last word the value of --out, if the operation's last place is for a file to write
// and --out was not given. It returns the other words. If there is no word, it returns an error,
// except with --json, which prints the document.
func takeOut(cmd *cobra.Command, o *op.Op, words []string) ([]string, error) {
	if last := o.Args[len(o.Args)-1]; last.Param != op.Out || !o.IsDocument() || cmd.Flags().Changed(op.Out) {
		return words, nil
	}
	if len(words) == 0 {
		if wantsJSON(cmd) {
			return nil, nil
		}
		return nil, op.Errorf(op.Invalid, "file is missing").Hinted("name the file to write")
	}
	last := len(words) - 1
	return words[:last], cmd.Flags().Set(op.Out, words[last])
}

// checkFlags returns an error for a required parameter that was given neither by a word nor by a
// flag. A parameter may have a flag for true and one for false, such as --accept and --dismiss for a
// dialog. Then one of them is required, since no default would be safe. The errors have OpenClaw's
// texts.
func checkFlags(args op.Args, o *op.Op) error {
	for _, param := range o.Params() {
		if !param.Required || !param.OnCommandLine() || args[param.Name] != nil {
			continue
		}
		yes, no, both := yesAndNo(param)
		switch {
		case both:
			return op.Errorf(op.Invalid, "Specify --%s or --%s", yes, no)
		case isStructured(param):
			return op.Errorf(op.Invalid, "%s are required", param.Name)
		}
		return op.Errorf(op.Invalid, "%s", cmp.Or(param.Missing, "Missing --"+param.Flags[0]))
	}
	return nil
}

// isRequiredFlag reports whether a parameter is required and can only be given by a flag.
func isRequiredFlag(o *op.Op, param op.Param) bool {
	hasPlace := slices.ContainsFunc(o.Args, func(a op.Arg) bool { return a.Param == param.Name })
	return param.Required && !hasPlace && param.OnCommandLine()
}

// requiredFlags returns the flags that a command needs, as its usage line has them: --fn <fn>, or
// --mode screenshot|extract. Flags for lists and objects are left out: such a value may also come
// from a file.
func requiredFlags(o *op.Op) (flags []string) {
	for _, param := range o.Params() {
		yes, no, both := yesAndNo(param)
		switch {
		case !isRequiredFlag(o, param), isStructured(param):
		case both:
			flags = append(flags, fmt.Sprintf("--%s|--%s", yes, no))
		case param.Enum != nil:
			flags = append(flags, "--"+yes+" "+strings.Join(param.Enum, "|"))
		default:
			flags = append(flags, fmt.Sprintf("--%s <%s>", yes, yes))
		}
	}
	return flags
}

// yesAndNo returns the flags of a parameter for true and for false, and whether it has both.
func yesAndNo(param op.Param) (yes, no string, both bool) {
	for _, name := range param.Flags {
		if negative, ok := strings.CutPrefix(name, "!"); ok {
			no = negative
		} else if yes == "" {
			yes = name
		}
	}
	return yes, no, yes != "" && no != ""
}

// fromFlags returns the value that flags give to a parameter; nil if no flag was given. If several
// flags of the parameter were given, it collects the texts of all. Errors are op.Invalid for
// contradicting flags and for values that the parameter does not accept, or come from reading a file.
func fromFlags(cmd *cobra.Command, param op.Param) (json.RawMessage, error) {
	if yes, no, both := yesAndNo(param); both && cmd.Flags().Changed(yes) && cmd.Flags().Changed(no) {
		return nil, op.Errorf(op.Invalid, "Specify only one of --%s or --%s", yes, no)
	}
	var texts []string
	var flag string // the last flag
	for _, name := range param.Flags {
		f := cmd.Flags().Lookup(strings.TrimPrefix(name, "!"))
		if f == nil || !f.Changed {
			continue
		}
		if g, ok := f.Value.(*flagTexts); ok {
			texts, flag = append(texts, g.texts...), "--"+f.Name
		}
	}
	if isStructured(param) {
		name := param.Flags[0] + "-file"
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			if texts != nil {
				return nil, op.Errorf(op.Invalid, "Specify only one of --%s or --%s", param.Flags[0], name)
			}
			text, err := readInput(cmd, name, f.Value.String())
			if err != nil {
				return nil, err
			}
			texts = []string{text}
		}
	}
	if texts == nil {
		return nil, nil
	}
	if last := len(texts) - 1; param.Type == reflect.TypeFor[op.JSON]() && !op.IsJSON(texts[last]) {
		text, err := readInput(cmd, strings.TrimPrefix(flag, "--"), texts[last])
		if err != nil {
			return nil, err
		}
		texts = []string{text}
	}
	if len(param.Enum) > 0 {
		texts = strings.Split(strings.Join(texts, ","), ",") // several values may be given as one text
	}
	return parse(param, flag, texts)
}

// parse decodes the texts of a flag, or words of the command. The argument name is what errors call
// the value. A blank value is an error, and does not count as missing: it may come from a shell
// variable that is not set.
func parse(param op.Param, name string, texts []string) (json.RawMessage, error) {
	if slices.ContainsFunc(texts, param.Blank) {
		return nil, op.Errorf(op.Invalid, "%s must not be blank", param.Name)
	}
	return param.Typed(name, texts...)
}

// maxInput limits the bytes that are read from a file or from standard input.
const maxInput = 1 << 20

// readInput reads the file whose path is the value of a flag; - is standard input. The size is
// limited like that of a request's body: the server would refuse a larger one. Errors name the flag.
func readInput(cmd *cobra.Command, flag, path string) (string, error) {
	in := cmd.InOrStdin()
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", fmt.Errorf("--%s: %w", flag, err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err == nil && len(text) > maxInput {
		err = fmt.Errorf("more than %d bytes", maxInput)
	}
	if err != nil {
		return "", fmt.Errorf("--%s: %w", flag, err)
	}
	return string(text), nil
}

// fill assigns the words to the places of the command line, in order, and skips those that a flag
// has set. An optional place gets a word only if enough are left for the places after it. So for
// [a] <b>, a single word goes to b, and of two words the first goes to a. A variadic place, which
// is the last one, gets all words that are left. Errors are about a missing word, or one too many.
func fill(args op.Args, o *op.Op, words []string) error {
	places := slices.DeleteFunc(slices.Clone(o.Args[lastWord(o)+1:]), func(a op.Arg) bool {
		return args[a.Param] != nil || a.Param == op.Out && o.IsDocument()
	})
	for i, a := range places {
		if a.Optional && len(words) <= mustHave(places[i+1:]) {
			continue
		}
		if len(words) == 0 {
			return fmt.Errorf("%s is missing", a.Param)
		}
		n := 1
		if a.Variadic {
			n = len(words)
		}
		param, _ := o.Param(a.Param)
		raw, err := parse(param, a.Param, words[:n])
		if err != nil {
			return err
		}
		args[a.Param], words = raw, words[n:]
	}
	if len(words) > 0 {
		return op.Errorf(op.Invalid, "%q is one word too many", words[0]).Hinted("%s", longFlags(o, words[0]))
	}
	return nil
}

// longFlags returns a hint for a word that looks like a short flag, such as -i: it names the flags that
// begin so. The result is "" for any other word.
func longFlags(o *op.Op, word string) string {
	short, isFlag := strings.CutPrefix(word, "-")
	if !isFlag || short == "" {
		return ""
	}
	var flags []string
	for _, param := range o.Params() {
		for _, name := range param.Flags {
			if strings.HasPrefix(name, short) {
				flags = append(flags, "--"+name)
			}
		}
	}
	if flags == nil {
		return "flags begin with --"
	}
	return "flags begin with --: " + strings.Join(flags, ", ")
}

// mustHave counts the places that are not optional.
func mustHave(places []op.Arg) (n int) {
	for _, a := range places {
		if !a.Optional {
			n++
		}
	}
	return n
}

// completePlaces returns the shell completion for the words of a command: the allowed values of the
// parameter that the next word is for. It offers no files of the current directory: only upload takes
// paths, and its files must be in a folder for uploads.
func completePlaces(o *op.Op) cobra.CompletionFunc {
	return func(_ *cobra.Command, words []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		open := o.Args[lastWord(o)+1:]
		if len(words) >= len(open) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		param, _ := o.Param(open[len(words)].Param)
		return param.Enum, cobra.ShellCompDirectiveNoFileComp
	}
}

// flagError returns the error for flags that cannot be parsed. pflag's message names the flag.
func flagError(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok && errors.Is(err, errNotPositive) {
		return &usageError{message: fmt.Sprintf("--%s %v.", e.GetFlag().Name, errNotPositive), usage: usageOf(cmd)}
	}
	hint := cmd.CommandPath() + " --help lists the flags; put -- before words that begin with --"
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spelling.Nearest(e.GetSpecifiedName(), names); len(near) > 0 {
			hint = fmt.Sprintf("did you mean --%s? %s", near[0], hint)
		}
	}
	return &usageError{message: err.Error(), hint: hint}
}
