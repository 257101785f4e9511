package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chela/internal/base/config"
)

// manCommand writes the manual pages for system packages.
func (p *Program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man <folder>",
		Args:    asUsed,
		Short:   "Write the manual pages into a folder: chela.1, and one for each command, such as chela-click.1",
		Long:    "Write the manual pages into a folder, which is made if it is not there: chela.1, and one for each command, such as chela-click.1.",
		Example: "chela man ./man1",
		RunE: func(_ *cobra.Command, words []string) error {
			return asUser(func() error { return p.writeManual(words[0]) })
		},
	}
}

// writeManual writes a page for each command. Cobra's own package for that reads the texts as
// Markdown, so it loses words such as <ref>.
func (p *Program) writeManual(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root := p.root(line{})
	if err := writePage(folder, "chela", p.manualOfAll(root)); err != nil {
		return err
	}
	return eachPage(root, func(cmd *cobra.Command) error {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		return writePage(folder, name, p.manualOf(cmd, name))
	})
}

func writePage(folder, name, text string) error {
	return os.WriteFile(filepath.Join(folder, name+".1"), []byte(text), 0o644)
}

// eachPage calls the function do with each command below cmd, except hidden ones.
func eachPage(cmd *cobra.Command, do func(*cobra.Command) error) error {
	for _, below := range cmd.Commands() {
		if below.Hidden {
			continue
		}
		if err := do(below); err != nil {
			return err
		}
		if err := eachPage(below, do); err != nil {
			return err
		}
	}
	return nil
}

// manualOfAll returns the page chela.1: first commands for a beginner, the list of all commands,
// and the environment variables.
func (p *Program) manualOfAll(root *cobra.Command) string {
	m := p.newPage("chela", "gives AI agents a browser")
	m.section("SYNOPSIS")
	m.line(".B chela", "command [arguments] [flags]")
	m.section("DESCRIPTION")
	m.text("chela drives a browser, for people and for agents. The first command starts what it needs. Each command has a page, such as chela-click(1). chela docs has more.")
	m.verbatim(Start)
	for _, chapter := range chapters(p.Table()) {
		m.section(strings.ToUpper(chapter.title))
		for _, o := range chapter.ops {
			m.entry(usage(o), o.Summary())
		}
	}
	m.section(strings.ToUpper(programGroup))
	eachCommand(root, func(c *cobra.Command) {
		if !isOperation(c) {
			m.entry(usageOf(c), c.Short)
		}
	})
	m.section("OPTIONS")
	m.flags(root.PersistentFlags())
	m.section("ENVIRONMENT")
	for _, v := range config.Environment {
		m.entry(v.Name, v.Doc)
	}
	m.section("FILES")
	m.entry("~/.chela", "the state directory: the configuration chela.json, the token, and the data of browsers")
	return m.String()
}

// manualOf returns the page of a command. It has the same parts as helpOn.
func (p *Program) manualOf(cmd *cobra.Command, name string) string {
	short := cmp.Or(cmd.Short, "commands that begin with "+cmd.CommandPath())
	m := p.newPage(name, short)
	m.section("SYNOPSIS")
	if cmd.Runnable() {
		m.line(".B "+roff(cmd.CommandPath()), roff(strings.TrimSpace(strings.TrimPrefix(cmd.Use, cmd.Name())+" [flags]")))
	}
	if cmd.HasAvailableSubCommands() {
		m.line(".B "+roff(cmd.CommandPath()), "command")
	}
	m.section("DESCRIPTION")
	if cmd.Long != "" {
		m.text(cmd.Long)
	} else {
		m.text(strings.ToUpper(short[:1]) + short[1:] + ".")
	}
	if cmd.Example != "" {
		m.section("EXAMPLE")
		m.verbatim(cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		m.section("COMMANDS")
		for _, c := range cmd.Commands() {
			if !c.Hidden {
				m.entry(usageOf(c), c.Short)
			}
		}
	}
	if cmd.Runnable() {
		m.section("OPTIONS")
		m.flags(cmd.LocalFlags())
		m.text("The flags of all commands are in chela(1).")
	}
	m.section("SEE ALSO")
	m.text("chela(1)")
	return m.String()
}

// A manualPage is a text for the program man, in the language roff with the macros of man(7).
type manualPage struct{ strings.Builder }

// newPage begins a page. The page has the date of the program's commit, so that two builds of the same
// commit make equal pages.
func (p *Program) newPage(name, short string) *manualPage {
	m := new(manualPage)
	date, _, _ := strings.Cut(p.Build.Time, "T")
	m.line(fmt.Sprintf(".TH %q 1 %q %q chela", strings.ToUpper(name), date, "chela "+p.Version))
	m.section("NAME")
	m.line(roff(name) + ` \- ` + roff(short))
	return m
}

func (m *manualPage) line(lines ...string) { m.WriteString(strings.Join(lines, "\n") + "\n") }

func (m *manualPage) section(title string) { m.line(".SH " + title) }

// text writes paragraphs, which an empty line separates.
func (m *manualPage) text(s string) {
	m.line(".PP", strings.ReplaceAll(roff(s), "\n\n", "\n.PP\n"))
}

// verbatim writes lines as they are.
func (m *manualPage) verbatim(s string) { m.line(".PP", ".nf", roff(s), ".fi") }

// entry writes an entry of a list: a term, and below it its description.
func (m *manualPage) entry(what, meaning string) { m.line(".TP", ".B "+roff(what), roff(meaning)) }

func (m *manualPage) flags(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, meaning := pflag.UnquoteUsage(f)
		m.entry(strings.TrimSpace("--"+f.Name+" "+value), meaning)
	})
}

// roff escapes a text for roff. A hyphen would be shown as another character, which cannot be
// copied into a terminal. A line that begins with a dot or an apostrophe would be a command.
func roff(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
