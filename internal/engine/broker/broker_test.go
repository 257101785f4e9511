package broker

import (
	"context"
	"errors"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The broker reads a command as Chromium does. A message that two decoders could read differently
// is refused.
func TestMessages(t *testing.T) {
	for message, ok := range map[string]bool{
		`{"id": 1, "method": "Page.enable"}`:                                   true,
		`{"id": 1, "method": "Page.enable", "params": {}, "more": 1}`:          true,
		`{"id": 1, "method": "Page.navigate", "params": {"url": "a\ud800"}}`:   true,
		`{"id": 1, "method": "Page.navigate", "params": {"url": 1, "url": 2}}`: false,
		`{"id": 1, "method": "A.b", "method": "C.d"}`:                          false,
		`{"id": 1, "method": "A.b", "params": {"a": {"b": 1, "\u0062": 2}}}`:   false,
		`{"id": 1, "method": "A.b", "params": [1]}`:                            false,
		`{"id": 1, "method": "A.b", "params": null}`:                           false,
		`{"id": 1}`:                            false,
		`{"id": 1.5, "method": "A.b"}`:         false,
		`{"id": 1, "method": "A.b"} {"id": 2}`: false,
	} {
		if _, err := parse([]byte(message)); (err == nil) != ok {
			t.Errorf("%s: %v", message, err)
		}
	}
	r, err := parse([]byte(`{"id": 1, "method": "Page.navigate", "params": {"URL": "good", "url": "bad"}}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := read[struct {
		URL string `json:"url"`
	}](&r)
	if err != nil || p.URL != "bad" {
		t.Errorf("read %q, %v", p.URL, err)
	}
	if err := r.set("url", "checked"); err != nil || !strings.Contains(string(r.Params), `"url":"checked"`) || !strings.Contains(string(r.Params), `"URL":"good"`) {
		t.Errorf("now they are %s, %v", r.Params, err)
	}
	for frame, want := range map[string]string{
		string(replyFrame(7, "S", json.Value(`{"a":1}`), nil)):        `{"id":7,"result":{"a":1},"sessionId":"S"}`,
		string(replyFrame(7, "", nil, errNoSession)):                  `{"id":7,"error":{"code":-32001,"message":"Session with given id not found."}}`,
		string(replyFrame(7, "", nil, errors.New(`a "b"`))):           `{"id":7,"error":{"code":-32000,"message":"a \"b\""}}`,
		string(eventFrame("Page.loaded", "S", json.Value(`{"a":1}`))): `{"method":"Page.loaded","params":{"a":1},"sessionId":"S"}`,
	} {
		if frame != want {
			t.Errorf("the frame is %s, not %s", frame, want)
		}
	}
}

func TestFilters(t *testing.T) {
	puppeteers := filter{{"page", true}, {}}
	for _, test := range []struct {
		filter filter
		kind   string
		has    bool
	}{
		{usualFilter, "page", true}, {usualFilter, "tab", false}, {usualFilter, "browser", false}, {usualFilter, "worker", true},
		{puppeteers, "page", false}, {puppeteers, "tab", true}, {filter{}, "page", false}, {filter{{"page", false}}, "page", true},
	} {
		if got := test.filter.has(test.kind); got != test.has {
			t.Errorf("%v has %s: %v", test.filter, test.kind, got)
		}
	}
}

// put never waits. It refuses a frame that exceeds maxQueued, unless the queue is empty.
func TestQueue(t *testing.T) {
	q := newQueue()
	large := make([]byte, maxQueued+1)
	if !q.put(large) || q.put([]byte("x")) {
		t.Error("one large frame has room, and nothing beside it")
	}
	if frame, ok := q.take(); !ok || len(frame) != len(large) {
		t.Error("the large frame does not come")
	}
	for range 3 {
		q.put([]byte("y"))
	}
	q.finish()
	q.put([]byte("late"))
	n := 0
	for frame, ok := q.take(); ok; frame, ok = q.take() {
		if n++; string(frame) != "y" {
			t.Errorf("took %s", frame)
		}
	}
	if n != 3 {
		t.Errorf("took %d frames", n)
	}
	q = newQueue()
	q.put([]byte("dropped"))
	q.close()
	if _, ok := q.take(); ok || !q.put([]byte("ignored")) {
		t.Error("a closed queue has a frame, or refuses one")
	}
}

func TestWindow(t *testing.T) {
	w := newWindow()
	ctx, cancel := context.WithCancel(t.Context())
	for range maxPending {
		if err := w.enter(ctx, 1); err != nil {
			t.Fatal(err)
		}
	}
	entered := make(chan error, 1)
	go func() { entered <- w.enter(ctx, maxPendingBytes+1) }()
	for range maxPending - 1 {
		w.leave(1)
	}
	select {
	case err := <-entered:
		t.Errorf("a large command has entered beside another: %v", err)
	case <-time.After(10 * time.Millisecond):
	}
	w.leave(1)
	if err := <-entered; err != nil {
		t.Error(err)
	}
	cancel()
	if w.enter(ctx, 1) == nil {
		t.Error("a command has entered beside a large one")
	}
}

// A command that is refused is named, with the reason. A command that is unknown has no gate.
func TestGatesNameWhatTheyRefuse(t *testing.T) {
	for method := range wholeCommands {
		if wholeRefusals[method] != "" {
			t.Errorf("%s is both carried out and refused", method)
		}
	}
	cmd := &command{request: &request{Method: "HeapProfiler.enable"}}
	if err := gateOf(cmd.Method)(cmd); err == nil || !strings.HasPrefix(err.Error(), "HeapProfiler.enable is refused: ") {
		t.Errorf("refused with %v", err)
	}
	if gateOf("Page.commandOfTomorrow") != nil {
		t.Error("a command that no list has is passed on")
	}
	for method := range commandsIn(passes) {
		if gates[method] != nil {
			t.Errorf("%s passes, and has a gate of its own", method)
		}
	}
	for _, list := range []map[string]string{looks, releases, leaves} {
		for method := range commandsIn(list) {
			if gateOf(method) == nil {
				t.Errorf("%s is allowed in a tab that was taken over or forbidden, and has no gate", method)
			}
		}
	}
}

// A program may end an input that it has begun, also after a stop. It cannot begin one.
func TestEndOfInput(t *testing.T) {
	for text, want := range map[string]bool{
		`{"id": 1, "method": "Input.dispatchMouseEvent", "params": {"type": "mouseReleased", "x": 1, "y": 1}}`: true,
		`{"id": 1, "method": "Input.dispatchMouseEvent", "params": {"type": "mouseMoved", "x": 1, "y": 1}}`:    false,
		`{"id": 1, "method": "Input.dispatchKeyEvent", "params": {"type": "keyUp"}}`:                           true,
		`{"id": 1, "method": "Input.dispatchKeyEvent", "params": {"type": "char", "text": "a"}}`:               false,
		`{"id": 1, "method": "Input.dispatchDragEvent", "params": {"type": "dragCancel", "x": 1, "y": 1}}`:     true,
		`{"id": 1, "method": "Input.dispatchDragEvent", "params": {"type": "drop", "x": 1, "y": 1}}`:           false,
		`{"id": 1, "method": "Input.cancelDragging"}`:                                                          true,
		`{"id": 1, "method": "Input.setInterceptDrags", "params": {"enabled": false}}`:                         true,
		`{"id": 1, "method": "Input.setInterceptDrags", "params": {"enabled": true}}`:                          false,
		`{"id": 1, "method": "Input.insertText", "params": {"text": "a"}}`:                                     false,
		`{"id": 1, "method": "Runtime.evaluate", "params": {"type": "keyUp", "expression": "1"}}`:              false,
	} {
		r, err := parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := (&command{request: &r}).endsInput(); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Each command of the protocol has a gate, if its domain has commands that pass.
func TestGatesKnowTheProtocol(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/chromedp/cdproto").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*", "*.go"))
	known := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`\tCommand\w+ += "((\w+)\.\w+)"`).FindAllStringSubmatch(string(text), -1) {
			method, domain := found[1], found[2]
			known++
			if passes[domain] != "" && gateOf(method) == nil {
				t.Errorf("%s is neither passed nor refused: name it in passes or gates", method)
			}
		}
	}
	if known < 500 {
		t.Errorf("found only %d commands in %s", known, dir)
	}
}

// commandsIn lists the commands in a list of names by domain.
func commandsIn(list map[string]string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for domain, names := range list {
			for name := range strings.FieldsSeq(names) {
				if !yield(domain + "." + name) {
					return
				}
			}
		}
	}
}
