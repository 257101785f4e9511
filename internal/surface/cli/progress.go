package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"chela/internal/op"
)

// longCall is how long a call takes before the progress of its downloads is reported.
const longCall = time.Second

// showProgress shows the progress of a call on the last line of the terminal, if out is a terminal.
// The function hide removes the line.
//
// If out is a pipe or a file, as when an agent runs the command, nothing is written, and ctx is
// returned unchanged. An interrupt (Ctrl-C) normally just ends the process. That would leave the line
// on the screen, before the shell's prompt. So from the first report of progress on, the interrupt
// is caught and ends the returned context. Most calls end before any progress is reported.
func showProgress(ctx context.Context, out io.Writer) (call context.Context, hide func()) {
	screen, ok := asTerminal(out)
	if !ok {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	endWithInterrupt := sync.OnceFunc(func() {
		interrupted, _ := interruptible(ctx, sameSignal)
		context.AfterFunc(interrupted, cancel)
	})
	line := statusLine{out: screen}
	call = op.WithProgress(ctx, func(_, _ int, doing string) {
		endWithInterrupt()
		line.write(doing)
	})
	return call, func() {
		line.write("")
		cancel()
	}
}

// reportDownloads reports the progress of downloads to the caller in ctx, if the caller wants
// progress. It begins after longCall, and ends when stop is called. The function stop waits until
// the last report was delivered, so none comes after the result of the call. The function follow
// must call its argument whenever the list of downloads changes, with the list in the form of the
// route /downloads.
func reportDownloads(ctx context.Context, follow func(ctx context.Context, each func(list []byte)) error) (stop func()) {
	if !op.WantsProgress(ctx) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var reporting sync.WaitGroup
	reporting.Go(func() {
		select {
		case <-time.After(longCall):
		case <-ctx.Done():
			return
		}
		// A call does not fail because its downloads cannot be followed.
		follow(ctx, func(list []byte) {
			received, total, doing := progress(list)
			op.Progress(ctx, received, total, doing)
		})
	})
	return func() {
		cancel()
		reporting.Wait()
	}
}

// profileOf returns the browser profile that a call names, "" for the default one.
func profileOf(args op.Args) (name string) {
	json.Unmarshal(args["profile"], &name) // leaves name empty if there is none
	return name
}

// progress returns how far downloads are, in bytes and in words, from a line of the route /downloads.
// The words are "" if there are no downloads. The total is 0 if the size of a download is not known:
// not every web server announces it. The words have no names of files. A page chooses these names,
// and agents would take them as words of chela.
func progress(raw []byte) (received, total int, doing string) {
	var list []struct{ Received, Total int64 }
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return 0, 0, ""
	}
	var parts []string
	known := true
	for _, d := range list {
		received, total = received+int(d.Received), total+int(d.Total)
		known = known && d.Total > 0
		if d.Total > 0 {
			parts = append(parts, fmt.Sprintf("%d%% of %s", 100*d.Received/d.Total, size(d.Total)))
		} else {
			parts = append(parts, size(d.Received))
		}
	}
	if !known {
		total = 0
	}
	return received, total, "downloading " + strings.Join(parts, ", ")
}

// size writes a number of bytes for people. Units are powers of 1024, rounded down
// below a gigabyte.
func size(bytes int64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MB", bytes>>20)
	case bytes >= 1<<10:
		return fmt.Sprintf("%d kB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// A statusLine is the last line of a terminal, which each write replaces.
type statusLine struct {
	out io.Writer

	mu    sync.Mutex // guards the rest; progress comes from several goroutines
	shown string
}

// write replaces the line by text; "" removes the line. It moves the cursor to the start of the
// line (\r) and erases to its end (CSI K). If the old text was wider than the terminal, only its
// last row is erased.
func (l *statusLine) write(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text == l.shown {
		return
	}
	l.shown = text
	const clear = "\r\x1b[K"
	if text != "" {
		text = "chela: " + text
	}
	io.WriteString(l.out, clear+text)
}
