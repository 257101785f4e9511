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
	"chela/internal/surface/client"
	"chela/internal/surface/dashboard"
)

// dashboardCommand opens the dashboard of the server of the state directory, in the browser of the
// person. Only this machine gets a link, over the server's Unix socket.
func (p *Program) dashboardCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dashboard",
		Args:  cobra.NoArgs,
		Short: "Open the dashboard in your browser: watch agents, take over tabs, answer questions",
		Long: "Open the dashboard in your browser, by a link that works once, within a minute.\n" +
			"With --print, the link is only printed. With gateway.bind, links for other machines are printed, such as a phone: each is the same link, and one of them works.",
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

// openInBrowser opens an address in the person's own browser. The error says that there is none, or
// no desktop on which it could be shown.
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
	if err := opener.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- opener.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(openTime): // some openers are the browser itself, and run as long as it does
		return nil
	}
}

// openTime is how long a program that opens an address may take to fail.
const openTime = 3 * time.Second

// liveSettings are the settings of a running server, for the dashboard.
type liveSettings struct{ live *config.Live }

// List lists the settings as the file has them now. Some take effect at the next start of the server.
func (l liveSettings) List() ([]dashboard.Setting, error) {
	c, err := l.live.Reread()
	if err != nil {
		return nil, configError(err)
	}
	return dashboard.Settings(c)
}

// Set sets a key in the configuration file, as chela config set does.
func (l liveSettings) Set(key, text string) error {
	_, err := l.live.Set(key, text)
	return configError(err)
}
