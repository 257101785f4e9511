package install

import (
	"bufio"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The tarballs are enough: with an empty cache and without a network, npx runs the agent tool.
func TestNpmFromTarballs(t *testing.T) {
	packages := filepath.Join(needsPackages(t), "dist", "npm")
	s := emptyFolder(t, "npm_config_offline=true")
	version, own := theirVersion(t, packages), ownSystem(t)
	s.run(t, "npm", "install", "--no-audit", "--no-fund", tarball(packages, "chela", version), tarball(packages, own, version))
	answersAgents(t, s, "npx", "--no-install", "@chela/chela", "mcp")

	for _, other := range []string{"win32-x64", "darwin-arm64"} {
		out, err := s.command("npm", "install", tarball(packages, other, version)).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "EBADPLATFORM") {
			t.Errorf("@chela/%s can be installed on %s: %v, %s", other, own, err, out)
		}
	}
}

// With a registry that has the packages, one command in an empty folder is enough. It takes the
// program for this system and no other.
func TestNpmFromRegistry(t *testing.T) {
	packages := filepath.Join(needsPackages(t), "dist", "npm")
	registry := serveRegistry(t, packages)
	s := emptyFolder(t, "npm_config_registry="+registry.URL)
	answersAgents(t, s, "npx", "--yes", "@chela/chela", "mcp")

	version := theirVersion(t, packages)
	want := []string{filepath.Base(tarball(packages, "chela", version)), filepath.Base(tarball(packages, ownSystem(t), version))}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if slices.Sort(registry.sent); !slices.Equal(registry.sent, want) {
		t.Errorf("npm has downloaded %q, want %q", registry.sent, want)
	}
}

// emptyFolder returns a shell in an empty folder, with a home directory and a cache of npm that are
// empty as well.
func emptyFolder(t *testing.T, env ...string) shell {
	t.Helper()
	return shell{t.TempDir(), append(env, "HOME="+t.TempDir(), "npm_config_cache="+t.TempDir(), "npm_config_update_notifier=false")}
}

// theirVersion returns the version of the packages, from the name of the first one's file.
func theirVersion(t *testing.T, packages string) string {
	t.Helper()
	name := filepath.Base(one(t, filepath.Join(packages, "chela-chela-*.tgz")))
	return strings.TrimSuffix(strings.TrimPrefix(name, "chela-chela-"), ".tgz")
}

// tarball returns the file that npm pack has made of the package @chela/name.
func tarball(packages, name, version string) string {
	return filepath.Join(packages, "chela-"+name+"-"+version+".tgz")
}

// ownSystem returns node's name of this system.
func ownSystem(t *testing.T) string {
	t.Helper()
	return shell{}.run(t, "node", "-p", "`${process.platform}-${process.arch}`")
}

// answersAgents checks that a command speaks MCP, and ends when its input does.
func answersAgents(t *testing.T, s shell, name string, args ...string) {
	t.Helper()
	cmd := s.command(name, args...)
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tooLate := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer tooLate.Stop()
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`+"\n")
	line, err := bufio.NewReader(out).ReadString('\n')
	var answer struct {
		Result struct{ ServerInfo struct{ Name string } }
	}
	if json.Unmarshal([]byte(line), &answer); answer.Result.ServerInfo.Name != "chela" {
		t.Errorf("got %q, %v", line, err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// A registry is a small registry of npm. It has the packages of a folder.
type registry struct {
	URL string

	mu   sync.Mutex // guards the rest: npm downloads several packages at once
	sent []string   // names of tarballs that were downloaded
}

func serveRegistry(t *testing.T, packages string) *registry {
	t.Helper()
	r := &registry{}
	documents := map[string]any{}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	r.URL = server.URL
	paths, err := filepath.Glob(filepath.Join(packages, "*.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var manifest map[string]any
		if err := json.Unmarshal([]byte(shell{}.run(t, "tar", "--extract", "--to-stdout", "--file", path, "package/package.json")), &manifest); err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum512(raw)
		manifest["dist"] = map[string]string{
			"tarball":   server.URL + "/tarballs/" + filepath.Base(path),
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
		name, version := manifest["name"].(string), manifest["version"].(string)
		documents[name] = map[string]any{"name": name, "dist-tags": map[string]string{"latest": version}, "versions": map[string]any{version: manifest}}
	}
	mux.HandleFunc("GET /tarballs/{name}", func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		r.sent = append(r.sent, req.PathValue("name"))
		r.mu.Unlock()
		http.ServeFile(w, req, filepath.Join(packages, req.PathValue("name")))
	})
	mux.HandleFunc("GET /{name...}", func(w http.ResponseWriter, req *http.Request) {
		document, ok := documents[req.PathValue("name")]
		if !ok {
			http.NotFound(w, req)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(document)
	})
	return r
}
