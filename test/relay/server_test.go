package relay

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A server takes the place of chela: it does the handshake, and keeps what the extension sends.
type server struct {
	t          *testing.T
	port       int
	keyID, key string
	http       *http.Server

	mu      sync.Mutex // guards the rest
	changed chan struct{}
	conn    *websocket.Conn // the latest connection that has passed the handshake
	hellos  []m
	seen    float64 // number of the last message that was taken from worker
	worker  string
	events  []m // messages with a number, each once
	gaps    int // how many numbers were missing
	replies map[float64]m
	lastID  float64
}

func newServer(t *testing.T) *server {
	s := &server{t: t, keyID: "00112233445566aa", key: strings.Repeat("5a", 32), changed: make(chan struct{}), replies: map[float64]m{}}
	s.listen(0)
	t.Cleanup(func() { s.close() })
	return s
}

// listen begins to serve on a port. If port is 0, the system chooses one.
func (s *server) listen(port int) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		s.t.Fatal(err)
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve)}
	go s.http.Serve(listener)
}

// close ends the server with its connections.
func (s *server) close() {
	s.http.Close()
	s.disconnect()
}

// disconnect ends the connection of the extension.
func (s *server) disconnect() {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		conn.CloseNow()
	}
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	if got := r.Header.Get("Origin"); got != "chrome-extension://"+extensionID {
		s.t.Errorf("Origin = %q", got)
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(64 << 20)
	first, err := receive(r.Context(), conn)
	if err != nil {
		return
	}
	if first["kind"] == "pair" {
		s.pair(r.Context(), conn, first)
		return
	}
	if s.prove(r.Context(), conn, first) {
		go s.ping(conn)
		s.take(conn)
	}
}

// ping tells the extension each second which messages the server has taken, until the connection
// ends.
func (s *server) ping(conn *websocket.Conn) {
	for range time.Tick(time.Second) {
		s.mu.Lock()
		seen, greeted := s.seen, s.conn == conn
		s.mu.Unlock()
		if greeted && send(conn, m{"ping": time.Now().UnixMilli(), "seen": seen}) != nil {
			return
		}
	}
}

func receive(ctx context.Context, conn *websocket.Conn) (message m, err error) {
	_, raw, err := conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	return message, json.Unmarshal(raw, &message)
}

func send(conn *websocket.Conn, message m) error {
	raw, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return conn.Write(context.Background(), websocket.MessageText, raw)
}

// prove does the handshake, and reports whether the other side knows the key.
func (s *server) prove(ctx context.Context, conn *websocket.Conn, hello m) bool {
	s.mu.Lock()
	keyID, key := s.keyID, s.key
	s.mu.Unlock()
	if hello["keyId"] != keyID {
		send(conn, m{"kind": "refused", "status": 401, "reason": "unknown key"})
		conn.Close(4401, "unknown key")
		return false
	}
	nonce, expires := randomHex(16), time.Now().Add(10*time.Second).UnixMilli()
	said := []string{keyID, hello["nonce"].(string), nonce, strconv.FormatInt(expires, 10)}
	send(conn, m{"kind": "challenge", "nonce": nonce, "expires": expires, "proof": sign(key, "chela-extension/1", "server", said...)})
	proof, err := receive(ctx, conn)
	if err != nil {
		return false
	}
	said = append(said, proof["run"].(string), strconv.Itoa(int(proof["generation"].(float64))))
	if proof["proof"] != sign(key, "chela-extension/1", "extension", said...) {
		s.t.Errorf("the extension's proof is wrong")
		return false
	}
	return send(conn, m{"kind": "ok", "version": "1"}) == nil
}

func randomHex(count int) string {
	b := make([]byte, count)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// sign returns the HMAC of a list of texts.
func sign(key, protocol, side string, texts ...string) string {
	raw, _ := hex.DecodeString(key)
	mac := hmac.New(sha256.New, raw)
	list, _ := json.Marshal(append([]string{protocol, side}, texts...))
	mac.Write(list)
	return hex.EncodeToString(mac.Sum(nil))
}

// take reads all that an extension sends after its handshake.
func (s *server) take(conn *websocket.Conn) {
	for {
		message, err := receive(context.Background(), conn)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.takeLocked(conn, message)
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
	}
}

func (s *server) takeLocked(conn *websocket.Conn, message m) {
	if hello, ok := message["hello"].(m); ok {
		if worker := hello["worker"].(string); worker != s.worker {
			s.worker, s.seen = worker, 0
		}
		s.hellos, s.conn = append(s.hellos, hello), conn
		send(conn, m{"ping": time.Now().UnixMilli(), "seen": s.seen})
	} else if n, ok := message["n"].(float64); ok {
		if n > s.seen+1 {
			s.gaps++
		}
		if n > s.seen {
			s.seen, s.events = n, append(s.events, message)
		}
	} else if id, ok := message["id"].(float64); ok {
		s.replies[id] = message
	}
}

// wait waits until what has come fulfils a condition.
func (s *server) wait(what string, holds func() bool) {
	s.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		s.mu.Lock()
		ok, changed := holds(), s.changed
		s.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			s.mu.Lock()
			defer s.mu.Unlock()
			s.t.Fatalf("not in 20 s: %s; %d hellos, the last events:\n%s", what, len(s.hellos), s.lastLocked())
		}
	}
}

// lastLocked returns the last events as shortened text.
func (s *server) lastLocked() string {
	var lines strings.Builder
	for _, e := range s.events[max(0, len(s.events)-25):] {
		raw, _ := json.Marshal(e)
		fmt.Fprintf(&lines, "%.400s\n", raw)
	}
	return lines.String()
}

// hello waits for the hello with this number, from 1, and returns it.
func (s *server) hello(number int) (hello m) {
	s.t.Helper()
	s.wait(fmt.Sprintf("hello %d", number), func() bool {
		if len(s.hellos) < number {
			return false
		}
		hello = s.hellos[number-1]
		return true
	})
	return hello
}

// greeted returns how many hellos have come.
func (s *server) greeted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.hellos)
}

// event waits for a numbered message. It may have come before the call.
func (s *server) event(what string, is func(m) bool) (found m) {
	s.t.Helper()
	s.wait(what, func() bool {
		for _, e := range s.events {
			if is(e) {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

// has reports whether a numbered message has come.
func (s *server) has(is func(m) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		if is(e) {
			return true
		}
	}
	return false
}

// clear forgets the events that have come.
func (s *server) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = nil
}

// change waits for a change that has a field with this name and value, such as "gone" of a tab.
func (s *server) change(name string, value any) m {
	s.t.Helper()
	return s.event(fmt.Sprintf("change %s of %v", name, value), isChange(name, value))["change"].(m)
}

// isChange returns a function that finds a change: by a field with this value, or by a tab with
// this id.
func isChange(name string, value any) func(m) bool {
	return func(e m) bool {
		change, _ := e["change"].(m)
		field := change[name]
		if tab, ok := field.(m); ok {
			field = tab["tabId"]
		}
		return field != nil && equal(field, value)
	}
}

// equal compares values as JSON has them.
func equal(a, b any) bool {
	one, _ := json.Marshal(a)
	other, _ := json.Marshal(b)
	return string(one) == string(other)
}

// do sends a command and returns its result. The test fails if the command is refused.
func (s *server) do(message m) m {
	s.t.Helper()
	reply := s.try(message)
	if reply["error"] != nil {
		s.t.Fatalf("%v: %v", message, reply["error"])
	}
	result, _ := reply["result"].(m)
	return result
}

// try sends a command and returns the reply.
func (s *server) try(message m) (reply m) {
	s.t.Helper()
	id := s.send(message)
	s.wait(fmt.Sprintf("reply to %v", message), func() bool {
		reply = s.replies[id]
		return reply != nil
	})
	return reply
}

func (s *server) send(message m) float64 {
	s.t.Helper()
	s.mu.Lock()
	s.lastID++
	id, conn := s.lastID, s.conn
	s.mu.Unlock()
	message["id"] = id
	if err := send(conn, message); err != nil {
		s.t.Fatal(err)
	}
	return id
}

// command sends a command to a tab.
func (s *server) command(tab int, method string, params m) m {
	s.t.Helper()
	return s.do(m{"tab": tab, "method": method, "params": params})
}

// evaluate returns the value of an expression in a tab.
func (s *server) evaluate(tab int, expression string) any {
	s.t.Helper()
	answer := s.command(tab, "Runtime.evaluate", m{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true})
	return answer["result"].(m)["value"]
}
