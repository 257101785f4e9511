package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/engine/chrome"
	"chela/internal/op"
)

// executableKey is the setting that names the browser to start.
const executableKey = "browser.executablePath"

// installCommand installs a browser on a machine without one, see [chrome.Install], or sets the
// browser that chela starts.
func (p *Program) installCommand() *cobra.Command {
	var channel, path string
	cmd := &cobra.Command{
		Use:   "install",
		Args:  asUsed,
		Short: "Install a browser, if there is none, or choose one",
		Long: "Install a browser by the system's package manager, if there is none or if it is more than 45 days old. The commands that do so are printed.\n" +
			"With --channel or --path, chela uses this browser from then on: it becomes " + executableKey + " in the configuration.\n" +
			"Nothing is downloaded from elsewhere than the package sources of the system. Those of Chrome, Edge and Brave are added by you.",
		Example: "chela install --channel chrome",
	}
	cmd.Flags().StringVar(&channel, "channel", "", "`BROWSER` to install and use: "+strings.Join(chrome.Channels(), "|"))
	cmd.Flags().StringVar(&path, "path", "", "use the browser whose program is `FILE`")
	cmd.RegisterFlagCompletionFunc("channel", cobra.FixedCompletions(chrome.Channels(), cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		chooses := cmd.Flags().Changed("channel")
		switch {
		case chooses && cmd.Flags().Changed("path"):
			return &usageError{message: "--channel and --path exclude each other", hint: "chela help install"}
		case cmd.Flags().Changed("path"):
			return p.useBrowser(cmd, path)
		case chooses && !slices.Contains(chrome.Channels(), channel):
			return &usageError{message: fmt.Sprintf("no browser is called %q", channel), hint: "one of " + strings.Join(chrome.Channels(), ", ")}
		}
		found, err := chrome.Install(cmd.Context(), p.Out, channel)
		if failed, ok := errors.AsType[*chrome.InstallError](err); ok && failed.Updates {
			p.warn(err.Error()) // the old browser can be used
			err = nil
		}
		if err != nil || !chooses {
			return err
		}
		return p.setExecutable(cmd, found.Path)
	}
	return cmd
}

// useBrowser makes the browser at a path the one that chela starts. The browser must print its version
// when run with --version.
func (p *Program) useBrowser(cmd *cobra.Command, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	version, err := versionOf(cmd.Context(), path)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.Out, "version", version, "is at", path)
	return p.setExecutable(cmd, path)
}

// versionOf returns the version of the browser at a path.
func versionOf(ctx context.Context, path string) (string, error) {
	found, err := chrome.Find(path)
	if err != nil {
		return "", op.Errorf(op.NotFound, "%s is not a file that can be run", path).Hinted("name the program of the browser, such as /usr/bin/chromium")
	}
	about := found.Describe(ctx)
	if about.Version == "" {
		return "", op.Errorf(op.Invalid, "%s does not say its version, as a browser does with --version", path).
			Hinted("name the program of a browser of the Chromium family; or: chela config set %s %s", executableKey, path)
	}
	return about.Version, nil
}

// setExecutable sets browser.executablePath in the configuration, so that chela starts the browser at
// a path from now on.
func (p *Program) setExecutable(cmd *cobra.Command, path string) error {
	c, err := config.Set(settings(cmd), executableKey, path)
	if err != nil {
		err = configError(err)
		wish := fmt.Sprintf("%s is to be %q, and is not set: ", executableKey, path)
		if e, ok := errors.AsType[*op.Error](err); ok { // printed by its own message
			with := *e
			with.Message = op.PageText(wish) + e.Message
			return &with
		}
		return fmt.Errorf("%s%w", wish, err)
	}
	_, err = fmt.Fprintf(p.Out, "%s is %s now, in %s; to have one looked for again: chela config set %[1]s null\n", executableKey, path, c.File)
	return err
}
