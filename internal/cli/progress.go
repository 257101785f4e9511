package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"chela/internal/op"
)

// long is how long a command takes until a person wonders what it does.
const long = time.Second

// showDownloads shows on a terminal how far the downloads are while a command
// takes long. The function that it returns ends that, and leaves nothing behind;
// so that an interrupt leaves nothing either, it ends the context then.
func (r *remote) showDownloads(ctx context.Context, profile string) (call context.Context, stop func()) {
	screen, ok := r.program.Err.(*os.File)
	if !ok || !term.IsTerminal(int(screen.Fd())) {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	call = ctx
	var showing sync.WaitGroup
	showing.Go(func() {
		select {
		case <-time.After(long):
		case <-ctx.Done():
			return
		}
		ctx, restore := interruptible(ctx)
		defer restore()
		context.AfterFunc(ctx, cancel)
		line := statusLine{out: screen}
		defer line.write("")
		r.client.Follow(ctx, "/downloads", profile, func(raw []byte) { line.write(progress(raw)) }) // what it can not tell is not missed
	})
	return call, func() {
		cancel()
		showing.Wait()
	}
}

// profileOf is the browser profile that a call is about, "" for the default one.
func profileOf(args op.Args) (name string) {
	json.Unmarshal(args["profile"], &name) // none is none
	return name
}

// progress says in a few words how far downloads are.
func progress(raw []byte) string {
	var list []struct {
		Name            string `json:"suggestedFilename"`
		Received, Total int64
	}
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var parts []string
	for _, d := range list {
		name := shorten(path.Base(op.Plain(d.Name)))
		if d.Total > 0 {
			parts = append(parts, fmt.Sprintf("%s %d%% of %s", name, 100*d.Received/d.Total, size(d.Total)))
		} else {
			parts = append(parts, fmt.Sprintf("%s %s", name, size(d.Received)))
		}
	}
	return strings.Join(parts, ", ")
}

// shorten keeps the beginning of a long name.
func shorten(name string) string {
	const most = 30
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}

// size is a number of bytes as people read it.
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

// A statusLine is a line of a terminal that is written over and over.
type statusLine struct {
	out   io.Writer
	shown string
}

// write replaces the line; by nothing, it takes it away.
func (l *statusLine) write(text string) {
	if text == l.shown {
		return
	}
	l.shown = text
	const clear = "\r\x1b[K"
	if text != "" {
		text = "chela: downloading " + text
	}
	io.WriteString(l.out, clear+text)
}
