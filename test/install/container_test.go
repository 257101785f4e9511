package install

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The Dockerfile makes an image on a fresh Debian. In a container of it, tini is the first process,
// chela runs as a user of its own without capabilities, and Chromium has its sandbox.
func TestContainer(t *testing.T) {
	root := needsPackages(t)
	b := builder{shell{dir: root}, t.TempDir()}
	b.build(t)

	name := b.run(t, "from", "--pull-never", "--cap-drop", "ALL", "--security-opt", "seccomp="+filepath.Join(root, "container", "seccomp.json"), "localhost/chela")
	var image struct {
		Docker struct {
			Config struct {
				User            string
				Entrypoint, Cmd []string
				Healthcheck     struct{ Test []string }
			} `json:"config"`
		}
	}
	if err := json.Unmarshal([]byte(b.run(t, "inspect", name)), &image); err != nil {
		t.Fatal(err)
	}
	config := image.Docker.Config
	if config.User != "10001:10001" || len(config.Healthcheck.Test) < 2 || config.Healthcheck.Test[0] != "CMD" {
		t.Fatalf("the image has %+v", config)
	}

	id := b.start(t, name, append(config.Entrypoint, config.Cmd...))
	inside := func(words ...string) string {
		t.Helper()
		return b.shell.run(t, "runc", append([]string{"exec", id}, words...)...)
	}
	t.Log(inside(config.Healthcheck.Test[1:]...))
	if got := inside("cat", "/proc/1/comm"); got != "tini" {
		t.Errorf("the first process is %s", got)
	}
	status := inside("cat", "/proc/1/status")
	for _, line := range []string{"Uid:\t10001\t10001\t10001\t10001", "CapEff:\t0000000000000000", "Seccomp:\t2"} {
		if !strings.Contains(status, line+"\n") {
			t.Errorf("want %q, got %s", line, status)
		}
	}
	if demo := inside("chela", "demo"); !strings.Contains(demo, "That was an order") {
		t.Errorf("the demo: %s", demo)
	}
	inside("chela", "start")
	if doctor := inside("chela", "doctor"); !strings.Contains(doctor, "OK linux-sandbox: pages run in Chromium's sandbox") {
		t.Errorf("the doctor: %s", doctor)
	}
}

// A builder is buildah with a storage of its own.
type builder struct {
	shell   shell
	storage string
}

func (b builder) args(args ...string) []string {
	return append([]string{"--root", filepath.Join(b.storage, "root"), "--runroot", filepath.Join(b.storage, "run")}, args...)
}

func (b builder) run(t *testing.T, args ...string) string {
	t.Helper()
	return b.shell.run(t, "buildah", b.args(args...)...)
}

// build builds the image localhost/chela. Its stage with Go is the fresh Debian, where Go is mounted
// with what it has downloaded and compiled here.
func (b builder) build(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { b.run(t, "rm", "--all"); b.run(t, "rmi", "--all", "--force") })
	fresh := b.run(t, "from", "scratch")
	b.run(t, "add", "--quiet", fresh, debian, "/")
	b.run(t, "commit", "--quiet", "--format", "docker", fresh, "localhost/debian")
	b.run(t, "config", "--env", "PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin", fresh)
	b.run(t, "commit", "--quiet", "--format", "docker", fresh, "localhost/golang")

	volumes := []string{}
	for variable, path := range map[string]string{"GOROOT": "/usr/local/go", "GOMODCACHE": "/root/go/pkg/mod", "GOCACHE": "/root/.cache/go-build"} {
		volumes = append(volumes, "--volume", b.shell.run(t, "go", "env", variable)+":"+path)
	}
	out := b.run(t, append(append([]string{"build", "--isolation", "chroot", "--format", "docker", "--pull-never",
		"--build-arg", "BUILD=localhost/golang", "--build-arg", "BASE=localhost/debian", "--tag", "localhost/chela"}, volumes...), ".")...)
	t.Log(out[max(0, len(out)-500):])
	t.Log(b.run(t, "images"))
}

// start starts a container with runc, in a network of its own that reaches nothing. It returns
// runc's name of it once the server listens. When the test ends, tini is asked to end.
func (b builder) start(t *testing.T, name string, command []string) (id string) {
	t.Helper()
	running := strings.Fields(b.shell.run(t, "runc", "list", "--quiet"))
	cmd := exec.Command("buildah", b.args(append([]string{"run", "--isolation", "oci", "--runtime", "runc", "--network", "none", name, "--"}, command...)...)...)
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 100)
	tooLate := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	n, err := said.Read(line)
	if tooLate.Stop(); err != nil || !strings.Contains(string(line[:n]), "chela listens on") {
		t.Fatalf("the container says %q, %v", line[:n], err)
	}
	for _, each := range strings.Fields(b.shell.run(t, "runc", "list", "--quiet")) {
		if !strings.Contains(strings.Join(running, " "), each) {
			id = each
		}
	}
	t.Cleanup(func() {
		b.shell.run(t, "runc", "kill", id, "TERM")
		if err := cmd.Wait(); err != nil {
			t.Errorf("the container ends with %v", err)
		}
	})
	return id
}
