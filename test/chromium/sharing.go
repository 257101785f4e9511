package chromium

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"chela/internal/engine/extension"
)

// Sharing reports whether the tests drive tabs that a person shares by the extension. They do so if
// CHELA_TEST_RELAY is set, as `make relay` does.
func Sharing() bool { return os.Getenv("CHELA_TEST_RELAY") != "" }

// StartSharing starts a browser with the extension, which has a key of the server that listens at
// port. It returns when the extension is connected to the server.
func StartSharing(dir string, port int, key extension.Key, flags ...string) (*Person, error) {
	p, err := StartPerson(dir, flags...)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := p.pair(ctx, port, key); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// pair has the extension connect to a server by a key.
func (p *Person) pair(ctx context.Context, port int, key extension.Key) error {
	if err := p.LoadChela(ctx); err != nil {
		return err
	}
	if err := p.Dial(ctx, port); err != nil {
		return err
	}
	_, err := p.In(ctx, fmt.Sprintf(`
		await chrome.storage.local.set({keyId: %q, key: %q});
		await chrome.runtime.sendMessage({do: "start"});
		while ((await chrome.runtime.sendMessage({do: "show"})).result.is !== "connected") await new Promise((later) => setTimeout(later, 20));`,
		key.ID, key.Secret))
	return err
}

// UnusedPort returns a port on which nothing listens.
func UnusedPort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
