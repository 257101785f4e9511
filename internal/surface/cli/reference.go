package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/mcp"
	"chela/internal/surface/server"
)

// Reference writes the documentation of all operations, commands and routes, in Markdown. The output
// is the file docs/reference.md. A test checks that the file is up to date.
func Reference(w io.Writer, t *op.Table) {
	fmt.Fprint(w, "# Reference\n\nMade from the table of operations; do not edit.\n\n"+
		"An operation has one name: the words of its command are also the action of the agent tool. Each is described by its command,\n"+
		"its HTTP routes, its action, and its parameters: their names in requests (* is required) and their flags.\n\n"+
		"Many operations take some of these parameters. Below, each operation has only their names.\n")
	common := commonRows(t)
	paramTable(w, common)
	for _, chapter := range chapters(t) {
		fmt.Fprintf(w, "\n## %s\n", chapter.title)
		for _, o := range chapter.ops {
			section(w, o, common)
		}
	}
	fmt.Fprintf(w, "\n## %s\n\nThese are commands only.\n", programGroup)
	p := &Program{Table: func() *op.Table { return t }}
	eachCommand(p.root(line{}), func(cmd *cobra.Command) {
		if !isOperation(cmd) {
			ownSection(w, cmd)
		}
	})
	fmt.Fprint(w, "\n## Documents and streams\n\nThese are HTTP only.\n")
	for _, r := range server.Raw() {
		rawSection(w, r)
	}
	configurationSection(w)
}

// configurationSection describes the keys of the configuration file and the variables of
// the environment.
func configurationSection(w io.Writer) {
	fmt.Fprint(w, "\n## Configuration\n\n"+
		"The keys of the configuration file: JSON with comments, or JSON5. `chela config set` edits the former. A change has an effect\n"+
		"from the next call on, unless the key says from when. Flags have precedence over the environment, and the\n"+
		"environment over the file. Keys that are *not in effect* are read and checked, and change nothing yet.\n\n"+
		"| key | type | default | |\n|---|---|---|---|\n")
	for _, key := range config.Keys() {
		doc := key.Doc
		if key.Later {
			doc += " (*not in effect*)"
		}
		if from := key.From.String(); from != "" {
			doc += " (*" + from + "*)"
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", key.Path, key.Kind(), defaultOf(key), cell(doc))
	}
	fmt.Fprint(w, "\n## Environment\n\nA variable of OpenClaw has an effect where ours is not set.\n\n| variable | OpenClaw's | |\n|---|---|---|\n")
	for _, v := range config.Environment {
		theirs := v.OpenClaw
		if theirs != "" {
			theirs = "`" + theirs + "`"
		}
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", v.Name, theirs, cell(v.Doc))
	}
}

// defaultOf returns the default of a key; "" if the default is an empty value.
func defaultOf(key config.Key) string {
	raw, err := json.Marshal(key.Default)
	if text := string(raw); err == nil && text != "null" && text != `""` && text != "0" {
		return "`" + text + "`"
	}
	return ""
}

// eachCommand calls the function do with cmd and all commands below it that can be run and are not
// hidden.
func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	if cmd.Runnable() && !cmd.Hidden {
		do(cmd)
	}
	for _, below := range cmd.Commands() {
		eachCommand(below, do)
	}
}

// ownSection describes a command that is not an operation.
func ownSection(w io.Writer, cmd *cobra.Command) {
	name := strings.TrimPrefix(cmd.CommandPath(), "chela ")
	fmt.Fprintf(w, "\n### %s\n\n%s.\n\n    %s\n\nExample: `%s`\n", name, cmd.Short, usageOf(cmd), cmd.Example)
	if flags := cmd.LocalFlags(); flags.HasAvailableFlags() {
		fmt.Fprintln(w)
		flags.VisitAll(func(f *pflag.Flag) {
			if _, usage := pflag.UnquoteUsage(f); !f.Hidden {
				fmt.Fprintf(w, "- `--%s` %s\n", f.Name, usage)
			}
		})
	}
}

// rawSection describes a route that is not an operation.
func rawSection(w io.Writer, r server.RawRoute) {
	fmt.Fprintf(w, "\n### %s %s\n\n%s\n", r.Method, r.Path, r.Doc)
	if r.Takes != "" {
		fmt.Fprintf(w, "\nThe body is `%s`.", r.Takes)
	}
	fmt.Fprintf(w, "\nThe answer is `%s`.\n", r.Gives)
	for _, q := range r.Params {
		must := ""
		if q.Required {
			must = " *"
		}
		name := "?" + q.Name + "="
		if r.InPath(q) {
			name = "{" + q.Name + "}"
		}
		fmt.Fprintf(w, "\n- `%s`%s %s\n", name, must, q.Doc)
	}
}

// commonRows returns the table rows of parameters that are the same in at least minCommon operations.
// Two rows of one name, such as deadlines with different limits, would not say which operation has
// which. So only one of them is returned.
func commonRows(t *op.Table) (rows []string) {
	takers, listed := map[string]int{}, map[string]bool{}
	for _, o := range t.Ops {
		for _, p := range o.Params() {
			if takers[paramRow(p)]++; takers[paramRow(p)] >= minCommon && !listed[p.Name] {
				rows, listed[p.Name] = append(rows, paramRow(p)), true
			}
		}
	}
	return rows
}

const minCommon = 20 // parameters of at least so many operations are described once, at the beginning

// section describes an operation: the command, the routes, the action of the agent tool, its notes
// and its parameters.
func section(w io.Writer, o *op.Op, common []string) {
	fmt.Fprintf(w, "\n### %s\n\n%s\n\n    %s\n", o.Name(), o.Doc, usage(o))
	for _, r := range o.Routes {
		fmt.Fprintf(w, "    %s %s", r.Method, r.Path)
		switch {
		case r.Field != "" && r.Method == http.MethodPost:
			fmt.Fprintf(w, "  {%q: %q}", r.Field, r.Value)
		case r.Field != "":
			fmt.Fprintf(w, "?%s=%s", r.Field, r.Value)
		}
		fmt.Fprintln(w)
	}
	if o.ForAgents() {
		fmt.Fprintf(w, "    {\"action\": %q}\n", mcp.Action(o))
	}
	for _, alias := range o.Aliases {
		fmt.Fprintf(w, "\nAlso called %s.\n", alias.Words)
	}
	if o.Example != "" {
		fmt.Fprintf(w, "\nExample: `%s`\n", example(o))
	}
	if notes := notes(o); len(notes) > 0 {
		fmt.Fprintf(w, "\n%s\n", strings.Join(notes, " "))
	}
	var own, also []string
	for _, p := range o.Params() {
		if r := paramRow(p); slices.Contains(common, r) {
			also = append(also, "`"+p.Name+"`")
		} else {
			own = append(own, r)
		}
	}
	if len(own) > 0 {
		paramTable(w, own)
	}
	if len(also) > 0 {
		fmt.Fprintf(w, "\nIt also takes %s.\n", strings.Join(also, ", "))
	}
}

// paramTable writes a table of parameters.
func paramTable(w io.Writer, rows []string) {
	fmt.Fprintf(w, "\n| parameter | flag | type | |\n|---|---|---|---|\n%s", strings.Join(rows, ""))
}

// paramRow returns the row of a parameter in a table that paramTable writes.
func paramRow(p op.Param) string {
	return fmt.Sprintf("| `%s`%s | %s | %s | %s |\n", p.Name, required(p), flagsOf(p), typeOf(p), cell(meaning(p)))
}

// notes returns sentences about the operation's traits, which a caller cannot see from the
// parameters.
func notes(o *op.Op) []string {
	var all []string
	if o.RunsScript() {
		all = append(all, "Off when `browser.evaluateEnabled` is false.")
	}
	if o.Untrusted() {
		all = append(all, "The result contains text of web pages, which is untrusted.")
	}
	if o.NeverStart() {
		all = append(all, "The command does not start a server.")
	}
	if !o.ForAgents() {
		all = append(all, "The agent tool does not offer it.")
	}
	return all
}

// required returns the star that marks a required parameter, or "" for an optional one.
func required(p op.Param) string {
	if p.Required {
		return " *"
	}
	return ""
}

// flagsOf lists the flags of a parameter; none for one that only HTTP and agents can
// set.
func flagsOf(p op.Param) string {
	if !p.OnCommandLine() {
		return ""
	}
	var all []string
	for _, name := range p.Flags {
		all = append(all, "`--"+strings.TrimPrefix(name, "!")+"`")
	}
	return strings.Join(all, " ")
}

// typeOf returns the type of a parameter for readers: its values, or its JSON type and bounds.
func typeOf(p op.Param) string {
	if len(p.Enum) > 0 {
		return cell(strings.Join(p.Enum, " | "))
	}
	kind, ok := p.Schema()["type"].(string)
	if !ok {
		return "any"
	}
	switch {
	case p.Min != nil && p.Max != nil:
		kind += fmt.Sprintf(", %v to %v", *p.Min, *p.Max)
	case p.Min != nil:
		kind += fmt.Sprintf(", from %v", *p.Min)
	case p.Max != nil:
		kind += fmt.Sprintf(", to %v", *p.Max)
	}
	return kind
}

// meaning returns the description of a parameter, with its default.
func meaning(p op.Param) string {
	if p.Default != "" && p.Agents != "" {
		return p.Doc + " (default: " + p.Default + ", for agents " + p.Agents + ")"
	}
	if p.Default != "" {
		return p.Doc + " (default: " + p.Default + ")"
	}
	return p.Doc
}

// cell escapes the characters that would end a cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
