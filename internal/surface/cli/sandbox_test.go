package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/client"
	"chela/internal/surface/server"
)

// The token of the configuration is sent to the server that the configuration names. The token of
// the options is sent to the server of the options.
func TestWhereTheSandboxIs(t *testing.T) {
	t.Setenv("BOX", "E")
	const here, there = "http://127.0.0.1:18791", "http://127.0.0.1:18792"
	known := config.SandboxBrowser{Enabled: true, URL: here, Token: "C"}
	with := func(change func(*config.SandboxBrowser)) config.SandboxBrowser {
		c := known
		change(&c)
		return c
	}
	for _, test := range []struct {
		options    sandbox
		configured config.SandboxBrowser
		want       string // URL and token of the server, or the error
	}{
		{sandbox{}, config.SandboxBrowser{}, " "},
		{sandbox{}, known, here + " C"},
		{sandbox{}, with(func(c *config.SandboxBrowser) { c.Enabled = false }), " "},
		{sandbox{}, with(func(c *config.SandboxBrowser) { c.URL = "" }), " "},
		{sandbox{}, with(func(c *config.SandboxBrowser) { c.Token = "env:BOX" }), here + " E"},
		{sandbox{}, with(func(c *config.SandboxBrowser) { c.Token = "env:NO_BOX" }),
			"the variable NO_BOX, which agents.defaults.sandbox.browser.token names, is not set"},
		{sandbox{url: here + "/"}, known, here + " C"},
		{sandbox{url: "ws://127.0.0.1:18791"}, known, here + " C"},
		{sandbox{url: there}, known, there + " "},
		{sandbox{url: "http://localhost:18791"}, known, "http://localhost:18791 "},
		{sandbox{url: "https://127.0.0.1:18791"}, known, "https://127.0.0.1:18791 "},
		{sandbox{url: here}, with(func(c *config.SandboxBrowser) { c.Enabled = false }), here + " "},
		{sandbox{url: there, token: "O"}, known, there + " O"},
		{sandbox{token: "O"}, known, here + " O"},
		{sandbox{url: there, token: "env:BOX"}, known, there + " env:BOX"}, // options are not expanded, so a client cannot read variables of this machine
		{sandbox{token: "O"}, config.SandboxBrowser{}, "there is a token for a sandbox, and no sandbox"},
		{sandbox{url: "http://10.0.0.1:1"}, known, "--sandbox-url: plain http is only for this machine: a server on 10.0.0.1 needs https"},
		{sandbox{url: "http://a:b@127.0.0.1:1"}, known, "--sandbox-url: the server's URL must not have a password in it"},
		{sandbox{}, with(func(c *config.SandboxBrowser) { c.URL = here + "/x" }),
			"agents.defaults.sandbox.browser.url: the server's URL must end after its host and port"},
	} {
		at, secret, err := test.options.find(test.configured)
		got := " "
		switch {
		case err != nil:
			got = err.Error()
		case at != client.Origin{}:
			got = at.String() + " " + secret.Token
		}
		if got != test.want {
			t.Errorf("%+v, %+v: got %s, want %s", test.options, test.configured, got, test.want)
		}
	}
}

// box starts a server with the token T, as in a sandbox. The channel ended gets the key of each session
// that ends there.
func box(t *testing.T, s *service) (url string, ended <-chan string) {
	t.Helper()
	listeners, err := server.ListenTCP(0)
	if err != nil {
		t.Fatal(err)
	}
	sessions := make(chan string, 10)
	end := func(_ context.Context, key string) (int, error) {
		sessions <- key
		return 0, nil
	}
	serveAt(t, server.Options{Runner: s, Token: func() string { return "T" }, EndSession: end}, listeners...)
	return fmt.Sprintf("http://127.0.0.1:%d", server.Port(listeners[0])), sessions
}

// agentIn connects an agent with a sandbox to the agent tool. The end of the context life ends the
// connection.
func agentIn(t *testing.T, life context.Context, s sandbox, host op.Runner) *sdk.ClientSession {
	t.Helper()
	a := new(agentOptions)
	a.addFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
	a.sandbox = s
	live, err := config.Open(config.Flags{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	tool, err := program().tool(life, live, host, a)
	if err != nil {
		t.Fatal(err)
	}
	here, there := sdk.NewInMemoryTransports()
	if _, err := tool.Server(t.Context()).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func screenshot(t *testing.T, session *sdk.ClientSession, args map[string]any) *sdk.CallToolResult {
	t.Helper()
	args["action"] = "screenshot"
	res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "browser", Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// Calls go to the server in the sandbox, and its pictures come back as bytes. When the agent's
// connection ends, its session in the sandbox ends.
func TestSandbox(t *testing.T) {
	var drawn bytes.Buffer
	png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 2, 2)))
	made := filepath.Join(t.TempDir(), "made.png")
	if err := os.WriteFile(made, drawn.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(map[string]string{"path": made})
	inBox, onHost := &service{answer: string(raw)}, &service{answer: string(raw)}
	at, ended := box(t, inBox)
	life, end := context.WithCancel(t.Context())
	defer end()
	session := agentIn(t, life, sandbox{at, "T"}, onHost)
	res := screenshot(t, session, map[string]any{})
	if res.IsError || len(res.Content) != 3 || onHost.ran != "" || inBox.ran != "screenshot {}" {
		t.Fatalf("host ran %q, sandbox %q: %+v", onHost.ran, inBox.ran, res)
	}
	link, err := url.Parse(res.Content[2].(*sdk.ResourceLink).URI)
	if err != nil || link.Path == made {
		t.Errorf("it links %s, %v", link, err)
	}
	defer os.Remove(link.Path)
	here, err := os.ReadFile(link.Path)
	if !bytes.Equal(here, drawn.Bytes()) || !bytes.Equal(res.Content[1].(*sdk.ImageContent).Data, drawn.Bytes()) || err != nil {
		t.Errorf("another picture has come over: %v", err)
	}
	if all, _ := json.Marshal(res); bytes.Contains(all, []byte(made)) {
		t.Errorf("a path of the sandbox is in %s", all)
	}
	key := inBox.key
	screenshot(t, session, map[string]any{"target": "host"})
	if onHost.ran != "screenshot {}" || op.CheckSession(key) != nil || onHost.key != key {
		t.Errorf("host ran %q in session %q, the sandbox in %q", onHost.ran, onHost.key, key)
	}
	end()
	if got := <-ended; got != key {
		t.Errorf("session %q has ended in the sandbox, want %q", got, key)
	}
}

// If the server in the sandbox refuses the token, or does not run, no call is made, and the error says
// why.
func TestSandboxThatDoesNotAnswer(t *testing.T) {
	inBox, onHost := &service{answer: `{}`}, &service{answer: `{}`}
	at, _ := box(t, inBox)
	for want, s := range map[string]sandbox{
		"the server in the sandbox does not accept the token": {at, "X"},
		"no server answers at http://127.0.0.1:1":             {"http://127.0.0.1:1", ""},
	} {
		res := screenshot(t, agentIn(t, t.Context(), s, onHost), map[string]any{"target": "sandbox"})
		if text := res.Content[0].(*sdk.TextContent).Text; !res.IsError || !strings.Contains(text, want) || inBox.ran+onHost.ran != "" {
			t.Errorf("want %s, got %s", want, text)
		}
	}
}

// If the answer of a server in a sandbox names a file of this machine, that file is not read.
func TestSandboxThatNamesFilesOfTheHost(t *testing.T) {
	ours := filepath.Join(t.TempDir(), "ours.png")
	var drawn bytes.Buffer
	png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 2, 2)))
	if err := os.WriteFile(ours, drawn.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{`{"path":"PATH"}`, `{"path": "PATH"}`, `{"path":"\u002fPATH"}`, `{"path":"PATH","fileIds":{"/x":"1"}}`} {
		answer = strings.Replace(answer, "fPATH", "f"+ours[1:], 1)
		answer = strings.Replace(answer, "PATH", ours, 1)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, answer) }))
		res := screenshot(t, agentIn(t, t.Context(), sandbox{url: s.URL}, &service{}), map[string]any{})
		if all, _ := json.Marshal(res); len(res.Content) != 1 || bytes.Contains(all, []byte(ours)) {
			t.Errorf("%s: got %s", answer, all)
		}
		s.Close()
	}
}
