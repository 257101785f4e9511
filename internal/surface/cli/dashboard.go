package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	programs "chela/internal/base/program" // the tests have a function program
	"chela/internal/surface/client"
	"chela/internal/surface/dashboard"
)

// dashboardCommand opens the dashboard of the server of the state directory in the user's own browser.
// It gets the link over the server's Unix socket, so it works only on the server's machine.
func (p *Program) dashboardCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dashboard",
		Args:  asUsed,
		Short: "Open the dashboard in your browser: watch agents, take over tabs, answer questions",
		Long: "Open the dashboard in your browser, by a link that works once, within a minute.\n" +
			"With --print, the link is only printed. If gateway.bind is set, links for other machines, such as a phone, are printed as well: only one of these links can be used.",
		Example: "chela dashboard --print",
	}
	show := cmd.Flags().Bool("print", false, "print the link, and do nothing else")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.askOwnServer(cmd, func(c *client.Client) (json.RawMessage, error) { return c.DashboardLink(cmd.Context()) }, func(raw []byte) error {
			var link struct {
				URL       string
				Elsewhere []string
			}
			err := json.Unmarshal(raw, &link)
			switch {
			case err != nil:
			case !*show && openInBrowser(link.URL) == nil:
				_, err = fmt.Fprintln(p.Out, "opened the dashboard in your browser; if it does not come: chela dashboard --print")
			default:
				_, err = fmt.Fprintln(p.Out, strings.Join(append([]string{link.URL}, link.Elsewhere...), "\n"))
			}
			return err
		})
	}
	return cmd
}

// openInBrowser opens an address in the user's own browser. The error says that there is no browser,
// or no desktop on which it could be shown.
func openInBrowser(url string) error {
	var words []string
	switch runtime.GOOS {
	case "darwin":
		words = []string{"open"}
	case "windows":
		words = []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return exec.ErrNotFound
		}
		words = []string{"xdg-open"}
	}
	opener := exec.Command(words[0], append(words[1:], url)...)
	opener.Env = programs.Environment()
	if err := asUser(opener.Start); err != nil { // the browser saves downloads with the umask of the opener
		return err
	}
	done := make(chan error, 1)
	go func() { done <- opener.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(openTime): // some openers become the browser, and run until the browser is closed
		return nil
	}
}

// openTime is how long openInBrowser waits for an error of the program that opens an address.
const openTime = 3 * time.Second

// liveSettings lets the dashboard read and change the settings of a running server.
type liveSettings struct{ live *config.Live }

// List lists the settings as they are in the configuration file now. The running server uses some of
// them only after its next start.
func (l liveSettings) List() ([]dashboard.Setting, error) {
	c, err := l.live.Reread()
	if err != nil {
		return nil, configError(err)
	}
	return dashboard.Settings(c)
}

// Set sets a key in the configuration file, as chela config set does.
func (l liveSettings) Set(key string, value any) error {
	_, err := l.live.Set(key, value)
	return configError(err)
}
