package transfer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	stdio "io"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/cdp"
)

// If the browser has made a stream when nobody waits for it any more, the stream is closed.
func TestLateStreamIsClosed(t *testing.T) {
	commands, toBrowser := stdio.Pipe()
	fromBrowser, replies := stdio.Pipe()
	conn := cdp.NewConn(cdp.Pipe(fromBrowser, toBrowser), cdp.Options{})
	defer conn.Close()
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	failed := make(chan error)
	go func() { failed <- Fetch(ctx, conn.Root(), "F", "http://a.test/f", new(bytes.Buffer)) }()
	read := bufio.NewReader(commands)
	if got, err := read.ReadString(0); err != nil || !strings.Contains(got, "Network.loadNetworkResource") {
		t.Fatalf("the browser got %q, %v", got, err)
	}
	cancel(gone)
	if err := <-failed; !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	stdio.WriteString(replies, `{"id":1,"result":{"resource":{"success":true,"stream":"7"}}}`+"\x00")
	limit := time.AfterFunc(10*time.Second, func() { commands.Close() })
	defer limit.Stop()
	got, err := read.ReadString(0)
	if err != nil || !strings.Contains(got, "IO.close") || !strings.Contains(got, `"handle":"7"`) {
		t.Errorf("the browser got %q, %v", got, err)
	}
}
