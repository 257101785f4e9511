package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
	"time"
)

// A subject is a piece of work whose time is measured several times.
type subject struct {
	name  string
	do    func(context.Context) error
	clock func(context.Context) (time.Duration, error) // does the work and returns its time; if it is not nil, do is not called
	undo  func() error                                 // prepares the next run, and is not timed; may be nil
	note  func() string                                // returns a last cell for the row of results; called at the end; may be nil
	times []time.Duration                              // what the runs took
}

// fewest is the minimum number of counted rounds. They run even if they take longer than the time
// limit.
const fewest = 3

// alternate runs each subject once in each round until the limit has passed. A browser works on for
// a while after it has answered, and this slows the next subject. The order is random in each
// round, so that it is not always the same subject. The first round fills caches and does not
// count.
func alternate(ctx context.Context, limit time.Duration, subjects ...*subject) error {
	end := time.Now().Add(limit)
	for round := 0; round <= fewest || time.Now().Before(end); round++ {
		for _, i := range rand.Perm(len(subjects)) {
			s := subjects[i]
			took, err := s.time(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if round > 0 {
				s.times = append(s.times, took)
			}
			if s.undo == nil {
				continue
			}
			if err := s.undo(); err != nil {
				return fmt.Errorf("after %s: %w", s.name, err)
			}
		}
	}
	return nil
}

// time does the work of the subject once, and returns how long it took.
func (s *subject) time(ctx context.Context) (time.Duration, error) {
	if s.clock != nil {
		return s.clock(ctx)
	}
	begin := time.Now()
	err := s.do(ctx)
	return time.Since(begin), err
}

func (s *subject) best() time.Duration { return slices.Min(s.times) }

func (s *subject) median() time.Duration {
	slices.Sort(s.times)
	return s.times[len(s.times)/2]
}

// compare measures subjects of chela and a reference, such as the same work by bare commands. It
// adds a row to the table for each subject, with the ratio of the two medians.
func (b *bench) compare(ctx context.Context, reference *subject, ways ...*subject) error {
	return b.compareFor(ctx, b.limit, reference, ways...)
}

// compareFor does the same as compare, with the given time limit in place of b.limit.
func (b *bench) compareFor(ctx context.Context, limit time.Duration, reference *subject, ways ...*subject) error {
	if err := alternate(ctx, limit, append(ways, reference)...); err != nil {
		return err
	}
	for _, w := range ways {
		ratio := float64(w.median()) / float64(reference.median())
		row := []string{w.name, millis(w.median()), millis(w.best()), reference.name, millis(reference.median()), fmt.Sprintf("%.2f", ratio)}
		if w.note != nil {
			row = append(row, w.note())
		}
		b.table.add(row...)
	}
	return nil
}

// A table holds results. Each row compares a subject with its reference.
type table [][]string

func (t *table) add(cells ...string) { *t = append(*t, cells) }

func (t *table) print(w io.Writer) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "chela\tmedian\tbest\tbeside it\tmedian\tratio\t")
	for _, row := range *t {
		for _, cell := range row {
			fmt.Fprint(out, cell, "\t")
		}
		fmt.Fprintln(out)
	}
	out.Flush()
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000)
}

func megabytes(bytes int64) string {
	return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
}
