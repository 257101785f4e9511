package api

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"chela/internal/api/call"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// A download that fails because of this machine's disk is not blamed on the server.
func TestFailedDownloads(t *testing.T) {
	write := func(err error) error { return &fs.PathError{Op: "write", Path: "/downloads/a", Err: err} }
	for _, c := range []struct {
		err  error
		code op.Code
		text string
	}{
		{browser.ErrBroken, op.PageFailed, "or the disk has no room for it"},
		{fmt.Errorf("%w: %s", browser.ErrBroken, "status 404"), op.PageFailed, "status 404"},
		{write(syscall.EIO), op.FileFailed, "write /downloads/a: "},
		{&browser.LimitError{Why: "too large", Setting: "media.maxMB"}, op.PageFailed, "the download was stopped: too large"},
	} {
		e := op.AsError(call.Explain(failed(&browser.Download{}, c.err)))
		if e.Code != c.code || !strings.Contains(string(e.Message), c.text) {
			t.Errorf("%v: got %s %q, want %s and %q", c.err, e.Code, e.Message, c.code, c.text)
		}
	}
}
