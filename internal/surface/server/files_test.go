package server

import (
	"context"
	"encoding/json"
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
	made := m.byID[first]
	made.until = time.Now().Add(-time.Second)
	m.byID[first] = made
	if _, _, err := m.open(first, "me"); op.AsError(err).Code != op.NotFound {
		t.Errorf("after its time: %v", err)
	}
	for range maxMade + 5 {
		m.add(path, "me")
	}
	if len(m.ids) != maxMade || len(m.byID) != maxMade || m.byID[first].path != "" {
		t.Errorf("%d and %d files are known", len(m.ids), len(m.byID))
	}
}
