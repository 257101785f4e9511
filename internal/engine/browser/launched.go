package browser

import (
	"context"
	"errors"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// launched is a Chromium that we have started, which is driven through a pipe (on Windows through
// a loopback port) and ends with us.
type launched struct {
	process *chrome.Process
	about   Description
}

// Launch starts a Chromium. Ctx limits the start only. The host belongs to the caller until [Start]
// is given it. Errors come from [chrome.Launch].
func Launch(ctx context.Context, o chrome.Options) (Host, error) {
	process, err := chrome.Launch(ctx, o)
	if err != nil {
		return nil, err
	}
	return launched{process, Description{
		Own: true, PID: process.PID, Executable: o.Executable, UserDataDir: process.UserDataDir, Headless: o.Headless,
		WebSocketURL: process.WebSocketURL, Port: o.Port,
	}}, nil
}

func (h launched) Describe() Description { return h.about }

func (h launched) connect(ctx context.Context) (cdp.Transport, error) {
	if h.about.WebSocketURL == "" {
		return cdp.Pipe(h.process.Out, h.process.In), nil
	}
	return cdp.Dial(ctx, h.about.WebSocketURL, cdp.DialOptions{})
}

func (h launched) ended() <-chan struct{} { return h.process.Exited() }

// failure returns how the process has ended: a [*chrome.ExitError].
func (h launched) failure(err error) error {
	if !errors.Is(err, cdp.ErrClosed) {
		return err
	}
	<-h.ended()
	return h.process.ExitErr()
}

func (h launched) endedWell() bool {
	end, ok := errors.AsType[*chrome.ExitError](h.process.ExitErr())
	return ok && end.State == "exit status 0"
}

func (h launched) terminate(ctx context.Context) error { return h.process.Terminate(ctx) }
