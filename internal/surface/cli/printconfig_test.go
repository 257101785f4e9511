package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/base/config"
)

// inMCPServers is the configuration in the form that most clients read.
const inMCPServers = `{
  "mcpServers": {
    "chela": {
      "command": "SELF",
      "args": [
        "mcp",
        "--active-model=openai/x",
        "--render-tools=true",
        "--state-dir=DIR/a b"
      ],
      "env": {
        "CHELA_URL": "https://browsers.example.com/?a=1&b=2"
      }
    }
  }
}
`

// blocks has the block for each client, in the form that the client's documentation describes.
var blocks = map[string]string{
	"claude": inMCPServers, "cursor": inMCPServers, "gemini": inMCPServers,
	"vscode": `{
  "servers": {
    "chela": {
      "type": "stdio",
      "command": "SELF",
      "args": [
        "mcp",
        "--active-model=openai/x",
        "--render-tools=true",
        "--state-dir=DIR/a b"
      ],
      "env": {
        "CHELA_URL": "https://browsers.example.com/?a=1&b=2"
      }
    }
  }
}
`,
	"codex": `[mcp_servers.chela]
command = "SELF"
args = ["mcp","--active-model=openai/x","--render-tools=true","--state-dir=DIR/a b"]

[mcp_servers.chela.env]
CHELA_URL = "https://browsers.example.com/?a=1&b=2"
`,
}

// Each client gets a block in its own format. It has the flags of the command, absolute paths and
// the variables that say which server is meant. Secrets are not in it.
func TestPrintConfig(t *testing.T) {
	for _, v := range config.Environment {
		t.Setenv(v.Name, "")
		if v.OpenClaw != "" {
			t.Setenv(v.OpenClaw, "")
		}
	}
	t.Setenv("CHELA_URL", "https://browsers.example.com/?a=1&b=2")
	t.Setenv("CHELA_TOKEN", "s3cret")
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, client := range mcpClients {
		out, problems, code := printed("--state-dir", "a b", "mcp", "--render-tools", "--password", "pw",
			"--active-model", "openai/x", "--print-config", client.name)
		self, _ := os.Executable()
		want := strings.NewReplacer("SELF", self, "DIR", dir).Replace(blocks[client.name])
		if code != 0 || out != want {
			t.Errorf("%s: got %s\nwant %s", client.name, out, want)
		}
		place := "chela: put this into " + client.place + "\n"
		if !strings.HasSuffix(problems, place) || !strings.Contains(problems, "CHELA_TOKEN is set here") {
			t.Errorf("%s: said %s", client.name, problems)
		}
		if strings.Contains(out+problems, "s3cret") || strings.Contains(out, "pw") || client.name != "codex" && !json.Valid([]byte(out)) {
			t.Errorf("%s: %s", client.name, out)
		}
	}
	out, problems, _ := printed("mcp", "--sandbox-url", "http://127.0.0.1:1", "--sandbox-token", "s3cret", "--nats", "tls://me:s3cret@n.example.com", "--print-config", "codex")
	if strings.Contains(out+problems, "s3cret") || !strings.Contains(problems, "--sandbox-token is set here") || !strings.Contains(problems, "--nats is set here") {
		t.Errorf("got %s%s", out, problems)
	}
	if out, _, _ := printed("mcp", "--nats", "tls://n.example.com", "--print-config", "codex"); !strings.Contains(out, "--nats=tls://n.example.com") {
		t.Errorf("got %s", out)
	}
	const unknown = "chela: no client is called \"emacs\"\nchela: try: chela mcp --print-config claude|cursor|vscode|codex|gemini\n"
	if _, problems, code := printed("mcp", "--print-config", "emacs"); code != 1 || problems != unknown {
		t.Errorf("got %s", problems)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("something was started: %v, %v", entries, err)
	}
}

// printed runs a command and returns its standard output, its standard error and its exit code.
func printed(argv ...string) (out, problems string, code int) {
	var stdout, stderr bytes.Buffer
	p := &Program{Table: api.Table, Out: &stdout, Err: &stderr}
	code = p.Run(context.Background(), argv)
	return stdout.String(), stderr.String(), code
}

// If a link in PATH leads to the program, ownPath returns the path of the link. Package managers may
// move the file to which the link leads.
func TestOwnPath(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	link := filepath.Join(dir, filepath.Base(os.Args[0]))
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	before := os.Args[0]
	defer func() { os.Args[0] = before }()
	os.Args[0] = filepath.Base(link)
	t.Setenv("PATH", dir)
	if got, err := ownPath(); got != link || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, link)
	}
	t.Setenv("PATH", t.TempDir())
	if got, err := ownPath(); got != self || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, self)
	}
	if _, err := exec.LookPath(filepath.Base(link)); err == nil {
		t.Error("it is in PATH")
	}
}

// A file that is kept names only a program that stays.
func TestProgramOfNpx(t *testing.T) {
	for path, stays := range map[string]bool{
		"/home/ada/.npm/_npx/1f2e/node_modules/@chela/linux-x64/bin/chela":           false,
		"/usr/lib/node_modules/@chela/chela/node_modules/@chela/linux-x64/bin/chela": true,
		"/usr/local/bin/chela": true,
	} {
		if err := checkStays(filepath.FromSlash(path)); (err == nil) != stays {
			t.Errorf("%s: %v", path, err)
		}
	}
}
