// Chela gives AI agents a browser.
package main

import (
	"os"

	"chela/internal/api"
	"chela/internal/cli"
	"chela/internal/config"
)

func main() {
	p := &cli.Program{
		Table: api.Table, Version: "0.1.0",
		Open:  func(c *config.Live, stop func()) (cli.Service, error) { return api.New(c, stop) },
		Alone: api.Alone,
	}
	os.Exit(p.Main())
}
