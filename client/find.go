package client

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"chela/internal/base/listener"
)

// A place says how to connect to a server, and with which token or password.
type place struct {
	base            string      // scheme and host
	socket          string      // path of the Unix socket; "" for TCP
	tls             *tls.Config // nil for the Unix socket
	token, password string
	whenGone        string // hint of the error when no server answers
}

// find finds the server as commands of chela do, but it does not read the configuration file. There,
// browser.controlUrl can name another server for commands.
func (o Options) find() (at place, err error) {
	at.token, at.password = o.Token, o.Password
	address, fromEnv := cmp.Or(o.URL, os.Getenv("CHELA_URL")), os.Getenv("CHELA_URL")
	if address == "" {
		return at, at.useSocket(o.StateDir)
	}
	u, err := origin(address)
	if err != nil {
		return at, err
	}
	at.base = u.Scheme + "://" + u.Host
	at.whenGone = "is the URL right, and does chela serve run there?"
	ofEnv := fromEnv == "" && isLoopback(u) || o.URL == "" || o.URL == fromEnv
	if ofEnv && at.token == "" && at.password == "" {
		if at.token = env("CHELA_TOKEN", "OPENCLAW_GATEWAY_TOKEN"); at.token == "" {
			at.password = env("CHELA_PASSWORD", "OPENCLAW_GATEWAY_PASSWORD")
		}
	}
	if at.token == "" && at.password == "" && o.isOwn(u) {
		return at, at.useSocket(o.StateDir)
	}
	pin := o.Fingerprint
	if pin == "" && ofEnv && u.Scheme == "https" {
		pin = os.Getenv("CHELA_FINGERPRINT")
	}
	if pin != "" && u.Scheme != "https" {
		return at, errors.New("client: a fingerprint is for a server that is called by https")
	}
	at.tls, err = trusting(u.Hostname(), pin)
	return at, err
}

// env returns an environment variable or, if it is not set, the variable with OpenClaw's name for it.
func env(name, openClaw string) string { return cmp.Or(os.Getenv(name), os.Getenv(openClaw)) }

// origin parses the URL of a server. The schemes ws and wss stand for http and https, as for the
// commands of chela. It accepts http only for this machine: in a network, others could read the
// token, and what pages show.
func origin(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err == nil {
		u.Scheme = strings.Replace(u.Scheme, "ws", "http", 1)
	}
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("client: the server's URL must begin with http:// or https:// and a host")
	case u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("client: the server's URL must be only scheme, host and port")
	case u.Scheme == "http" && !isLoopback(u):
		return nil, errors.New("client: plain http is only for this machine: a server on " + u.Hostname() + " needs https")
	}
	return u, nil
}

func isLoopback(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// isOwn reports whether a URL names the server of the state directory: it is on this machine and has
// the port in the file server.json.
func (o Options) isOwn(u *url.URL) bool {
	dir, err := stateDir(o.StateDir)
	if err != nil || !isLoopback(u) {
		return false
	}
	raw, err := os.ReadFile(filepath.Join(dir, "server.json"))
	var server struct {
		Port int `json:"port"`
	}
	return err == nil && json.Unmarshal(raw, &server) == nil && u.Port() == fmt.Sprint(server.Port)
}

// useSocket sets the place to the Unix socket of the state directory's server. Only the user of the
// server can open this socket, so calls need no token.
func (at *place) useSocket(dir string) error {
	dir, err := stateDir(dir)
	if err != nil {
		return err
	}
	at.base, at.socket, at.whenGone = "http://chela", socketIn(dir), "run chela serve"
	return nil
}

// stateDir returns the absolute path of the state directory. The argument is the caller's choice, or
// "".
func stateDir(dir string) (string, error) {
	if dir = cmp.Or(dir, env("CHELA_STATE_DIR", "OPENCLAW_STATE_DIR")); dir != "" && !strings.HasPrefix(dir, "~/") {
		return filepath.Abs(dir)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("client: the state directory is not known: %w", err)
	}
	return filepath.Join(home, strings.TrimPrefix(cmp.Or(dir, "~/.chela"), "~/")), nil
}

// socketIn returns the path of the socket of a state directory. Systems limit the length of such a
// path. If it would be too long, a file in the state directory names the socket's directory.
func socketIn(dir string) string {
	const name, maxPath = "chela.sock", 103 // in bytes, the longest that all systems allow
	if path := filepath.Join(dir, name); len(path) <= maxPath {
		return path
	}
	raw, _ := os.ReadFile(filepath.Join(dir, "socket-directory"))
	short := strings.TrimSpace(string(raw))
	if short == "" { // no server runs; this path is too long for any program to listen at
		return filepath.Join(dir, name)
	}
	return filepath.Join(short, name)
}

// An unsafeError means that another program than the server may be at the other end. No request was
// sent.
type unsafeError struct{ problem, hint string }

func (e *unsafeError) Error() string { return e.problem }

// trusting returns the TLS configuration for a server. With a pin, the only check of the certificate
// is that it has this fingerprint.
func trusting(host, pin string) (*tls.Config, error) {
	c := &tls.Config{ServerName: host}
	if pin == "" {
		return c, nil
	}
	digits := strings.ToLower(strings.TrimSpace(pin))
	for _, prefix := range []string{"sha256 fingerprint=", "sha-256:", "sha256=", "sha256:"} { // prefixes that openssl and other programs print
		digits = strings.TrimPrefix(digits, prefix)
	}
	want, err := hex.DecodeString(strings.ReplaceAll(digits, ":", ""))
	if err != nil || len(want) != sha256.Size {
		return nil, errors.New("client: a fingerprint is SHA-256: 64 hexadecimal digits, with or without colons")
	}
	c.InsecureSkipVerify = true
	c.VerifyConnection = func(s tls.ConnectionState) error {
		if has := sha256.Sum256(s.PeerCertificates[0].Raw); has != [sha256.Size]byte(want) {
			return &unsafeError{
				fmt.Sprintf("the server's certificate has the fingerprint %x, and the pinned one is %x", has, want),
				"if the server has a new certificate, pin what chela cert prints there; else another program answers",
			}
		}
		return nil
	}
	return c, nil
}

// httpClient returns the client for requests to a place. It ignores proxies that the environment
// names. It follows no redirect: the token would be sent to the redirect's target. Each request has
// its own connection. On a connection that is used again, the server may close it just as the
// request is sent. Then the caller could not know whether the call was done.
func (at place) httpClient() *http.Client {
	transport := &http.Transport{TLSClientConfig: at.tls, DisableKeepAlives: true, DisableCompression: true, DialContext: at.dial}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// dial connects to the server. Without TLS, it also checks that the server does not belong to
// another user of this machine. Nothing has been sent before this check.
func (at place) dial(ctx context.Context, network, address string) (conn net.Conn, err error) {
	if at.socket != "" {
		if err := checkOwner(filepath.Dir(at.socket)); err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, "unix", at.socket)
	}
	for _, each := range addresses(address) {
		if conn, err = new(net.Dialer).DialContext(ctx, network, each); err == nil {
			break
		}
	}
	if err != nil || strings.HasPrefix(at.base, "https:") {
		return conn, err
	}
	if err := listener.Check(conn); err != nil {
		conn.Close()
		return nil, &unsafeError{err.Error(), at.whenGone}
	}
	return conn, nil
}

// addresses lists the addresses to dial, in order. The name localhost is not looked up: a resolver
// could return the address of another machine.
func addresses(address string) []string {
	if port, ok := strings.CutPrefix(address, "localhost:"); ok {
		return []string{"127.0.0.1:" + port, "[::1]:" + port}
	}
	return []string{address}
}
