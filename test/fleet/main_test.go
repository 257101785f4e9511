// Package fleet tests several machines that work as one. Each is a process of this machine. They
// meet at a server of NATS.
package fleet

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// program is the server of NATS, and site has pages for the tests.
var (
	program string
	site    *httptest.Server
)

// large is a file that does not fit into a message.
const large = 3_000_000

// The tests need the server of NATS, which `make fleet` builds.
func TestMain(m *testing.M) {
	service.BeProgram()
	if program = os.Getenv("CHELA_TEST_NATS"); program == "" {
		fmt.Println("not run: see make fleet")
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/", pages.Handler())
	mux.HandleFunc("/account", account)
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=large.bin")
		w.Write(make([]byte, large))
	})
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/did", countAct)
	site = httptest.NewServer(mux)
	code := m.Run()
	site.Close()
	os.Exit(code)
}

// A broker is a server of NATS, which can be killed and started again.
type broker struct {
	t    testing.TB
	port int
	args []string
	cmd  *exec.Cmd
}

// newBroker starts a server of NATS, with these arguments besides its port.
func newBroker(t testing.TB, args ...string) *broker {
	t.Helper()
	b := &broker{t: t, port: unusedPort(t), args: args}
	b.start()
	t.Cleanup(b.kill)
	return b
}

// withObjects returns the arguments with which the server keeps files.
func withObjects(t testing.TB) []string { return []string{"-js", "-sd", t.TempDir()} }

func (b *broker) start() {
	b.t.Helper()
	var log bytes.Buffer
	b.cmd = exec.Command(program, append([]string{"-a", "127.0.0.1", "-p", strconv.Itoa(b.port)}, b.args...)...)
	b.cmd.Stderr = &log
	if err := b.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	service.Eventually(b.t, "NATS listens", func() bool {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port)))
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

func (b *broker) kill() {
	b.cmd.Process.Kill()
	b.cmd.Wait()
}

func (b *broker) url() string { return fmt.Sprintf("nats://127.0.0.1:%d", b.port) }

func unusedPort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// newNode starts a node, with more arguments of its command and a configuration.
func (b *broker) newNode(t testing.TB, name, settings string, more ...string) *service.Program {
	t.Helper()
	return service.Run(t, stateDir(t, settings), append([]string{"node", "--nats", b.url(), "--name", name}, more...)...)
}

// newCaller starts a server that calls nodes.
func (b *broker) newCaller(t testing.TB, settings string) *service.Program {
	t.Helper()
	return service.Run(t, stateDir(t, settings), "serve", "--nats", b.url())
}

// stateDir returns a state directory with a configuration. The parameter settings begins the
// configuration, without its end: {gateway: {},
func stateDir(t testing.TB, settings string) string {
	t.Helper()
	dir := t.TempDir()
	text := settings
	if text == "" {
		text = "{"
	}
	if err := os.WriteFile(filepath.Join(dir, "chela.json"), []byte(text+" browser: {noSandbox: true, headless: true}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
