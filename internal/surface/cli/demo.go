package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/engine/chrome"
	"chela/internal/op"
	"chela/internal/surface/shop"
)

// demoCommand runs example commands and prints them. They buy something in a shop that this process
// serves, or show a page that the user names.
func (p *Program) demoCommand() *cobra.Command {
	var serve bool
	cmd := &cobra.Command{
		Use:     "demo [url]",
		Short:   "Show what chela does, on a small shop of its own or on a page of yours",
		Example: "chela demo https://example.com",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, args []string) error {
			d := &demo{program: p, ctx: cmd.Context(), settings: settingWords(cmd)}
			if len(args) == 1 {
				return d.look(args[0])
			}
			if server, _ := cmd.Flags().GetString("server"); cmp.Or(server, config.Env("CHELA_URL")) == "" {
				state, err := p.demoState(cmd)
				if err != nil {
					return err
				}
				d.settings, d.own = []string{"--state-dir", state.Dir}, true
			}
			return d.withShop(serve)
		},
	}
	cmd.Flags().BoolVar(&serve, "serve", false, "only serve the shop, until interrupted, to try commands on it")
	return cmd
}

// shopHost is where the shop is served.
const shopHost = "127.0.0.1"

// demoState returns the state directory of a server for the demo alone. Its browser has no logins,
// and may open only the shop. The user's own network policy is neither changed nor used. The other
// settings of the browser, such as its executable, come from the user's configuration.
func (p *Program) demoState(cmd *cobra.Command) (config.State, error) {
	c, err := p.loadConfig(cmd)
	if err != nil {
		return config.State{}, err
	}
	for _, name := range []string{"CHELA_PORT", "CHELA_CONFIG_PATH", "OPENCLAW_CONFIG_PATH", "OPENCLAW_GATEWAY_PORT"} {
		os.Unsetenv(name) // these variables are for the user's own server
	}
	b := map[string]any{
		"color": c.Browser.Color, "executablePath": c.Browser.ExecutablePath, "noSandbox": c.Browser.NoSandbox,
		"extraArgs":  chrome.WithoutProxy(c.Browser.ExtraArgs),
		"ssrfPolicy": map[string]any{"hostnameAllowlist": []string{shopHost}, "allowedHostnames": []string{shopHost}},
	}
	if c.Browser.Headless != nil {
		b["headless"] = *c.Browser.Headless
	}
	return c.State.Beside("demo", map[string]any{"browser": b})
}

// settingWords returns those flags of the command line that say which server is called.
func settingWords(cmd *cobra.Command) (words []string) {
	for _, name := range append([]string{"state-dir", "config"}, flagsForServer...) {
		if value, _ := cmd.Flags().GetString(name); value != "" {
			words = append(words, "--"+name, value)
		}
	}
	return words
}

// A demo runs commands as a user would, and prints each with its output. The commands run in this
// process, through execute, so that the demo shows what a user would get, and tests can run the
// demo.
type demo struct {
	program  *Program
	ctx      context.Context
	settings []string // flags that all commands get
	own      bool     // only the demo uses this server
	snapshot string   // the output of the last snapshot
}

// withShop serves the shop at a free port of the loopback address, and buys something in it. If
// serveOnly is true, it buys nothing, and serves the shop until d.ctx ends.
func (d *demo) withShop(serveOnly bool) error {
	l, err := net.Listen("tcp", shopHost+":0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: shop.Handler()}
	defer server.Close()
	go server.Serve(l)
	url := "http://" + l.Addr().String() + "/"
	if d.own {
		defer d.end()
	}
	if serveOnly {
		fmt.Fprintf(d.program.Out, "The shop is at %s until you press Ctrl-C. To open it:\n\n", url)
		fmt.Fprintf(d.program.Out, "    chela open %s %s\n", url, quoted(d.settings))
		<-d.ctx.Done()
		return nil
	}
	return d.buy(url)
}

// end shuts down the server of the demo and its browser, if they run.
func (d *demo) end() {
	quiet := *d.program
	quiet.Out, quiet.Err = io.Discard, io.Discard
	quiet.execute(context.WithoutCancel(d.ctx), append([]string{"shutdown"}, d.settings...))
}

// look opens a page, reads it and takes a screenshot.
func (d *demo) look(url string) error {
	return d.all([]string{"open", url}, []string{"snapshot"}, []string{"screenshot"})
}

// buy buys a mug: it fills a form of three steps, one of them in an iframe, and answers a dialog.
// A step takes a new snapshot only where the page has changed, as an agent would.
func (d *demo) buy(url string) error {
	steps := []func() error{
		func() error {
			return d.all([]string{"open", url}, []string{"wait", "--text", "Claw mug"}, []string{"snapshot"})
		},
		func() error { return d.click("Add to basket: Claw mug") },
		func() error { return d.click("Check out") },
		d.read,
		func() error { return d.put("type", "Full name", "Ada Lovelace") },
		func() error { return d.put("type", "E-mail", "ada@example.com") },
		func() error { return d.click("Continue") },
		d.read,
		func() error { return d.put("select", "Country", "Portugal") },
		func() error { return d.put("type", "Deliver on", "2030-01-15") },
		func() error { return d.click("Express, €5.00") },
		func() error { return d.click("I accept the terms of this pretend sale") },
		func() error { return d.click("Continue") },
		func() error { return d.all([]string{"wait", "--text", "Card number"}) },
		d.read,
		func() error { return d.put("type", "Card number", "4242 4242 4242 4242") },
		func() error { return d.put("type", "Expires", "12/30") },
		func() error { return d.put("type", "Security code", "123") },
		func() error { return d.click("Review order") },
		d.read,
		func() error { return d.click("Place order") },
		func() error {
			return d.all([]string{"wait", "--text", "confirmed"}, []string{"snapshot"}, []string{"screenshot"})
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(d.program.Out, "\nThat was an order, placed by ref. To try it yourself: chela demo --serve\n")
	return err
}

func (d *demo) read() error { return d.all([]string{"snapshot", "--interactive"}) }

func (d *demo) click(name string) error { return d.put("click", name) }

// put runs a command on the element with this name. It finds the element's ref in the text of the
// last snapshot, in a line like: "name" … [ref=e12]. If no line has the name, the error quotes the
// snapshot.
func (d *demo) put(command, name string, values ...string) error {
	line := regexp.MustCompile(regexp.QuoteMeta(`"`+name+`"`) + `.*\[ref=(\w+)\]`).FindStringSubmatch(d.snapshot)
	if line == nil {
		return op.Errorf(op.Internal, "the page has no element named %q:\n%s", name, d.snapshot)
	}
	return d.all(append([]string{command, line[1]}, values...))
}

// all runs commands one after the other, until one fails. Each output is collected, so that the
// next step can find refs in a snapshot, and printed when the command has ended.
func (d *demo) all(commands ...[]string) error {
	for _, words := range commands {
		var out bytes.Buffer
		one := *d.program
		one.Out = &out
		fmt.Fprintf(d.program.Out, "\n$ chela %s\n", quoted(words))
		err := one.execute(d.ctx, append(words, d.settings...))
		fmt.Fprint(d.program.Out, out.String())
		if err != nil {
			return err
		}
		if words[0] == "snapshot" {
			d.snapshot = out.String()
		}
	}
	return nil
}

// quoted joins words to a command line as a person would type it, with quotation marks where needed.
func quoted(words []string) string {
	var typed []string
	for _, w := range words {
		if strings.ContainsAny(w, " /()*?&") || w == "" {
			w = `"` + w + `"`
		}
		typed = append(typed, w)
	}
	return strings.Join(typed, " ")
}
