package server

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/op"
)

type makeRequest struct {
	Path string `json:"path" doc:"file"`
}

type makeResult struct {
	OK   bool    `json:"ok" doc:"always true"`
	Path op.File `json:"path,omitempty" doc:"file"`
}

var making = &op.Table{Ops: []*op.Op{
	op.Define("POST /make", "make {path}", "Make a file.", func(_ context.Context, _ *target, r makeRequest) (makeResult, error) {
		return makeResult{true, op.File(r.Path)}, nil
	}),
}}

// make calls the operation that names a file. It returns the whole answer, and the id of the file
// in it.
func (r *running) make(t *testing.T, network, headers, path string) (answer, id string) {
	t.Helper()
	host, args := "HOST", auth
	if network == "unix" {
		host, args = "chela", ""
	}
	raw, _ := json.Marshal(makeRequest{path})
	_, answer = r.send(t, network, "POST /make HTTP/1.1\nHost: "+host+"\n"+args+headers+body(string(raw)))
	var made struct{ FileIDs map[string]string }
	if err := json.Unmarshal([]byte(answer), &made); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	return answer, made.FileIDs[path]
}

func TestFilesTravel(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.png")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("picture")
	r := start(t, func(o *Options) { o.Table = func() *op.Table { return making } })
	const mine, others = "X-Chela-Session: mine\n", "X-Chela-Session: others\n"
	get := func(method, id, headers string) (int, string) {
		t.Helper()
		resp, got := r.send(t, "tcp", method+" /files/"+id+" HTTP/1.1\nHost: HOST\nConnection: close\n"+auth+headers+"\n")
		if resp.Header.Get("X-Content-Type-Options") != "nosniff" || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("headers: %v", resp.Header)
		}
		return resp.StatusCode, got
	}
	_, id := r.make(t, "tcp", mine, path)
	_, called := r.make(t, "tcp", "X-Chela-Caller: mine\n", path)
	if status, got := get("GET", id, mine); status != 200 || got != "picture" {
		t.Errorf("got %d %s", status, got)
	}
	if status, got := get("HEAD", id, mine); status != 200 || got != "" {
		t.Errorf("HEAD: got %d %s", status, got)
	}
	if status, got := get("GET", called, "X-Chela-Caller: mine\n"); status != 200 || got != "picture" {
		t.Errorf("by the name of the caller: got %d %s", status, got)
	}
	for name, request := range map[string][2]string{
		"another session":                  {id, others},
		"no session":                       {id, ""},
		"a session called like the caller": {called, mine},
		"no id":                            {"", mine},
		"another id":                       {"x", mine},
		"a path":                           {"..%2F..%2Fetc%2Fpasswd", mine},
	} {
		if status, got := get("GET", request[0], request[1]); status != 404 || strings.Contains(got, dir) {
			t.Errorf("%s: got %d %s", name, status, got)
		}
	}
	if resp, _ := r.send(t, "tcp", "GET /files/"+id+" HTTP/1.1\nHost: HOST\n"+mine+"\n"); resp.StatusCode != 401 {
		t.Errorf("without the token: %d", resp.StatusCode)
	}
	if answer, id := r.make(t, "unix", mine, path); id != "" || strings.Contains(answer, FileIDs) {
		t.Errorf("over the socket: %s", answer)
	}
	if answer, id := r.make(t, "tcp", mine, filepath.Join(dir, "none")); id != "" {
		t.Errorf("a file that is not there: %s", answer)
	}
	write("another")
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if status, got := get("GET", id, mine); status != 404 || !strings.Contains(got, "not there any more") {
		t.Errorf("another file at the path: got %d %s", status, got)
	}
}

func TestFilesAreForgotten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := new(madeFiles)
	first := m.add(path, "me")
	m.byID[first].until = time.Now().Add(-time.Second)
	if _, _, err := m.open(first, "me"); op.AsError(err).Code != op.NotFound {
		t.Errorf("after its time: %v", err)
	}
	for i := range maxMade + 5 {
		m.add(path, fmt.Sprint(i))
	}
	if len(m.byID) != maxMade || len(m.byName) != maxMade || m.inOrder.Len() != maxMade || m.byID[first] != nil {
		t.Errorf("%d, %d and %d files are known", len(m.byID), len(m.byName), m.inOrder.Len())
	}
}

// A file that many answers name keeps its id, as the pictures in the list of calls do. So it does not
// make the server forget the files of others, and is good for an hour from the last of these answers.
func TestFileThatIsNamedAgain(t *testing.T) {
	dir := t.TempDir()
	often, once := filepath.Join(dir, "often"), filepath.Join(dir, "once")
	for _, path := range []string{often, once} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := new(madeFiles)
	id, other := m.add(often, "me"), m.add(once, "me")
	m.byID[id].until = time.Now().Add(time.Second)
	for range maxMade {
		if again := m.add(often, "me"); again != id {
			t.Fatalf("the id of the file was %s, and is now %s", id, again)
		}
	}
	if left := time.Until(m.byID[id].until); left < fileLife/2 {
		t.Errorf("the file is good for %s", left)
	}
	if m.byID[other] == nil {
		t.Error("another file was forgotten")
	}
	if err := os.WriteFile(often, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := m.add(often, "me"); again == id {
		t.Error("another file at the path has the same id")
	}
}
