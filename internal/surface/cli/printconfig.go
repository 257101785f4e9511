package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chela/internal/api/words"
	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/autostart"
)

// An mcpClient is a program with an agent that can start chela mcp. The user configures this by a block
// of text in one of the program's files.
type mcpClient struct {
	name  string
	place string                          // path of the client's configuration file, as it is shown to people
	block func(mcpServer) (string, error) // returns the block for that file
}

// mcpClients lists the MCP clients for which --print-config can write the configuration.
var mcpClients = []mcpClient{
	{"claude", "~/.claude.json, or .mcp.json in a project (Claude Code); claude_desktop_config.json (Claude Desktop)", underKey("mcpServers")},
	{"cursor", "~/.cursor/mcp.json, or .cursor/mcp.json in a project", underKey("mcpServers")},
	{"vscode", ".vscode/mcp.json, or what the command MCP: Open User Configuration shows", asStdio},
	{"codex", "~/.codex/config.toml", asTOML},
	{"gemini", "~/.gemini/settings.json, or .gemini/settings.json in a project", underKey("mcpServers")},
}

// An mcpServer says how a client starts chela mcp. All clients use these names of fields.
type mcpServer struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// printConfig prints the block with which a client starts chela mcp with the flags of this command,
// and for the same server. It prints on standard error to which file the block belongs.
func (p *Program) printConfig(cmd *cobra.Command, name string) error {
	i := slices.IndexFunc(mcpClients, func(c mcpClient) bool { return c.name == name })
	if i < 0 {
		return &usageError{message: fmt.Sprintf("no client is called %q", name), hint: "chela mcp --print-config " + clientNames("|")}
	}
	server, err := p.asServer(cmd)
	if err != nil {
		return err
	}
	block, err := mcpClients[i].block(server)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Err, "chela: put this into %s\n", mcpClients[i].place)
	_, err = fmt.Fprint(p.Out, block)
	return err
}

// clientNames returns the names of all clients in one text.
func clientNames(separator string) string {
	var names []string
	for _, c := range mcpClients {
		names = append(names, c.name)
	}
	return strings.Join(names, separator)
}

// asServer returns the command line and environment with which a client starts this command. The
// client may start it in another folder, so paths are absolute. The client may have another
// environment, so the variables that say which server is called are included. Secrets are not
// included, since the configuration file of a client is often shared.
func (p *Program) asServer(cmd *cobra.Command) (mcpServer, error) {
	path, err := pathToKeep()
	if err != nil {
		return mcpServer{}, err
	}
	s := mcpServer{Command: path, Args: []string{"mcp"}, Env: map[string]string{}}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == "print-config":
		case isSecret(f):
			p.warn("--" + strings.TrimPrefix(f.Name, "server-") + " is set here and is not printed: add it to args if the server needs it")
		case slices.Contains([]string{"state-dir", "config"}, f.Name):
			s.Args = append(s.Args, "--"+f.Name+"="+absolute(f.Value.String()))
		default:
			s.Args = append(s.Args, "--"+f.Name+"="+f.Value.String())
		}
	})
	for _, v := range setHere("CHELA_STATE_DIR", "CHELA_CONFIG_PATH", "CHELA_PORT", "CHELA_URL", "CHELA_FINGERPRINT", "CHELA_SESSION") {
		s.Env[v.Name] = v.Value
	}
	for _, name := range []string{"CHELA_TOKEN", "CHELA_PASSWORD"} {
		if config.Env(name) != "" {
			p.warn(name + " is set here and is not printed: add it to env if the server needs it")
		}
	}
	return s, nil
}

// setHere returns those of the named variables that are set in this environment. It makes paths
// absolute, for a program that runs in another folder.
func setHere(names ...string) (all []autostart.Variable) {
	for _, name := range names {
		value := config.Env(name)
		if name == "CHELA_STATE_DIR" || name == "CHELA_CONFIG_PATH" {
			value = absolute(value)
		}
		if value != "" {
			all = append(all, autostart.Variable{Name: name, Value: value})
		}
	}
	return all
}

// isSecret reports whether the value of a flag is a secret. The URLs of NATS have one if there is a
// login in them.
func isSecret(f *pflag.Flag) bool {
	return slices.Contains([]string{"token", "password", passwordBefore, "sandbox-token"}, f.Name) ||
		f.Name == "nats" && strings.Contains(f.Value.String(), "@")
}

// absolute returns the absolute path of a file or folder; "" stays "", and a path that cannot be
// resolved stays as it is.
func absolute(path string) string {
	if path == "" {
		return ""
	}
	if abs, err := config.AbsPath(path); err == nil {
		return abs
	}
	return path
}

// ownPath returns the path of this program: the one in PATH that leads to it, or else the path of
// its file. The former stays the same when a package manager replaces the program.
func ownPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	found, err := exec.LookPath(filepath.Base(os.Args[0]))
	if err != nil || !sameFile(found, self) {
		return self, nil
	}
	return filepath.Abs(found)
}

// pathToKeep returns the path of this program for a file that is kept. The error says that the program
// does not stay, see checkStays.
func pathToKeep() (string, error) {
	path, err := ownPath()
	return path, errors.Join(err, checkStays(path))
}

// checkStays returns an error for a path in the cache of npx. There, npm removes programs, and never
// updates them.
func checkStays(path string) error {
	if !strings.Contains(filepath.ToSlash(path), "/_npx/") {
		return nil
	}
	return op.Errorf(op.Conflict, "this program is in the cache of npx, from which npm may remove it").
		Hinted("npm install --global @chela/chela, then call chela without npx; an agent can also start npx --yes @chela/chela mcp")
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// underKey returns the value of mcpClient.block for clients whose configuration lists MCP servers
// in a JSON object with this key.
func underKey(key string) func(mcpServer) (string, error) {
	return func(s mcpServer) (string, error) {
		return words.JSON(map[string]any{key: map[string]mcpServer{"chela": s}}, "  ")
	}
}

// asStdio returns the block for VS Code, which also needs the type of the transport.
func asStdio(s mcpServer) (string, error) {
	s.Type = "stdio"
	return underKey("servers")(s)
}

// asTOML returns the block for Codex, in TOML. Strings and lists of strings are written in TOML as in
// JSON.
func asTOML(s mcpServer) (string, error) {
	var b strings.Builder
	b.WriteString("[mcp_servers.chela]\n")
	write := func(name string, value any) error {
		text, err := words.JSON(value, "")
		fmt.Fprintf(&b, "%s = %s", name, text)
		return err
	}
	if err := write("command", s.Command); err != nil {
		return "", err
	}
	if err := write("args", s.Args); err != nil {
		return "", err
	}
	if len(s.Env) > 0 {
		b.WriteString("\n[mcp_servers.chela.env]\n")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		if err := write(name, s.Env[name]); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}
