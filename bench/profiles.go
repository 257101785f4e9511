package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// manyProfiles is how many browsers are started at once.
const manyProfiles = 16

// profiles starts many browsers of chela at once, each with a profile of its own. It compares how
// long this takes with the start of the same number of browsers without chela. The comparison takes
// long, so it runs only once.
func (b *bench) profiles(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "chela-bench-profiles-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bare, err := bareAtOnce(ctx, dir)
	if err != nil {
		return err
	}
	s, err := startServer(ctx, b.bin, "")
	if err != nil {
		return err
	}
	defer s.stop()
	names := make([]string, manyProfiles)
	for i := range names {
		names[i] = fmt.Sprintf("bench%d", i)
		if err := s.call(ctx, "POST", "/profiles/create", object{"name": names[i]}, nil); err != nil {
			return err
		}
	}
	own, err := atOnce(func(i int) error {
		return s.call(ctx, "POST", "/start", object{"profile": names[i], "headless": true, "timeoutMs": 120_000}, nil)
	})
	if err != nil {
		return err
	}
	b.table.add(fmt.Sprintf("start of %d browsers at once", manyProfiles), millis(own), millis(own),
		"of as many bare ones", millis(bare), fmt.Sprintf("%.2f", float64(own)/float64(bare)))
	opening, err := atOnce(func(i int) error {
		return s.call(ctx, "POST", "/tabs/open", object{"profile": names[i], "url": b.site + "/small", "timeoutMs": 120_000}, nil)
	})
	b.table.add("open a page in each of them", millis(opening), millis(opening))
	return err
}

// bareAtOnce starts manyProfiles browsers without chela, and returns how long that takes.
func bareAtOnce(ctx context.Context, dir string) (time.Duration, error) {
	browsers := make([]*bareBrowser, manyProfiles)
	for i := range browsers {
		browsers[i] = &bareBrowser{dir: filepath.Join(dir, fmt.Sprint(i))}
	}
	took, err := atOnce(func(i int) error { return browsers[i].start(ctx) })
	_, failed := atOnce(func(i int) error {
		if browsers[i].conn == nil {
			return nil
		}
		return browsers[i].stop()
	})
	return took, errors.Join(err, failed)
}

// atOnce calls do for all browsers at the same time, and returns how long the slowest took.
func atOnce(do func(i int) error) (time.Duration, error) {
	var all sync.WaitGroup
	errs := make([]error, manyProfiles)
	begin := time.Now()
	for i := range errs {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	return time.Since(begin), errors.Join(errs...)
}
