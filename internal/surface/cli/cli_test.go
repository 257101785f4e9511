package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chela/internal/api/telemetry"
	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/record/live"
	"chela/internal/surface/server"
)

// The test program is also the program under test, for the tests that start it as a process of its
// own.
func TestMain(m *testing.M) {
	if os.Getenv("CHELA_TEST_PROGRAM") != "" {
		p := program()
		os.Exit(p.Main())
	}
	os.Exit(m.Run())
}

type on struct {
	Profile  string `json:"profile,omitempty" flag:"browser-profile,profile" doc:"browser profile"`
	TargetID string `json:"targetId,omitempty" doc:"tab"`
	op.Timeout
}

type clickRequest struct {
	on
	Ref    string `json:"ref" doc:"element"`
	Double bool   `json:"doubleClick,omitempty" flag:"double" doc:"click twice"`
	Button string `json:"button,omitempty" enum:"left,right" doc:"mouse button"`
}

type selectRequest struct {
	on
	Ref    string   `json:"ref" doc:"element"`
	Values []string `json:"values" doc:"options"`
}

type geoRequest struct {
	Lat      float64 `json:"latitude,omitempty" doc:"degrees north"`
	Lon      float64 `json:"longitude,omitempty" doc:"degrees east"`
	Accuracy int     `json:"accuracy,omitempty" doc:"metres"`
}

type storageRequest struct {
	Area string `json:"area" enum:"local,session" doc:"which storage"`
	Key  string `json:"key,omitempty" doc:"name"`
}

type dialogRequest struct {
	Accept *bool `json:"accept" flag:"accept,!dismiss" doc:"accept it"`
}

type formField struct {
	Ref string `json:"ref" doc:"element"`
}

type fillRequest struct {
	Fields []formField `json:"fields" doc:"what to fill"`
}

type logInRequest struct {
	Password string `json:"password" doc:"for a web server"`
}

type nameRequest struct {
	Name string `json:"name" doc:"name"`
}

type importRequest struct {
	CSV op.Content `json:"csv" doc:"a file with passwords"`
}

type page struct {
	Snapshot string `json:"snapshot" doc:"the page"`
}

func (p page) Text() string { return p.Snapshot }

type shotRequest struct {
	on
	Type string `json:"type,omitempty" enum:"png,jpeg" lenient:"true" unknown:"Invalid --type: expected png or jpeg, not {}" doc:"kind of file"`
}

type tabRequest struct {
	TargetID string `json:"targetId" doc:"tab"`
	Place    place  `json:"place,omitempty" doc:"where"`
}

// A place is a position in a list. Requests count it from 0, people from 1.
type place int

func (p *place) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	*p = place(n - 1)
	return err
}

func (p *place) UnmarshalJSON(raw []byte) error { return json.Unmarshal(raw, (*int)(p)) }
func (p place) String() string                  { return strconv.Itoa(int(p) + 1) }

type several struct {
	Done  int    `json:"done" doc:"how many"`
	Wrong string `json:"wrong,omitempty" doc:"what was not done"`
}

func (s several) Text() string { return fmt.Sprintf("did %d", s.Done) }

func (s several) Failure() error {
	if s.Wrong == "" {
		return nil
	}
	return op.Errorf(op.ActFailed, "failed: %s", s.Wrong).Hinted("do it again with timeoutMs")
}

type began struct {
	News string `json:"news,omitempty" doc:"what came of it"`
}

func (b began) Text() string { return b.News }

type picture struct {
	Path op.File `json:"path" doc:"file"`
}

func (p picture) Text() string { return string(p.Path) }

type ok struct {
	OK bool `json:"ok" doc:"done"`
}

func row[Req, Res any](route, words, doc string, settings ...op.Setting) *op.Op {
	return op.Define(route, words, doc, func(context.Context, any, Req) (r Res, err error) { return r, nil }, settings...)
}

func table() *op.Table { return someTable }

var someTable = &op.Table{Ops: []*op.Op{
	row[struct{}, ok]("GET /", "status", "Show the state.", op.Alone, op.Group("Browser")),
	row[struct{}, ok]("POST /start", "start", "Start the browser.", op.Group("Browser")),
	row[nameRequest, ok]("POST /profiles/create", "profiles create {name}", "Make a profile.", op.AlsoCalled("create-profile"), op.Group("Browser")),
	row[on, ok]("GET /tabs", "tab", "List the tabs.", op.Group("Tabs")),
	row[on, ok]("POST /tabs/new", "tab new", "Open a tab.", op.Group("Tabs")),
	row[on, page]("GET /snapshot", "snapshot", "Read the page. It has refs.", op.Untrusted, op.Group("Reading")),
	row[on, labelled]("GET /labelled", "labelled", "Read the page.", op.Untrusted, op.Group("Reading")),
	row[shotRequest, picture]("POST /screenshot", "screenshot {targetId?}", "Take a picture.", op.Group("Reading")),
	row[clickRequest, ok]("POST /act kind=click", "click {ref}", "Click an element.", op.Says("clicked ref {ref} on {url}"), op.Group("Acting")),
	row[selectRequest, ok]("POST /act kind=select", "select {ref} {values...}", "Choose options.", op.Says("selected {values}"), op.Group("Acting")),
	row[fillRequest, ok]("POST /act kind=fill", "fill", "Fill fields.", op.Group("Acting")),
	row[geoRequest, ok]("POST /set/geo", "set geo {latitude?} {longitude?}", "Set the place.", op.Group("State")),
	row[storageRequest, map[string]string]("GET /storage/{area}", "storage {area} get {key?}", "Read the storage.", op.Group("State")),
	row[tabRequest, ok]("POST /tabs/focus", "tab focus {targetId}", "Show a tab.", op.Says("focused {arg.targetId}"), op.Group("Tabs")),
	row[tabRequest, ok]("POST /tabs/move", "tab move {targetId} {place}", "Move a tab.", op.AlsoCalledSaying("move", "moved to {arg.place}"), op.Group("Tabs")),
	row[op.Timeout, several]("POST /several", "several", "Do several things.", op.Envelope[began](), op.Group("Tabs")),
	row[logInRequest, ok]("POST /log-in", "log-in", "Log in.", op.Group("Tabs")),
	row[importRequest, ok]("POST /import", "import {csv}", "Take passwords.", op.Group("State")),
	row[struct{}, ok]("POST /shutdown", "shutdown", "End the server.", op.NeverStart, op.EndsServer, op.Says("the server has ended"), op.Group("Tabs")),
	row[dialogRequest, ok]("POST /dialog", "dialog", "Answer a dialog.", op.Group("Tabs")),
}}

// service takes the place of the server's service. It notes the operations that it is asked to run.
type service struct {
	Fleet // no test calls its methods
	telemetry.Source
	ran    string
	caller string
	key    string // key of the session
	answer string
	err    error
	stop   func()
}

func (s *service) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	raw, _ := json.Marshal(args)
	s.caller, s.key = op.Caller(ctx), op.Session(ctx)
	s.ran = o.Name() + " " + string(raw)
	return json.RawMessage(s.answer), s.err
}

func (s *service) Busy() bool                                { return false }
func (s *service) Receive(string, io.Reader) (string, error) { return "", nil }

const testKeyID, testKey = "0123456789abcdef", "5a5a"

func (s *service) FollowChanges(context.Context, func(any) error) error { return nil }
func (s *service) Confirm(string, string) error                         { return nil }

func (s *service) Pair(string) (string, string, error) { return testKeyID, testKey, nil }

func (s *service) EndSession(context.Context, string) (int, error) { return 0, nil }

func (s *service) Watch(context.Context, string, string, bool) (*live.Stream, error) { return nil, nil }

func (s *service) TakeTicket(string) *live.Stream { return nil }

func (s *service) FollowDownloads(context.Context, string, func(any) error) error { return nil }
func (s *service) OwnPort(int) func()                                             { return func() {} }

func (s *service) Close(context.Context) error { return nil }

func program() *Program {
	return &Program{
		Table: table, Version: "test",
		Open: func(c *config.Live, stop func()) (Service, error) {
			if message := os.Getenv("CHELA_TEST_FAILS"); message != "" {
				return nil, op.Errorf(op.BrowserFailed, "%s", message).Hinted("another day")
			}
			return &service{answer: fmt.Sprintf(`{"ok":true,"pid":%d}`, os.Getpid()), stop: stop}, nil
		},
	}
}

// A session is a state directory with a server in this process.
type session struct {
	*service
	dir   string
	ended chan string // keys of sessions that were ended
}

func serve(t *testing.T) *session {
	t.Helper()
	s := &session{&service{answer: `{"ok":true}`}, t.TempDir(), make(chan string, 10)}
	end := func(_ context.Context, key string) (int, error) {
		s.ended <- key
		return 0, nil
	}
	l, err := server.ListenUnix(config.State{Dir: s.dir}.Socket())
	if err != nil {
		t.Fatal(err)
	}
	serveAt(t, server.Options{Runner: s.service, EndSession: end}, l)
	return s
}

// serveAt runs a server until the end of the test.
func serveAt(t *testing.T, o server.Options, listeners ...net.Listener) {
	o.Table, o.Log = table, slog.New(slog.DiscardHandler)
	var ended sync.WaitGroup
	ended.Go(func() { server.New(o).Serve(t.Context(), listeners...) })
	t.Cleanup(ended.Wait)
}

// run runs a command line and returns what it wrote.
func (s *session) run(t *testing.T, argv ...string) (code int, out, errs string) {
	t.Helper()
	s.ran = ""
	p := program()
	var o, e bytes.Buffer
	p.In, p.Out, p.Err = strings.NewReader(`[{"ref":"e9"}]`), &o, &e
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	code = p.Run(ctx, append([]string{"--state-dir", s.dir}, argv...))
	return code, o.String(), e.String()
}

func TestCommandLines(t *testing.T) {
	s := serve(t)
	tests := []struct{ line, want string }{
		{"click e1", `click {"kind":"click","ref":"e1"}`},
		{"browser click e1", `click {"kind":"click","ref":"e1"}`},
		{"--json browser --browser-profile work click e1", `click {"kind":"click","profile":"work","ref":"e1"}`},
		{"click --double e1 --button=right", `click {"button":"right","doubleClick":true,"kind":"click","ref":"e1"}`},
		{"click e1 --double=false --profile work --target-id t1 --timeout 900", `click {"doubleClick":false,"kind":"click","profile":"work","ref":"e1","targetId":"t1","timeoutMs":900}`},
		{"click --ref e1", `click {"kind":"click","ref":"e1"}`},
		{"click -- --double", `click {"kind":"click","ref":"--double"}`},
		{"click -x", `click {"kind":"click","ref":"-x"}`},
		{"select e1 a b", `select {"kind":"select","ref":"e1","values":["a","b"]}`},
		{"select e1 --values a --values b", `select {"kind":"select","ref":"e1","values":["a","b"]}`},
		{"set geo -33.8 151 --accuracy 5", `set geo {"accuracy":5,"latitude":-33.8,"longitude":151}`},
		{"set geo", `set geo {}`},
		{"storage local get", `storage get {"area":"local"}`},
		{"storage session get theme", `storage get {"area":"session","key":"theme"}`},
		{"status --timeout 5000", `status {}`},
		{"--timeout 5000 tab focus t1", `tab focus {"targetId":"t1"}`},
		{"--timeout=5000 click e1", `click {"kind":"click","ref":"e1","timeoutMs":5000}`},
		{"dialog --accept", `dialog {"accept":true}`},
		{"dialog --dismiss", `dialog {"accept":false}`},
		{"tab", `tab {}`},
		{"tab new", `tab new {}`},
		{"create-profile --name work", `profiles create {"name":"work"}`},
		{"profiles create work", `profiles create {"name":"work"}`},
		{`fill --fields [{"ref":"e1"}]`, `fill {"fields":[{"ref":"e1"}],"kind":"fill"}`},
		{"fill --fields-file -", `fill {"fields":[{"ref":"e9"}],"kind":"fill"}`},
	}
	for _, test := range tests {
		t.Run(test.line, func(t *testing.T) {
			if code, _, errs := s.run(t, strings.Fields(test.line)...); code != 0 || s.ran != test.want {
				t.Errorf("exit %d, ran %s\nwant %s\n%s", code, s.ran, test.want, errs)
			}
		})
	}
}

func TestUsageErrors(t *testing.T) {
	s := serve(t)
	tests := []struct{ line, want string }{
		{"click", "chela: ref is missing\nusage: chela click <ref>\n"},
		{"click e1 e2", "chela: \"e2\" is one word too many\nusage: chela click <ref>\n"},
		{"click e1 -b", "chela: \"-b\" is one word too many\nusage: chela click <ref>\nchela: try: flags begin with --: --browser-profile, --button\n"},
		{"click e1 -5", "chela: \"-5\" is one word too many\nusage: chela click <ref>\nchela: try: flags begin with --\n"},
		{"click e1 --button up", "chela: button must be left|right\nusage: chela click <ref>\n"},
		{"screenshot --type webp", "chela: Invalid --type: expected png or jpeg, not webp\nusage: chela screenshot [targetId]\n"},
		{"dialog", "chela: Specify --accept or --dismiss\nusage: chela dialog --accept|--dismiss\n"},
		{"dialog --accept --dismiss", "chela: Specify only one of --accept or --dismiss\nusage: chela dialog --accept|--dismiss\n"},
		{"status --timeout 0", "chela: --timeout must be a positive integer.\nusage: chela status\n"},
		{"click e1 --bogus", "chela: unknown flag: --bogus\nchela: try: chela click --help lists the flags; put -- before words that begin with --\n"},
		{"click e1 --buton left", "chela: unknown flag: --buton\nchela: try: did you mean --button? chela click --help lists the flags; put -- before words that begin with --\n"},
		{"clik e1", "chela: no command \"clik\"\nchela: try: chela click\n"},
		{"storage remote get", "chela: storage has no command \"remote\"\nchela: try: chela storage --help\n"},
		{"fill --fields {", "chela: fields must be valid JSON.\nusage: chela fill\n"},
		{"fill --fields [] --fields-file x", "chela: Specify only one of --fields or --fields-file\nusage: chela fill\n"},
		{"set geo north", "chela: latitude must be a finite number\nusage: chela set geo [latitude] [longitude]\n"},
	}
	for _, test := range tests {
		t.Run(test.line, func(t *testing.T) {
			code, out, errs := s.run(t, strings.Fields(test.line)...)
			if code != 1 || errs != test.want || out != "" || s.ran != "" {
				t.Errorf("exit %d, ran %q, out %q, errors\n%swant\n%s", code, s.ran, out, errs, test.want)
			}
		})
	}
}

// The function takesValue and the definitions of the flags agree on which flags take a value.
func TestFlagsTakeValues(t *testing.T) {
	p := program()
	eachCommand(p.root(line{}), func(cmd *cobra.Command) {
		cmd.InheritedFlags() // this call merges the inherited flags into Flags
		words := strings.Fields(cmd.CommandPath())[1:]
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if takes := f.NoOptDefVal == ""; p.takesValue(f.Name, nil) != takes || p.takesValue(f.Name, words) != takes {
				t.Errorf("%s --%s: takes a value: %v; parse thinks otherwise", cmd.CommandPath(), f.Name, takes)
			}
		})
	})
}

// The server learns the name of its caller. It is "cli" for this command line, unless the
// environment has another name. A caller that gives no name is "http".
func TestCaller(t *testing.T) {
	s := serve(t)
	if s.run(t, "status"); s.caller != "cli" {
		t.Errorf("the command line called as %q", s.caller)
	}
	t.Setenv("CHELA_CALLER", "Zoë\n2")
	if s.run(t, "status"); s.caller != "Zoë2" {
		t.Errorf("named by the environment, it called as %q", s.caller)
	}
	plain := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", config.State{Dir: s.dir}.Socket())
	}}}
	resp, err := plain.Get("http://chela/")
	if err != nil {
		t.Fatal(err)
	}
	if resp.Body.Close(); s.caller != "http" {
		t.Errorf("a caller that said nothing is called %q", s.caller)
	}
}

// A command is called in the session that its flag names or, without the flag, in that of the
// environment variable CHELA_SESSION.
func TestSessionOfCommands(t *testing.T) {
	s := serve(t)
	if s.run(t, "status"); s.key != "" {
		t.Errorf("without a session: %q", s.key)
	}
	t.Setenv("CHELA_SESSION", "shopping")
	if s.run(t, "status"); s.key != "shopping" {
		t.Errorf("named by the environment: %q", s.key)
	}
	if s.run(t, "--session", "mail", "status"); s.key != "mail" {
		t.Errorf("named by the flag: %q", s.key)
	}
	for _, key := range []string{"", " ", "a b", "é"} {
		if code, _, errs := s.run(t, "status", "--session", key); code != 1 || !strings.Contains(errs, "key of a session") || s.ran != "" {
			t.Errorf("%q: exit %d, ran %q, %s", key, code, s.ran, errs)
		}
	}
}

// An empty argument, such as the value of a shell variable that is not set, is refused. It is not
// treated as a missing argument.
func TestEmptyWords(t *testing.T) {
	s := serve(t)
	for _, argv := range [][]string{{"screenshot", ""}, {"screenshot", " "}, {"screenshot", "\n"}, {"click", "e1", "--target-id", ""}, {"click", "e1", "--profile", " "}} {
		if code, _, errs := s.run(t, argv...); code != 1 || !strings.Contains(errs, "must not be blank") || s.ran != "" {
			t.Errorf("%q: exit %d, ran %q, %s", argv, code, s.ran, errs)
		}
	}
}

// If an answer reports that a part has failed, the command prints the rest and returns an error.
func TestFailureInAnAnswer(t *testing.T) {
	s := serve(t)
	const wrong = "chela: failed: the second\nchela: try: do it again with --timeout-ms\n"
	const dialog = `,"blockedByDialog":true,"browserState":{"dialogs":{"pending":[{"id":"d1","type":"alert","message":"Stop"}]}}}`
	const asks = "the page asks (d1): alert \"Stop\"\nanswer it with " + answerCommand + "\n"
	for _, test := range []struct {
		line, answer, out, errs string
		code                    int
	}{
		{"several", `{"done":2}`, "did 2\n", "", 0},
		{"several", `{"done":2,"news":"+ line"}`, "did 2\n+ line\n", "", 0},
		{"several", `{"done":1,"wrong":"the second"}`, "", wrong, 1},
		{"several", `{"done":1,"wrong":"the second","news":"+ line"}`, "+ line\n", wrong, 1},
		{"several", `{"done":1,"wrong":"the second"` + dialog, asks, wrong, 1},
		{"several", `{"done":1,"ignored":["x"]` + dialog, "did 1\n" + asks, "chela: warning: not known, and without effect: x\n", 0},
		{"several --json", `{"wrong":"the second"}`, "{\n  \"wrong\": \"the second\"\n}\n", wrong, 1},
	} {
		s.answer = test.answer
		if code, out, errs := s.run(t, strings.Fields(test.line)...); code != test.code || out != test.out || errs != test.errs {
			t.Errorf("%s of %s: exit %d, out %q, errors %q", test.line, test.answer, code, out, errs)
		}
	}
}

func TestOutput(t *testing.T) {
	s := serve(t)
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, line, answer, want string }{
		{"its own text", "snapshot", `{"snapshot":"- button \"Go\"\n"}`, "- button \"Go\"\n"},
		{"a page cannot command the terminal", "snapshot", `{"snapshot":"a\u001b]0;x\u0007b\u202e"}`, `a\u001b]0;x\u0007b\u202e` + "\n"},
		{"a sentence of the row", "click e1", `{"ok":true,"url":"http://a/"}`, "clicked ref e1 on http://a/\n"},
		{"a sentence with a list", "select e1 a b", `{"ok":true}`, "selected a, b\n"},
		{"an argument", "tab focus mine", `{"targetId":"ABC"}`, "focused mine\n"},
		{"another word, another sentence", "move t1 2", `{"place":1}`, "moved to 2\n"},
		{"JSON", "start", `{"ok":true}`, "{\n  \"ok\": true\n}\n"},
		{"raw answer", "click e1 --json", `{"ok":true,"url":"a"}`, "{\n  \"ok\": true,\n  \"url\": \"a\"\n}\n"},
		{"short home beside a page", "labelled", `{"snapshot":"- ` + home + `/x","imagePath":"` + home + `/x.png"}`, "- " + home + "/x\n~/x.png\n"},
		{"short home", "screenshot", `{"path":"` + home + `/x.png"}`, "~/x.png\n"},
		{"long home in raw answers", "screenshot --json", `{"path":"` + home + `/x.png"}`, "{\n  \"path\": \"" + home + "/x.png\"\n}\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s.answer = test.answer
			if code, out, errs := s.run(t, strings.Fields(test.line)...); code != 0 || out != test.want {
				t.Errorf("exit %d, got\n%swant\n%s%s", code, out, test.want, errs)
			}
		})
	}
}

// A file that is not UTF-8 is refused. Otherwise passwords with other letters would be stored wrongly.
func TestFileInAnotherEncoding(t *testing.T) {
	s := serve(t)
	file := filepath.Join(t.TempDir(), "logins.csv")
	if err := os.WriteFile(file, []byte("a,p\xe4ss\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := s.run(t, "import", file, "--json")
	if code != 1 || s.ran != "" || !strings.Contains(errs, "chela: csv is not in UTF-8\n") || !strings.Contains(out, `"code": "invalid_request"`) {
		t.Errorf("exit %d, ran %q, %s%s", code, s.ran, out, errs)
	}
}

// A call that --timeout ends may have been done.
func TestTimeoutOfACall(t *testing.T) {
	s := &session{service: &service{}, dir: t.TempDir()}
	l, err := server.ListenUnix(config.State{Dir: s.dir}.Socket())
	if err != nil {
		t.Fatal(err)
	}
	serveAt(t, server.Options{Runner: stuck{}}, l)
	const want = "chela: no answer in time; it may have been done\nchela: try: wait longer with --timeout\n"
	if code, _, errs := s.run(t, "start", "--timeout", "200"); code != 1 || errs != want {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// stuck is a runner that answers no call before its caller has gone.
type stuck struct{}

func (stuck) Run(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestOperationErrors(t *testing.T) {
	s := serve(t)
	s.err = op.Errorf(op.UnknownRef, "no element e99 on \x1b[31mthis page").Hinted("take a new snapshot")
	code, out, errs := s.run(t, "click", "e99")
	want := "chela: no element e99 on \\u001b[31mthis page\nchela: try: take a new snapshot\n"
	if code != 1 || out != "" || errs != want {
		t.Errorf("exit %d, out %q, errors\n%swant\n%s", code, out, errs, want)
	}
}

// The usage line of one of the program's own commands says which words it takes.
func TestWordsAsUsed(t *testing.T) {
	s := serve(t)
	for _, test := range []struct{ line, want string }{
		{"man", "chela: folder is missing\nusage: chela man <folder>\n"},
		{"config set browser.headless", "chela: value is missing\nusage: chela config set <key> <value>\n"},
		{"config get browser.headless browser.color", "chela: \"browser.color\" is one word too many\nusage: chela config get [key]\n"},
		{"completion csh", "chela: shell must be bash|fish|powershell|zsh\nusage: chela completion <shell>\n"},
		{"version 2", "chela: \"2\" is one word too many\nusage: chela version\n"},
		{"config get browser.color", ""},
	} {
		if code, _, errs := s.run(t, strings.Fields(test.line)...); errs != test.want || code == 0 != (test.want == "") {
			t.Errorf("%s: exit %d, got\n%swant\n%s", test.line, code, errs, test.want)
		}
	}
}

// Hints are written for all surfaces. On the command line, they name flags.
func TestHintsNameFlags(t *testing.T) {
	s := serve(t)
	s.err = op.Errorf(op.Deadline, "no").Hinted("wait longer with timeoutMs, or set browser.timeoutMs; targetId: t1")
	_, _, errs := s.run(t, "click", "e9")
	if want := "chela: no\nchela: try: wait longer with --timeout-ms, or set browser.timeoutMs; --target-id: t1\n"; errs != want {
		t.Errorf("got\n%swant\n%s", errs, want)
	}
	s.err = op.Errorf(op.Conflict, "no").Hinted("take it with type, but with care")
	_, _, errs = s.run(t, "screenshot")
	if want := "chela: no\nchela: try: take it with --type, but with care\n"; errs != want {
		t.Errorf("got\n%swant\n%s", errs, want)
	}
}

func TestOut(t *testing.T) {
	s := serve(t)
	made, to := filepath.Join(s.dir, "made.png"), filepath.Join(s.dir, "to")
	if err := os.WriteFile(made, []byte("picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ line, answer, want string }{
		{"screenshot", `{"path":"` + made + `"}`, "picture"},
		{"snapshot", `{"snapshot":"- text"}`, "- text\n"},
	}
	for _, test := range tests {
		s.answer = test.answer
		if code, out, errs := s.run(t, test.line, "--out", to); code != 0 || out != to+"\n" {
			t.Errorf("%s: exit %d, %q, %s", test.line, code, out, errs)
		}
		if got, err := os.ReadFile(to); string(got) != test.want {
			t.Errorf("%s: saved %q, %v; want %q", test.line, got, err, test.want)
		}
	}
	if code, _, errs := s.run(t, "click", "e1", "--out", to); code != 1 || !strings.Contains(errs, "unknown flag") {
		t.Errorf("click has nothing to save, but: exit %d, %s", code, errs)
	}
}

func TestHelp(t *testing.T) {
	s := serve(t)
	tests := []struct {
		line string
		want []string
	}{
		{"", []string{"Start here:", "\nBrowser\n", "\nActing\n", "click <ref>", "Click an element\n", "storage local|session get [key]", "serve", "--state-dir DIR"}},
		{"help", []string{"Start here:"}},
		{"browser", []string{"Start here:"}},
		{"help click", []string{"usage: chela click <ref> [flags]", "--button", "(left|right)", "--double "}},
		{"click --help", []string{"usage: chela click <ref> [flags]"}},
		{"click -h", []string{"usage: chela click <ref> [flags]"}},
		{"snapshot --help", []string{"It has refs.", "--out FILE"}},
		{"storage --help", []string{"storage local"}},
		{"tab --help", []string{"usage: chela tab", "tab new"}},
		{"serve --help", []string{"--port PORT"}},
		{"browser version", []string{"chela test"}},
		{"--version", []string{"chela version test"}},
	}
	for _, test := range tests {
		t.Run(test.line, func(t *testing.T) {
			code, out, errs := s.run(t, strings.Fields(test.line)...)
			for _, want := range test.want {
				if !strings.Contains(out, want) {
					t.Errorf("exit %d, lacks %q:\n%s%s", code, want, out, errs)
				}
			}
			if s.ran != "" {
				t.Errorf("ran %s", s.ran)
			}
		})
	}
}

// A line that names no command gets help, and is an error.
func TestNoCommand(t *testing.T) {
	s := serve(t)
	for _, test := range []struct{ line, help, example string }{
		{"", "Start here:", "chela status"},
		{"browser", "Start here:", "chela status"},
		{"--json", "Start here:", "chela status"},
		{"set", "usage: chela set <command>", "chela set geo"},
	} {
		code, out, errs := s.run(t, strings.Fields(test.line)...)
		if want := fmt.Sprintf("chela: Missing subcommand. Try: %q\n", test.example); code != 1 || !strings.Contains(out, test.help) || errs != want {
			t.Errorf("%q: exit %d, %s, errors %s", test.line, code, out, errs)
		}
	}
	for _, line := range []string{"help", "--help", "-h", "set --help", "--version"} {
		if code, _, errs := s.run(t, strings.Fields(line)...); code != 0 || errs != "" {
			t.Errorf("%q: exit %d, %s", line, code, errs)
		}
	}
}

func TestCompletion(t *testing.T) {
	tests := []struct {
		words []string
		want  []string
	}{
		{[]string{"cli"}, []string{"click"}},
		{[]string{"storage", ""}, []string{"local", "session"}},
		{[]string{"click", "e1", "--button", ""}, []string{"left", "right"}},
		{[]string{"click", "--dou"}, []string{"--double"}},
		{[]string{"completion", ""}, []string{"bash", "zsh"}},
	}
	for _, test := range tests {
		p := program()
		var out bytes.Buffer
		p.In, p.Out, p.Err = strings.NewReader(""), &out, &bytes.Buffer{}
		p.Run(t.Context(), append([]string{"__complete"}, test.words...))
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q: lacks %q in\n%s", test.words, want, out.String())
			}
		}
	}
}
