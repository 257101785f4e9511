package cli

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/op"
)

// root returns the tree of commands for a command line. Making all commands would take longer than a
// call to the server, which takes a few milliseconds. So if the first word is known, the tree has
// only the commands that begin with it. These are commands of operations, a command of the program
// itself, or both in the case of extension.
//
// Every command has the flags that are added here. An operation with a parameter timeoutMs has its
// own flag --timeout, which hides the general one. Cobra prints no errors, because complain does.
func (p *Program) root(l line) *cobra.Command {
	root := &cobra.Command{Use: "chela", SilenceErrors: true, SilenceUsage: true}
	root.CompletionOptions.DisableDefaultCmd = true // completionCommand replaces this command
	root.PersistentFlags().Bool("json", false, "print the raw answer as JSON, and an error with its code")
	root.PersistentFlags().String("state-dir", "", "state directory (`DIR`; $CHELA_STATE_DIR, ~/.chela)")
	addServerFlags(root)
	root.PersistentFlags().String("node", "", "call the browser of the machine `NAME` of the fleet, or of the less busy one with labels: KEY=VALUE,..., see chela node")
	root.PersistentFlags().Var(new(milliseconds), "timeout", "give up after `N` milliseconds")
	root.PersistentFlags().String("session", "", "call in the session `KEY`, which has tabs of its own ($CHELA_SESSION)")
	root.PersistentFlags().String("config", "", "configuration `FILE` ($CHELA_CONFIG_PATH, chela.json in the state directory)")
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.SetHelpFunc(p.help)
	root.SetHelpCommand(&cobra.Command{Hidden: true}) // parse handles help
	own, words := p.own(), l.words
	switch i := slices.IndexFunc(own, func(c ownCommand) bool { return len(words) > 0 && c.name == words[0] }); {
	case i >= 0:
		root.AddCommand(own[i].make())
		if own[i].hasRows {
			p.addRows(root, p.rows(words[0]))
		}
	case len(words) > 0 && p.isRow(words[0]):
		p.addRows(root, p.rows(words[0]))
	default:
		for _, c := range own {
			root.AddCommand(c.make())
		}
		p.addRows(root, p.Table().Ops)
	}
	return root
}

// An ownCommand is a command of the program that is not an operation of the table.
type ownCommand struct {
	name    string
	make    func() *cobra.Command
	hasRows bool // commands of operations also begin with this name
}

// own lists the program's own commands in the order in which help shows them.
func (p *Program) own() []ownCommand {
	return []ownCommand{
		{name: "serve", make: p.serveCommand}, {name: "node", make: p.nodeCommand}, {name: "mcp", make: p.mcpCommand}, {name: "tool", make: p.toolCommand},
		{name: "dashboard", make: p.dashboardCommand}, {name: "share", make: p.shareCommand}, {name: "shares", make: p.sharesCommand}, {name: "confirm", make: p.confirmCommand}, {name: "install", make: p.installCommand}, {name: "demo", make: p.demoCommand}, {name: "service", make: p.serviceCommand},
		{name: "extension", make: p.extensionCommand, hasRows: true}, {name: hostWord, make: p.hostCommand},
		{name: "config", make: p.configCommand}, {name: "token", make: p.tokenCommand}, {name: "cert", make: p.certCommand},
		{name: "docs", make: p.docsCommand}, {name: "skill", make: p.skillCommand}, {name: "openclaw-module", make: p.openClawCommand},
		{name: "version", make: p.versionCommand}, {name: "completion", make: p.completionCommand}, {name: "man", make: p.manCommand},
	}
}

// isOwn reports whether a word is one of the program's own commands.
func (p *Program) isOwn(word string) bool {
	return slices.ContainsFunc(p.own(), func(c ownCommand) bool { return c.name == word })
}

// begins reports whether the operation's command or one of its aliases begins with word.
func begins(o *op.Op, word string) bool {
	return o.Words[0] == word || slices.ContainsFunc(o.Aliases, func(alias op.Alias) bool { return strings.Fields(alias.Words)[0] == word })
}

// addRows adds the commands of operations (rows of the table), and hidden commands for their aliases,
// which are other names of a command. If two rows have the same words, the first row gets the
// command.
func (p *Program) addRows(root *cobra.Command, rows []*op.Op) {
	for _, o := range rows {
		for _, form := range forms(o) {
			cmd := descend(root, form.words)
			if cmd.Runnable() {
				continue // an earlier row has the same words
			}
			p.makeRunnable(cmd, o, form.fixed, o.Says)
		}
		for _, alias := range o.Aliases {
			cmd := descend(root, strings.Fields(alias.Words))
			cmd.Hidden = true
			p.makeRunnable(cmd, o, nil, cmp.Or(alias.Says, o.Says))
		}
	}
}

// A form is one way to write the words of a command. Most commands have one form. A parameter that
// stands before the last word, as in "storage {area} get", is replaced by a word. So the command has
// a form for each value of the parameter: storage local get, storage session get.
type form struct {
	words []string
	fixed op.Args // the arguments that the words of this form give
}

// forms lists the forms of an operation's command. A parameter that stands before the last word must
// have a list of its values (Enum).
func forms(o *op.Op) []form {
	all := []form{{fixed: op.Args{}}}
	for _, a := range o.Args[:lastWord(o)+1] {
		if a.Word != "" {
			for i := range all {
				all[i].words = append(all[i].words, a.Word)
			}
			continue
		}
		param, _ := o.Param(a.Param)
		var longer []form
		for _, f := range all {
			for _, value := range param.Enum {
				raw, _ := json.Marshal(value) // encoding a string cannot fail
				fixed := op.Args{a.Param: raw}
				maps.Copy(fixed, f.fixed)
				longer = append(longer, form{append(slices.Clone(f.words), value), fixed})
			}
		}
		all = longer
	}
	return all
}

// lastWord returns the index in o.Args of the last word that is not a parameter. The command is named
// by the words up to it, and all behind it are arguments.
func lastWord(o *op.Op) int {
	last := 0
	for i, a := range o.Args {
		if a.Word != "" {
			last = i
		}
	}
	return last
}

// descend returns the command with these words. If it does not exist, descend adds it, and also the
// commands above it, such as storage, which are only groups. Then makeRunnable must be called for the
// returned command.
func descend(cmd *cobra.Command, words []string) *cobra.Command {
	for _, w := range words {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == w })
		if i >= 0 {
			cmd = cmd.Commands()[i]
			continue
		}
		next := &cobra.Command{Use: w}
		cmd.AddCommand(next)
		cmd = next
	}
	return cmd
}

// ofTable is the annotation of commands that are operations.
var ofTable = map[string]string{"of": "table"}

// isOperation reports whether a command was made by makeRunnable.
func isOperation(cmd *cobra.Command) bool { return cmd.Annotations["of"] == ofTable["of"] }

// makeRunnable makes cmd the command of an operation. The parameter says is the sentence that the
// command prints as the result, see [op.Says]. The command completes and checks its arguments by the
// rules of the operation before it calls the server. So an error shows the usage of the command, and
// a wrong command line starts no server.
func (p *Program) makeRunnable(cmd *cobra.Command, o *op.Op, fixed op.Args, says string) {
	cmd.Short, cmd.Long, cmd.Annotations = o.Summary(), o.Doc, ofTable
	cmd.Example = strings.TrimSpace(cmd.CommandPath() + " " + o.Example)
	cmd.Use = strings.TrimSpace(cmd.Name() + " " + strings.Join(append(places(o.Args[lastWord(o)+1:]), requiredFlags(o)...), " "))
	addFlags(cmd, o, fixed)
	cmd.ValidArgsFunction = completePlaces(o)
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		args, err := arguments(cmd, o, fixed, words)
		if err == nil {
			args = o.Complete(args)
			err = o.Check(args)
		}
		if err != nil {
			return &usageError{message: err.Error(), hint: op.HintOf(rewriteHints(err, o)), usage: usageOf(cmd)}
		}
		if err := p.readValues(cmd, o, args); err != nil {
			return p.failed(err, wantsJSON(cmd))
		}
		return p.call(cmd, o, args, says)
	}
}

// places writes the words and parameters of a command line in the form of help: <required>,
// [optional], <several...>.
func places(args []op.Arg) []string {
	var all []string
	for _, a := range args {
		if a.Param == op.Out {
			a.Param = "file"
		}
		switch {
		case a.Word != "":
			all = append(all, a.Word)
		case a.Variadic && a.Optional:
			all = append(all, "["+a.Param+"...]")
		case a.Variadic:
			all = append(all, "<"+a.Param+"...>")
		case a.Optional:
			all = append(all, "["+a.Param+"]")
		default:
			all = append(all, "<"+a.Param+">")
		}
	}
	return all
}

// example returns an example command line of the operation.
func example(o *op.Op) string {
	return strings.TrimSpace("chela " + strings.Join(forms(o)[0].words, " ") + " " + o.Example)
}

// usage returns an operation's command line, with all its forms. A parameter that chooses the form
// is written as its values: storage local|session get.
func usage(o *op.Op) string {
	written := places(o.Args)
	for i, a := range o.Args[:lastWord(o)] {
		if a.Param != "" {
			p, _ := o.Param(a.Param)
			written[i] = strings.Join(p.Enum, "|")
		}
	}
	return "chela " + strings.Join(written, " ")
}

// Names reports whether the words begin with a command of the table or of the program. A test uses
// it to find hints that name a command which does not exist.
func Names(t *op.Table, words ...string) bool {
	p := &Program{Table: func() *op.Table { return t }}
	root := p.root(line{})
	cmd, rest, err := find(root, words)
	return err == nil && cmd != root && (len(rest) == 0 || cmd.Runnable())
}
