// Bench measures chela end to end: the built program, its server and a real Chromium, on pages made
// for it. What it compares runs in turn, so that both meet the same load of the machine: believe
// the ratios, not the milliseconds.
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

// A bench is what is measured, and what it is compared with.
type bench struct {
	bin      string
	bare     string        // the program of package bare
	site     string        // where the pages are
	packages string        // folder of the npm packages that real pages are made with
	limit    time.Duration // for each comparison
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

// A part of what is measured.
type part struct {
	name string
	run  func(context.Context) error
}

func measure(ctx context.Context, b *bench) error {
	site := httptest.NewServer(pages(b.packages))
	defer site.Close()
	b.site = site.URL
	defer b.table.print(os.Stdout) // also what there is when something failed
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

// each runs the parts that are wanted.
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

// progress prints what is measured now.
func progress(name string) { fmt.Fprintln(os.Stderr, "bench:", name) }
