package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chela/internal/base/config"
)

// A server is a running `chela serve` with its own state directory.
type server struct {
	state   string // the state directory
	base    string // URL of the server
	session string // session of the calls; "" for none
	cmd     *exec.Cmd
	end     context.CancelFunc // interrupts the server
	http    http.Client
}

const (
	token   = "bench"
	endTime = 10 * time.Second // how long a server may take to end its browser and itself
)

// startServer starts `chela serve`. The settings are the text of its configuration file, or "". The
// server lives until stop or the end of ctx.
func startServer(ctx context.Context, bin, settings string) (*server, error) {
	state, err := os.MkdirTemp("", "chela-bench-")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(state, "chela.json"), []byte(cmp.Or(settings, "{}")), 0o600); err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	s := &server{state: state, end: end, cmd: exec.CommandContext(ctx, bin, "serve")}
	s.cmd.Env = s.environment()
	s.cmd.Stderr = os.Stderr
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(os.Interrupt) }
	s.cmd.WaitDelay = endTime
	if s.base, err = s.start(); err != nil {
		end()
		return nil, errors.Join(fmt.Errorf("start %s: %w", bin, err), os.RemoveAll(state))
	}
	return s, nil
}

// start starts the server, and returns the URL that its first line of output names.
func (s *server) start() (string, error) {
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := s.cmd.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	at := strings.Index(line, "http://")
	if err != nil || at < 0 {
		s.end()
		return "", errors.Join(fmt.Errorf("it said %q", line), err, s.cmd.Wait())
	}
	return strings.TrimSpace(line[at:]), nil
}

// stop ends the server, and with it its browser.
func (s *server) stop() {
	s.end()
	s.cmd.Wait() // the error is expected: the server was interrupted
	os.RemoveAll(s.state)
}

// environment returns the environment variables of the server and of the commands that call it.
func (s *server) environment() []string { return environment(s.state) }

func environment(state string) []string {
	return append(os.Environ(), "CHELA_STATE_DIR="+state, "CHELA_TOKEN="+token, "CHELA_CONFIG_PATH=", "CHELA_PORT=", config.AllowPrivateNetwork+"=1")
}

// call sends a request to the server and decodes its answer into result, unless result is nil.
func (s *server) call(ctx context.Context, method, path string, args, result any) error {
	body, err := json.Marshal(args)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	if s.session != "" {
		req.Header.Set("X-Chela-Session", s.session)
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
	}
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(answer, result)
}

// An object holds the arguments of a call, by name.
type object map[string]any

func (s *server) open(ctx context.Context, url string) error {
	return s.call(ctx, "POST", "/tabs/open", object{"url": url}, nil)
}

func (s *server) navigate(ctx context.Context, url string) error {
	return s.call(ctx, "POST", "/navigate", object{"url": url}, nil)
}

func (s *server) act(ctx context.Context, kind string, args object) error {
	args["kind"] = kind
	return s.call(ctx, "POST", "/act", args, nil)
}

// A snapshot is what GET /snapshot answers.
type snapshot struct {
	Snapshot string
	Refs     map[string]struct{ Role, Name string }
}

func (s *server) snapshot(ctx context.Context, query string) (page snapshot, err error) {
	err = s.call(ctx, "GET", "/snapshot?maxChars=0&"+query, object{}, &page)
	return page, err
}

// ref returns the ref of the element with a role and a name, or "" if there is none.
func (s snapshot) ref(role, name string) string {
	for ref, is := range s.Refs {
		if is.Role == role && is.Name == name {
			return ref
		}
	}
	return ""
}
