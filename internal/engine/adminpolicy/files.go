package adminpolicy

import (
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/titanous/json5"
)

// maxFile is how many bytes of a policy file are read at most.
const maxFile = 4 << 20

// readFolder reads the policy files of a folder. If several have the same policy, the last one by
// name counts, as in Chromium.
func readFolder(dir string) policies {
	all := policies{}
	entries, _ := os.ReadDir(dir) // sorted by name; empty if there is no such folder
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".json" {
			maps.Copy(all, readFile(filepath.Join(dir, entry.Name())))
		}
	}
	return all
}

func readFile(path string) policies {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil
	}
	return parse(raw)
}

// parse reads an object of JSON. Chromium lets such files have comments and trailing commas.
func parse(raw []byte) (p policies) {
	if json5.Unmarshal(raw, &p) != nil {
		return nil
	}
	return p
}
