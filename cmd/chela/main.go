// Chela gives AI agents a browser.
package main

import (
	"os"
	"runtime/debug"

	"chela/internal/api"
	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/surface/cli"
	"chela/internal/surface/otlp"
)

func main() {
	build, _ := debug.ReadBuildInfo()
	p := &cli.Program{
		Table: api.Table, Version: version(released, build), Build: sources(build),
		Open:  func(c *config.Live, stop func()) (cli.Service, error) { return call.New(c, stop) },
		Alone: call.Alone, Provider: otlp.Provider,
	}
	os.Exit(p.Main())
}
