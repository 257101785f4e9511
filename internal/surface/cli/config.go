package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/client"
)

// configCommand has the commands that read and change the configuration file. They need no server.
// The HTTP API has no such operations: a caller that may use the browser must not be able to change
// what the user allows it.
func (p *Program) configCommand() *cobra.Command {
	group := &cobra.Command{Use: "config", Short: "Read and change the configuration file"}
	group.AddCommand(p.configPathCommand(), p.configGetCommand(), p.configSetCommand(), p.configCheckCommand())
	return group
}

func (p *Program) configPathCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "path",
		Args:    asUsed,
		Short:   "Print the path of the configuration file, which need not exist",
		Example: "chela config path",
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, err := settings(cmd).Path()
			if err != nil {
				return configError(err)
			}
			return p.printValue(cmd, file)
		},
	}
}

func (p *Program) configGetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "get [key]",
		Args:  asUsed,
		Short: "Print the value of a key that is in force, or all of them",
		Long: "Print the value of a key that is in force, from the environment, the configuration file or the defaults.\n" +
			"Without a key, print the whole configuration, without its secrets.",
		Example:           "chela config get browser.headless",
		ValidArgsFunction: completeKeys,
		RunE: func(cmd *cobra.Command, words []string) error {
			c, err := p.loadConfig(cmd)
			if err != nil {
				return err
			}
			key := ""
			if len(words) > 0 {
				key = words[0]
			}
			value, err := c.Get(key)
			if err != nil {
				return configError(err)
			}
			return p.printValue(cmd, value)
		},
	}
}

func (p *Program) configSetCommand() *cobra.Command {
	add := false
	cmd := &cobra.Command{
		Use:   "set <key> <value>",
		Args:  asUsed,
		Short: "Set a key in the configuration file; null removes it",
		Long: "Set a key in the configuration file; the value null removes it. Comments and all else in the file stay as they are.\n" +
			"Lists and objects are written as JSON. With --add, the value is added to a list. A running server uses the new value from its next call on,\n" +
			"unless the command says from when.",
		Example:           "chela config set browser.headless true",
		ValidArgsFunction: completeKeys,
		RunE: func(cmd *cobra.Command, words []string) error {
			change := config.Set
			if add {
				change = config.Add
			}
			c, err := change(settings(cmd), words[0], words[1])
			if err != nil {
				return configError(err)
			}
			p.warn(c.Report()...)
			if _, err := openOutside(c); err != nil && strings.HasPrefix(words[0], "gateway.") {
				p.warn(err.Error())
			}
			value, err := c.Get(words[0])
			if err != nil {
				return err
			}
			if wantsJSON(cmd) {
				return p.printJSON(map[string]any{"ok": true, "file": c.File, "key": words[0], "value": value, "inForce": config.InForce(words[0])})
			}
			now := op.Plain(valueText(value))
			done := fmt.Sprintf("is %s now, in %s", now, c.File)
			if words[1] == "null" && !add {
				done = "is removed from " + c.File
				if value != nil && value != "" { // of the environment, the saved profiles or the defaults
					done += ", and is " + now + " now"
				}
			}
			if _, err = fmt.Fprintln(p.Out, words[0], done); err != nil {
				return err
			}
			if from := config.InForce(words[0]); from != "" {
				_, err = fmt.Fprintln(p.Out, "in force "+from)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&add, "add", false, "add the value to the list that the key has")
	return cmd
}

func (p *Program) configCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Args:  asUsed,
		Short: "Check the configuration file",
		Long: "Check the configuration file. What is wrong is an error; keys that chela does not know,\n" +
			"and those that are not in effect yet, are warnings.",
		Example: "chela config check",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(settings(cmd))
			if err != nil {
				return configError(err)
			}
			if _, err := openOutside(c); err != nil {
				return err
			}
			if _, err := defaultServerOf(c.Control()); err != nil {
				return err
			}
			report := c.Report()
			if outdated := p.outdated(cmd.Context(), c); outdated != "" {
				report = append(report, "the running server: "+outdated)
			}
			if wantsJSON(cmd) {
				return p.printJSON(map[string]any{"ok": true, "file": c.File, "warnings": append([]string{}, report...)})
			}
			for _, warning := range report {
				fmt.Fprintln(p.Out, "warning: "+op.Plain(warning))
			}
			verdict := "no errors"
			if len(report) == 0 {
				verdict += ", no warnings"
			}
			_, err = fmt.Fprintf(p.Out, "%s: %s\n", c.File, verdict)
			return err
		},
	}
}

// outdated returns why a running server does not use the present configuration file, see
// [config.Config.Outdated]; "" if it does. It asks the server, since only the server knows whether
// the file that it uses was deleted.
func (p *Program) outdated(ctx context.Context, c *config.Config) string {
	server, err := c.State.Server()
	status := p.Table().At("GET", "/")
	if err != nil || server.Config != c.File || len(status) == 0 || c.State.Trust() != nil {
		return ""
	}
	raw, err := client.Unix(c.State.Socket, client.Secret{}).Run(ctx, status[0], op.Args{})
	var answer struct{ ConfigOutdated string }
	if err != nil || json.Unmarshal(raw, &answer) != nil {
		return ""
	}
	return answer.ConfigOutdated
}

// loadConfig reads the configuration and prints the warnings about it.
func (p *Program) loadConfig(cmd *cobra.Command) (*config.Config, error) {
	c, err := config.Load(settings(cmd))
	if err != nil {
		return nil, configError(err)
	}
	p.warn(c.Report()...)
	return c, nil
}

// configError adds a hint to an error about the configuration.
func configError(err error) error {
	if unknown, ok := errors.AsType[*config.UnknownKeyError](err); ok {
		hint := "chela config get lists all keys"
		if unknown.Meant != "" {
			hint = fmt.Sprintf("did you mean %s?", unknown.Meant)
		}
		return op.Errorf(op.Invalid, "%v", err).Hinted("%s", hint)
	}
	if uneditable, ok := errors.AsType[*config.UneditableError](err); ok {
		return op.Errorf(op.Conflict, "%v", uneditable).Hinted("%s", uneditable.Hint)
	}
	if other, ok := errors.AsType[*config.NoListError](err); ok {
		return op.Errorf(op.Invalid, "%v", other).Hinted("set its value without --add")
	}
	if redacted, ok := errors.AsType[*config.RedactedError](err); ok {
		return op.Errorf(op.Invalid, "%v", redacted).Hinted("write the secret itself; nothing was changed")
	}
	if refused, ok := errors.AsType[*config.RefusedError](err); ok {
		e := op.Errorf(op.Invalid, "%v", refused)
		if strings.HasPrefix(refused.Problem, refused.Key+" must be a list") {
			return e.Hinted(`add one value with --add, or write a list as JSON, such as '["a", "b"]'; the file was not changed`)
		}
		return e.Hinted("give %s another value; the file was not changed", refused.Key)
	}
	if wrong, ok := errors.AsType[*config.FileError](err); ok {
		return op.Errorf(op.Invalid, "%v", wrong).Hinted("correct the file, or name another one with --config; chela config check reads it")
	}
	return err
}

// printValue prints a value of the configuration: a string as it is, all else as JSON.
func (p *Program) printValue(cmd *cobra.Command, value any) error {
	if wantsJSON(cmd) {
		return p.printJSON(value)
	}
	_, err := fmt.Fprintln(p.Out, op.Plain(valueText(value)))
	return err
}

func valueText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	raw, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func (p *Program) printJSON(value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return indent(p.Out, raw)
}

// completeKeys offers a shell the keys of the configuration for the first word of a command.
var completeKeys = completeFirst(func() (keys []string) {
	for _, key := range config.Keys() {
		keys = append(keys, key.Path+"\t"+key.Doc)
	}
	return keys
})
