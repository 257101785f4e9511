package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chela/internal/api"
)

// Every command has an example that names this command and that it can parse.
func TestExamples(t *testing.T) {
	p := &Program{Table: api.Table}
	eachCommand(p.root(line{}), func(cmd *cobra.Command) {
		l := p.parse(split(strings.TrimPrefix(cmd.Example, "chela ")))
		found, words, err := find(p.root(l), l.words)
		switch {
		case err != nil || found.CommandPath() != cmd.CommandPath():
			t.Errorf("%s has the example %q, which is another command: %v", cmd.CommandPath(), cmd.Example, err)
		default:
			if err := p.understands(found, l, words); err != nil {
				t.Errorf("%s: %v", cmd.Example, err)
			}
		}
	})
}

// Whether a flag takes a value depends on the command before it. Another command may have a flag of the
// same name that differs in this.
func TestFlagsTakeValuesInEachCommand(t *testing.T) {
	p := &Program{Table: api.Table}
	eachCommand(p.root(line{}), func(cmd *cobra.Command) {
		cmd.InheritedFlags() // this call merges the inherited flags into Flags
		words := strings.Fields(cmd.CommandPath())[1:]
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			takes := f.NoOptDefVal == ""
			if p.takesValue(f.Name, words) != takes || p.takesValue(f.Name, append([]string{"browser"}, words...)) != takes {
				t.Errorf("%s --%s: takes a value: %v; parse thinks otherwise", cmd.CommandPath(), f.Name, takes)
			}
		})
	})
}

// understands reports what is wrong with the flags and words of a command.
func (p *Program) understands(cmd *cobra.Command, l line, words []string) error {
	if err := cmd.ParseFlags(l.flags); err != nil {
		return err
	}
	if err := cmd.ValidateArgs(words); err != nil {
		return err
	}
	for _, o := range p.Table().Ops {
		all := forms(o)
		for _, alias := range o.Aliases {
			all = append(all, form{words: strings.Fields(alias.Words)})
		}
		for _, form := range all {
			if cmd.CommandPath() == "chela "+strings.Join(form.words, " ") {
				args, err := arguments(cmd, o, form.fixed, words)
				if err == nil {
					err = o.Check(args)
				}
				return err
			}
		}
	}
	return nil
}

var word = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

// split splits a line into words as a shell does, as far as examples need it.
func split(line string) []string {
	words := word.FindAllString(line, -1)
	for i, w := range words {
		if q := w[:1]; slices.Contains([]string{"'", `"`}, q) {
			words[i] = strings.Trim(w, q)
		}
	}
	return words
}

// A global flag means the same in all commands, unless an operation has a parameter of that name.
// There, --timeout is the deadline of the operation, --session the session to end, and --password a
// password for a web server. Before the command, --password is still the one for chela's server.
func TestFlagsOfAllCommandsStay(t *testing.T) {
	p := &Program{Table: api.Table}
	global := p.root(line{}).PersistentFlags()
	for _, o := range api.Table().Ops {
		for _, param := range o.Params() {
			for _, name := range param.Flags {
				if global.Lookup(name) != nil && !slices.Contains([]string{"timeout", "session", "password"}, name) {
					t.Errorf("%s hides the flag --%s of all commands", o.Name(), name)
				}
			}
		}
	}
}
