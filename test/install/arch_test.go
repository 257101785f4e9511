package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The package for Arch has the whole version. nfpm leaves its end out, unless there is an epoch.
func TestArchKnowsTheVersion(t *testing.T) {
	dist := filepath.Join(needsPackages(t), "dist")
	raw, err := os.ReadFile(filepath.Join(dist, "metadata.json"))
	if err != nil {
		t.Fatal(err)
	}
	var metadata struct{ Version string }
	if err := json.Unmarshal(raw, &metadata); err != nil {
		t.Fatal(err)
	}
	want := "pkgver = 0:" + strings.ReplaceAll(metadata.Version, "-", "") + "-1\n"
	info := shell{}.run(t, "tar", "--extract", "--zstd", "--to-stdout", "--file", one(t, filepath.Join(dist, "*-x86_64.pkg.tar.zst")), ".PKGINFO")
	if !strings.Contains(info, want) {
		t.Errorf("want %q, got\n%s", want, info)
	}
}
