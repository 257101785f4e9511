// Package natstest has a NATS server that runs in the process of a test. It knows only what package
// natsline needs of the protocol, without JetStream. Tests with a real server are in test/fleet.
package natstest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// A Server is a server of NATS.
type Server struct {
	listener net.Listener
	serving  sync.WaitGroup

	mu    sync.Mutex // guards the rest
	token string     // token that clients must send; "": none
	conns map[*conn]bool
	asked int // how many connections were ever made
}

// Start starts a server for the time of a test. Clients must send the token, unless it is "".
func Start(t testing.TB, token string) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{listener: listener, token: token, conns: map[*conn]bool{}}
	s.serving.Go(s.accept)
	t.Cleanup(func() {
		listener.Close()
		s.Disconnect()
		s.serving.Wait()
	})
	return s
}

// URL returns the address to which clients connect.
func (s *Server) URL() string { return "nats://" + s.listener.Addr().String() }

// Asked returns how many connections clients have made since the start.
func (s *Server) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Disconnect ends all connections. Clients may connect again.
func (s *Server) Disconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
	}
}

func (s *Server) accept() {
	for {
		raw, err := s.listener.Accept()
		if err != nil {
			return
		}
		c := &conn{Conn: raw, server: s, subs: map[string]string{}}
		s.mu.Lock()
		s.conns[c] = true
		s.asked++
		s.mu.Unlock()
		s.serving.Go(c.serve)
	}
}

// A conn is the connection of a client.
type conn struct {
	net.Conn
	server *Server
	subs   map[string]string // subjects by subscription id (sid); guarded by the server's mu

	writing sync.Mutex // held while a message is written
}

func (c *conn) write(format string, args ...any) {
	c.writing.Lock()
	defer c.writing.Unlock()
	fmt.Fprintf(c, format, args...)
}

func (c *conn) serve() {
	defer func() {
		c.Close()
		c.server.mu.Lock()
		delete(c.server.conns, c)
		c.server.mu.Unlock()
	}()
	c.write("INFO {\"server_id\":\"test\",\"version\":\"2.11.0\",\"max_payload\":1048576,\"headers\":true,\"proto\":1,\"auth_required\":%v}\r\n", c.server.token != "")
	in := bufio.NewReader(c)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		switch strings.ToUpper(f[0]) {
		case "CONNECT":
			var options struct {
				Token string `json:"auth_token"`
			}
			json.Unmarshal([]byte(strings.TrimSpace(line[len("CONNECT"):])), &options)
			if options.Token != c.server.token {
				c.write("-ERR 'Authorization Violation'\r\n")
				return
			}
		case "PING":
			c.write("PONG\r\n")
		case "SUB":
			c.subscribe(f[1], f[len(f)-1])
		case "UNSUB":
			c.unsubscribe(f[1])
		case "PUB":
			var size int
			fmt.Sscan(f[len(f)-1], &size)
			body := make([]byte, size+len("\r\n"))
			if _, err := io.ReadFull(in, body); err != nil {
				return
			}
			reply := ""
			if len(f) == 4 {
				reply = f[2]
			}
			c.publish(f[1], reply, body[:size])
		}
	}
}

func (c *conn) subscribe(subject, sid string) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.subs[sid] = subject
}

func (c *conn) unsubscribe(sid string) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	delete(c.subs, sid)
}

// publish delivers a message. If nobody receives a message that asks for an answer, the sender gets
// an answer with the status 503 in its headers.
func (c *conn) publish(subject, reply string, body []byte) {
	if c.server.deliver(subject, func(to *conn, sid string) {
		to.write("MSG %s %s %s %d\r\n%s\r\n", subject, sid, reply, len(body), body)
	}) > 0 || reply == "" {
		return
	}
	const none = "NATS/1.0 503\r\n\r\n"
	c.server.deliver(reply, func(to *conn, sid string) {
		to.write("HMSG %s %s %d %d\r\n%s\r\n", reply, sid, len(none), len(none), none)
	})
}

func (s *Server) deliver(subject string, send func(to *conn, sid string)) (received int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		for sid, pattern := range c.subs {
			if matches(strings.Split(pattern, "."), strings.Split(subject, ".")) {
				received++
				send(c, sid)
			}
		}
	}
	return received
}

func matches(pattern, subject []string) bool {
	for i, part := range pattern {
		switch {
		case part == ">":
			return len(subject) > i
		case i >= len(subject) || part != "*" && part != subject[i]:
			return false
		}
	}
	return len(pattern) == len(subject)
}
