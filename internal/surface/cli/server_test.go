package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/process"
	"chela/internal/op"
	"chela/internal/surface/client"
	"chela/internal/surface/server"
)

// afar starts a server that listens on TCP, with the service s.
func afar(t *testing.T, s *service) (url string) {
	t.Helper()
	listeners, err := server.ListenTCP(0)
	if err != nil {
		t.Fatal(err)
	}
	serveAt(t, server.Options{Runner: s, Token: func() string { return "T" }, Password: "P", Receive: s.Receive}, listeners...)
	return fmt.Sprintf("http://127.0.0.1:%d", server.Port(listeners[0]))
}

// from runs a command line with a state directory for which no server runs.
func from(t *testing.T, line ...string) (code int, out, errs string) {
	t.Helper()
	return (&session{service: &service{}, dir: filepath.Join(t.TempDir(), "none")}).run(t, line...)
}

// A server may listen at another port than that of the configuration. Its callers are to use that one.
func TestCertNamesThePortInUse(t *testing.T) {
	s := &session{service: &service{}, dir: t.TempDir()}
	state, err := config.StateAt(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	s.run(t, "cert", "make", "127.0.0.7")
	s.run(t, "config", "set", "gateway.bind", "127.0.0.7")
	if err := state.Announce(config.Server{PID: os.Getpid(), Port: 19391, Process: process.Self()}); err != nil {
		t.Fatal(err)
	}
	if _, out, errs := s.run(t, "cert"); !strings.Contains(out, "CHELA_URL=https://127.0.0.7:19391\n") {
		t.Errorf("got %s%s", out, errs)
	}
}

// After a name that no certificate can have, the configuration names no certificate.
func TestCertForNoName(t *testing.T) {
	s := &session{service: &service{}, dir: t.TempDir()}
	for _, host := range []string{"b\u00fccher.example", ""} {
		if code, _, errs := s.run(t, "cert", "make", host); code != 1 || !strings.Contains(errs, "is no name and no address") {
			t.Errorf("%q: exit %d, %s", host, code, errs)
		}
	}
	if code, _, errs := s.run(t, "cert"); code != 1 || !strings.Contains(errs, "no certificate is configured") {
		t.Errorf("exit %d, %s", code, errs)
	}
	s.run(t, "config", "set", "gateway.hosts", `["b\u00fccher.example", "a.example"]`)
	if code, out, errs := s.run(t, "cert", "make"); code != 0 || !strings.Contains(out, "a.example") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

// Errors about the server are JSON for a script as well. Errors of the command line are only text.
func TestServerErrorsAsJSON(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"--json --config nowhere.json click e1", `"error": "`},
		{"--json --server= click e1", ""},
	} {
		code, out, errs := from(t, strings.Fields(test.line)...)
		if code != 1 || errs == "" || !strings.Contains(out, test.want) || (out == "") != (test.want == "") {
			t.Errorf("%s: exit %d, %s%s", test.line, code, out, errs)
		}
	}
}

// The entry of a server that was killed says nothing about a call that this process has answered.
func TestEntryOfNoServer(t *testing.T) {
	state := config.State{Dir: filepath.Join(t.TempDir(), "state")}
	if err := state.Make(); err != nil {
		t.Fatal(err)
	}
	if err := state.Announce(config.Server{PID: os.Getpid(), Port: 1, Version: "older"}); err != nil {
		t.Fatal(err)
	}
	p := program()
	p.Alone = func(*config.Live) (op.Runner, error) { return &service{answer: `{"ok":true}`}, nil }
	var out, errs bytes.Buffer
	p.Out, p.Err = &out, &errs
	if code := p.Run(t.Context(), []string{"--state-dir", state.Dir, "status"}); code != 0 || errs.String() != "chela is not running: this is what is configured\n" {
		t.Errorf("exit %d, %s", code, errs.String())
	}
}

// Without a server, an operation that would change something in it fails. Lists and shutdown succeed.
func TestNoServer(t *testing.T) {
	p := program()
	p.Table = func() *op.Table {
		return &op.Table{Ops: []*op.Op{
			row[struct{}, ok]("POST /ticket", "ticket", "Get a ticket.", op.NeverStart),
			row[struct{}, ok]("GET /asks", "asks", "List the questions.", op.NeverStart),
			row[struct{}, ok]("POST /shutdown", "shutdown", "End the server.", op.NeverStart, op.EndsServer),
		}}
	}
	const says = "chela is not running\n"
	for _, test := range []struct {
		command   string
		code      int
		out, errs string
	}{
		{"ticket", 1, "", "chela: " + says + "chela: try: chela serve\n"},
		{"asks", 0, says, ""},
		{"shutdown", 0, says, ""},
	} {
		var out, errs bytes.Buffer
		p.Out, p.Err = &out, &errs
		code := p.Run(t.Context(), []string{"--state-dir", filepath.Join(t.TempDir(), "state"), test.command})
		if code != test.code || out.String() != test.out || errs.String() != test.errs {
			t.Errorf("%s: exit %d, %s%s", test.command, code, out.String(), errs.String())
		}
	}
}

// --timeout also limits the wait for a server that starts or ends, which has the lock of the state
// directory and does not answer.
func TestTimeoutWhileTheServerEnds(t *testing.T) {
	state := config.State{Dir: filepath.Join(t.TempDir(), "state")}
	if err := state.Make(); err != nil {
		t.Fatal(err)
	}
	release, err := state.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	p := program()
	var errs bytes.Buffer
	p.Out, p.Err = io.Discard, &errs
	began := time.Now()
	code := p.Run(t.Context(), []string{"--state-dir", state.Dir, "--server", "http://127.0.0.1:9", "--timeout", "50", "status"})
	if took := time.Since(began); code != 1 || !strings.HasPrefix(errs.String(), "chela: not done in time\n") || took > startTime/2 {
		t.Errorf("exit %d after %v: %s", code, took, errs.String())
	}
}

// A probe learns that no server runs, also from a command that would be answered without one.
func TestNeedServer(t *testing.T) {
	p := program()
	p.Alone = func(*config.Live) (op.Runner, error) { return &service{answer: `{"ok":true}`}, nil }
	var out, errs bytes.Buffer
	p.Out, p.Err = &out, &errs
	code := p.Run(t.Context(), []string{"--state-dir", filepath.Join(t.TempDir(), "state"), "status", "--need-server"})
	if code != 1 || out.Len() > 0 || !strings.HasPrefix(errs.String(), "chela: chela is not running\n") {
		t.Errorf("exit %d, %s%s", code, out.String(), errs.String())
	}
}

func TestServerFlag(t *testing.T) {
	s := &service{answer: `{"ok":true,"url":"a"}`}
	url := afar(t, s)
	const unauthorized = "chela: Unauthorized\nchela: try: give the server's token by --token or $CHELA_TOKEN, or its password by --password or $CHELA_PASSWORD\n"
	for _, test := range []struct {
		line string
		env  map[string]string
		errs string
	}{
		{"--server URL --token T click e1", nil, ""},
		{"click e1 --server URL --password P", nil, ""},
		{"browser --url URL --token T click e1", nil, ""},
		{"--url=URL --token=T click e1", nil, ""},
		{"click e1 --url URL --token T", nil, ""},
		{"click e1 --url=URL --password P", nil, ""},
		{"--expect-final --url WSURL --token T click e1", nil, ""},
		{"--token T click e1", map[string]string{"CHELA_URL": "URL"}, ""},
		{"click e1", map[string]string{"CHELA_URL": "URL", "CHELA_TOKEN": "T"}, ""},
		{"click e1", map[string]string{"CHELA_URL": "URL", "CHELA_PASSWORD": "P"}, ""},
		{"--server URL click e1", map[string]string{"CHELA_TOKEN": "T"}, ""},
		{"--server URL click e1 --token T", map[string]string{"CHELA_TOKEN": "x"}, ""},

		{"--server URL click e1", nil, unauthorized},
		{"--server URL --token x click e1", nil, unauthorized},
		{"--server URL --password T click e1", nil, unauthorized},
		{"--password P log-in --password x --server URL", nil, ""},
		{"log-in --password P --server URL", nil, unauthorized},
		{"--server URL click e1", map[string]string{"CHELA_URL": "http://127.0.0.1:1", "CHELA_TOKEN": "T"}, unauthorized},
		{"--server URL --token T --password P click e1", nil, "chela: Specify only one of --token or --password\n"},
		{"--server URL --token= click e1", map[string]string{"CHELA_TOKEN": "T"}, "chela: token must not be blank\nchela: try: leave --token out if the server is on this machine\n"},
	} {
		for _, name := range []string{"CHELA_URL", "CHELA_TOKEN", "CHELA_PASSWORD"} {
			t.Setenv(name, strings.ReplaceAll(test.env[name], "URL", url))
		}
		s.ran = ""
		line := strings.ReplaceAll(strings.ReplaceAll(test.line, "WSURL", strings.Replace(url, "http", "ws", 1)), "URL", url)
		code, out, errs := from(t, strings.Fields(line)...)
		want := `click {"kind":"click","ref":"e1"}`
		if strings.Contains(line, "log-in") {
			want = `log-in {"password":"x"}`
		}
		if test.errs != "" {
			want = ""
		}
		if (code == 0) != (test.errs == "") || s.ran != want || errs != test.errs {
			t.Errorf("%s with %v: exit %d, ran %q, %s%s", test.line, test.env, code, s.ran, out, errs)
		}
	}
}

// After the command, --url and --password may be parameters of the command.
func TestServerFlagsBehindTheCommand(t *testing.T) {
	p := &Program{Table: table}
	for _, test := range []struct{ line, want string }{
		{"--url a click --url=b", "--server=a --url=b"},
		{"browser --url a click", "--server=a"},
		{"browser click --url=b", "--url=b"},
		{"click -- --url a", ""},
		{"--password a click --password b", "--server-password=a --password=b"},
		{"--password=a browser click", "--server-password=a"},
	} {
		if got := strings.Join(p.parse(strings.Fields(test.line)).flags, " "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.line, got, test.want)
		}
	}
}

// If the server cannot be reached, every command returns an error, even a command that never starts a
// server.
func TestServerThatDoesNotAnswer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	for _, line := range []string{"status", "click e1"} {
		code, out, errs := from(t, strings.Fields("--server https://"+l.Addr().String()+" "+line)...)
		if code != 1 || out != "" || !strings.Contains(errs, "no server answers at https://127.0.0.1:") {
			t.Errorf("%s: exit %d, %s%s", line, code, out, errs)
		}
	}
}

// If a secret is given for an address of this machine and nobody listens there, the user means
// another server that does not run now. No server is started in its place, because the secret would
// be sent to that server.
func TestNoServerIsStartedInPlaceOfAnother(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	url := "http://" + l.Addr().String()
	for _, test := range []struct {
		line string
		env  map[string]string
	}{
		{"--server URL --token T click e1", nil},
		{"click e1", map[string]string{"CHELA_URL": url, "CHELA_TOKEN": "T"}},
		{"click e1", map[string]string{"CHELA_URL": url, "CHELA_PASSWORD": "P"}},
	} {
		for _, name := range []string{"CHELA_URL", "CHELA_TOKEN", "CHELA_PASSWORD"} {
			t.Setenv(name, test.env[name])
		}
		dir := filepath.Join(t.TempDir(), "none")
		code, out, errs := (&session{service: &service{}, dir: dir}).run(t, strings.Fields(strings.ReplaceAll(test.line, "URL", url))...)
		if _, err := os.Stat(dir); err == nil || code != 1 || !strings.Contains(errs, "no server answers at "+url) {
			t.Errorf("%s with %v: exit %d, %s%s, state directory: %v", test.line, test.env, code, out, errs, err)
		}
	}
}

// A server that starts listens on its port before it is announced. A command that names the port then
// waits until it is, and does not take it for another server.
func TestServerThatStartsIsFoundByItsPort(t *testing.T) {
	state := config.State{Dir: t.TempDir()}
	release, err := state.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	at, err := client.ParseOrigin("http://" + port.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	announced := make(chan error, 1)
	go func() {
		conn, err := port.Accept() // the command has tried the port
		if err != nil {
			announced <- err
			return
		}
		conn.Close()
		socket, err := server.ListenUnix(state.Socket())
		if err == nil {
			t.Cleanup(func() { socket.Close() })
			err = state.Announce(config.Server{PID: os.Getpid(), Port: at.Port})
		}
		announced <- err
	}()
	got, err := (&remote{state: state}).find(t.Context(), at)
	if failed := <-announced; got != ownRuns || err != nil || failed != nil {
		t.Errorf("got %v, %v, %v; want the server of the state directory", got, err, failed)
	}
}

// A wrong secret in a flag is an error even over the Unix socket. A secret in the environment is not
// sent over the socket, because it may be for another server.
func TestSecretOverTheSocket(t *testing.T) {
	s := &service{answer: `{"ok":true}`}
	dir := t.TempDir()
	l, err := server.ListenUnix(config.State{Dir: dir}.Socket())
	if err != nil {
		t.Fatal(err)
	}
	serveAt(t, server.Options{Runner: s, Token: func() string { return "T" }}, l)
	t.Setenv("CHELA_TOKEN", "of another server")
	for line, want := range map[string]int{"status": 0, "--token T status": 0, "--token x status": 1, "--password T status": 1} {
		if code, _, errs := (&session{service: s, dir: dir}).run(t, strings.Fields(line)...); code != want {
			t.Errorf("%s: exit %d, %s", line, code, errs)
		}
	}
}

// The files that the answer of a server on another machine names are copied to this machine. With
// --out, the only copy is at the path that --out names.
func TestFilesComeFromAfar(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made.png")
	if err := os.WriteFile(made, []byte("picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(map[string]string{"path": made})
	s := &service{answer: string(raw)}
	url := afar(t, s)
	code, out, errs := from(t, "--server", url, "--token", "T", "screenshot")
	copied := strings.TrimSpace(out)
	got, err := os.ReadFile(copied)
	if code != 0 || copied == made || !strings.HasSuffix(copied, "-made.png") || string(got) != "picture" || err != nil {
		t.Fatalf("exit %d, %s%s: %q, %v", code, out, errs, got, err)
	}
	defer os.Remove(copied)
	others := func() []string {
		all, _ := filepath.Glob(filepath.Join(filepath.Dir(copied), "*-made.png"))
		return all
	}
	before, to := len(others()), filepath.Join(t.TempDir(), "to.png")
	code, out, errs = from(t, "--server", url, "--token", "T", "screenshot", "--out", to)
	if got, err := os.ReadFile(to); code != 0 || out != to+"\n" || string(got) != "picture" || err != nil {
		t.Errorf("exit %d, %s%s: %q, %v", code, out, errs, got, err)
	}
	if n := len(others()); n != before {
		t.Errorf("%d copies are left behind", n-before)
	}
}

// If a file of the answer cannot be fetched, the error says that the call itself was made.
func TestFileThatDoesNotCome(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/files/") {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, `{"path":"/far/made.png","fileIds":{"/far/made.png":"x"}}`)
	}))
	defer s.Close()
	code, out, errs := from(t, "--server", s.URL, "screenshot")
	if code != 1 || out != "" || !strings.Contains(errs, "the call was made, but its file made.png could not be fetched") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

// With --out, the printed answer has the path that --out names.
func TestSavedAnswers(t *testing.T) {
	s := serve(t)
	made := filepath.Join(s.dir, "made.png")
	if err := os.WriteFile(made, []byte("picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ line, answer, out, saved string }{
		{"snapshot", `{"snapshot":"- text"}`, "TO\n", "- text\n"},
		{"snapshot --json", `{"snapshot":"- text"}`, "{\n  \"ok\": true,\n  \"out\": \"TO\"\n}\n", "- text\n"},
		{"labelled", `{"snapshot":"- text","imagePath":"MADE"}`, "TO\nMADE\n", "- text\n"},
		{"labelled --json", `{"snapshot":"- text","imagePath":"MADE"}`, "{\n  \"imagePath\": \"MADE\",\n  \"ok\": true,\n  \"out\": \"TO\"\n}\n", "- text\n"},
		{"labelled", `{"nodes":[1]}`, "TO\n", "{\n  \"nodes\": [\n    1\n  ]\n}\n"},
		{"screenshot", `{"path":"MADE"}`, "TO\n", "picture"},
		{"screenshot --json", `{"path":"MADE"}`, "{\n  \"path\": \"TO\"\n}\n", "picture"},
	} {
		to := filepath.Join(t.TempDir(), "to")
		names := strings.NewReplacer("TO", to, "MADE", made)
		s.answer = names.Replace(test.answer)
		code, out, errs := s.run(t, append(strings.Fields(test.line), "--out", to)...)
		if code != 0 || out != names.Replace(test.out) {
			t.Errorf("%s: exit %d, %s%s", test.line, code, out, errs)
		}
		if got, err := os.ReadFile(to); string(got) != test.saved {
			t.Errorf("%s: saved %q, %v", test.line, got, err)
		}
	}
	s.answer = `{"path":"` + made + `"}`
	if code, _, errs := s.run(t, "screenshot", "--out", made); code != 0 {
		t.Error(errs)
	}
	if got, _ := os.ReadFile(made); !bytes.Equal(got, []byte("picture")) {
		t.Errorf("saved as itself, it has become %q", got)
	}
	s.answer = `{}`
	if code, _, errs := s.run(t, "screenshot", "--out", made); code != 1 || !strings.Contains(errs, "no file to save") {
		t.Errorf("without a file: exit %d, %s", code, errs)
	}
}

// A picture keeps its format under the name that --out gives it, and a warning says so.
func TestPictureOfAnotherName(t *testing.T) {
	s := serve(t)
	made := filepath.Join(s.dir, "made.png")
	if err := os.WriteFile(made, []byte("picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.answer = `{"path":"` + made + `"}`
	for name, want := range map[string]string{"a.jpg": "a.jpg holds image/png: its name says image/jpeg", "a.png": "", "a.PNG": "", "a": "", "a.txt": ""} {
		code, _, errs := s.run(t, "screenshot", "--out", filepath.Join(t.TempDir(), name))
		if code != 0 || !strings.Contains(errs, want) || want == "" && errs != "" {
			t.Errorf("%s: exit %d, %q, want %q", name, code, errs, want)
		}
	}
}

// With a dialog open there is no result. A file of --out stays as it is, and the command fails, also
// for a script.
func TestNothingIsSavedBehindADialog(t *testing.T) {
	s := serve(t)
	to := filepath.Join(t.TempDir(), "to")
	if err := os.WriteFile(to, []byte("good"), 0o600); err != nil {
		t.Fatal(err)
	}
	const dialogs = `"blockedByDialog":true,"browserState":{"dialogs":{"pending":[{"id":"d1","type":"alert","message":"Stop"}]}}`
	for _, test := range []struct {
		line, answer, out, errs string
		code                    int
	}{
		{"snapshot --out TO", `{"snapshot":"","notDone":true,DIALOGS}`, "", "Action blocked by a modal dialog", 1},
		{"snapshot --json --out TO", `{"snapshot":"","notDone":true,DIALOGS}`, `"code": "conflict"`, "Action blocked by a modal dialog", 1},
		{"snapshot --json --out TO", `{"snapshot":"",DIALOGS}`, `"sent": true`, "nothing to save as TO", 1},
		{"click e1 --json", `{"ok":true,"notDone":true,DIALOGS}`, `"pending"`, "Action blocked by a modal dialog", 1},
		{"click e1 --json", `{"ok":true,DIALOGS}`, `"ok": true`, "", 0},
	} {
		s.answer = strings.Replace(test.answer, "DIALOGS", dialogs, 1)
		code, out, errs := s.run(t, strings.Fields(strings.Replace(test.line, "TO", to, 1))...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, strings.Replace(test.errs, "TO", to, 1)) {
			t.Errorf("%s, %s: exit %d, %s%s", test.line, test.answer, code, out, errs)
		}
	}
	if got, _ := os.ReadFile(to); string(got) != "good" {
		t.Errorf("saved %q", got)
	}
}

// If --out cannot be written, nothing is called. If the result cannot be saved after the call, the
// error says where its file is, and a copy of it stays.
func TestOutThatCannotBeWritten(t *testing.T) {
	s := serve(t)
	to := filepath.Join(t.TempDir(), "none", "to")
	for _, at := range []string{to, t.TempDir()} {
		code, out, errs := s.run(t, "screenshot", "--json", "--out", at)
		if code != 1 || s.ran != "" || !strings.Contains(errs, "nothing was done") || !strings.Contains(out, `"error": "open `+at+`:`) {
			t.Errorf("%s: exit %d after %q, %s%s", at, code, s.ran, out, errs)
		}
	}
	code, _, errs := s.run(t, "screenshot", "--out", "-")
	if code != 1 || s.ran != "" || !strings.Contains(errs, "--out takes a file, not -") {
		t.Errorf("exit %d after %q, %s", code, s.ran, errs)
	}
	s.answer = `{"path":"/none/made.png"}`
	code, out, errs := s.run(t, "screenshot", "--json", "--out", filepath.Join(t.TempDir(), "to"))
	if code != 1 || !strings.Contains(errs, "the call was made") || !strings.Contains(out, `"hint": "its file is at /none/made.png"`) {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

// labelled is a result that shows a page: as text, with a picture, or as data.
type labelled struct {
	Snapshot string  `json:"snapshot" doc:"the page"`
	Nodes    []int   `json:"nodes,omitempty" doc:"the page as data"`
	Picture  op.File `json:"imagePath,omitempty" doc:"picture"`
}

func (l labelled) Text() string {
	return strings.TrimSuffix(l.Snapshot+"\n"+string(l.Picture), "\n")
}
func (l labelled) Structured() bool { return l.Nodes != nil }
