package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/base/media"
	"chela/internal/fleet/node"
	"chela/internal/fleet/remote"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
	"chela/internal/op"
)

// A machine is the service of a node. It notes the calls that it runs.
type machine struct {
	mu   sync.Mutex
	done []string
	wait chan struct{} // an act waits until it is closed; nil: acts do not wait
	dir  string
	size int // size of the file in an answer; 0: that of the text png
}

func (m *machine) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	return o.Run(ctx, m, args)
}

func (m *machine) Receive(name string, content io.Reader) (string, error) {
	raw, err := io.ReadAll(content)
	return "received " + name + ": " + string(raw), err
}

func (m *machine) Confine(ctx context.Context, hosts []string) error {
	m.note("confine " + op.Session(ctx) + " to " + strings.Join(hosts, ","))
	return nil
}

func (m *machine) Portable() []string                  { return nil }
func (m *machine) Leave(context.Context, string) error { panic("no portable profile") }

func (m *machine) note(what string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done = append(m.done, what)
}

func (m *machine) has() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.done)
}

type actRequest struct {
	Tab   string      `json:"targetId,omitempty" doc:"a tab"`
	Files []op.Upload `json:"paths,omitempty" doc:"files"`
	Save  op.Place    `json:"path,omitempty" doc:"where to save a file"`
	Trace op.Record   `json:"trace,omitempty" doc:"where to save a record"`
}

type actResult struct {
	Tab    op.Handle `json:"tabId" doc:"a tab"`
	Caller string    `json:"caller" doc:"who called"`
	Files  []string  `json:"files" doc:"what came"`
	Path   op.File   `json:"path,omitempty" doc:"a file"`
}

func act(ctx context.Context, m *machine, r actRequest) (actResult, error) {
	m.note("act on " + r.Tab)
	if r.Save != "" {
		m.note("save " + string(r.Save))
	}
	if r.Trace != "" {
		m.note("record " + string(r.Trace))
	}
	op.Progress(ctx, 1, 2, "acting")
	if m.wait != nil {
		select {
		case <-m.wait:
		case <-ctx.Done():
			m.note("cancelled")
			return actResult{}, op.Errorf(op.Canceled, "cancelled")
		}
	}
	a := actResult{Tab: op.Handle(r.Tab), Caller: op.Caller(ctx) + " in " + op.Session(ctx) + " by " + string(op.SurfaceOf(ctx))}
	for _, f := range r.Files {
		a.Files = append(a.Files, string(f))
	}
	if m.dir != "" {
		path := filepath.Join(m.dir, "picture.png")
		os.WriteFile(path, append([]byte("png"), make([]byte, max(0, m.size-3))...), 0o600)
		a.Path = op.File(path)
	}
	return a, nil
}

var acting = op.Define("POST /act", "act", "Act.", act)

var table = &op.Table{Ops: []*op.Op{acting, op.Define("POST /profiles/create", "create", "Create.", act, op.ChangesProfiles)}}

// files stands for the files of the caller.
type files struct {
	dir   string
	given string // content of each file that a call names
}

func (f files) Given(given op.Given) (io.ReadCloser, string, int64, error) {
	return io.NopCloser(strings.NewReader(f.given)), filepath.Base(given.Path), int64(len(f.given)), nil
}

func (f files) Keep(name string, write func(io.Writer) error) (string, error) {
	path := filepath.Join(f.dir, "kept-"+name)
	out, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(write(out), out.Close())
}

func (f files) Place(op.Saving) (media.Place, error) { return media.Place{}, nil }

// objects stands for the object store of NATS. To read an object takes the time that slow says. As
// with JetStream, a reading without a deadline ends after 5 s.
type objects struct {
	mu     sync.Mutex // guards the rest
	slow   time.Duration
	fails  error // error of each reading
	stored map[string][]byte
}

func (s *objects) Put(_ context.Context, name string, content io.Reader) error {
	raw, err := io.ReadAll(content)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored[name] = raw
	return err
}

func (s *objects) Get(ctx context.Context, name string, content io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
	}
	select {
	case <-time.After(s.slow):
		_, err := content.Write(s.stored[name])
		return errors.Join(err, s.fails)
	case <-ctx.Done():
		return errors.New("nats: timeout")
	}
}

// A world is a node and a caller on one line.
type world struct {
	line *wiretest.Line
	node *node.Node
	*machine
	*objects
	remote.Runner
	stop func()
}

func newWorld(t *testing.T) *world {
	w := &world{line: wiretest.New(), machine: new(machine), objects: &objects{stored: map[string][]byte{}}}
	w.startNode(t)
	r, err := roster.New(w.line, "default")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Node(t.Context(), "mac"); !ok {
		t.Fatal("the node is not found")
	}
	w.Runner = remote.Runner{
		Line: w.line, Objects: w.objects, Subjects: wire.Subjects{Tenant: "default"}, Roster: r, Files: files{t.TempDir(), "Dear Ada"}, Node: "mac",
	}
	return w
}

// startNode starts the node. It can be called again after w.stop.
func (w *world) startNode(t *testing.T) {
	w.node = node.New(node.Options{
		Name: "mac", Tenant: "default", Version: "test", Line: w.line, Objects: w.objects, Table: func() *op.Table { return table }, Service: w.machine, Slots: 2,
		Policy: func() node.Policy { return node.Policy{Enabled: true, Name: func(name string) string { return name }} },
		Owners: func() map[string]int { return nil }, Health: func(context.Context) error { return nil },
	})
	end, err := w.line.Subscribe(w.node.Subject(), w.node.Handle)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.node.Run(ctx) })
	w.stop = sync.OnceFunc(func() {
		end()
		cancel()
		running.Wait()
	})
	synctest.Wait()
}

func (w *world) close() {
	w.stop()
	w.node.Close()
	w.Roster.Close()
}

// within runs a test in a bubble of package synctest, where waiting takes no real time.
func within(t *testing.T, test func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		test(t, w)
	})
}

func args(text string) op.Args {
	var a op.Args
	json.Unmarshal([]byte(text), &a)
	return a
}

// The caller's name and files reach the node, and reports of progress reach the caller. In the answer,
// tabs have the name of the node, and files have paths on the caller's machine.
func TestCall(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		w.dir = t.TempDir()
		var progress []string
		ctx := op.WithSurface(op.WithSession(op.WithCaller(t.Context(), "ada"), "shop"), op.AgentTool)
		ctx = op.WithProgress(ctx, func(done, total int, doing string) { progress = append(progress, doing) })
		w.Hosts = []string{"example.com"}
		raw, err := w.Runner.Run(ctx, acting, args(`{"targetId":"t3","paths":["/up/letter.txt"]}`))
		if err != nil {
			t.Fatal(err)
		}
		var a actResult
		json.Unmarshal(raw, &a)
		content, _ := os.ReadFile(string(a.Path))
		if a.Tab != "mac/t3" || a.Caller != "ada in shop by tool" || string(content) != "png" || strings.HasPrefix(string(a.Path), w.dir) {
			t.Errorf("the answer is %s", raw)
		}
		if !slices.Equal(a.Files, []string{"received letter.txt: Dear Ada"}) || !slices.Equal(progress, []string{"acting"}) {
			t.Errorf("the files are %q, the progress %q", a.Files, progress)
		}
		if got := w.has(); !slices.Equal(got, []string{"confine shop to example.com", "act on t3"}) {
			t.Errorf("done was %q", got)
		}
	})
}

// Two calls that save files of the same name do not meet in one file on the node.
func TestNamesOnTheNode(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		for _, path := range []string{"a/report.csv", "b/report.csv"} {
			if _, err := w.Runner.Run(t.Context(), acting, op.Args{"path": json.RawMessage(`"` + path + `"`)}); err != nil {
				t.Fatal(err)
			}
		}
		got := slices.DeleteFunc(w.has(), func(what string) bool { return !strings.HasSuffix(what, "-report.csv") })
		if len(got) != 2 || got[0] == got[1] {
			t.Errorf("done was %q", w.has())
		}
	})
}

// A record has a name of the node's own there, so that the node removes it after a time.
func TestRecordsOnTheNode(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		if _, err := w.Runner.Run(t.Context(), acting, args(`{"trace":"t.zip"}`)); err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(w.has(), func(what string) bool { return strings.HasPrefix(what, "record ") }); i >= 0 {
			t.Errorf("done was %q", w.has())
		}
	})
}

// Another machine cannot call as the person who uses the dashboard of the node's machine.
func TestNoPersonFromElsewhere(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		if _, err := w.Runner.Run(op.WithSession(t.Context(), op.Person), acting, args(`{}`)); err == nil || op.AsError(err).Code != op.Invalid {
			t.Errorf("in the session of the person: %v", err)
		}
		raw, err := w.Runner.Run(op.WithSurface(op.WithSession(t.Context(), "shop"), op.Dashboard), acting, args(`{}`))
		if err != nil || !strings.Contains(string(raw), ` in shop by "`) {
			t.Errorf("from the dashboard: %s, %v", raw, err)
		}
	})
}

// If the connection breaks and an answer is lost, the caller sends the call again. The node answers
// without running it twice.
func TestAnswerIsLost(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		w.wait = make(chan struct{})
		result := make(chan error)
		go func() { _, err := w.Runner.Run(t.Context(), acting, nil); result <- err }()
		synctest.Wait()
		w.line.Cut(true)
		close(w.wait)
		synctest.Wait() // the node answers, and the answer is lost
		time.Sleep(time.Second)
		w.line.Cut(false)
		if err := <-result; err != nil {
			t.Error(err)
		}
		if got := w.has(); len(got) != 1 {
			t.Errorf("done was %q", got)
		}
	})
}

// A call that is lost on its way is sent again.
func TestCallIsLost(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		w.line.Cut(true)
		result := make(chan error)
		go func() { _, err := w.Runner.Run(t.Context(), acting, nil); result <- err }()
		synctest.Wait()
		time.Sleep(roster.Silence / 2)
		w.line.Cut(false)
		if err := <-result; err != nil || len(w.has()) != 1 {
			t.Errorf("%v; done was %q", err, w.has())
		}
	})
}

// If the connection breaks and no answer comes in time, the error says that the call may have been done.
func TestNoAnswerInTime(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		result := make(chan error)
		w.wait = make(chan struct{})
		go func() { _, err := w.Runner.Run(t.Context(), acting, nil); result <- err }()
		synctest.Wait()
		w.line.Break(true)
		close(w.wait)
		e := op.AsError(<-result)
		if e.Code != op.Deadline || e.Details["sent"] != "unknown" || e.Hint == "" {
			t.Errorf("got %+v", e)
		}
	})
}

// A large file may take longer to reach the node than requests to NATS usually do.
func TestSlowFile(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		w.slow = 6 * time.Second
		w.Files = files{given: strings.Repeat("a", wire.MaxInline+1)}
		if _, err := w.Runner.Run(t.Context(), acting, args(`{"paths":["/up/letter.txt"]}`)); err != nil {
			t.Error(err)
		}
	})
}

// If a file does not come, the error says so, and whether the call was made.
func TestFileIsLost(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		w.fails = errors.New("nats: no responders")
		w.Files = files{t.TempDir(), strings.Repeat("a", wire.MaxInline+1)}
		_, err := w.Runner.Run(t.Context(), acting, args(`{"paths":["/up/letter.txt"]}`))
		if e := op.AsError(err); e.Code != op.FileFailed || len(w.has()) != 0 {
			t.Errorf("the file of the call: %+v; done was %q", e, w.has())
		}
		w.dir, w.size = t.TempDir(), wire.MaxInline+1
		_, err = w.Runner.Run(t.Context(), acting, nil)
		e := op.AsError(err)
		if e.Code != op.FileFailed || !e.Sent || e.Details["sent"] != "yes" || !strings.Contains(e.Error(), "the call was made on node mac") {
			t.Errorf("the file of the answer: %+v", e)
		}
	})
}

// A node that has gone is noticed within two seconds. The error says "no" if the node cannot have run
// the call, and "unknown" if it may have.
func TestNodeIsGone(t *testing.T) {
	for _, test := range []struct {
		name, sent string
		before     bool // the node goes before the call
	}{{"before the call", "no", true}, {"during the call", "unknown", false}} {
		within(t, func(t *testing.T, w *world) {
			w.wait = make(chan struct{})
			if test.before {
				w.stop()
			}
			result := make(chan error)
			go func() { _, err := w.Runner.Run(t.Context(), acting, nil); result <- err }()
			synctest.Wait()
			w.stop()
			gone := time.Now()
			e := op.AsError(<-result)
			if e.Code != op.NodeLost || e.Details["sent"] != test.sent || e.Code.Status() != 502 {
				t.Errorf("%s: got %+v", test.name, e)
			}
			if took := time.Since(gone); took > roster.Silence+300*time.Millisecond {
				t.Errorf("%s: noticed after %s", test.name, took)
			}
		})
	}
}

// A node that was started again does not know the calls from before, and does not run them again.
func TestNodeStartsAgain(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		w.wait = make(chan struct{})
		result := make(chan error)
		go func() { _, err := w.Runner.Run(t.Context(), acting, nil); result <- err }()
		synctest.Wait()
		first := w.node
		w.stop()
		w.startNode(t)
		e := op.AsError(<-result)
		if e.Code != op.NodeLost || e.Details["sent"] != "unknown" {
			t.Errorf("got %+v", e)
		}
		first.Close()
		if got := w.has(); !slices.Equal(got, []string{"act on ", "cancelled"}) {
			t.Errorf("done was %q", got)
		}
	})
}

// A call that its caller cancels ends on the node.
func TestCancel(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		w.wait = make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error)
		go func() { _, err := w.Runner.Run(ctx, acting, nil); result <- err }()
		synctest.Wait()
		cancel()
		if e := op.AsError(<-result); e.Code != op.Canceled {
			t.Errorf("got %+v", e)
		}
		synctest.Wait()
		if got := w.has(); !slices.Equal(got, []string{"act on ", "cancelled"}) {
			t.Errorf("done was %q", got)
		}
	})
}

// A draining node takes no new calls, and has drained when its running calls have ended.
func TestDrain(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		w.wait = make(chan struct{})
		result := make(chan error)
		go func() { _, err := w.Runner.Run(t.Context(), acting, nil); result <- err }()
		synctest.Wait()
		drained := make(chan struct{})
		go func() { w.node.Drain(context.Background()); close(drained) }()
		synctest.Wait()
		if n, _ := w.Roster.Node(t.Context(), "mac"); !n.Draining || n.Load != nil {
			t.Errorf("callers know %+v", n.Status)
		}
		_, err := w.Runner.Run(t.Context(), acting, nil)
		if refused, ok := errors.AsType[*remote.RefusedError](err); !ok || refused.Why != wire.Draining {
			t.Errorf("a new call: %v", err)
		}
		close(w.wait)
		if err := <-result; err != nil {
			t.Error(err)
		}
		<-drained
	})
}

// A call that the policy of the node's machine forbids is refused with the text of OpenClaw.
func TestRefused(t *testing.T) {
	within(t, func(t *testing.T, w *world) {
		_, err := w.Runner.Run(t.Context(), table.Ops[1], nil)
		if e := op.AsError(err); e.Code != op.Forbidden || e.Error() != "INVALID_REQUEST: browser.proxy cannot mutate persistent browser profiles" {
			t.Errorf("got %+v", e)
		}
	})
}
