package notify

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chela/internal/base/config"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
	"chela/internal/wall/secret"
)

// tell sends a notification, and returns why it failed, or "".
func tell(t *testing.T, to config.Notify, private bool) (failed string) {
	t.Helper()
	var n Notifier
	n.Tell(to, Event{Kind: "question", ID: "q1", Message: "-rf \"Log in\" $(x)", Tab: "t1"}, func() (*proxy.Dialer, error) {
		policy, err := guard.Rules{DangerouslyAllowPrivateNetwork: &private}.Policy()
		if err != nil {
			return nil, err
		}
		return proxy.NewDialer(proxy.Options{Policy: func() *guard.Policy { return policy }}, nil)
	})
	n.running.Wait()
	return n.Failed()
}

// A program gets the event on its standard input and in its arguments, which no shell reads. A message
// does not become an option.
func TestCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of this test is a script of sh")
	}
	t.Setenv("CHELA_TOKEN", "a secret")
	file := filepath.Join(t.TempDir(), "out")
	script := `{ printf '%s\n' "$1" "$2" "[$CHELA_TOKEN]"; cat; } > "$0"`
	if failed := tell(t, config.Notify{Command: []string{"sh", "-c", script, file, "{{message}}", "{{event}} of {{tab}}"}}, false); failed != "" {
		t.Fatal(failed)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(string(raw), "\n", 4)
	var e Event
	if lines[0] != ` -rf "Log in" $(x)` || lines[1] != "question of t1" || lines[2] != "[]" || json.Unmarshal([]byte(lines[3]), &e) != nil || e.ID != "q1" {
		t.Errorf("got %q", lines)
	}
	for _, wrong := range [][]string{{"no-such-program"}, {"sh", "-c", "exit 3"}} {
		if failed := tell(t, config.Notify{Command: wrong}, false); !strings.Contains(failed, wrong[0]) {
			t.Errorf("%q: got %q", wrong, failed)
		}
	}
}

// An address gets the event as JSON, if the network policy allows it. The secret in the address is in
// no error.
func TestAddress(t *testing.T) {
	got, status := "", http.StatusNoContent
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.Header.Get("Content-Type") + " " + string(raw)
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer site.Close()
	to := config.Notify{URL: site.URL + "/secret"}
	if failed := tell(t, to, true); failed != "" || !strings.HasPrefix(got, `POST application/json {"event":"question","id":"q1"`) {
		t.Errorf("got %q, %s", failed, got)
	}
	status = http.StatusFound
	if failed := tell(t, to, true); !strings.Contains(failed, "302") {
		t.Errorf("a redirect: got %q", failed)
	}
	got = ""
	if failed := tell(t, to, false); failed == "" || got != "" || strings.Contains(failed, "secret") {
		t.Errorf("against the policy: got %q, %s", failed, got)
	}
}

// Secrets are masked in the arguments and the input of a program.
func TestCommandWithoutSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of this test is a script of sh")
	}
	secret.Know("notify/password", `"Log in" $(x)`)
	file := filepath.Join(t.TempDir(), "out")
	tell(t, config.Notify{Command: []string{"sh", "-c", `{ printf '%s\n' "$1"; cat; } > "$0"`, file, "{{message}}"}}, false)
	raw, err := os.ReadFile(file)
	if got := string(raw); err != nil || strings.Count(got, "-rf «secret:notify/password»") != 2 || strings.Contains(got, "Log in") {
		t.Errorf("got %s, %v", got, err)
	}
}
