package install

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Two clones in different folders, built with another umask, time zone and language, give the same
// bytes.
func TestBuildsAreReproducible(t *testing.T) {
	root := needsPackages(t)
	here := shell{dir: root}
	commit := here.run(t, "git", "rev-parse", "HEAD")
	build := func(folder string, s shell) map[string]string {
		clone := filepath.Join(t.TempDir(), folder)
		shell{t.TempDir(), s.env}.run(t, "bash", "-c", `umask "$UMASK" && git clone -q "$1" "$2" && git -C "$2" checkout -q "$3"`, "-", root, clone, commit)
		s.dir = clone
		s.run(t, "bash", "-c", `umask "$UMASK" && make npm TOOLS="$1"`, "-", filepath.Join(root, ".cache", "tools"))
		return hashes(t, filepath.Join(clone, "dist"))
	}
	first := build("one", shell{env: []string{"UMASK=022", "TZ=UTC"}})
	other := []string{"UMASK=077", "TZ=Asia/Tokyo", "LC_ALL=C", "HOSTNAME=elsewhere"}
	if full {
		other = append(other, "GOCACHE="+t.TempDir())
	}
	second := build("another folder", shell{env: other})
	if len(first) < 28 { // archives, packages, SBOMs, checksums, npm
		t.Errorf("only %d files: %q", len(first), slices.Sorted(maps.Keys(first)))
	}
	for _, name := range slices.Sorted(maps.Keys(first)) {
		if first[name] != second[name] {
			t.Errorf("%s differs", name)
		}
	}
	if len(first) != len(second) {
		t.Errorf("there are %d files, and then %d", len(first), len(second))
	}
}

// hashes returns the hash of each file that is published. GoReleaser's own lists and the bare
// programs are left out.
func hashes(t *testing.T, dist string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"chela_*.*", "chela-*.*", "SHA256SUMS", "npm/*.tgz"} {
		paths, err := filepath.Glob(filepath.Join(dist, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err != nil || info.IsDir() {
				continue
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[strings.TrimPrefix(path, dist)] = fmt.Sprintf("%x", sha256.Sum256(raw))
		}
	}
	return all
}
