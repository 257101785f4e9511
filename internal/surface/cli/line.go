package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/op"
)

// A line is a command line, separated into words and flags.
//
// Cobra and pflag do the rest: the tree of commands, the flags of a command and their values, shell
// completion. Only the separation is done here, because of two rules that cobra does not have. Flags
// may stand anywhere, even before the command that they belong to (chela --target-id t1 click e1).
// And -h is the only short flag, so any other token with one dash is a word, such as a negative
// number.
type line struct {
	words []string
	flags []string // each as --name or --name=value
	help  bool
}

// parse separates a command line. It returns no errors: unknown flags and commands are found later.
//
// A flag is written --name=value or --name value. In the second form, only the flag decides whether
// the next token is its value, even if that begins with a dash (--text -5). All tokens behind --
// are words, such as a text to type that looks like a flag. The word browser before the command is
// left out, since OpenClaw's command is "openclaw browser click". The word help before a command is
// the same as --help behind it.
func (p *Program) parse(argv []string) (l line) {
	for len(argv) > 0 {
		token := l.global(argv[0])
		argv = argv[1:]
		name, _, hasValue := strings.Cut(strings.TrimPrefix(token, "--"), "=")
		switch {
		case token == "--":
			l.words = append(l.words, argv...)
			argv = nil
		case token == "-h" || token == "--help":
			l.help = true
		case !looksLikeFlag(token):
			l.words = append(l.words, token)
		case !hasValue && len(argv) > 0 && p.takesValue(name, l.words):
			l.flags = append(l.flags, token+"="+argv[0])
			argv = argv[1:]
		default:
			l.flags = append(l.flags, token)
		}
	}
	if len(l.words) > 0 && l.words[0] == "browser" { // "chela browser click" means the same as "chela click"
		l.words = l.words[1:]
	}
	if len(l.words) > 0 && l.words[0] == "help" {
		l.words, l.help = l.words[1:], true
	}
	return l
}

// global returns a token of the command line, and renames it if it is --url or --password and stands
// before the command. There, these flags name the server and its password, as in OpenClaw's command
// line. Behind the command they may be parameters of the operation, see serverFlags.
func (l line) global(flag string) string {
	if before := len(l.words) == 0 || len(l.words) == 1 && l.words[0] == "browser"; !before {
		return flag
	}
	return ofServer(flag)
}

// serverFlags returns the flags of a command line. It renames --url and --password to the flags for
// the server, unless the command has flags of these names.
func serverFlags(cmd *cobra.Command, flags []string) []string {
	flags = slices.Clone(flags)
	for i, flag := range flags {
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		if cmd.Flags().Lookup(name) == nil {
			flags[i] = ofServer(flag)
		}
	}
	return flags
}

// ofServer translates the flags of OpenClaw's command line that name the server: --url is --server
// here. Other flags are returned as they are. A value after = is kept.
func ofServer(flag string) string {
	name, value, hasValue := strings.Cut(flag, "=")
	other := map[string]string{"--url": "--server", "--password": "--" + passwordBefore}[name]
	switch {
	case other == "":
		return flag
	case hasValue:
		return other + "=" + value
	}
	return other
}

// asksVersion reports whether the line is chela --version.
func (l line) asksVersion() bool {
	return len(l.words) == 0 && !l.help && slices.Contains(l.flags, "--version")
}

// looksLikeFlag reports whether a token is two dashes and a name. A token of dashes
// alone or with a digit (--5) is a word.
func looksLikeFlag(token string) bool {
	rest, ok := strings.CutPrefix(token, "--")
	return ok && rest != "" && (rest[0] >= 'a' && rest[0] <= 'z' || rest[0] >= 'A' && rest[0] <= 'Z')
}

// takesValue reports whether the word after a flag is its value.
//
// pflag knows this only for the flags of one command, and the command is not known yet, since flags
// may stand before it. For an unknown flag takesValue reports false. So the word after it stays a
// word, and the error names the flag.
//
// The operations whose commands begin with the first word before the flag are searched first. The
// flag mostly belongs to one of them, and may mean something else in another command. For example,
// --labels has a value in chela node, and none in chela screenshot. Flags that do not belong to
// operations come next, and all operations last, because searching these takes a millisecond.
func (p *Program) takesValue(flag string, words []string) bool {
	if len(words) > 0 && words[0] == "browser" {
		words = words[1:]
	}
	if len(words) > 0 {
		if takes, found := flagOf(p.rows(words[0]), flag); found {
			return takes
		}
	}
	own := []string{"state-dir", "config", "server", "url", "token", "password", passwordBefore, "fingerprint", "timeout", "session", "out", "port", "log", "node", "nats", "creds", "name", "labels", "drain",
		"active-model", "sandbox-url", "sandbox-token", "format", "print-config", "browser", "user-data-dir", "for", "channel", "path"}
	if slices.Contains(own, flag) {
		return true
	}
	if takes, found := flagOf(p.Table().Ops, flag); found {
		return takes
	}
	return strings.HasSuffix(flag, "-file")
}

// flagOf finds a flag among the parameters of operations, and reports whether it takes a value.
func flagOf(ops []*op.Op, flag string) (takes, found bool) {
	for _, o := range ops {
		for _, param := range o.Params() {
			if slices.Contains(param.Flags, flag) || slices.Contains(param.Flags, "!"+flag) {
				return !isSwitch(param), true
			}
		}
	}
	return false, false
}

// rows lists the operations whose commands begin with a word.
func (p *Program) rows(word string) []*op.Op {
	return slices.DeleteFunc(slices.Clone(p.Table().Ops), func(o *op.Op) bool { return !begins(o, word) })
}

// isRow reports whether the command of at least one operation begins with this word.
func (p *Program) isRow(word string) bool {
	return slices.ContainsFunc(p.Table().Ops, func(o *op.Op) bool { return begins(o, word) })
}

// isSwitch reports whether the parameter's flag needs no value. A pointer to a bool is a parameter
// for which nil differs from false.
func isSwitch(p op.Param) bool {
	t := p.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Bool || p.Bare != ""
}

// find returns the command that the words begin with, and the words after it. It follows the words
// down the tree of commands. The first word that names no command begins the arguments. A group of
// commands, such as chela storage, has no arguments. There, an unknown word is a *usageError, which
// names a similar command.
func find(root *cobra.Command, words []string) (cmd *cobra.Command, rest []string, err error) {
	cmd = root
	for len(words) > 0 {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool {
			return c.Name() == words[0] || c.HasAlias(words[0])
		})
		if i < 0 {
			break
		}
		cmd, words = cmd.Commands()[i], words[1:]
	}
	if len(words) > 0 && !cmd.Runnable() {
		return nil, nil, unknownCommand(cmd, words[0])
	}
	return cmd, words, nil
}

// unknownCommand returns the error for a word that names no command below cmd. The hint names a
// command that is spelled alike. About one wrong letter in six is allowed, since more would suggest
// unrelated commands.
func unknownCommand(cmd *cobra.Command, word string) error {
	e := &usageError{message: fmt.Sprintf("no command %q", word), hint: cmd.CommandPath() + " --help"}
	if cmd.HasParent() {
		e.message = fmt.Sprintf("%s has no command %q", cmd.Name(), word)
	}
	cmd.SuggestionsMinimumDistance = 1 + len(word)/6
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		e.hint = cmd.CommandPath() + " " + near[0]
	}
	return e
}
