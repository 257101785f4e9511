package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/op"
	"chela/internal/wall/secret"
)

type sayRequest struct {
	Text string `json:"text" doc:"text"`
	Fail bool   `json:"fail,omitempty" doc:"fail"`
}

type said struct {
	Text string `json:"text" doc:"text"`
}

var saying = &op.Table{Ops: []*op.Op{
	op.Define("POST /say", "say {text}", "Say it.", func(ctx context.Context, _ *target, r sayRequest) (said, error) {
		op.Progress(ctx, 0, 1, "say "+r.Text)
		if r.Fail {
			return said{}, op.Errorf(op.PageFailed, "the page says %s", r.Text).Hinted("not %s", r.Text)
		}
		return said{r.Text}, nil
	}),
	making.Ops[0],
}}

// Secrets are masked in all kinds of answers of the server.
func TestAnswersHaveNoSecrets(t *testing.T) {
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	const value = `server"secret\value`
	secret.Know("server/password", value)
	r := start(t, func(o *Options) {
		o.Table = func() *op.Table { return saying }
		o.Follow = func(_ context.Context, _ string, report func(any) error) error {
			return errors.Join(report(said{value}), report(said{"another"}))
		}
	}, withAgents(make(chan string, 10)))
	check := func(kind, got string) {
		t.Helper()
		if !strings.Contains(got, "«secret:server/password»") || strings.Contains(got, "server\"secret") || strings.Contains(got, `server\"secret`) {
			t.Errorf("%s: got %s", kind, got)
		}
	}
	raw, _ := json.Marshal(sayRequest{Text: "it is " + value})
	_, got := r.send(t, "tcp", "POST /say HTTP/1.1\nHost: HOST\n"+auth+body(string(raw)))
	check("an answer", got)
	raw, _ = json.Marshal(sayRequest{value, true})
	_, got = r.send(t, "tcp", "POST /say HTTP/1.1\nHost: HOST\n"+auth+body(string(raw)))
	check("an error", got)
	_, got = r.send(t, "tcp", "GET /downloads HTTP/1.1\nHost: HOST\nConnection: close\n"+auth+"\n")
	check("a stream", got)

	c := r.connect(t, "tcp")
	c.write("POST /say HTTP/1.1\nHost: HOST\n" + auth + op.ProgressHeader + ": 1\n" + body(string(raw)))
	resp, err := http.ReadResponse(c.answers, nil)
	if err != nil || resp.StatusCode != http.StatusProcessing {
		t.Fatal(resp, err)
	}
	check("progress", resp.Header.Get(op.ProgressHeader))

	for name, content := range map[string]string{"a.txt": "it is " + value, "a.json": `{"a":"server\"secret\\value"}`} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, id := r.make(t, "tcp", "", path)
		resp, got := r.send(t, "tcp", "GET /files/"+id+" HTTP/1.1\nHost: HOST\nConnection: close\n"+auth+"\n")
		check(name, got)
		if resp.ContentLength != int64(len(got)) {
			t.Errorf("%s: the length is %d, and %d came", name, resp.ContentLength, len(got))
		}
	}
	binary := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(binary, []byte("PK\x03\x04\x00"+value), 0o600); err != nil {
		t.Fatal(err)
	}
	_, id := r.make(t, "tcp", "", binary)
	if _, got := r.send(t, "tcp", "GET /files/"+id+" HTTP/1.1\nHost: HOST\nConnection: close\n"+auth+"\n"); got != "PK\x03\x04\x00"+value {
		t.Errorf("a file that is no text was changed to %q", got)
	}

	agent := r.agent(t)
	for _, fails := range []bool{false, true} {
		raw, _ := json.Marshal(map[string]any{"action": "say", "text": value, "fail": fails})
		result, err := do(t.Context(), agent, string(raw))
		if err != nil || result.IsError != fails {
			t.Fatal(result, err)
		}
		content, _ := json.Marshal(result)
		check(fmt.Sprintf("for an agent, failing: %t", fails), string(content))
	}
}
