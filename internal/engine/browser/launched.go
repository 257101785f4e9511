package browser

import (
	"context"
	"errors"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// A launchedHost is a Chromium that chela has started. It is driven through a pipe (on Windows
// through a loopback port) and ends with chela.
type launchedHost struct {
	process *chrome.Process
	about   Description
}

// Launch starts a Chromium. The context limits the start only. The host belongs to the caller until
// it is passed to [Start]. Errors come from [chrome.Launch].
func Launch(ctx context.Context, o chrome.Options) (Host, error) {
	process, err := chrome.Launch(ctx, o)
	if err != nil {
		return nil, err
	}
	return launchedHost{process, Description{
		Own: true, PID: process.PID, Executable: o.Executable, UserDataDir: process.UserDataDir, Headless: o.Headless,
		HeadlessShell: o.Executable.IsHeadlessShell(),
		WebSocketURL:  process.WebSocketURL, Port: o.Port,
	}}, nil
}

func (h launchedHost) Describe() Description { return h.about }

func (h launchedHost) connect(ctx context.Context) (cdp.Transport, error) {
	if h.about.WebSocketURL == "" {
		return cdp.Pipe(h.process.Out, h.process.In), nil
	}
	return cdp.Dial(ctx, h.about.WebSocketURL, cdp.DialOptions{})
}

func (h launchedHost) ended() <-chan struct{} { return h.process.Exited() }

// failure waits until the process has ended, and returns how: a [*chrome.ExitError].
func (h launchedHost) failure(err error) error {
	if !errors.Is(err, cdp.ErrClosed) {
		return err
	}
	<-h.ended()
	return h.process.ExitErr()
}

func (h launchedHost) exitedCleanly() bool {
	end, ok := errors.AsType[*chrome.ExitError](h.process.ExitErr())
	return ok && end.State == "exit status 0"
}

func (h launchedHost) terminate(ctx context.Context) error { return h.process.Terminate(ctx) }
