package call

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"chela/internal/base/config"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/op"
)

func TestErrorsInWords(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		err    error
		status int
		code   op.Code
		sent   bool
	}{
		{&page.LoadError{Text: "net::ERR_CONNECTION_REFUSED", URL: "http://a/"}, 502, op.PageFailed, false},
		{page.ErrCrashed, 502, op.TabCrashed, false},
		{fmt.Errorf("%w: %w", page.ErrSent, page.ErrCrashed), 502, op.TabCrashed, true},
		{fmt.Errorf("%w: %w", page.ErrSent, cdp.ErrClosed), 502, op.BrowserLost, true},
		{errors.Join(op.Errorf(op.Stopping, "ends").Hinted("call again"), page.ErrSent), 503, op.Stopping, true},
		{page.ErrReplaced, 502, op.PageFailed, false},
		{fmt.Errorf("%w: %w", page.ErrSent, page.ErrReplaced), 502, op.PageFailed, true},
		{page.ErrClosed, 409, op.TabClosed, false},
		{cdp.ErrClosed, 502, op.BrowserLost, false},
		{page.ErrBusy, 504, op.PageBusy, false},
		{errors.Join(op.ErrDeadline, page.ErrSent), 504, op.PageBusy, true},
		{op.ErrDeadline, 504, op.Deadline, false},
		{ended.Err(), 499, op.Canceled, false},
		{&fs.PathError{Op: "write", Path: "/state/a.png", Err: config.NoSpace[0]}, 507, op.NoSpace, false},
		{&fs.PathError{Op: "write", Path: "/state/a.png", Err: syscall.EIO}, 507, op.FileFailed, false},
		{&os.LinkError{Op: "rename", Old: "/state/a", New: "/state/b", Err: syscall.EROFS}, 507, op.FileFailed, false},
		{fmt.Errorf("%w: %w", cdp.ErrClosed, &fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}), 502, op.BrowserLost, false},
		{&fs.PathError{Op: "write", Path: "/state/a.png", Err: fs.ErrClosed}, 500, op.Internal, false},
		{fmt.Errorf("save: %w", syscall.EDQUOT), 507, op.NoSpace, false},
		{errors.Join(op.Errorf(op.StaleRef, "gone"), page.ErrSent), 404, op.StaleRef, true},
		{errors.New("anything else"), 500, op.Internal, false},
	} {
		e := op.AsError(Explain(fmt.Errorf("act: %w", test.err)))
		if e.Code != test.code || e.Code.Status() != test.status || e.Sent != test.sent {
			t.Errorf("%v: got %+v", test.err, e)
		}
		if e.Sent && strings.Contains(e.Hint, "call again") {
			t.Errorf("%v was sent, and the hint is %q", test.err, e.Hint)
		}
	}
}
