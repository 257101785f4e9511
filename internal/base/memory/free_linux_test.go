package memory

import (
	"os"
	"path/filepath"
	"testing"
)

// The smaller share counts: that of the machine's memory, or that of the container's limit.
func TestFree(t *testing.T) {
	if share, known := Free(); !known || share <= 0 || share > 1 {
		t.Errorf("here, %v is free, %v", share, known)
	}
	for _, test := range []struct {
		name, machine, limit, used, stat string
		share                            float64
		known                            bool
	}{
		{"a machine", "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 250 kB\n", "", "", "", 0.25, true},
		{"a container without a limit", "MemTotal: 1000 kB\nMemAvailable: 250 kB\n", "max\n", "10\n", "", 0.25, true},
		{"a container", "MemTotal: 1000 kB\nMemAvailable: 250 kB\n", "1000\n", "950\n", "anon 1\ninactive_file 50\n", 0.1, true},
		{"an old kernel", "MemTotal: 1000 kB\n", "", "", "", 0, false},
	} {
		dir := t.TempDir()
		meminfo, cgroup = filepath.Join(dir, "meminfo"), dir
		for name, text := range map[string]string{"meminfo": test.machine, "memory.max": test.limit, "memory.current": test.used, "memory.stat": test.stat} {
			if text != "" {
				os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
			}
		}
		if share, known := Free(); share != test.share && known || known != test.known {
			t.Errorf("%s: %v is free, %v; want %v, %v", test.name, share, known, test.share, test.known)
		}
	}
}
