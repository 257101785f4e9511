package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// In a fresh Debian, the package is installed, used by an ordinary user, and purged. The script
// debian.sh says what has to hold.
func TestDebian(t *testing.T) {
	root := needsPackages(t)
	fresh := freshDebian(t)
	arch := shell{}.run(t, "dpkg", "--print-architecture")
	for _, file := range []string{one(t, filepath.Join(root, "dist", "chela_*_"+arch+".deb")), "debian.sh"} {
		shell{}.run(t, "cp", file, filepath.Join(fresh, "root"))
	}
	cmd := exec.Command("./enter.sh", fresh, "/root/debian.sh")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	t.Log("\n" + out.String())
	if err != nil || !strings.Contains(out.String(), "== all is well") {
		t.Error(err)
	}
}

// freshDebian unpacks the Debian into a folder.
func freshDebian(t *testing.T) (folder string) {
	t.Helper()
	folder, err := os.MkdirTemp("", "chela-debian-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shell{}.run(t, "rm", "--recursive", "--force", "--one-file-system", folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	shell{}.run(t, "tar", "--extract", "--file", debian, "--directory", folder)
	return folder
}
