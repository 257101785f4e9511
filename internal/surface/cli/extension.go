package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	files "chela/extension"
	"chela/internal/base/config"
	"chela/internal/engine/nativehost"
	"chela/internal/op"
)

// extensionCommand has the commands that install the extension into browsers of this machine. Other
// commands that begin with extension, such as extension list, are operations of the table.
func (p *Program) extensionCommand() *cobra.Command {
	group := &cobra.Command{Use: "extension", Short: "Share tabs of your own browser by chela's extension"}
	group.AddCommand(p.extensionInstallCommand(), p.extensionUninstallCommand(), p.extensionPackCommand())
	return group
}

func (p *Program) extensionInstallCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "install",
		Args:  asUsed,
		Short: "Unpack the extension, and let it pair by itself in browsers of this user",
		Long: "Unpack the extension into the state directory, and register with browsers of this user the program by which it pairs: then nobody has to\n" +
			"type digits. It ends with what is left to do by hand. Run it again after an update of chela; what is there already stays as it is.",
		Example: "chela extension install",
	}
	browser := cmd.Flags().String("browser", "", "register with this `BROWSER` only: chromium, chrome, edge, brave, vivaldi, or an edition such as chrome-beta")
	dir := cmd.Flags().String("user-data-dir", "", "register with a browser that is started with --user-data-dir=`DIR`, which reads nothing else")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := refuseServerFlags(cmd, "run it on the machine of the browser, where the server has to run, too"); err != nil {
			return err
		}
		c, err := p.loadConfig(cmd)
		if err != nil {
			return err
		}
		host := nativehost.For(c.State)
		places, err := hostPlaces(host, *browser, *dir)
		if err != nil {
			return err
		}
		command, err := hostCommand(cmd, c)
		if err != nil {
			return err
		}
		if err := c.State.Make(); err != nil {
			return err
		}
		if err := errors.Join(host.Unpack(c.RelayPort()), host.Install(command, places)); err != nil {
			return err
		}
		report := installedExtension{Folder: host.Folder(), ID: files.ID(), Host: host.Name, Port: c.RelayPort(), Places: places}
		if wantsJSON(cmd) {
			return p.printJSON(report)
		}
		_, err = fmt.Fprint(p.Out, report.text())
		return err
	}
	return cmd
}

// hostPlaces returns the places where browsers look for the extension's native messaging host. The
// places are for the given browser or user data directory or, if both are "", for the usual
// browsers.
func hostPlaces(host nativehost.Host, browser, userDataDir string) ([]nativehost.Place, error) {
	switch {
	case browser != "" && userDataDir != "":
		return nil, &usageError{message: "--browser and --user-data-dir exclude each other", hint: "chela extension install --user-data-dir " + userDataDir}
	case userDataDir != "" && runtime.GOOS == "windows":
		return nil, op.Errorf(op.NotSupported, "on Windows a browser reads the same registry key whatever its user data directory is").
			Hinted("chela extension install --browser chrome")
	case userDataDir != "":
		dir, err := config.AbsPath(userDataDir)
		return []nativehost.Place{host.In(dir)}, err
	case browser == "":
		return host.Usual(runtime.GOOS, os.Getenv), nil
	}
	places := host.Places(runtime.GOOS, os.Getenv)
	var names []string
	for _, place := range places {
		if place.Browser == browser {
			return []nativehost.Place{place}, nil
		}
		names = append(names, place.Browser)
	}
	return nil, &usageError{message: fmt.Sprintf("no browser is called %q", browser), hint: "one of " + strings.Join(names, ", ")}
}

// hostCommand returns the command line that a browser starts for the extension. The browser may have
// another environment than this command, so flags in the line say which server is meant.
func hostCommand(cmd *cobra.Command, c *config.Config) ([]string, error) {
	program, err := pathToKeep()
	if err != nil {
		return nil, err
	}
	command := []string{program, hostWord, "--state-dir=" + c.State.Dir}
	if flags := settings(cmd); flags.File != "" || config.Env("CHELA_CONFIG_PATH") != "" {
		command = append(command, "--config="+c.File)
	}
	return command, nil
}

// installedExtension is the result of chela extension install.
type installedExtension struct {
	Folder string             `json:"path"`       // folder of the unpacked extension
	ID     string             `json:"id"`         // id that browsers give the extension
	Host   string             `json:"host"`       // name of the native messaging host
	Port   int                `json:"port"`       // port at which the extension finds chela
	Places []nativehost.Place `json:"registered"` // where the host was registered
}

// text returns the result for a person, with the steps that are left to do.
func (e installedExtension) text() string {
	var browsers []string
	for _, place := range e.Places {
		browsers = append(browsers, place.Browser)
	}
	return fmt.Sprintf(`the extension is in %s, and pairs by itself in: %s

What is left to do, once in each browser, or in each profile of it:
  1. Open chrome://extensions, and switch on developer mode. It must stay on.
  2. Press "Load unpacked", and choose that folder. If the extension is there already, press its reload button.
  3. Press chela's button in the toolbar, and share a tab.
chela extension list shows the browsers that are paired; chela tabs --profile chrome lists what they share.
`, e.Folder, strings.Join(browsers, ", "))
}

func (p *Program) extensionUninstallCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "uninstall",
		Args:    asUsed,
		Short:   "Remove what install has written, also in the folders of browsers; paired browsers stay paired",
		Example: "chela extension uninstall",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseServerFlags(cmd, "run it on the machine of the browser"); err != nil {
				return err
			}
			state, err := config.StateAt(settings(cmd).StateDir)
			if err != nil {
				return err
			}
			was, err := nativehost.For(state).Uninstall()
			if err != nil {
				return err
			}
			if wantsJSON(cmd) {
				return p.printJSON(map[string]any{"removed": slices.Concat([]nativehost.Place{}, was)})
			}
			for _, place := range was {
				fmt.Fprintln(p.Out, "removed", place.At)
			}
			_, err = fmt.Fprintln(p.Out, "remove the extension at chrome://extensions as well; chela extension list and chela extension revoke end what is paired")
			return err
		},
	}
}

func (p *Program) extensionPackCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pack",
		Args:  asUsed,
		Short: "Write the extension into a zip file, for other machines or a store",
		Long: "Write the extension into a zip file, for other machines or a store. It is the same file each time, and names no chela:\n" +
			"where chela extension install was not run, it finds chela at port 18799 and is paired by six digits.",
		Example: "chela extension pack --out chela-extension.zip",
	}
	out := cmd.Flags().String("out", "chela-extension.zip", "the `FILE`, which is replaced if it is there")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := packExtension(*out); err != nil {
			return err
		}
		path, err := filepath.Abs(*out)
		if err != nil {
			return err
		}
		if wantsJSON(cmd) {
			return p.printJSON(map[string]string{"path": path})
		}
		_, err = fmt.Fprintln(p.Out, path)
		return err
	}
	return cmd
}

// packExtension writes the zip file of the extension. After an error, it leaves no incomplete file.
func packExtension(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(files.Pack(file), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
