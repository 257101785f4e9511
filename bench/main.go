// Bench measures chela end to end: the built program, its server and a real Chromium, on pages made
// for it. The two sides of a comparison run in turn, so that the machine's load is the same for
// both. Believe the ratios, not the milliseconds.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A bench holds the programs and settings of a measurement, and its results.
type bench struct {
	bin      string        // path of the program chela
	bare     string        // path of the program of package bare
	site     string        // URL of the server of the test pages
	packages string        // folder of the npm packages from which the pages in real.go are made
	limit    time.Duration // how long each comparison runs
	only     []string      // the names of the parts to measure; empty: all
	table    table
	chela    *server
	raw      *rawTab
}

func main() {
	bin := flag.String("bin", "bin/chela", "the program to measure")
	bare := flag.String("bare", "bin/bare", "the HTTP server to compare its start with")
	limit := flag.Duration("for", 3*time.Second, "time for each comparison")
	packages := flag.String("packages", "", "folder of the npm packages that real pages are made with")
	only := flag.String("only", "", "names of the parts to measure, separated by spaces; empty: all")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, &bench{bin: *bin, bare: *bare, limit: *limit, packages: *packages, only: strings.Fields(*only)}); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A part is one group of comparisons, which -only selects by name.
type part struct {
	name string
	run  func(context.Context) error
}

func measure(ctx context.Context, b *bench) error {
	site := httptest.NewServer(pages(b.packages))
	defer site.Close()
	b.site = site.URL
	defer b.table.print(os.Stdout) // if a part fails, this prints the results of those before it
	if err := b.each(ctx, []part{
		{"starts", b.starts},
		{"profiles", b.profiles},
		{"memory", b.memory},
		{"program", b.binary},
	}); err != nil {
		return err
	}
	return b.sideBySide(ctx, []part{
		{"navigate", b.navigate},
		{"act", b.act},
		{"elsewhere", b.elsewhere},
		{"network", b.network},
		{"screenshot", b.screenshot},
		{"render", b.render},
		{"dashboard", b.dashboard},
		{"snapshot", b.snapshots},
		{"hidden", b.withoutHidden},
		{"commands", b.commands},
	})
}

// sideBySide compares chela with bare protocol commands in a second browser.
func (b *bench) sideBySide(ctx context.Context, parts []part) (err error) {
	if !slices.ContainsFunc(parts, b.wants) {
		return nil
	}
	if b.chela, err = startServer(ctx, b.bin, ""); err != nil {
		return err
	}
	defer b.chela.stop()
	if b.raw, err = openRawTab(ctx); err != nil {
		return err
	}
	defer b.raw.close()
	return b.each(ctx, parts)
}

// each runs the parts that -only selects.
func (b *bench) each(ctx context.Context, parts []part) error {
	for _, p := range parts {
		if !b.wants(p) {
			continue
		}
		progress(p.name)
		if err := p.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

func (b *bench) wants(p part) bool { return len(b.only) == 0 || slices.Contains(b.only, p.name) }

// progress prints the name of the part that is measured now.
func progress(name string) { fmt.Fprintln(os.Stderr, "bench:", name) }
