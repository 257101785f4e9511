package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/op"
)

// Start is the list of commands for a beginner, which help shows first.
const Start = `  chela open https://example.com     open a page; the first call starts what it needs
  chela snapshot                     read it as text; elements to act on have a ref
  chela click e12                    act on the element with this ref
  chela type e3 "Ada" --submit
  chela screenshot`

// programGroup is the title of the commands about the program itself.
const programGroup = "The program"

// help prints the help on a command or, for the root command, the list of all commands. It is made
// from the table, so it always has all operations. It goes to standard output, since the user has
// asked for it.
func (p *Program) help(cmd *cobra.Command, _ []string) {
	if cmd.HasParent() {
		helpOn(p.Out, cmd)
		return
	}
	fmt.Fprintf(p.Out, "chela drives a browser, for people and for agents.\n\nStart here:\n%s\n", Start)
	for _, chapter := range chapters(p.Table()) {
		fmt.Fprintf(p.Out, "\n%s\n", chapter.title)
		for _, o := range chapter.ops {
			entry(p.Out, strings.TrimPrefix(usage(o), "chela "), o.Summary())
		}
	}
	fmt.Fprintf(p.Out, "\n%s\n", programGroup)
	eachCommand(cmd, func(c *cobra.Command) {
		if !isOperation(c) {
			entry(p.Out, strings.TrimPrefix(usageOf(c), "chela "), c.Short)
		}
	})
	fmt.Fprintf(p.Out, "\nEverywhere\n%s", cmd.PersistentFlags().FlagUsages())
	fmt.Fprint(p.Out, "\nchela help <command> describes one command.\n")
}

// helpOn describes one command: how it is written, what it does, an example, its flags, and the
// commands below it. The flags of all commands come last, under their own title.
func helpOn(w io.Writer, cmd *cobra.Command) {
	if cmd.Runnable() {
		fmt.Fprintf(w, "usage: %s [flags]\n\n", usageOf(cmd))
		fmt.Fprintln(w, cmp.Or(cmd.Long, cmd.Short+"."))
		if cmd.Example != "" {
			fmt.Fprintf(w, "\nExample\n  %s\n", cmd.Example)
		}
		if flags := cmd.LocalFlags().FlagUsages(); flags != "" {
			fmt.Fprintf(w, "\nFlags\n%s", flags)
		}
	} else {
		fmt.Fprintf(w, "usage: %s <command>\n", cmd.CommandPath())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(w, "\nCommands")
		for _, c := range cmd.Commands() {
			if !c.Hidden {
				entry(w, strings.TrimPrefix(usageOf(c), "chela "), c.Short)
			}
		}
	}
	fmt.Fprintf(w, "\nEverywhere\n%s", cmd.InheritedFlags().FlagUsages())
}

// usageOf returns a command line with its words and places, without its flags.
func usageOf(cmd *cobra.Command) string {
	return cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name())
}

// asUsed checks the words of one of the program's own commands by its usage line. There, <word> is
// required, [word] is optional, and [word...] stands for any number of words.
func asUsed(cmd *cobra.Command, words []string) error {
	wrong := func(format string, args ...any) error {
		return &usageError{message: fmt.Sprintf(format, args...), usage: usageOf(cmd)}
	}
	places := strings.Fields(cmd.Use)[1:]
	for i, place := range places {
		name := strings.Trim(place, "<>[]")
		switch {
		case strings.HasSuffix(name, "..."):
			return nil
		case i < len(words) && cmd.ValidArgs != nil && !slices.Contains(cmd.ValidArgs, words[i]):
			return wrong("%s must be %s", name, strings.Join(cmd.ValidArgs, "|"))
		case i >= len(words) && strings.HasPrefix(place, "<"):
			return wrong("%s is missing", name)
		}
	}
	if len(words) > len(places) {
		return wrong("%q is one word too many", words[len(places)])
	}
	return nil
}

// entry prints an entry of a list in two columns. If left is too long for its column, right is printed
// on a second line.
func entry(w io.Writer, left, right string) {
	if len(left) > 30 {
		fmt.Fprintf(w, "  %s\n  %30s  %s\n", left, "", right)
		return
	}
	fmt.Fprintf(w, "  %-30s  %s\n", left, right)
}

// A chapter is a title with its operations.
type chapter struct {
	title string
	ops   []*op.Op
}

// chapters collects the operations by group, in the order of the table. Operations of
// one group need not be beside each other in the table; a group comes where its first
// operation is.
func chapters(t *op.Table) []chapter {
	var all []chapter
	for _, o := range t.Ops {
		title := o.Group
		if title == "" {
			title = "Commands"
		}
		i := slices.IndexFunc(all, func(c chapter) bool { return c.title == title })
		if i < 0 {
			i = len(all)
			all = append(all, chapter{title: title})
		}
		all[i].ops = append(all[i].ops, o)
	}
	return all
}
