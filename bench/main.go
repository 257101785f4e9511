// Bench measures chela end to end: the built program, its server and a real
// Chromium, on pages made for it. What it compares runs in turn, so that both
// meet the same load of the machine: believe the ratios, not the milliseconds.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// A bench is what is measured, and what it is compared with.
type bench struct {
	bin   string
	bare  string        // the program of package bare
	site  string        // where the pages are
	limit time.Duration // for each comparison
	table table
	chela *server
	raw   *rawTab
}

func main() {
	bin := flag.String("bin", "bin/chela", "the program to measure")
	bare := flag.String("bare", "bin/bare", "the HTTP server to compare its start with")
	limit := flag.Duration("for", 3*time.Second, "time for each comparison")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, &bench{bin: *bin, bare: *bare, limit: *limit}); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, b *bench) error {
	site := httptest.NewServer(pages())
	defer site.Close()
	b.site = site.URL
	defer b.table.print(os.Stdout) // also what there is when something failed
	progress("starts")
	if err := b.starts(ctx); err != nil {
		return fmt.Errorf("starts: %w", err)
	}
	progress("profiles")
	if err := b.profiles(ctx); err != nil {
		return fmt.Errorf("profiles: %w", err)
	}
	if err := b.sideBySide(ctx); err != nil {
		return err
	}
	progress("memory")
	if err := b.memory(ctx); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return b.binary()
}

// sideBySide compares chela with bare protocol commands in a second browser.
func (b *bench) sideBySide(ctx context.Context) (err error) {
	if b.chela, err = startServer(ctx, b.bin, ""); err != nil {
		return err
	}
	defer b.chela.stop()
	if b.raw, err = openRawTab(ctx); err != nil {
		return err
	}
	defer b.raw.close()
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"navigate", b.navigate},
		{"act", b.act},
		{"elsewhere", b.elsewhere},
		{"network", b.network},
		{"screenshot", b.screenshot},
		{"render", b.render},
		{"snapshot", b.snapshots},
		{"command line", b.commands},
	} {
		progress(part.name)
		if err := part.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// progress tells who waits what is measured now.
func progress(name string) { fmt.Fprintln(os.Stderr, "bench:", name) }
