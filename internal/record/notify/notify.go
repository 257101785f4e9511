// Package notify tells a person, who may not look at the dashboard, that an agent asks something. It
// runs a program, or posts to an address, which the configuration names.
package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/program"
	"chela/internal/wall/excerpt"
	"chela/internal/wall/proxy"
	"chela/internal/wall/secret"
)

// An Event is what a person is notified of. Programs and addresses get it as JSON.
type Event struct {
	Kind    string    `json:"event"` // question, or takeover: a person has taken over a tab
	ID      string    `json:"id,omitempty"`
	Message string    `json:"message,omitempty"`
	Choices []string  `json:"choices,omitempty"`
	Session string    `json:"session,omitempty"`
	Caller  string    `json:"caller,omitempty"`
	Tab     string    `json:"tabId,omitempty"`
	Profile string    `json:"profile,omitempty"`
	Until   time.Time `json:"until"` // end of the time in which the agent waits for an answer, or the person has the tab
}

// The limits of notifications.
const (
	limit     = 10 * time.Second // longest time that one notification may take
	maxAtOnce = 4                // further notifications are dropped, so that an agent cannot start any number of programs
	maxError  = 300              // characters of an error that are kept
)

// A Notifier notifies a person. The zero value is ready.
type Notifier struct {
	running sync.WaitGroup

	mu     sync.Mutex      // guards the rest
	atOnce int             // number of notifications under way
	failed string          // why the last notification has failed; "": it has not
	ctx    context.Context // context of all notifications; nil before the first one
	end    context.CancelFunc
}

// Failed returns why the last notification has failed; "" if it has not.
func (n *Notifier) Failed() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failed
}

// Tell begins to notify in the way that the configuration names, and returns at once. The dialer
// connects to an address only if the network policy allows it.
func (n *Notifier) Tell(to config.Notify, e Event, dialer func() (*proxy.Dialer, error)) {
	if to.URL == "" && to.Command == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ctx == nil {
		n.ctx, n.end = context.WithCancel(context.Background())
	}
	if n.atOnce == maxAtOnce {
		n.failed = "too many notifications at a time: one was dropped"
		slog.Warn("a person was not notified", "error", n.failed)
		return
	}
	n.atOnce++
	ctx := n.ctx
	n.running.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		err := send(ctx, to, e, dialer)
		if err != nil {
			slog.Warn("a person was not notified", "error", err)
		}
		n.ended(err)
	})
}

func (n *Notifier) ended(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.atOnce--
	n.failed = ""
	if err != nil {
		n.failed = excerpt.Of(err.Error(), maxError)
	}
}

// Close ends the notifications under way.
func (n *Notifier) Close() {
	n.mu.Lock()
	if n.end != nil {
		n.end()
	}
	n.mu.Unlock()
	n.running.Wait()
}

func send(ctx context.Context, to config.Notify, e Event, dialer func() (*proxy.Dialer, error)) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	raw = secret.MaskBytes(raw)
	if to.Command != nil {
		return run(ctx, to.Command, e, raw)
	}
	d, err := dialer()
	if err != nil {
		return err
	}
	defer d.Close()
	return post(ctx, to.URL, raw, d.Dial)
}

// run runs a program, with the event on its standard input.
func run(ctx context.Context, command []string, e Event, raw []byte) error {
	cmd := exec.CommandContext(ctx, command[0], arguments(command[1:], e)...)
	cmd.Stdin = bytes.NewReader(raw)
	err := program.Run(cmd)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%s did not end within %s", command[0], limit)
	case err != nil:
		return fmt.Errorf("%s: %w", command[0], err)
	}
	return nil
}

// arguments returns the words of a command with values in place of {{message}}, {{event}},
// {{session}} and {{tab}}. An agent chooses the message. So a word that begins with - only because of
// its value gets a space in front. The program must not take it as an option.
func arguments(words []string, e Event) []string {
	values := strings.NewReplacer("{{message}}", e.Message, "{{event}}", e.Kind, "{{session}}", e.Session, "{{tab}}", e.Tab)
	var all []string
	for _, word := range words {
		filled := strings.ReplaceAll(secret.Mask(values.Replace(word)), "\x00", "")
		if strings.HasPrefix(filled, "-") && !strings.HasPrefix(word, "-") {
			filled = " " + filled
		}
		all = append(all, filled)
	}
	return all
}

// post sends the event to an address. A redirect is not followed.
func post(ctx context.Context, to string, raw []byte, dial func(context.Context, string, string) (net.Conn, error)) error {
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DialContext: dial},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return withoutAddress(err)
	}
	defer resp.Body.Close()
	io.CopyN(io.Discard, resp.Body, 64<<10)
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("the server of dashboard.notify answers %s", resp.Status)
	}
	return nil
}

// withoutAddress removes the address from an error, because the address may contain a secret.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
