package around

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chela/internal/api"
	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/op"
	"chela/test/chromium"
)

// A batch reports each of its actions, but not the actions of a batch inside it.
func TestBatchReportsProgress(t *testing.T) {
	s := newService(t)
	run := func(ctx context.Context, name, args string) {
		t.Helper()
		var given op.Args
		if err := json.Unmarshal([]byte(args), &given); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(ctx, api.Table().Named(name), given); err != nil {
			t.Fatalf("%s %s: %v", name, args, err)
		}
	}
	run(t.Context(), "open", `{"url": "about:blank"}`)
	var got []string
	ctx := op.WithProgress(t.Context(), func(done, total int, doing string) {
		got = append(got, fmt.Sprintf("%d/%d %s", done, total, doing))
	})
	run(ctx, "batch", `{"actions": [
		{"kind": "press", "key": "a"},
		{"kind": "batch", "actions": [{"kind": "press", "key": "b"}, {"kind": "press", "key": "c"}]}
	]}`)
	if want := []string{"0/2 action 1 of 2: press", "1/2 action 2 of 2: batch"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// newService returns a service without a server.
func newService(t *testing.T) *call.Service {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	if err := os.WriteFile(file, fmt.Appendf(nil, `{browser: {noSandbox: true, headless: %v}}`, chromium.Headless()), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Open(config.Flags{StateDir: dir, File: file})
	if err != nil {
		t.Fatal(err)
	}
	s, err := call.New(c, func() {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.Background()) })
	return s
}
